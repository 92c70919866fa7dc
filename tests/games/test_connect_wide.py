"""Boards of two words: as in one word on small boards, as by a look at the picture on large ones.

What they tell an engine is compared with minimax in test_connect_knowledge.py.
"""

import os
import random
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conforming
import reference
from zermelo import Engine
from zermelo.compiled import perft
from zermelo.games import connect
from zermelo.games.connect import rules
from zermelo.testing import conformance
from zermelo.words import TWO_WORDS, Wide

WIDE = [(8, 8, 4), (9, 7, 4), (7, 9, 4), (10, 6, 4), (6, 10, 4), (20, 6, 5), (5, 21, 4), (31, 3, 3), (3, 31, 4)]
WIDE += [(2, 22, 3), (17, 7, 6), (8, 14, 2)]
SMALL = [(3, 3, 3), (2, 4, 3), (5, 2, 3), (4, 3, 2), (7, 1, 3)]


def wide(rows, columns, run):
    """The rules of two words, also on a board that one word could hold."""
    return replace(rules(TWO_WORDS, rows, columns, run), parameters={"rows": rows, "columns": columns, "run": run})


def widened(state):
    """A state of one word in two words."""
    return type(state)(*map(TWO_WORDS.of, state))


def agree(small, large, state):
    """Check that both games say the same of a state of the first one."""
    other = widened(state)
    assert large.to_text(other) == small.to_text(state)
    assert large.from_text(small.to_text(state)) == other
    assert large.draw(other) == small.draw(state) and large.board(other) == small.board(state)
    assert large.to_move(other) == small.to_move(state) and large.tier(other) == small.tier(state)
    assert large.key(other) == small.key(state) and large.unpack(large.pack(other)) == other
    assert list(large.symmetries(other)) == [widened(image) for image in small.symmetries(state)]
    assert large.is_terminal(other) == small.is_terminal(state)
    if small.is_terminal(state):
        value = small.utility(state)
        assert large.utility(other) == value
        assert large.plies_to_end(other, value) == 0
        return
    assert large.evaluate(other) == small.evaluate(state)
    assert large.bounds(other) == small.bounds(state)
    assert list(large.sufficient_actions(other)) == list(small.sufficient_actions(state))
    legal = list(small.actions(state))
    assert list(large.actions(other)) == legal
    assert [large.order(other, action) for action in legal] == [small.order(state, action) for action in legal]
    for action in legal:
        assert large.result(other, action) == widened(small.result(state, action))


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_every_position_of_small_boards_as_in_one_word(board):
    small, large = connect(*board), wide(*board)
    assert large.utility_range == small.utility_range
    for state in reference.reachable(small, small.initial):
        agree(small, large, state)


@pytest.mark.parametrize("board", [(6, 7, 4), (8, 7, 4), (6, 9, 5), (20, 3, 3), (2, 21, 3)], ids=str)
def test_random_positions_as_in_one_word(board):
    small, large = connect(*board), wide(*board)
    for state in reference.random_states(small, 100, range(min(30, board[0] * board[1]))):
        agree(small, large, state)


@given(board=st.sampled_from(WIDE), seed=st.integers(0, 1 << 30))
def test_a_random_game_agrees_with_a_look_at_its_picture(board, seed):
    rows, columns, run = board
    game, chooser = connect(*board), random.Random(seed)
    state, lines = game.initial, [["."] * columns for _ in range(rows)]
    assert isinstance(state.stones, Wide) and game.key is None and game.pack is None
    for moves in range(rows * columns + 1):
        text = "|".join("".join(line) for line in lines)
        winner = reference.line_winner(text, run)
        assert game.to_text(state) == text and game.from_text(text) == state
        assert game.is_terminal(state) == (winner is not None or "." not in text)
        if game.is_terminal(state):
            break
        legal = [column for column in range(columns) if lines[0][column] == "."]
        assert game.legal_actions(state) == legal
        column = chooser.choice(legal)
        row = max(row for row in range(rows) if lines[row][column] == ".")
        lines[row][column] = "O" if moves % 2 else "X"
        assert game.to_move(state) == (-1 if moves % 2 else 1)
        state = game.result(state, column)
    expected = 0 if winner is None else int(10000.0 * rows * columns / moves) * (1 if winner == "X" else -1)
    assert game.utility(state) == expected
    assert game.utility_range[0] <= expected <= game.utility_range[1]
    assert game.tier(state) == moves


@pytest.mark.parametrize("board", WIDE, ids=str)
def test_random_games(board):
    conforming.play(connect(*board), seed=1)


def count_by_sight(text, run, depth):
    """Perft that knows nothing but the picture of a position."""
    if reference.line_winner(text, run) or "." not in text:
        return depth == 0
    if depth == 0:
        return 1
    lines, total = [list(line) for line in text.split("|")], 0
    piece = "XO"[text.count("X") - text.count("O")]
    for column in range(len(lines[0])):
        empty = [row for row in range(len(lines)) if lines[row][column] == "."]
        if empty:
            lines[empty[-1]][column] = piece
            total += count_by_sight("|".join("".join(line) for line in lines), run, depth - 1)
            lines[empty[-1]][column] = "."
    return total


@pytest.mark.parametrize("board", [(8, 8, 4), (9, 7, 4), (6, 10, 4)], ids=str)
def test_perft_agrees_with_a_count_by_sight(board):
    game = connect(*board)
    assert [perft(game, game.initial, depth) for depth in range(7)] == [board[1] ** depth for depth in range(7)]
    for state in reference.random_states(game, 4, range(24, 40)):
        assert perft(game, state, 3) == count_by_sight(game.to_text(state), board[2], 3)


def test_conformance():
    conformance(connect(8, 8), seconds=0.8)


def test_an_engine_proves_endings():
    game = connect(8, 8)
    engine = Engine(game, table_mb=1)
    for state in reference.random_states(game, 8, range(50, 56), seed=3):
        assert engine.prove(state).value == reference.solve(game, state)[state]


SEARCHES = """
from reference import random_states
from zermelo import Engine
from zermelo.games import connect

game = connect(9, 7)
engine = Engine(game, table_mb=0.05)
for state in random_states(game, 3, range(44, 50)):
    engine.clear()
    found = engine.search(state, depth=4)
    print(found.value, found.principal_variation, found.nodes)
    found = engine.prove(state, nodes=300, quickest=False)
    print(found.value, found.bound, found.nodes)
"""


def test_compiled_and_interpreted_searches_visit_the_same_nodes():
    said = []
    for variable in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": variable, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", SEARCHES], env=environment, capture_output=True, text=True)
        assert done.stdout, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
