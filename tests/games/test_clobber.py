import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.errors import BadParameter
from zermelo.games import clobber


@settings(max_examples=15)
@given(width=st.integers(1, 8), height=st.integers(1, 8), seed=st.integers(0, 2**32))
def test_random_games(width, height, seed):
    conforming.play(clobber(width, height), seed)


def test_the_recorded_game():
    game = clobber()
    conforming.replay(game, lambda state, action: game.show_action(state, action).replace("x", ""))


@pytest.mark.parametrize("width", range(2, 15, 2))
def test_one_row_of_even_length_is_lost_only_at_six(width):
    """Conjectured by Albert, Grossman, Nowakowski and Wolfe (2005), proved in arXiv:2509.08985."""
    game = clobber(width, 1)
    value = reference.solve(game, game.initial)[game.initial]
    assert value == (-1000 if width == 6 else 1000)


@settings(max_examples=30)
@given(board=conforming.BOARDS, seed=st.integers(0, 2**32))
def test_moves_agree_with_a_look_at_the_picture(board, seed):
    width, height = board
    factor = 64 if width * height <= 64 else 128
    game = clobber(width, height)
    for state in conforming.random_game(game, seed):
        rows, turn = game.to_text(state).split(" ")
        cells = {(r, c): piece for r, row in enumerate(rows.split("|")) for c, piece in enumerate(row)}
        enemy = "x" if turn == "o" else "o"
        moves = {
            (r * width + c, (r + down) * width + c + right)
            for (r, c), piece in cells.items()
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if piece == turn and cells.get((r + down, c + right)) == enemy
        }
        assert {divmod(action, factor) for action in game.actions(state)} == moves
        assert game.is_terminal(state) == (not moves)


@settings(max_examples=30)
@given(board=conforming.BOARDS, seed=st.integers(0, 2**32))
def test_eval_agrees_with_a_look_at_the_picture(board, seed):
    game = clobber(*board)
    for state in conforming.random_game(game, seed):
        rows = game.to_text(state).split(" ")[0].split("|")
        cells = {(r, c): piece for r, row in enumerate(rows) for c, piece in enumerate(row) if piece != "."}

        def beside(cell, cells=cells):
            row, column = cell
            return {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & set(cells)

        front = {cell for cell in cells if any(cells[near] != cells[cell] for near in beside(cell))}
        back = {cell for cell in cells if cell not in front and beside(cell) & front}
        worth = {"o": 1, "x": -1}
        lead = sum(2 * worth[cells[cell]] for cell in front) + sum(3 * worth[cells[cell]] for cell in back)
        assert game.evaluate(state) == lead


def test_a_stone_takes_the_place_of_another():
    game = clobber(3, 2)
    state = game.replay([game.read_action(game.initial, "a2xb2")])
    assert game.to_text(state) == ".oo|xox x"


@pytest.mark.parametrize("text", ["", "o", "ox|xo", "ox|xo y", "o?|xo x", "ox|x x"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        clobber(2, 2).from_text(text)


def test_a_board_too_large_for_two_words_is_refused():
    clobber(14, 9)
    with pytest.raises(BadParameter, match="at most 126 cells, and this is 130"):
        clobber(13, 10)
