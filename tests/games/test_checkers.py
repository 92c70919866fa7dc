import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN
from zermelo.games import checkers
from zermelo.textbook.perft import divide, perft

GAME = checkers()
PERFT = {int(row["depth"]): int(row["checkers8"]) for row in facts.rows("perft.tsv") if row["checkers8"]}
ROUND_TRIP = "W:WK18,22:B6,7,14,15,K25"


@pytest.mark.parametrize("depth", range(9))
def test_perft_is_the_published_one(depth):
    assert perft(GAME, GAME.initial, depth) == PERFT[depth]


def test_perft_compiled_is_the_published_one():
    compiled = pytest.importorskip("zermelo.compiled")
    assert [compiled.perft(GAME, GAME.initial, depth) for depth in (9, 10, 11)] == [PERFT[9], PERFT[10], PERFT[11]]


def test_a_limit_that_is_never_reached_changes_no_count():
    counted = checkers(no_progress=80)
    assert sum(divide(counted, counted.initial, 6).values()) == PERFT[6]


def naive_moves(text):
    """The legal moves of a FEN, square by square: every path of rows and columns, and what it captures."""
    turn, *sides = text.split(":")
    pieces = {}
    for side in sides[:2]:
        for word in filter(None, side[1:].split(",")):
            number = int(word.removeprefix("K")) - 1
            row = number // 4
            pieces[row, 2 * (number % 4) + 1 - row % 2] = (side[0], word[0] == "K")

    def ways(side, king):
        return [(down, right) for down in (1, -1) for right in (-1, 1) if king or down == (1 if side == "B" else -1)]

    def chains(path, king, taken):
        longer = []
        for down, right in ways(turn, king):
            row, column = path[-1]
            over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
            on_board = 0 <= landing[0] < 8 and 0 <= landing[1] < 8
            free = landing not in pieces or landing == path[0]
            if on_board and free and over not in taken and pieces.get(over, (turn,))[0] != turn:
                longer += chains([*path, landing], king, [*taken, over])
        return longer or ([(path, taken)] if taken else [])

    jumps, steps = [], []
    for place, (side, king) in pieces.items():
        if side == turn:
            jumps += chains([place], king, [])
            for down, right in ways(side, king):
                target = place[0] + down, place[1] + right
                if 0 <= target[0] < 8 and 0 <= target[1] < 8 and target not in pieces:
                    steps.append(([place, target], []))
    return jumps or steps


def number(place):
    return place[0] * 4 + place[1] // 2 + 1


def names(moves):
    return sorted(("x" if taken else "-").join(str(number(place)) for place in path) for path, taken in moves)


@st.composite
def random_fens(draw):
    """Positions with many kings, where chains are long and turn."""
    squares = draw(st.permutations(range(1, 33)))
    sides = {"W": [], "B": []}
    for square in squares[: draw(st.integers(2, 20))]:
        side = draw(st.sampled_from("WB"))
        king = draw(st.booleans()) or (square <= 4 if side == "W" else square >= 29)
        sides[side].append(f"{'K' * king}{square}")
    return f"{draw(st.sampled_from('WB'))}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


@settings(max_examples=200)
@given(random_fens())
def test_a_random_position_agrees_with_a_look_at_its_text(fen):
    state = GAME.from_text(fen)
    moves = naive_moves(GAME.to_text(state))
    assert sorted(GAME.show_action(state, action) for action in GAME.legal_actions(state)) == names(moves)
    assert GAME.is_terminal(state) == (not moves)
    if not moves:
        assert GAME.utility(state) == -10000 * GAME.to_move(state)
    positions.keeps_its_promises(GAME, state)


@settings(max_examples=20)
@given(st.data())
def test_a_random_game_agrees_with_a_look_at_its_text(data):
    game = checkers(no_progress=20)
    state, quiet = game.initial, 0
    for _ in range(1000):
        positions.keeps_its_promises(game, state)
        text = game.to_text(state)
        moves = naive_moves(text)
        assert game.is_terminal(state) == (not moves or quiet == 20)
        assert text.endswith(f":H{quiet}")
        if game.is_terminal(state):
            assert game.utility(state) == (-10000 * game.to_move(state) if not moves else 0)
            break
        legal = game.legal_actions(state)
        assert sorted(game.show_action(state, action) for action in legal) == names(moves)
        action = data.draw(st.sampled_from(legal))
        path, taken = next(move for move in moves if names([move]) == [game.show_action(state, action)])
        child = game.result(state, action)
        fields = text.split(":")
        mine, theirs = (2, 1) if game.to_move(state) == MAX else (1, 2)
        before = {word.lstrip("WBK"): "K" in word for word in fields[mine].split(",")}
        king = before.pop(str(number(path[0])))
        quiet = quiet + 1 if king and not taken else 0
        before[str(number(path[-1]))] = king or path[-1][0] == (7 if mine == 2 else 0)
        after = game.to_text(child).split(":")
        assert {word.lstrip("WBK"): "K" in word for word in after[mine].split(",")} == before
        left = {word.lstrip("WB") for word in fields[theirs].split(",")} - {
            f"{'K' * king}{number(place)}" for place in taken for king in (0, 1)
        }
        assert {word.lstrip("WB") for word in after[theirs].split(",")} == (left or {""})
        state = child
    else:
        pytest.fail("twenty quiet plies end a game: none is this long")


