"""The script that tunes EVAL of chess: it counts what EVAL adds up."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import reference
from zermelo.compiled.states import flatten
from zermelo.games import chess
from zermelo.games.chess_evaluation import sum_of_terms
from zermelo.games.chess_network import NETWORK
from zermelo.games.chess_weights import FILE, WEIGHTS, read_weights

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TEMPO = 12


@pytest.fixture(scope="module")
def tuning() -> Iterator[ModuleType]:
    """The script."""
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module("tune_chess")
    sys.path.remove(str(BENCHMARKS))
    for name in ("tune_chess", "tune_chess_network", "chess_self_play"):
        sys.modules.pop(name)


def test_counts_add_up_to_the_terms_of_eval(tuning: ModuleType) -> None:
    numbers, terms = tuning.Numbers(), sum_of_terms(WEIGHTS, 8)
    states = reference.random_states(chess(), 60, range(120), 8)
    counts = tuning.Counts(np.array([flatten(state) for state in states]), numbers)
    found = counts.values(slice(None), numbers.vector())
    for state, value in zip(states, found, strict=True):  # EVAL rounds towards 0
        assert state.player * terms(state) - TEMPO == pytest.approx(value, abs=1.01)


def test_the_gradient_is_that_of_the_values(tuning: ModuleType) -> None:
    numbers, chooser = tuning.Numbers(), np.random.default_rng(3)
    words = np.array([flatten(state) for state in reference.random_states(chess(), 30, range(120), 9)])
    counts, chosen = tuning.Counts(words, numbers), np.array([4, 9, 9, 21])
    slopes, change = chooser.standard_normal(4), chooser.standard_normal(2 * numbers.count)
    grown = counts.values(chosen, numbers.vector() + change) - counts.values(chosen, numbers.vector())
    assert counts.gradient(chosen, slopes) @ change == pytest.approx(slopes @ grown, abs=1e-2)
    assert np.any(counts.gradient(chosen, slopes))


def test_what_holds_numbers_back_is_the_gradient_of_a_sum(tuning: ModuleType) -> None:
    numbers = tuning.Numbers()
    moved, pairs = np.random.default_rng(4).standard_normal(2 * numbers.count), numbers.neighbours()

    def cost(moved: np.ndarray) -> float:
        differences = moved[pairs[:, 0]] - moved[pairs[:, 1]]
        return tuning.STIFFNESS * (moved**2).sum() + tuning.SMOOTHNESS * (differences**2).sum()

    slopes = tuning.pull(moved, pairs)
    for place in range(0, len(moved), 37):
        step = np.zeros_like(moved)
        step[place] = 1e-3
        assert slopes[place] == pytest.approx((cost(moved + step) - cost(moved - step)) / 2e-3, rel=1e-4)


def test_the_fit_weighs_errors_against_distances(
    tuning: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other multiple of what it moves the numbers by is better."""
    network = import_module("tune_chess_network")
    monkeypatch.setattr(tuning, "FILE", tmp_path / "weights.json")
    shutil.copy(FILE, tuning.FILE)
    for module in (tuning, network):
        monkeypatch.setattr(module, "BATCH", 256)
    monkeypatch.setattr(network, "HELD", 44)
    monkeypatch.setattr(tuning, "STIFFNESS", 1e-8)
    states = reference.random_states(chess(), 300, range(4, 90), 10)
    words = np.array([flatten(state) for state in states])
    rows = [[*word, 0, network.UNKNOWN, number] for number, word in enumerate(words)]
    positions = network.positions_of(np.array(rows), 0.15, 0.8)
    positions = positions._replace(targets=(0.5 + 0.4 * np.sin(np.arange(300))).astype(np.float32))
    numbers, counts = tuning.Numbers(), tuning.Counts(words, tuning.Numbers())
    start = numbers.vector()
    tuning.fit(words, positions, 300, 2.0, 1)
    moved = tuning.Numbers().vector() - start
    parameters = network.first_parameters(np.random.default_rng(1), NETWORK)
    known, pairs = network.values_of(parameters, positions, 0)[:256], numbers.neighbours()

    def cost(times: float) -> float:
        values = known + counts.values(slice(256), times * moved) / network.CURVE
        errors = (network.logistic(values) - positions.targets[:256]) ** 2
        weights = np.repeat([tuning.MIDDLE, 1], numbers.count)
        differences = weights[pairs[:, 0]] * (times * (moved[pairs[:, 0]] - moved[pairs[:, 1]])) ** 2
        distances = tuning.STIFFNESS * weights @ (times * moved) ** 2
        return float(errors.mean() + distances + tuning.SMOOTHNESS * differences.sum())

    costs = [cost(times) for times in (0, 0.5, 0.8, 1, 1.25, 2)]
    assert min(costs) == costs[3] < 0.99 * costs[0]


def test_numbers_are_written_as_eval_reads_them(
    tuning: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, vector = tuning.Numbers(), tuning.Numbers().vector()
    monkeypatch.setattr(tuning, "FILE", tmp_path / "weights.json")
    numbers.write(vector)
    assert read_weights(tmp_path / "weights.json") == WEIGHTS
    numbers.write(vector + np.arange(len(vector)) % 3 - 1.2)
    assert tuning.Numbers().vector().tolist() == (vector + np.arange(len(vector)) % 3 - 1).tolist()


def test_too_few_positions(tuning: ModuleType) -> None:
    network = import_module("tune_chess_network")
    few = network.Positions(*(np.zeros(70_000) for _ in range(4)))
    with pytest.raises(SystemExit, match=r"70,000 positions are too few: learning needs 108,192 or more\."):
        tuning.learned_of(few)
    assert tuning.learned_of(network.Positions(*(np.zeros(200_000) for _ in range(4)))) == 100_000
