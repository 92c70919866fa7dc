from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN
from zermelo.games import draughts
from zermelo.games.draughts_board import ends, taken
from zermelo.textbook.perft import divide, perft

GAME = draughts()
PERFT = {int(row["depth"]): int(row["draughts10"]) for row in facts.rows("perft.tsv") if row["draughts10"]}
POSITIONS = [(row["fen"], int(row["depth"]), int(row["count"])) for row in facts.rows("draughts_perft.tsv")]
DIRECTIONS = [(down, right) for down in (-1, 1) for right in (-1, 1)]


@pytest.mark.parametrize("depth", range(6))
def test_perft_is_the_published_one(depth):
    assert perft(GAME, GAME.initial, depth) == PERFT[depth]


def test_perft_compiled_is_the_published_one():
    compiled = pytest.importorskip("zermelo.compiled")
    assert [compiled.perft(GAME, GAME.initial, depth) for depth in range(6, 10)] == [PERFT[n] for n in range(6, 10)]


@pytest.mark.parametrize("fen, depth, count", [row for row in POSITIONS if row[2] < 2_000])
def test_perft_of_positions_is_the_published_one(fen, depth, count):
    assert perft(GAME, GAME.from_text(fen), depth) == count


@pytest.mark.parametrize("fen, depth, count", [row for row in POSITIONS if 2_000 <= row[2] < 15_000_000])
def test_perft_of_positions_compiled_is_the_published_one(fen, depth, count):
    compiled = pytest.importorskip("zermelo.compiled")
    assert compiled.perft(GAME, GAME.from_text(fen), depth) == count


def test_a_limit_that_is_never_reached_changes_no_count():
    counted = draughts(no_progress=50)
    assert sum(divide(counted, counted.initial, 5).values()) == PERFT[5]


def read(text):
    """The side to move and the pieces of a FEN: {(row, column): (side, is a king)}."""
    turn, *sides = text.split(":")
    pieces = {}
    for side in sides[:2]:
        for word in filter(None, side[1:].split(",")):
            square = int(word.removeprefix("K"))
            pieces[place_of(square)] = side[0], word[0] == "K"
    return turn, pieces


def place_of(square):
    row, place = divmod(square - 1, 5)
    return row, 2 * place + 1 - row % 2


def square_of(place):
    return place[0] * 5 + place[1] // 2 + 1


def ray(place, direction):
    """The squares from a place in a direction, up to the edge."""
    row, column = place[0] + direction[0], place[1] + direction[1]
    while 0 <= row < 10 and 0 <= column < 10:
        yield row, column
        row, column = row + direction[0], column + direction[1]


def chains(pieces, turn, place, king, captured=()):
    """Every chain that goes on from a place, finished or not: where it ends, and what it captures."""
    yield place, frozenset(captured)
    for direction in DIRECTIONS:
        way = list(ray(place, direction))
        gap = len(list(takewhile(lambda square: square not in pieces, way)))
        if gap < len(way) and (king or gap == 0):
            piece, behind = way[gap], takewhile(lambda square: square not in pieces, way[gap + 1 :])
            if pieces[piece][0] != turn and piece not in captured:
                for landing in list(behind) if king else list(behind)[:1]:
                    yield from chains(pieces, turn, landing, king, (*captured, piece))


def naive_moves(text):
    """The legal moves of a FEN as (from, to, captured squares), by rows and columns."""
    turn, pieces = read(text)
    captures, steps = [], set()
    for place, (side, king) in pieces.items():
        if side == turn:
            others = {square: piece for square, piece in pieces.items() if square != place}
            captures += [(place, *chain) for chain in chains(others, turn, place, king)]
            for direction in DIRECTIONS:
                free = list(takewhile(lambda square: square not in pieces, ray(place, direction)))
                if king or direction[0] == (-1 if turn == "W" else 1):
                    steps |= {(place, target, frozenset()) for target in (free if king else free[:1])}
    most = max((len(captured) for _, _, captured in captures), default=0)
    moves = {move for move in captures if len(move[2]) == most} if most else steps
    return {(square_of(start), square_of(end), frozenset(map(square_of, captured))) for start, end, captured in moves}


def legal_moves(state, game=GAME):
    return [(*ends(action), frozenset(taken(action))) for action in game.legal_actions(state)]


