import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
import recorded
import reference
from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import MAX, MIN
from zermelo.games import kalah

PUBLISHED = {(int(row["m"]), int(row["n"])): row for row in facts.rows("kalah.tsv")}
SMALL = [size for size in PUBLISHED if size <= (3, 3) or size in [(4, 1), (4, 2)]]


@pytest.mark.parametrize("size", SMALL, ids=str)
def test_small_boards_have_the_published_values(size):
    game = kalah(*size)
    values = reference.solve(game, game.initial)
    value = values[game.initial]
    row = PUBLISHED[size]
    assert "LDW"[(value > 0) - (value < 0) + 1] == row["wdl_paper"]
    if row["margin_paper"]:
        assert value == int(row["margin_paper"])
    assert len({game.key(state) for state in values}) == len(values)
    for state, value in values.items():
        low, high = game.bounds(state)
        assert low <= value <= high


@pytest.mark.slow
@pytest.mark.parametrize("size", [(4, 3), (4, 5)], ids=str)
def test_larger_boards_have_the_published_values(size):
    game = kalah(*size)
    result = pytest.importorskip("zermelo.engine").Engine(game, table_mb=128).search()
    assert result.proven
    assert result.value == int(PUBLISHED[size]["margin_paper"])


# The game of (4, 6), as printed, does not replay.
@pytest.mark.parametrize("size", [(4, n) for n in range(1, 6)], ids=str)
def test_the_published_perfect_games(size):
    game, state, player = kalah(*size), kalah(*size).initial, MAX
    for turn in PUBLISHED[size]["perfect_game_paper"].split("-"):
        for pit in turn:
            assert game.to_move(state) == player
            state = game.play(state, int(pit))
        player = -player
    assert game.is_terminal(state)
    assert game.utility(state) == int(PUBLISHED[size]["margin_paper"])


def test_the_recorded_game_without_empty_capture():
    game = kalah(empty_capture=False)
    first = {MAX: 1, MIN: 8}
    boards = recorded.agree(game, "mancala", lambda number, state: number - first[game.to_move(state)])
    assert boards > 5


def naive_result(text, pits, action, empty_capture):
    """The text after a move, sown seed by seed around a list of pits."""
    board, turn = text.split(" ")
    south, north = ([int(number) for number in row.split(",")] for row in board.split("/"))
    mine, theirs = (south, north) if turn == "S" else (north, south)
    circle = mine + theirs
    sown, circle[action], place = circle[action], 0, action
    while sown:
        place = (place + 1) % len(circle)
        if place != 2 * pits + 1:  # their store
            circle[place] += 1
            sown -= 1
    opposite = 2 * pits - place
    if place < pits and circle[place] == 1 and (empty_capture or circle[opposite]):
        circle[pits] += 1 + circle[opposite]
        circle[place] = circle[opposite] = 0
    mine, theirs = circle[: pits + 1], circle[pits + 1 :]
    south, north = (mine, theirs) if turn == "S" else (theirs, mine)
    rows = "/".join(",".join(map(str, row)) for row in (south, north))
    again = place == pits
    return rows + " " + (turn if again else "N" if turn == "S" else "S")


@settings(max_examples=60)
@given(st.data())
def test_a_random_game_agrees_with_sowing_by_hand(data):
    pits = data.draw(st.integers(1, 8))
    seeds = data.draw(st.integers(1, min(20, 63 // pits)))
    game = kalah(pits, seeds, data.draw(st.booleans()))
    state = game.initial
    for _ in range(200):
        positions.keeps_its_promises(game, state)
        text = game.to_text(state)
        rows = [[int(number) for number in row.split(",")] for row in text[:-2].split("/")]
        assert sum(map(sum, rows)) == 2 * pits * seeds
        assert game.is_terminal(state) == any(not any(row[:pits]) for row in rows)
        if game.is_terminal(state):
            assert game.utility(state) == sum(rows[0]) - sum(rows[1])
            break
        legal = game.legal_actions(state)
        assert legal == [pit for pit in range(pits) if rows[0 if text[-1] == "S" else 1][pit]]
        action = data.draw(st.sampled_from(legal))
        state = game.result(state, action)
        assert game.to_text(state) == naive_result(text, pits, action, game.parameters["empty_capture"])


def test_twice_around_the_board():
    game = kalah(pits=1, seeds=7)
    # Seven seeds go round a track of three: two laps and one more, into the store.
    assert game.to_text(game.result(game.initial, 0)) == "2,3/9,0 S"


def test_moves_that_move_again_come_first():
    game = kalah()
    ranked = sorted(game.actions(game.initial), key=lambda action: -game.order(game.initial, action))
    assert ranked[0] == 2
    assert game.to_move(game.result(game.initial, 2)) == MAX


def test_the_picture():
    game = kalah(3, 2)
    assert game.draw(game.replay([1])).splitlines() == [
        "      c  b  a",
        "      2  2  2     North",
        "  0             1",
        "      2  0  3     South",
        "      A  B  C",
    ]
    board = game.board(game.replay([1]))
    assert board.clicks == {0: (0,), 2: (2,)}
    assert {piece.cell: piece.number for piece in board.pieces} == {0: 2, 2: 3, 3: 1, 4: 2, 5: 2, 6: 2}


@pytest.mark.parametrize("text", ["", "SN", "1/1 S", "1,1,1/1,1,1", "1,1,1/1,1,2 S", "1,1,-1/1,1,3 S", "1,1,x/1,1,1 S"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"is not two rows|has 7 seeds"):
        kalah(2, 1).from_text(text)
    with pytest.raises(ValueError, match="is not a pit"):
        kalah(2, 1).parse_action(kalah(2, 1).initial, text)


def test_pits_are_called_by_letters():
    game = kalah()
    state = game.play(game.initial, game.read_action(game.initial, "f"))
    assert [game.show_action(game.initial, action) for action in game.actions(game.initial)] == list("ABCDEF")
    assert [game.show_action(state, action) for action in game.actions(state)] == list("abcdef")
    with pytest.raises(IllegalAction, match="'A' is not a legal action here; legal are B, C"):
        game.read_action(game.from_text("0,1,1,0,0,0,45/0,0,0,0,0,1,0 S"), "A")


def test_too_many_seeds_are_refused():
    kalah(6, 10)
    with pytest.raises(BadParameter, match="132 seeds; there may be at most 126"):
        kalah(6, 11)
    with pytest.raises(BadParameter, match="The parameter pits is 9"):
        kalah(9)
