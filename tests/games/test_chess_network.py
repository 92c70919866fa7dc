"""The network of EVAL of chess: as by its definition, with fractions and one unit at a time; alike for both sides."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from zermelo.game import MAX
from zermelo.games import chess
from zermelo.games.chess_board import State, kind_of, men_of
from zermelo.games.chess_evaluation import evaluation, sum_of_terms
from zermelo.games.chess_network import (
    BUCKETS,
    FILE,
    KINDS,
    LANE,
    LANES,
    LARGEST,
    MOST,
    NETWORK,
    OFFSET,
    ONE,
    SHIFT,
    UNITS,
    correction,
    packed,
)
from zermelo.games.chess_weights import WEIGHTS, without_squares

GAME = chess()
CORRECT = correction(NETWORK)
CODES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 7, 6: 0}
"""The network's numbers of pawn, knight, bishop, rook, queen and king."""


def by_definition(state: State) -> int:
    """Return the correction for MAX, unit by unit."""
    numbers = json.loads(FILE.read_text(encoding="utf-8"))
    men = men_of(state)
    total = Fraction(numbers["output_biases"][(len(men) - 1) // 8])
    for view, looking in enumerate((state.player, -state.player)):
        for unit in range(UNITS):
            value = numbers["hidden_biases"][unit]
            for square, letter in men.items():
                owner = MAX if letter.isupper() else -MAX
                row = CODES[kind_of(state, 1 << square)] + (0 if owner == looking else KINDS)
                turned = square if looking == MAX else 8 * (7 - square // 8) + square % 8
                value += numbers["input_weights"][64 * row + turned][unit]
            value = max(0, min(ONE, value))
            total += value * value * numbers["output_weights"][(len(men) - 1) // 8][UNITS * view + unit]
    found = int(total // 2**SHIFT)
    return state.player * max(-MOST, min(MOST, found))


@pytest.mark.parametrize("seed", range(3))
def test_corrections_are_those_of_the_definition(seed: int) -> None:
    for state in reference.random_states(GAME, 12, range(90), seed):
        assert CORRECT(state) == by_definition(state)


def test_both_sides_are_alike_and_eval_is_the_sum() -> None:
    terms, whole = sum_of_terms(WEIGHTS, 8), evaluation(8)
    assert GAME.swap is not None
    for state in reference.random_states(GAME, 30, range(90), 5):
        assert whole(state) == terms(state) + CORRECT(state)
        assert CORRECT(GAME.swap(state)) == -CORRECT(state)


def test_small_boards_have_no_network() -> None:
    small = chess(size=5)
    terms = sum_of_terms(without_squares(WEIGHTS), 5)
    assert small.evaluate is not None
    states = reference.random_states(small, 20, range(40), 1)
    assert [small.evaluate(state) for state in states] == [terms(state) for state in states]


@given(st.lists(st.lists(st.integers(-LARGEST, LARGEST), min_size=UNITS, max_size=UNITS), min_size=32, max_size=32))
def test_no_lane_runs_over(rows: list[list[int]]) -> None:
    words = packed([OFFSET] * UNITS)
    for row in rows:
        words = [word + more for word, more in zip(words, packed(row), strict=True)]
    lanes = [word >> LANE * lane & (1 << LANE) - 1 for word in words for lane in range(LANES)]
    assert lanes == [OFFSET + sum(column) for column in zip(*rows, strict=True)]
    assert all(0 <= word < 1 << 63 for word in words)


def test_the_shipped_numbers_keep_to_the_limits() -> None:
    numbers = json.loads(FILE.read_text(encoding="utf-8"))
    assert np.array(numbers["input_weights"]).shape == (2 * KINDS * 64, UNITS)
    assert np.array(numbers["output_weights"]).shape == (BUCKETS, 2 * UNITS)
    assert abs(np.array(numbers["input_weights"])).max() <= LARGEST
    most = 32 * LARGEST + abs(np.array(numbers["hidden_biases"])).max()
    assert most <= OFFSET
    assert OFFSET + most < 1 << 15  # the top lane of a word has the sign


def test_corrections_differ_and_are_moderate() -> None:
    found = [CORRECT(state) for state in reference.random_states(GAME, 60, range(6, 60), 3)]
    assert len(set(found)) > 30
    assert all(abs(one) < 500 for one in found)
