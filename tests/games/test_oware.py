import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import positions
from zermelo.errors import BadParameter
from zermelo.games import oware


def naive_result(rows, pits, pit, grand_slam):
    """Both rows (mover first) after sowing seed by seed, and whether it was a grand slam."""
    circle = rows[0][:pits] + rows[1][:pits]
    sown, circle[pit], place = circle[pit], 0, pit
    while sown:
        place = (place + 1) % (2 * pits)
        if place != pit:
            circle[place] += 1
            sown -= 1
    before, captured = list(circle), 0
    while place >= pits and circle[place] in (2, 3):
        captured += circle[place]
        circle[place] = 0
        place -= 1
    slam = captured > 0 and not any(circle[pits:])
    if slam and grand_slam != 2:
        circle, captured = before, 0
    return [[*circle[:pits], rows[0][pits] + captured], [*circle[pits:], rows[1][pits]]], slam


def naive_moves(rows, pits, grand_slam, must_feed):
    """The rows after each legal pit."""
    moves = {}
    for pit in range(pits):
        if rows[0][pit]:
            after, slam = naive_result(rows, pits, pit, grand_slam)
            fed = any(rows[1][:pits]) or pit + rows[0][pit] >= pits
            if (fed or not must_feed) and not (slam and grand_slam == 1):
                moves[pit] = after
    return moves


def read(text):
    """The rows of a text, the player to move first."""
    board, turn = text.split(" ")
    rows = [[int(number) for number in row.split(",")] for row in board.split("/")]
    return rows if turn == "S" else rows[::-1]


@settings(max_examples=50)
@given(st.data())
def test_a_random_game_agrees_with_sowing_by_hand(data):
    pits = data.draw(st.integers(2, 8))
    seeds = data.draw(st.integers(1, min(20, 63 // pits)))
    grand_slam, must_feed = data.draw(st.integers(0, 2)), data.draw(st.booleans())
    game = oware(pits, seeds, grand_slam, must_feed, data.draw(st.booleans()))
    state = game.initial
    for _ in range(80):
        positions.keeps_its_promises(game, state)
        rows = read(game.to_text(state))
        assert sum(map(sum, rows)) == 2 * pits * seeds
        moves = naive_moves(rows, pits, grand_slam, must_feed)
        south, north = rows if game.to_text(state).endswith("S") else rows[::-1]
        low, high = game.bounds(state)
        assert (low, high) == (2 * south[pits] - 2 * pits * seeds, 2 * pits * seeds - 2 * north[pits])
        assert game.legal_actions(state) == list(moves)
        split = game.parameters["split_cycle"]
        assert game.repetition(state) == (south[pits] - north[pits] if split else sum(south) - sum(north))
        if game.is_terminal(state):
            assert game.utility(state) == sum(south) - sum(north)
            break
        action = data.draw(st.sampled_from(list(moves)))
        state = game.result(state, action)
        assert read(game.to_text(state)) == moves[action][::-1]


def names_after(game, text, action):
    state = game.from_text(text)
    return game.to_text(game.play(state, action))


def test_twos_and_threes_in_a_row_are_captured():
    game = oware()
    assert names_after(game, "0,0,0,0,0,3,10/1,2,1,4,0,0,27 S", 5) == "0,0,0,0,0,0,17/0,0,0,4,0,0,27 N"


def test_a_pit_between_that_does_not_count_ends_the_captures():
    game = oware()
    assert names_after(game, "0,0,0,0,0,3,10/1,5,1,4,0,0,24 S", 5) == "0,0,0,0,0,0,12/2,6,0,4,0,0,24 N"


def test_twelve_seeds_skip_the_pit_that_they_came_from():
    game = oware()
    assert names_after(game, "12,0,0,0,0,0,18/0,0,0,0,0,0,18 S", 0) == "0,2,1,1,1,1,18/1,1,1,1,1,1,18 N"


SLAM = "1,0,0,0,0,2,20/1,1,0,0,0,0,23 S"


@pytest.mark.parametrize(
    ("grand_slam", "after"),
    [(0, "1,0,0,0,0,0,20/2,2,0,0,0,0,23 N"), (1, None), (2, "1,0,0,0,0,0,24/0,0,0,0,0,0,23 N")],
)
def test_a_grand_slam(grand_slam, after):
    game = oware(grand_slam=grand_slam)
    state = game.from_text(SLAM)
    assert game.legal_actions(state) == ([0] if after is None else [0, 5])
    if after is not None:
        assert names_after(game, SLAM, 5) == after


def test_an_opponent_without_seeds_must_be_fed():
    text = "1,0,0,0,2,1,20/0,0,0,0,0,0,24 S"
    assert oware().legal_actions(oware().from_text(text)) == [4, 5]
    assert oware(must_feed=False).legal_actions(oware().from_text(text)) == [0, 4, 5]


def test_who_cannot_feed_keeps_what_is_left():
    game = oware()
    state = game.from_text("1,1,0,0,0,0,20/0,0,0,0,0,0,26 S")
    assert game.is_terminal(state)
    assert game.utility(state) == -4
    state = game.from_text("1,1,0,0,0,0,20/0,0,0,0,0,0,26 N")
    assert game.is_terminal(state)
    assert game.utility(state) == -4


def test_a_position_that_comes_back():
    """The last seed goes to the owner of its row, or it is split."""
    keeps, splits = oware(2, 1), oware(2, 1, split_cycle=True)
    state = keeps.from_text("1,0,1/0,0,2 S")
    assert keeps.repetition(state) == 0
    assert splits.repetition(state) == -1


@pytest.mark.parametrize("text", ["", "S", "1/1 S", "1,1,0/1,1,0", "1,1,0/1,1,1 S", "1,x,0/1,1,1 S"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"is not two rows|has 5 seeds"):
        oware(2, 1).from_text(text)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(BadParameter, match="132 seeds; there may be at most 126"):
        oware(6, 11)
    with pytest.raises(BadParameter, match="The parameter grand_slam is 3"):
        oware(grand_slam=3)