def after(text, move):
    """The pieces after a move, by the rules and not by bits."""
    turn, pieces = read(text)
    start, end, captured = move
    side, king = pieces.pop(place_of(start))
    pieces = {place: piece for place, piece in pieces.items() if square_of(place) not in captured}
    pieces[place_of(end)] = side, king or place_of(end)[0] == (0 if side == "W" else 9)
    return ("B" if turn == "W" else "W"), pieces


@st.composite
def random_fens(draw):
    """Positions with many kings, where chains are long and turn."""
    squares = draw(st.permutations(range(1, 51)))
    kings = draw(st.sampled_from([0, 1, 2]))
    sides = {"W": [], "B": []}
    for square in squares[: draw(st.integers(2, 28))]:
        side = draw(st.sampled_from("WB"))
        if len(sides[side]) < 20:
            king = draw(st.integers(0, 3)) < kings or (square <= 5 if side == "W" else square >= 46)
            sides[side].append(f"{'K' * king}{square}")
    return f"{draw(st.sampled_from('WB'))}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


@settings(max_examples=150)
@given(random_fens())
def test_a_random_position_agrees_with_a_look_at_its_text(fen):
    state = GAME.from_text(fen)
    legal, expected = legal_moves(state), naive_moves(fen)
    assert len(legal) == len(set(legal))
    assert set(legal) == expected
    assert GAME.is_terminal(state) == (not expected)
    assert GAME.urgent(state) == any(captured for _, _, captured in expected)
    if not expected:
        assert GAME.utility(state) == -10000 * GAME.to_move(state)
    for action, move in zip(GAME.legal_actions(state), legal, strict=True):
        child = GAME.result(state, action)
        assert read(GAME.to_text(child)) == after(GAME.to_text(state), move)
        assert GAME.tier(child) >= GAME.tier(state)
    positions.keeps_its_promises(GAME, state)


@settings(max_examples=5)
@given(st.data())
def test_a_random_game_agrees_with_a_look_at_its_text(data):
    game = draughts(no_progress=12)
    state, quiet = game.initial, 0
    for _ in range(1000):
        positions.keeps_its_promises(game, state)
        text = game.to_text(state)
        moves = naive_moves(text)
        assert game.is_terminal(state) == (not moves or quiet == 12)
        assert text.endswith(f":H{quiet}")
        assert game.plies_left(state) == 12 - quiet
        if game.is_terminal(state):
            assert game.utility(state) == (0 if moves else -10000 * game.to_move(state))
            break
        legal = game.legal_actions(state)
        assert set(legal_moves(state, game)) == moves
        action = data.draw(st.sampled_from(legal))
        king = read(text)[1][place_of(ends(action)[0])][1]
        quiet = quiet + 1 if king and not taken(action) else 0
        state = game.result(state, action)
    else:
        pytest.fail("twelve quiet plies end a game: none is this long")


@settings(max_examples=12)
@given(st.data())
def test_pydraughts_agrees_on_random_games(data):
    peers = pytest.importorskip("draughts", reason="pydraughts is not installed")
    fen = data.draw(st.just(GAME.to_text(GAME.initial)) | random_fens())
    if ":W:" in fen or fen.endswith(":B"):
        return  # pydraughts reads no position without pieces of both
    state, peer = GAME.from_text(fen), peers.Board(variant="standard", fen=fen)
    for _ in range(30):
        theirs = {hub_form(move.hub_move): move for move in peer.legal_moves()}
        ours = dict(zip(legal_moves(state), GAME.legal_actions(state), strict=True))
        assert set(ours) == set(theirs), peer.fen
        if not ours:
            break
        move = data.draw(st.sampled_from(sorted(ours, key=str)))
        state = GAME.result(state, ours[move])
        peer.push(theirs[move])


def hub_form(text):
    """A move as the Hub protocol writes it: from, to and the captured squares."""
    start, end, *captured = map(int, text.replace("-", "x").split("x"))
    return start, end, frozenset(captured)


def shown(fen):
    state = GAME.from_text(fen)
    return {GAME.show_action(state, action) for action in GAME.legal_actions(state)}


def test_the_most_pieces_must_be_captured_and_kings_count_as_men():
    # From 32 a man could take a king; from 38 another takes two men.
    assert shown("W:W32,38:BK28,33,24") == {"38x20"}
    assert shown("W:W32,39:BK28,34") == {"32x23", "39x30"}


