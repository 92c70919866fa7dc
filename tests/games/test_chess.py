"""Chess: published counts, and the package `chess` as a second opinion, move for move."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
from zermelo import MAX
from zermelo.compiled.answers import ROOM, answers, write_answers
from zermelo.compiled.game import compiled
from zermelo.compiled.perft import perft
from zermelo.compiled.states import flatten
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games.chess import chess
from zermelo.games.chess_board import QUEEN, beside, upside_down
from zermelo.games.chess_fen import first_rank
from zermelo.play.ending import earlier_place
from zermelo.textbook.perft import perft as slow_perft

GAME = chess()
MOST_NODES = 20_000_000
"""Published counts up to so many nodes are checked here; `benchmarks/chess_perft.py` checks the others."""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize("file", ["chess_perft_standard.tsv", "chess_perft_tricky.tsv"])
def test_perft_is_the_published_one(file):
    for row in facts.rows(file):
        if int(row["nodes"]) <= MOST_NODES:
            state = GAME.from_text(row["fen"])
            assert perft(GAME, state, int(row["depth"])) == int(row["nodes"]), row


def test_interpreted_perft_counts_the_same():
    state = GAME.from_text(KIWIPETE)
    assert [slow_perft(GAME, state, depth) for depth in range(3)] == [1, 48, 2039]


def test_perft_goes_on_where_only_a_draw_ends_the_game():
    bare, long = GAME.from_text("8/8/4k3/8/8/3NK3/8/8 w - - 0 1"), GAME.from_text(KIWIPETE.replace(" 0 1", " 100 80"))
    assert GAME.is_terminal(bare) and GAME.is_terminal(long)
    assert [perft(GAME, long, depth) for depth in (1, 2)] == [48, 2039]
    assert (
        [perft(GAME, bare, depth) for depth in (1, 2)] == [slow_perft(GAME, bare, depth) for depth in (1, 2)] != [0, 0]
    )


STARTS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pPppqpb1/bn2pnp1/3PN3/4P3/2N2Q1p/PPPBBPpP/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "k7/8/8/3pP3/8/8/8/K6q w - d6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 90 1",
    "8/8/4k3/8/2b5/3NK3/8/8 w - - 0 1",
    "2r1k1r1/8/8/8/8/8/8/1RK2R2 w FBgc - 0 1",
    "1rk3r1/pp4pp/8/8/8/8/PP4PP/RR2K2R w HBgb - 0 1",
]
"""Where castling, en passant, promotions, checks, pins, draws, and castling as in Chess960 are near."""


def legal_names(game, state):
    return {game.show_action(state, action): action for action in game.legal_actions(state)}


@settings(max_examples=60)
@given(data=st.data())
def test_random_games_agree_with_the_package_chess_move_for_move(data):
    theirs = pytest.importorskip("chess", reason="the package chess is not installed")
    game = GAME if data.draw(st.booleans()) else WIDE
    if data.draw(st.booleans()):
        board = theirs.Board(data.draw(st.sampled_from(STARTS)), chess960=True)
    else:
        board = theirs.Board.from_chess960_pos(data.draw(st.integers(0, 959)))
    state = game.from_text(board.shredder_fen() if data.draw(st.booleans()) else board.fen())
    for _ in range(data.draw(st.integers(0, 40))):
        legal = legal_names(game, state)
        if board.is_insufficient_material() or board.halfmove_clock >= 100:
            assert game.is_terminal(state)
            break
        assert set(legal) == {board.san(move) for move in board.legal_moves}
        assert game.to_text(state).split()[:5] == [*board.epd(en_passant="legal").split(), str(board.halfmove_clock)]
        if not legal:
            assert game.utility(state) == (-100_000 * state.player if board.is_checkmate() else 0)
            break
        name = data.draw(st.sampled_from(sorted(legal)))
        move = board.parse_san(name)
        assert game.parse_action(state, move.uci()) == game.parse_action(state, name) == legal[name]
        state = game.result(state, legal[name])
        board.push(move)


WIDE = chess(start=0)
"""A game of Chess960. Its rules are those of usual chess, but for the start and how moves are clicked."""


@pytest.mark.parametrize("game", [GAME, chess(size=5), chess(size=6)], ids=repr)
def test_random_positions_keep_their_promises(game):
    for seed in range(2):
        before = game.initial
        for ply, (state, _) in enumerate(positions.random_moves(game, seed, 60)):
            if ply % 3 == seed:  # reading every move's name back takes a tenth of a second a position
                positions.keeps_its_promises(game, state)
            assert game.tier(state) >= game.tier(before)
            assert state.halfmove_clock or state == game.initial or game.tier(state) > game.tier(before)
            before = state


@pytest.mark.parametrize("fen", STARTS)
def test_compiled_and_interpreted_rules_agree_where_rare_moves_are_near(fen):
    state = GAME.from_text(fen)
    for child in [state, *(GAME.result(state, action) for action in GAME.legal_actions(state))]:
        fast, plain, items = (np.zeros(ROOM, np.int64) for _ in range(3))
        assert answers(compiled(GAME), flatten(child), fast, items) > 0
        write_answers.py_func(compiled(GAME), child, plain, items)
        assert (fast == plain).all()


@pytest.mark.parametrize("number", [0, 518, 959])
def test_starting_positions_of_chess960(number):
    theirs = pytest.importorskip("chess", reason="the package chess is not installed")
    assert GAME.to_text(chess(start=number).initial) == theirs.Board.from_chess960_pos(number).fen()


def test_every_number_names_another_first_rank():
    assert len({first_rank(number) for number in range(960)}) == 960


def naive_count(game, state, depth):
    """Perft of a small board by rules of another form: every step of every man, less those that leave the king."""
    if depth == 0:
        return 1
    return sum(naive_count(game, after, depth - 1) for after in naive_successors(game, state))


def naive_successors(game, state):
    size = game.parameters["size"]
    men = {}
    for y, row in enumerate(game.to_text(state).split()[0].split("/")):
        x = 0
        for mark in row:
            if mark.isdigit():
                x += int(mark)
            else:
                men[x, size - 1 - y], x = mark, x + 1
    mine = str.isupper if state.player == MAX else str.islower
    for square, man in men.items():
        if mine(man):
            for goal in naive_goals(men, square, size):
                if goal in men and mine(men[goal]):
                    continue
                last = man in "Pp" and goal[1] in (0, size - 1)
                for piece in ("QRN" if size == 6 else "QRBN") if last else man:
                    after = {**men, goal: piece if man.isupper() else piece.lower()}
                    del after[square]
                    king = next(one for one, man in after.items() if man in "Kk" and mine(man))
                    if not any(king in naive_goals(after, one, size) for one, man in after.items() if not mine(man)):
                        rows = ["".join(after.get((x, y), "1") for x in range(size)) for y in reversed(range(size))]
                        yield game.from_text(f"{'/'.join(rows)} {'b' if state.player == MAX else 'w'}")


def naive_goals(men, square, size):
    """The squares that a man can step to, own men included, and pawns forward only where it is free."""
    man, (x, y) = men[square], square
    if man in "Pp":
        step = 1 if man == "P" else -1
        return [(x, y + step)] * ((x, y + step) not in men) + [
            (x + side, y + step) for side in (-1, 1) if (x + side, y + step) in men
        ]
    if man in "Nn":
        steps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    else:
        steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
        steps = [step for step in steps if man in "KkQq" or (0 in step) == (man in "Rr")]
    found = []
    for a, b in steps:
        for far in range(1, size if man in "QqRrBb" else 2):
            goal = x + far * a, y + far * b
            if not (0 <= goal[0] < size and 0 <= goal[1] < size):
                break
            found.append(goal)
            if goal in men:
                break
    return found


@pytest.mark.parametrize("size", [5, 6])
def test_small_boards(size):
    game = chess(size=size)
    chooser = random.Random(size)
    assert slow_perft(game, game.initial, 3) == naive_count(game, game.initial, 3)
    for seed in range(8):
        state = chooser.choice([state for state, _ in positions.random_moves(game, seed, 60)])
        assert slow_perft(game, state, 2) == naive_count(game, state, 2)
    with pytest.raises(ValueError, match="third field"):
        game.from_text(game.to_text(game.initial).replace("w -", "w Q"))


def is_noisy(state, action):
    """Whether a move captures, also en passant, or makes a queen."""
    theirs = state.black if state.player == MAX else state.white
    target = 1 << (action >> 6 & 63)
    passes = state.pawns >> (action & 63) & 1 and target & state.en_passant
    return bool(target & theirs or passes or action >> 12 == QUEEN)


NOISY = [
    (GAME, STARTS),
    (chess(size=5), ["4k/PP3/2p2/2Pp1/K4 w - - 0 1", "1r2k/P4/3p1/4p/K1R2 b - - 0 1", "4k/5/5/p2pp/KR3 b - - 0 1"]),
    (chess(size=6), ["1n3k/P2P2/6/6/4p1/K4N w - - 0 1", "5k/6/6/6/p2p2/KN2R1 b - - 0 1"]),
]


@pytest.mark.parametrize(("game", "starts"), NOISY, ids=repr)
def test_noisy_actions_are_captures_and_new_queens(game, starts):
    """Where promotions, checks, pins and captures en passant are near, and in random games."""
    states = [state for seed in range(6) for state, _ in positions.random_moves(game, seed, 70)]
    rare = [game.from_text(start) for start in starts]
    near = rare + [game.result(state, action) for state in rare for action in game.legal_actions(state)]
    found = 0
    for state in [*states, *near, *map(game.swap, near)]:
        wanted = [action for action in game.actions(state) if is_noisy(state, action)]
        assert list(game.noisy_actions(state)) == wanted
        found += len(wanted)
    assert found > 100


def test_there_are_no_other_boards():
    with pytest.raises(BadParameter, match="sizes 5 and 6"):
        chess(size=7)
    with pytest.raises(BadParameter, match="one start only"):
        chess(size=5, start=3)


def test_en_passant_counts_only_where_it_is_legal():
    assert GAME.play(GAME.initial, "e4").en_passant == 0
    state = GAME.from_text("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
    assert GAME.to_text(GAME.play(state, "d4")).split()[3] == "d3"
    assert GAME.from_text("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1").en_passant == 0


def test_a_position_comes_back_whatever_the_halfmove_clock():
    states = [GAME.initial]
    for name in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        states.append(GAME.play(states[-1], name))
    assert states[-1].halfmove_clock == 8
    assert all(earlier_place(GAME, states[:length]) is None for length in range(1, 9))
    assert earlier_place(GAME, states) == 0  # the third time
    moved_rook = GAME.replay("Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Ng1 Ng8")
    assert earlier_place(GAME, [GAME.initial, GAME.initial, moved_rook]) is None  # nobody may castle there on this side


@pytest.mark.parametrize(
    ("fen", "utility"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -100_000),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", 100_000),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ("4k3/8/8/4b3/1n6/8/1P1n4/K7 w - - 0 1", 0),
        ("k7/1p1N4/8/1N6/4B3/8/8/4K3 b - - 0 1", 0),
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/8/4K3/8/8 b - - 0 1", 0),
        ("8/b7/4kb2/8/8/4K3/7B/8 w - - 0 1", 0),
        ("8/8/4k3/8/8/3RK3/8/8 w - - 100 90", 0),
    ],
    ids=[
        "mate",
        "mate at the last moment",
        "stalemate",
        "stalemate with a pawn that shields its king",
        "the same with black",
        "a knight",
        "two kings",
        "like bishops",
        "fifty moves",
    ],
)
def test_how_games_end(fen, utility):
    state = GAME.from_text(fen)
    assert GAME.is_terminal(state)
    assert GAME.utility(state) == utility
    assert GAME.legal_actions(state) == []


@pytest.mark.parametrize("men", ["8/8/4k3/8/8/3NKN2/8/8", "8/8/b3k3/8/8/4K3/8/B7", "8/n7/4k3/8/8/4K3/8/B7"])
def test_where_somebody_could_be_mated_the_game_goes_on(men):
    assert not GAME.is_terminal(GAME.from_text(f"{men} w - - 99 1"))


def test_a_pawn_may_become_four_pieces():
    state = GAME.from_text("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    names = legal_names(GAME, state)
    clicks = GAME.board(state).clicks
    # a7 is cell 8 and a8 cell 0; the rook, bishop and knight stand on a7, a6 and a5 as if in a menu.
    assert {name: clicks[names[name]] for name in ("a8=Q", "a8=R", "a8=B", "a8=N")} == {
        "a8=Q": (8, 0, 0),
        "a8=R": (8, 0, 8),
        "a8=B": (8, 0, 16),
        "a8=N": (8, 0, 24),
    }
    assert {name: GAME.board(state).choices.get(names[name]) for name in ("a8=Q", "a8=N", "Kb1")} == {
        "a8=Q": "♕",
        "a8=N": "♘",
        "Kb1": None,
    }
    assert max(names, key=lambda name: GAME.order(state, names[name])) == "a8=Q"
    assert {GAME.read_action(state, text) for text in ("a8Q", "a7a8q", "a8=Q!")} == {names["a8=Q"]}
    with pytest.raises(IllegalAction, match="'a8' is not a legal action here"):
        GAME.read_action(state, "a8")


def test_castling_is_written_and_clicked():
    state = GAME.from_text("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    short, long = GAME.read_action(state, "O-O"), GAME.read_action(state, "0-0-0")
    assert [GAME.read_action(state, text) for text in ("e1g1", "e1c1", "e1h1", "e1a1")] == [short, long, short, long]
    clicks = GAME.board(state).clicks
    assert (clicks[short], clicks[long]) == ((60, 62), (60, 58))
    assert GAME.to_text(GAME.result(state, short)) == "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"


def test_castling_beside_the_usual_squares_is_not_mistaken_for_a_step():
    state = GAME.from_text("4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    castling, step = GAME.read_action(state, "O-O"), GAME.read_action(state, "Kg1")
    assert (GAME.read_action(state, "f1h1"), GAME.read_action(state, "f1g1")) == (castling, step)
    assert GAME.board(state).clicks[castling] != GAME.board(state).clicks[step]


def test_moves_are_read_as_people_write_them():
    state = GAME.from_text("7k/8/8/1N3N2/8/8/8/N6K w - - 0 1")
    assert {GAME.show_action(state, action) for action in GAME.actions(state) if action >> 6 & 63 == 27} == {
        "Nbd4",
        "Nfd4",
    }
    assert GAME.read_action(state, "Nb5-d4") == GAME.read_action(state, "Nbd4+") == GAME.read_action(state, "b5d4")
    with pytest.raises(IllegalAction, match="'Nd4' may mean Nbd4 or Nfd4"):
        GAME.read_action(state, "Nd4")


def test_positions_are_read_as_people_write_them():
    assert GAME.from_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq") == GAME.initial
    assert GAME.from_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1") == GAME.initial
    assert GAME.from_text('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "1";') == GAME.initial


def test_the_picture():
    assert GAME.draw(GAME.initial).splitlines()[0] == "8 r n b q k b n r"
    assert GAME.draw(GAME.initial).splitlines()[-1] == "  a b c d e f g h"


@given(word=st.integers(0, (1 << 64) - 1))
def test_neighbours_are_on_the_same_rank(word):
    neighbours = {
        square + step for square in range(64) if word >> square & 1 for step in (-1, 1) if 0 <= square % 8 + step < 8
    }
    assert beside(word) & (1 << 64) - 1 == sum(1 << square for square in neighbours)


@given(word=st.integers(0, (1 << 64) - 1))
def test_upside_down(word):
    assert upside_down(word, 8) == int.from_bytes(word.to_bytes(8, "little"), "big")
    small = word & 0x1F1F1F1F1F
    assert upside_down(small, 5) == int.from_bytes(small.to_bytes(5, "little"), "big")


HOSTILE = {
    "": "one to six fields",
    "8/8/8/8/8/8/8/8 w - - 0 1": "White must have one king",
    "k7/8/8/8/8/8/8/KK6 w": "White must have one king",
    "8/8/8/8/8/8/8/K7 w": "Black must have one king",
    "k7/pppppppp/p7/8/8/8/8/K7 w": "Black has more than 8 pawns",
    "k7/8/8/8/8/QQQQQQQQ/QQQQQQQQ/K7 w": "White has more than 16 men",
    "k7/8/8/8/8/8/8/K7 z - - 0 1": "second field must be w or b",
    "k7/8/8/8/8/8/8/K8 w": "8 ranks of 8 squares",
    "k7/8/8/8/8/8/K7 w": "8 ranks of 8 squares",
    "k7/8/8/8/8/8/8/K6x w": "'x', which is no man",
    "K7/k7/8/8/8/8/8/8 w": "not to move is in check",
    "k7/8/8/8/8/8/8/K6r b": "not to move is in check",
    "k6P/8/8/8/8/8/8/K7 w": "a pawn stands on a last rank",
    "k7/8/8/8/8/8/8/4K3 w K": "no king and rook that can castle for 'K'",
    "k7/8/8/8/8/8/8/4K2R w Q": "no king and rook that can castle for 'Q'",
    "k7/8/8/8/8/8/4K3/7R w H": "no king and rook that can castle for 'H'",
    "k7/8/8/8/8/8/8/4K1RR w GK": "two rooks on the same side",
    "k7/8/8/8/8/8/8/4K2R w ?": "castle for '\\?'",
    "k7/8/8/8/8/8/8/K7 w - e6": "a pawn has just passed, and not e6",
    "k7/8/8/4p3/8/8/8/K7 b - e6": "a pawn has just passed, and not e6",
    "k7/4p3/8/4pP2/8/8/8/K7 w - e6": "a pawn has just passed, and not e6",
    "k7/8/8/8/8/8/8/K7 w - - -3 1": "numbers of moves, and not -3",
    "k7/8/8/8/8/8/8/K7 w - - ٣ 1": "numbers of moves",
}


@pytest.mark.parametrize(("text", "fault"), HOSTILE.items())
def test_impossible_positions_are_refused_with_the_reason(text, fault):
    with pytest.raises(ValueError, match=fault):
        GAME.from_text(text)
    with pytest.raises(ValueError, match="is not a legal move"):
        GAME.parse_action(GAME.initial, text)
