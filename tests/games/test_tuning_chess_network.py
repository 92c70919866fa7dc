"""The script that learns the network of chess: its gradients, and that EVAL counts with what it has written."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import reference
from zermelo.games import chess
from zermelo.games.chess_board import State
from zermelo.games.chess_network import BUCKETS, KINDS, UNITS, correction, read_network, rows_of

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def tuning() -> Iterator[ModuleType]:
    """The script."""
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("tune_chess_network")
    sys.path.remove(str(BENCHMARKS))
    sys.modules.pop("tune_chess_network")


def some_parameters(tuning: ModuleType, units: int, spread: float):
    chooser = np.random.default_rng(units)
    shapes = (2 * KINDS * 64, units), (units,), (BUCKETS, 2, units), (BUCKETS,)
    return tuning.Parameters(*((chooser.standard_normal(shape) * spread).astype(np.float32) for shape in shapes))


def some_positions(tuning: ModuleType, states: list[State]):
    """Positions of which EVAL's terms tell nothing."""
    men = np.array([(state.white | state.black).bit_count() for state in states])
    rows = np.zeros((len(states), 2, 32), dtype=np.int16)
    for at, state in enumerate(states):
        squares = [square for square in range(64) if (state.white | state.black) >> square & 1]
        rows[at, :, : len(squares)] = np.array([rows_of(state, square) for square in squares]).T
    targets = np.linspace(0.1, 0.9, len(states)).astype(np.float32)
    return tuning.Positions(rows, men, np.zeros(len(states), np.float32), targets)


def error(parameters, positions) -> float:
    """The sum of squared errors, written out with NumPy."""
    total = 0.0
    for rows, men, known, target in zip(*positions, strict=True):
        bucket = (men - 1) // 8
        hidden = parameters.hidden_biases + parameters.input_weights[rows[:, :men]].sum(axis=1)
        value = known + parameters.output_biases[bucket]
        value += (np.clip(hidden, 0, 1) ** 2 * parameters.output_weights[bucket]).sum()
        total += (1 / (1 + np.exp(-value)) - target) ** 2
    return total


def test_gradients_are_those_of_small_changes(tuning: ModuleType) -> None:
    positions = some_positions(tuning, reference.random_states(chess(), 7, range(60), 2))
    parameters = some_parameters(tuning, 3, 0.2)
    sums = tuning.Parameters(*(np.full((2, *array.shape), 7, np.float32) for array in parameters))
    tuning.add_gradients(parameters, positions, np.arange(7), sums)
    exact = tuning.Parameters(*(array.astype(float) for array in parameters))
    assert tuning.error_of(parameters, positions, 0) == pytest.approx(error(exact, positions) / 7, rel=1e-4)
    for array, parts in zip(exact, sums, strict=True):
        found = parts.sum(axis=0)
        assert np.any(found != 0)
        for place in np.argwhere(np.abs(found) >= np.quantile(np.abs(found[found != 0]), 0.9))[:12]:
            kept = array[tuple(place)]
            array[tuple(place)] = kept + 1e-5
            above = error(exact, positions)
            array[tuple(place)] = kept - 1e-5
            slope = (above - error(exact, positions)) / 2e-5
            array[tuple(place)] = kept
            assert found[tuple(place)] == pytest.approx(slope, rel=2e-2, abs=1e-5)


def test_eval_counts_with_the_numbers_that_are_written(
    tuning: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "FILE", tmp_path / "network.json")
    parameters = some_parameters(tuning, UNITS, 0.15)
    tuning.write(parameters)
    correct = correction(read_network(tmp_path / "network.json"))
    states = reference.random_states(chess(), 30, range(90), 4)
    positions = some_positions(tuning, states)
    hidden = np.zeros((2, UNITS), np.float32)
    for at, state in enumerate(states):
        expected = tuning.CURVE * tuning.forward(parameters, positions, at, hidden)
        assert state.player * correct(state) == pytest.approx(expected, abs=12)