def test_men_capture_backward():
    assert shown("W:W23:B28") == {"23x32"}
    assert shown("B:W23:B28") == {"28x19"}


def test_a_king_moves_and_captures_from_afar():
    assert shown("W:WK46:B1") == {f"46-{square}" for square in (41, 37, 32, 28, 23, 19, 14, 10, 5)}
    assert shown("W:WK46:B28") == {f"46x{square}" for square in (23, 19, 14, 10, 5)}
    assert shown("W:WK46:B28,23") == {f"46-{square}" for square in (41, 37, 32)}


def test_a_captured_piece_leaves_the_board_after_the_chain():
    # If 11 left the board at once, the king could take it first, and then come back for the other two.
    assert shown("W:WK17:B11,28,34") == {"17x25", "17x30"}
    assert shown("W:WK17:B11,28") == {"17x6", "17x33", "17x39", "17x44", "17x50"}


def test_a_man_that_only_visits_the_last_row_stays_a_man():
    state = GAME.from_text("W:W13:B7,8")
    assert shown("W:W13:B7,8") == {"13x11"}
    assert GAME.to_text(GAME.replay("13x11", state)) == "B:W11:B"
    state = GAME.from_text("W:W13:B8")
    assert GAME.to_text(GAME.replay("13x2", state)) == "B:WK2:B"


def test_a_captured_king_is_no_king_any_more():
    state = GAME.from_text("W:W32:BK28")
    child = GAME.replay("32x23", state)
    assert child.kings == 0
    assert GAME.is_terminal(child)
    assert GAME.utility(child) == 10000


@pytest.mark.parametrize(
    "fen, names",
    [
        ("W:W38:B22,23,32,33", ["38x38"]),  # clockwise or not
        ("W:WK46:B28,14", ["46x10", "46x5"]),  # between the two, the king lands on 23 or on 19
    ],
)
def test_chains_that_capture_the_same_pieces_are_one_move(fen, names):
    state = GAME.from_text(fen)
    assert [GAME.show_action(state, action) for action in GAME.legal_actions(state)] == names
    positions.keeps_its_promises(GAME, state)


def test_captures_that_begin_and_end_alike_name_what_they_capture():
    state = GAME.from_text("W:WK10:B8,16,22,23,27")
    legal = {GAME.show_action(state, action): action for action in GAME.legal_actions(state)}
    assert set(legal) == {"10x3x8x22x23", "10x3x8x23x27"}
    over_22, over_27 = legal["10x3x8x22x23"], legal["10x3x8x23x27"]
    assert GAME.parse_action(state, "10x3x22") == GAME.parse_action(state, "10x28x17x3") == over_22
    assert GAME.parse_action(state, "10x3x27x23x8") == GAME.parse_action(state, "10x32x21x3") == over_27
    with pytest.raises(ValueError, match=r"'10x3' may mean 10x3x8x2\dx2\d or 10x3x8x2\dx2\d"):
        GAME.parse_action(state, "10x3")
    with pytest.raises(ValueError, match="not a legal move here"):
        GAME.parse_action(state, "10x28x21x3")
    clicks = GAME.board(state).clicks
    assert clicks[over_22][:2] == clicks[over_27][:2]
    assert (clicks[over_22][2:], clicks[over_27][2:]) == ((43,), (52,))  # 22 and 27


def test_moves_are_read_as_people_write_them():
    state = GAME.from_text("W:W38,47:B33,24")
    (action,) = GAME.legal_actions(state)
    for text in ("38x20", "38-20", "38:20", "38X29x20", "38x20x33", "38x20x24x33", " 38x20 "):
        assert GAME.parse_action(state, text) == action
    assert GAME.show_action(GAME.initial, GAME.read_action(GAME.initial, "32-28")) == "32-28"
    with pytest.raises(IllegalAction, match="'32-29' is not a legal action here; legal are "):
        GAME.read_action(GAME.initial, "32-29")


def test_fens_are_read_as_people_write_them():
    assert GAME.from_text("W:W31-50:B1-20") == GAME.initial
    assert GAME.from_text("W:B1-20:W31-50.") == GAME.initial
    assert GAME.from_text("B:B:WK1-3,50:H7") == GAME.from_text("B:WK1,K2,K3,50:B")
    counted = draughts(no_progress=50)
    assert counted.from_text("W:WK1:BK50:H7").quiet == 7
    assert counted.position(counted.from_text("W:WK1:BK50:H7")) == counted.from_text("W:WK1:BK50")


