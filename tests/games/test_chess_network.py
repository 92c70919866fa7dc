"""The network of EVAL of chess: as by its definition, with fractions and one unit at a time; alike for both sides."""

import json
from fractions import Fraction

import numpy as np
import pytest

import reference
from zermelo.game import MAX
from zermelo.games import chess
from zermelo.games.chess_board import State, kind_of, men_of
from zermelo.games.chess_evaluation import evaluation, sum_of_terms
from zermelo.games.chess_network import (
    BUCKETS,
    FILE,
    KINDS,
    LARGEST,
    LARGEST_OUTPUT,
    MOST,
    NETWORK,
    ONE,
    SHIFT,
    UNITS,
    correction,
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
        king = next(square for square, letter in men.items() if letter == ("K" if looking == MAX else "k"))
        for unit in range(UNITS):
            value = numbers["hidden_biases"][unit]
            for square, letter in men.items():
                owner = MAX if letter.isupper() else -MAX
                row = CODES[kind_of(state, 1 << square)] + (0 if owner == looking else KINDS)
                turned = square if looking == MAX else 8 * (7 - square // 8) + square % 8
                if king % 8 < 4:
                    turned += 7 - 2 * (turned % 8)
                value += numbers["input_weights"][64 * row + turned][unit]
            value = max(0, min(ONE, value))
            total += value * value * numbers["output_weights"][(len(men) - 1) // 8 * 2 + view][unit]
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


def test_the_shipped_numbers_keep_to_the_limits() -> None:
    numbers = json.loads(FILE.read_text(encoding="utf-8"))
    assert np.array(numbers["input_weights"]).shape == (2 * KINDS * 64, UNITS)
    assert np.array(numbers["output_weights"]).shape == (2 * BUCKETS, UNITS)
    assert abs(np.array(numbers["input_weights"])).max() <= LARGEST
    assert abs(np.array(numbers["output_weights"])).max() <= LARGEST_OUTPUT
    most = 1 << 15
    assert 32 * LARGEST + abs(np.array(numbers["hidden_biases"])).max() < most
    assert most > ONE * ONE


def test_corrections_differ_and_are_moderate() -> None:
    found = [CORRECT(state) for state in reference.random_states(GAME, 60, range(6, 60), 3)]
    assert len(set(found)) > 30
    assert all(abs(one) < 500 for one in found)
