import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import facts
import reference
from zermelo.game import MAX, MIN
from zermelo.games import domineering

OUTCOMES = {(int(row["height"]), int(row["width"])): row["outcome"] for row in facts.rows("domineering_outcomes.tsv")}


def value(game, player):
    """The value of the empty board if ``player`` begins."""
    start = game.initial._replace(player=player)
    return reference.solve(game, start)[start]


def outcome(game):
    """1 if the player who begins wins, 2 if the other does, else whose win it is."""
    return {(1000, -1000): "1", (-1000, 1000): "2", (1000, 1000): "V", (-1000, -1000): "H"}[
        value(game, MAX), value(game, MIN)
    ]


@pytest.mark.parametrize(("height", "width"), [board for board in OUTCOMES if board[0] * board[1] <= 20])
def test_published_outcomes(height, width):
    assert outcome(domineering(width, height)) == OUTCOMES[height, width]


def test_the_second_player_wins_on_five_by_five():
    # A square looks the same to both: who begins does not matter.
    assert OUTCOMES[5, 5] == "2"
    assert value(domineering(5, 5), MAX) == -1000


@pytest.mark.parametrize("length", range(2, 8))
def test_boards_three_high_or_three_wide(length):
    """J. Uiterwijk, "Perfectly Solving Domineering Boards" (2014): with vertical to begin, boards three wide are won
    by vertical, boards three high and more than three wide by horizontal."""
    assert value(domineering(3, length), MAX) == 1000
    if length > 3:
        assert value(domineering(length, 3), MAX) == -1000


@settings(max_examples=15)
@given(width=st.integers(1, 8), height=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_random_games(width, height, seed):
    conforming.play(domineering(width, height), seed)


@settings(max_examples=30)
@given(board=conforming.BOARDS, seed=st.integers(0, 2**32))
def test_moves_agree_with_a_look_at_the_picture(board, seed):
    width, height = board
    game = domineering(width, height)
    for state in conforming.random_game(game, seed):
        rows, turn = game.to_text(state).split(" ")
        rows = rows.split("|")
        down, right = (1, 0) if turn == "v" else (0, 1)
        free = [
            row * width + column
            for row in range(height - down)
            for column in range(width - right)
            if rows[row][column] == rows[row + down][column + right] == "."
        ]
        assert list(game.actions(state)) == free
        assert game.is_terminal(state) == (not free)


def test_the_picture():
    game = domineering(3, 2)
    state = game.replay([game.read_action(game.initial, "a2-a1")])
    assert game.draw(state) == "2 # . .\n1 # . .\n  a b c"
    assert game.to_text(state) == "#..|#.. h"


@pytest.mark.parametrize("text", ["", "v", "..|..", "..|.. x", "#x|.. v", "...|.. v"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        domineering(2, 2).from_text(text)


def test_a_position_with_an_odd_number_of_covered_cells_is_a_position():
    """Problems remove cells one by one; both players have one place in this corner, and whoever begins wins."""
    game = domineering(2, 2)
    state = game.from_text("#.|.. v")
    assert (state.covered, game.to_text(state)) == (1, "#.|.. v")
    assert reference.solve(game, state)[state] == 1000
    assert reference.solve(game, game.from_text("#.|.. h"))[game.from_text("#.|.. h")] == -1000
    conforming.check(game, state)
