import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.errors import BadParameter
from zermelo.games import dots_and_boxes


@settings(max_examples=15)
@given(width=st.integers(1, 4), height=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_random_games(width, height, seed):
    game = dots_and_boxes(width, height)
    for state in conforming.play(game, seed):
        low, high = game.bounds(state)
        assert low <= state.margin <= high
        assert abs(state.margin) <= width * height - (high - low) // 2


def test_the_recorded_game():
    game = dots_and_boxes(2, 2)

    def spell(state, action):
        text = game.show_action(state, action)
        return f"P{1 if game.to_move(state) == 1 else 2}({text[0]},{text[1:].replace('.', ',')})"

    states = conforming.replay(game, spell)
    # The record ends with four boxes closed; X and O take turns as it says.
    assert states[-1].lines == 2**12 - 1


@functools.cache
def naive_margin(width, height, drawn):
    """What the player to move gains over the other in the rest of the game; lines are named by the dots they join."""
    best = None
    for row in range(height + 1):
        for column in range(width + 1):
            for down, right in ((0, 1), (1, 0)):
                line = (row, column, down)
                if row + down > height or column + right > width or line in drawn:
                    continue
                after = drawn | {line}
                gain = sum(is_closed(box, after) and not is_closed(box, drawn) for box in boxes(width, height))
                rest = naive_margin(width, height, after)
                value = gain + rest if gain else -rest
                best = value if best is None else max(best, value)
    return 0 if best is None else best


def boxes(width, height):
    return [(row, column) for row in range(height) for column in range(width)]


def is_closed(box, drawn):
    row, column = box
    return {(row, column, 0), (row + 1, column, 0), (row, column, 1), (row, column + 1, 1)} <= drawn


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_margins_agree_with_counting_boxes_from_the_rules(width, height):
    game = dots_and_boxes(width, height)
    values = reference.solve(game, game.initial)
    assert values[game.initial] == naive_margin(width, height, frozenset())


def test_two_by_two_is_won_by_an_outer_line_only():
    """puzzling.stackexchange.com, question 1728: after an inner line the second player holds the draw by symmetry."""
    game = dots_and_boxes(2, 2)
    values = reference.solve(game, game.initial)
    assert values[game.initial] > 0
    inner = [2, 3, 7, 10]
    for line in game.actions(game.initial):
        value = values[game.result(game.initial, line)]
        assert value == 0 if line in inner else value > 0


def test_the_picture():
    game = dots_and_boxes(2, 1)
    state = game.replay([0, 2, 4, 5])
    assert state.player == -1
    assert state.margin == -1
    assert game.draw(state) == "+---+   +\n|   |\n+---+   +\nOrange leads by 1"


def test_a_board_too_large_for_one_word_is_refused():
    dots_and_boxes(5, 5)
    with pytest.raises(BadParameter, match="at most 63 lines"):
        dots_and_boxes(6, 5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0000 0",
        "0000 0 Z",
        "1111 0 X",
        "1111 2 X",
        "0000 1 X",
        "0002 0 X",
        "000 0 X",
        "0000 x X",
        "0000 \u0660 X",
        "0000  X",
    ],
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        dots_and_boxes(1, 1).from_text(text)


def test_dots_are_numbered_as_lines_are_called():
    game = dots_and_boxes(2, 3)
    board = game.board(game.initial)
    column = {text: x for x, y, text in board.labels if y < 0}
    row = {text: y for x, y, text in board.labels if x < 0}
    for action, (cell,) in board.clicks.items():
        text = game.show_action(game.initial, action)
        first, second = text[1:].split(".")
        line, along = board.cells[cell], (0.5, 0) if text[0] == "h" else (0, 0.5)
        assert (line.x, line.y) == (column[second] + along[0], row[first] + along[1])


def test_lines_of_older_records_are_read():
    game = dots_and_boxes()
    for action in game.legal_actions(game.initial):
        shown = game.show_action(game.initial, action)
        assert (
            game.read_action(game.initial, shown.replace(".", ",")) == game.read_action(game.initial, shown) == action
        )