@pytest.mark.parametrize("text, count", [("Kk", 4_900), ("Mk", 4_410), ("Mm", 2 * (45 * 45 - 40)), ("KK", 2_450)])
def test_placements_are_packed_into_different_ints(text, count):
    placed = list(GAME.placements(text))
    assert len(set(placed)) == len(placed) == count
    packed = [GAME.pack(state) for state in placed]
    assert len(set(packed)) == count
    assert [GAME.unpack(word) for word in packed] == placed


def test_seven_pieces_are_packed_and_eight_are_not():
    seven = GAME.from_text("B:W50,K49,48,47:BK46,1,K45")
    assert GAME.unpack(GAME.pack(seven)) == seven
    assert 0 < GAME.pack(seven) < 1 << 63
    assert GAME.pack(GAME.from_text("B:W50,K49,48,47:BK46,1,K45,2")) == -1
    with pytest.raises(ValueError, match="is not one to 7 of the letters"):
        next(iter(GAME.placements("KKKKkkkk")))


def test_the_picture():
    assert GAME.draw(GAME.from_text("W:W50,K26:B1,K16")).splitlines() == [
        "  b   .   .   .   .    1-5",
        ".   .   .   .   .      6-10",
        "  .   .   .   .   .   11-15",
        "B   .   .   .   .     16-20",
        "  .   .   .   .   .   21-25",
        "W   .   .   .   .     26-30",
        "  .   .   .   .   .   31-35",
        ".   .   .   .   .     36-40",
        "  .   .   .   .   .   41-45",
        ".   .   .   .   w     46-50",
    ]
    board = GAME.board(GAME.initial)
    assert board.clicks[GAME.read_action(GAME.initial, "32-28")] == (63, 54)
    assert {piece.owner for piece in board.pieces if piece.cell >= 60} == {MAX}
    assert {piece.owner for piece in board.pieces if piece.cell < 40} == {MIN}


@pytest.mark.parametrize(
    "text, fault",
    [
        ("", "is not a FEN; write W:W31-50:B1-20"),
        ("W", "is not a FEN"),
        ("W:W:", "has the part ''; parts begin with W or B"),
        ("X:W1:B2", "is not a FEN"),
        ("W:W6,6:B2", "square 6 is named twice"),
        ("W:W6:B6", "has pieces of both players on square 6"),
        ("W:W51:B1", "'51' is not a square; squares are 1 to 50"),
        ("W:W8-6:B1", "'8-6' is not a square"),
        ("W:W1:B2", "has a man on its last row; it must be a king"),
        ("W:W50:B46", "has a man on its last row; it must be a king"),
        ("W:WQ5:B1", "'Q5' is not a square"),
        ("W:W25-45:B1", "has more than 20 pieces of one player"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text, fault):
    with pytest.raises(ValueError, match=r"\S") as refused:
        GAME.from_text(text)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    "text, fault",
    [("", "is not a move; write 32-28"), ("32", "is not a move"), ("32-28-", "is not a move"), ("a-b", "is not a move"),
     ("32-99", "squares are 1 to 50"), ("0-5", "squares are 1 to 50"), ("32-27-21", "is not a legal move here")],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(text, fault):
    with pytest.raises(ValueError, match=r"\S") as refused:
        GAME.parse_action(GAME.initial, text)
    assert fault in str(refused.value)


def test_a_count_beyond_the_limit_is_refused():
    with pytest.raises(ValueError, match="at most 50 are possible"):
        draughts(no_progress=50).from_text("W:WK1:BK50:H51")


def test_the_limit_counts_plies_of_kings_alone():
    game = draughts(no_progress=2)
    state = game.from_text("W:WK46,32:BK35,1")
    for moves, quiet in (("46-41", 1), ("46-41,35-40", 2), ("46-41,1-6", 0), ("32-28", 0)):
        assert game.replay(moves, state).quiet == quiet
    end = game.replay("46-41,35-40", state)
    assert game.is_terminal(end)
    assert game.utility(end) == 0
    assert game.board(end).clicks == {}