@settings(max_examples=40)
@given(st.data())
def test_pydraughts_agrees_on_random_games(data):
    draughts = pytest.importorskip("draughts", reason="pydraughts is not installed")
    if data.draw(st.booleans()):
        fen = data.draw(random_fens())
        if fen.split(":")[1] == "W" or fen.split(":")[2] == "B":
            return  # pydraughts reads no position without pieces of both
    else:
        fen = GAME.to_text(GAME.initial)
    state, peer = GAME.from_text(fen), draughts.Board(variant="english", fen=fen)
    for _ in range(60):
        theirs = {"x".join(map(str, move.steps_move)): move for move in peer.legal_moves()}
        ours = {GAME.show_action(state, action).replace("-", "x"): action for action in GAME.legal_actions(state)}
        assert sorted(ours) == sorted(theirs), peer.fen
        if not ours:
            break
        name = data.draw(st.sampled_from(sorted(ours)))
        state = GAME.result(state, ours[name])
        peer.push(theirs[name])


def test_a_king_may_take_the_same_pieces_by_two_routes():
    state = GAME.from_text(ROUND_TRIP)
    legal = GAME.legal_actions(state)
    assert {GAME.show_action(state, action) for action in legal} == {"18x9x2x11x18", "18x11x2x9x18"}
    assert len({GAME.result(state, action) for action in legal}) == 1
    assert GAME.to_text(GAME.result(state, legal[0])) == "B:WK18,22:BK25"
    with pytest.raises(ValueError, match="may mean 18x"):
        GAME.parse_action(state, "18x18")


def test_a_man_that_becomes_a_king_stops():
    # From 22 the man jumps to 31; a king would go on over 27.
    state = GAME.from_text("B:W26,27:B22")
    assert [GAME.show_action(state, action) for action in GAME.legal_actions(state)] == ["22x31"]
    assert GAME.to_text(GAME.replay(GAME.legal_actions(state), state)) == "W:W27:BK31"


def test_a_jumped_king_is_no_king_any_more():
    state = GAME.from_text("B:WK26:B22")
    child = GAME.result(state, GAME.read_action(state, "22x31"))
    assert child.kings == child.max_pieces
    assert GAME.is_terminal(child)
    assert GAME.utility(child) == 10000


def test_moves_are_read_as_people_write_them():
    state = GAME.from_text("B:W6,14,15,K32:B1,2,3")
    long, short = GAME.read_action(state, "1x10x17"), GAME.parse_action(state, "1x17")
    assert long == short
    assert GAME.show_action(state, long) == "1x10x17"
    assert GAME.show_action(GAME.initial, GAME.read_action(GAME.initial, "11-15")) == "11-15"
    with pytest.raises(IllegalAction, match="'11-14' is not a legal action here; legal are "):
        GAME.read_action(GAME.initial, "11-14")


def test_fens_are_read_as_people_write_them():
    assert GAME.from_text("B:W21-32:B1-12") == GAME.initial
    assert GAME.from_text("B:B1-12:W21-32.") == GAME.initial
    assert GAME.from_text("W:B:WK1-3,5:H7") == GAME.from_text("W:WK1,K2,K3,5:B")
    counted = checkers(no_progress=80)
    assert counted.from_text("W:WK1:BK32:H7").quiet == 7
    assert counted.position(counted.from_text("W:WK1:BK32:H7")) == counted.from_text("W:WK1:BK32")


def test_positions_of_one_piece_each_have_keys_of_their_own():
    fens = [
        f"{turn}:W{'K' * wk}{w}:B{'K' * bk}{b}"
        for turn in "WB"
        for w in range(5, 29)
        for b in range(5, 29)
        for wk in (0, 1)
        for bk in (0, 1)
        if w != b
    ]
    assert len({GAME.key(GAME.from_text(fen)) for fen in fens}) == len(fens)


def test_one_king_each():
    """E. Trice: of 992 positions, a given side to move, it wins 230, draws 654 and loses 108, in 11 plies at most."""
    pairs = [(w, b) for w in range(1, 33) for b in range(1, 33) if w != b]
    states = [GAME.from_text(f"{turn}:WK{w}:BK{b}") for turn in "WB" for w, b in pairs]
    won, plies = {}, 0
    while True:
        plies += 1
        new = {}
        for state in states:
            if state not in won:
                player = GAME.to_move(state)
                children = [GAME.result(state, action) for action in GAME.legal_actions(state)]
                values = [GAME.utility(c) // 10000 if GAME.is_terminal(c) else won.get(c, 0) for c in children]
                if player in values or all(value == -player for value in values):
                    new[state] = player if player in values else -player
        if not new:
            break
        won |= new
    black = [won.get(state, 0) for state in states if GAME.to_move(state) == MAX]
    assert (black.count(MAX), black.count(0), black.count(MIN)) == (230, 654, 108)
    assert plies - 1 == 11


def test_the_picture():
    assert GAME.draw(GAME.from_text("B:W32,K21:B1,K13")).splitlines() == [
        "  b   .   .   .    1-4",
        ".   .   .   .      5-8",
        "  .   .   .   .    9-12",
        "B   .   .   .     13-16",
        "  .   .   .   .   17-20",
        "W   .   .   .     21-24",
        "  .   .   .   .   25-28",
        ".   .   .   w     29-32",
    ]
    assert GAME.board(GAME.initial).clicks[GAME.read_action(GAME.initial, "11-15")] == (21, 28)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "W",
        "B:W:",
        "X:W1:B2",
        "B:W1,1:B2",
        "B:W5:B5",
        "B:W33:B1",
        "B:W8-5:B1",
        "B:W1:B2",
        "B:WQ5:B1",
        "B:W5:B1:B2",
        "B:W9-:B1",
        "B:W9:B-1",
    ],
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        GAME.from_text(text)
    with pytest.raises(ValueError, match=r"\S"):
        GAME.parse_action(GAME.initial, text)


def test_a_count_beyond_the_limit_is_refused():
    with pytest.raises(ValueError, match="at most 80 are possible"):
        checkers(no_progress=80).from_text("W:WK1:BK32:H81")
