import pytest
from hypothesis import given
from hypothesis import strategies as st

import conforming
import facts
import reference
from zermelo.errors import BadParameter
from zermelo.games import connect
from zermelo.textbook.perft import perft

BOARDS = [row for row in facts.rows("connect4_positions_tromp.tsv") if int(row["positions"]) < 60_000]


@pytest.mark.parametrize("row", BOARDS, ids=lambda row: f"{row['height']}x{row['width']}")
def test_reachable_positions_are_the_published_ones(row):
    game = connect(rows=int(row["height"]), columns=int(row["width"]))
    assert len(reference.reachable(game, game.initial)) == int(row["positions"])


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "positions"), [(4, 4, 161_029), (6, 3, 235_781), (2, 7, 189_648)])
def test_reachable_positions_of_larger_boards(rows, columns, positions):
    game = connect(rows, columns)
    assert len(reference.reachable(game, game.initial)) == positions


@given(data=st.data())
def test_a_random_game_agrees_with_a_look_at_its_picture(data):
    rows, columns, run = (data.draw(st.integers(low, 6)) for low in (1, 1, 2))
    game = connect(rows, columns, run)
    state, moves = game.initial, 0
    while True:
        text = game.to_text(state)
        winner = reference.line_winner(text, run)
        assert game.from_text(text) == state
        assert game.is_terminal(state) == (winner is not None or "." not in text)
        if game.is_terminal(state):
            break
        # EVAL stays below every utility, and no legal column is full.
        assert abs(game.evaluate(state)) < 10000
        legal = game.legal_actions(state)
        assert legal == [column for column in range(columns) if text[column] == "."]
        state = game.result(state, data.draw(st.sampled_from(legal)))
        moves += 1
    expected = 0 if winner is None else int(10000.0 * rows * columns / moves) * (1 if winner == "X" else -1)
    assert game.utility(state) == expected
    assert game.utility_range[0] <= expected <= game.utility_range[1]


@pytest.mark.parametrize("board", [(6, 7, 4), (1, 9, 3), (4, 4, 3), (3, 12, 5)])
def test_random_games(board):
    for seed in range(5):
        conforming.play(connect(*board), seed)


def test_a_click_on_the_lowest_empty_cell_drops_a_disc():
    game = connect(2, 3, 3)
    board = game.board(game.replay([1, 0]))
    assert [(piece.cell, piece.owner) for piece in board.pieces] == [(0, -1), (2, 1)]
    assert board.clicks == {0: (1,), 1: (3,), 2: (4,)}
    assert (board.cells[3].x, board.cells[3].y) == (1, 0)


def test_eval_counts_open_lines_of_both():
    game = connect(4, 4, 4)
    # One X at the bottom left: O has lost the column, the row and a diagonal of its ten lines.
    assert game.evaluate(game.initial) == 0
    assert game.evaluate(game.replay([0])) == 3


def test_keys_are_unique_on_every_position():
    game = connect(3, 4, 3)
    states = reference.reachable(game, game.initial)
    assert len({game.key(state) for state in states}) == len(states)


def test_the_picture():
    game = connect(rows=2, columns=11, run=4)
    state = game.replay([0, 10, 0])
    assert game.draw(state) == "\n".join(
        ["X . . . . . . . . . .", "X . . . . . . . . . O", "                    1", "0 1 2 3 4 5 6 7 8 9 0"]
    )


def test_perft_from_the_empty_board():
    game = connect()
    # Before the seventh ply no game can have ended and no column but one can be full.
    assert [perft(game, game.initial, depth) for depth in range(6)] == [7**depth for depth in range(6)]
    assert perft(game, game.initial, 7) == 7**7 - 7


@pytest.mark.parametrize("text", ["", "...", "...|...|..Z", "X..|...|...", "...|...|XX.", "...|...|O.."])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        connect(3, 3, 3).from_text(text)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [({"rows": 0}, "rows"), ({"run": 1}, "run"), ({"columns": "7"}, "columns"), ({"rows": True}, "rows")],
)
def test_parameters_out_of_range_are_refused(parameters, named):
    with pytest.raises(BadParameter, match=f"The parameter {named} is .* it must be a whole number from"):
        connect(**parameters)


def test_a_board_too_large_for_two_words_is_refused():
    connect(rows=8, columns=14)
    with pytest.raises(BadParameter, match=r"too large to hold; .* must be at most 126, and it is 130"):
        connect(rows=9, columns=13)
