"""The script that learns the network of chess: its gradients, and that EVAL counts with what it has written."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import reference
from running import printed_interpreted
from zermelo.compiled.states import flatten
from zermelo.game import MAX
from zermelo.games import chess
from zermelo.games.chess_board import State
from zermelo.games.chess_network import BUCKETS, FILE, KINDS, UNITS, correction, read_network, rows_of

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
        # Each unit is rounded, so the error grows with the root of their number.
        assert state.player * correct(state) == pytest.approx(expected, abs=1.5 * UNITS**0.5)


def test_a_network_with_fewer_units_is_a_beginning(tuning: ModuleType, tmp_path: Path) -> None:
    """The other units have random inputs and count nothing at first."""
    few = 5
    earlier = some_parameters(tuning, few, 0.15)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "FILE", tmp_path / "few.json")
        tuning.write(earlier)
    network = read_network(tmp_path / "few.json")
    begun = tuning.first_parameters(np.random.default_rng(1), network)
    assert begun.hidden_biases.shape == (UNITS,)
    for found, wanted in zip(begun, earlier, strict=True):
        part = found if wanted.shape[-1] == BUCKETS else found[..., :few]
        assert part == pytest.approx(wanted, abs=0.003)
    assert not begun.output_weights[..., few:].any()
    assert len(np.unique(begun.input_weights[:, few:])) > UNITS
    with pytest.raises(ValueError, match=rf"the network has {few} units, not {UNITS}"):
        correction(network)


def test_results_that_are_known_count_for_their_share(tuning: ModuleType, tmp_path: Path) -> None:
    states = reference.random_states(chess(), 4, range(20), 3)
    values, results = (70, -35, 0, 140), (1, -1, 0, tuning.UNKNOWN)
    words = [flatten(state) for state in states]
    np.savez(tmp_path / "some.npz", positions=np.column_stack([words, values, results, range(4)]))
    positions = tuning.positions_of(tuning.read([tmp_path / "some.npz"]), 0.25, 0.8)
    searched = [1 / (1 + np.exp(-value / tuning.CURVE)) for value in values]
    ended = (1.0, 0.0, 0.5, searched[3])
    wanted = [0.75 * one + 0.25 * other for one, other in zip(searched, ended, strict=True)]
    assert positions.targets == pytest.approx(wanted, abs=1e-6)
    assert positions.men.tolist() == [(state.white | state.black).bit_count() for state in states]
    for state, rows, men in zip(states, positions.rows, positions.men, strict=True):
        squares = [square for square in range(64) if (state.white | state.black) >> square & 1]
        assert rows[:, :men].T.tolist() == [list(rows_of(state, square)) for square in squares]


def test_later_values_of_a_course_count(tuning: ModuleType, tmp_path: Path) -> None:
    """Each value counts for a quarter of what is left by those before it, and the last one for all of it."""
    states = reference.random_states(chess(), 7, range(20), 5)
    values, courses = (70, -35, 0, 140, 300, -80, 10), (1, 1, 1, 2, 2, 1, 1)
    words, unknown = [flatten(state) for state in states], [tuning.UNKNOWN] * 7
    np.savez(tmp_path / "some.npz", positions=np.column_stack([words, values, unknown, courses]))
    assert len({state.player for state in states[:3]}) == 2
    players = np.array([state.player for state in states])
    whites = 1 / (1 + np.exp(-players * values / tuning.CURVE))
    wanted = []
    for at, course in enumerate(courses):
        end = next((place for place in range(at, 7) if courses[place] != course), 7)
        shares = [0.25 * 0.75**later for later in range(end - at - 1)]
        mean = np.dot([*shares, 1 - sum(shares)], whites[at:end])
        wanted.append(mean if states[at].player == MAX else 1 - mean)
    table = tuning.read([tmp_path / "some.npz"])
    assert tuning.positions_of(table, 0.25, 0.75).targets == pytest.approx(wanted, abs=1e-6)
    assert tuning.positions_of(table, 0.25, 0.0).targets[0] != pytest.approx(wanted[0], abs=1e-3)


PLAY = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import chess_self_play as script
from zermelo import Engine
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.engine.job import MAX_PLY, restart
from zermelo.games import chess

script.RANDOM, script.PLIES = float(sys.argv[2]), 12
game = chess()
engine, start = Engine(game, table_mb=1), flatten(game.initial)
engine.search(game.initial, nodes=1)
found = np.zeros((30, len(start) + 3), dtype=np.int64)
path, actions = np.zeros((12, len(start)), dtype=np.int64), np.zeros(4096, dtype=np.int64)
restart(engine._team.first, 60)
line, chance = np.zeros(MAX_PLY, dtype=np.int64), np.array([1, 0])
games = script.play(compiled(game), start, 60, found, path, line, actions, chance, engine._team.first)
print(games, *found[:, -1])
"""


@pytest.mark.parametrize("share", [0, 1])
def test_a_course_ends_with_its_game_and_with_a_random_move(share: int) -> None:
    games, *courses = map(int, printed_interpreted(PLAY, str(BENCHMARKS), str(share)).split())
    assert len(courses) == 30
    assert courses == sorted(courses)
    if share:  # no two positions belong together
        assert len(set(courses)) == 30
    else:  # some games have no quiet position
        assert 1 < len(set(courses)) <= games == courses[-1]


def test_results_are_for_the_player_to_move(tuning: ModuleType) -> None:
    settle, unknown = import_module("chess_self_play").settle.py_func, tuning.UNKNOWN
    for winner, wanted in ((1, [1, -1, 1]), (-1, [-1, 1, -1]), (0, [0, 0, 0]), (unknown, [unknown] * 3)):
        players = np.array([1, -1, 1])
        settle(players, winner)
        assert players.tolist() == wanted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "is missing or damaged"),
        (lambda text: text.replace("output_biases", "other_biases"), "is missing or damaged"),
        (lambda text: text.replace("[\n", f"[\n{[0] * UNITS},\n", 1), "another network"),
        (lambda text: text.replace('"output_biases": [', '"output_biases": [0,'), "another network"),
    ],
)
def test_what_is_no_network_is_no_beginning(
    tuning: ModuleType, tmp_path: Path, change: Callable[[str], str], message: str
) -> None:
    file = tmp_path / "network.json"
    whole = FILE.read_text(encoding="utf-8")
    file.write_text(change(whole), encoding="utf-8")
    with pytest.raises(SystemExit, match=message):
        tuning.read_earlier(file)
    with pytest.raises(SystemExit, match="is missing or damaged"):
        tuning.read_earlier(tmp_path / "none.json")
    file.write_text(whole, encoding="utf-8")
    assert tuning.read_earlier(file).hidden_biases.shape == (1, UNITS)


def test_a_network_with_more_units_is_no_beginning(tuning: ModuleType, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "FILE", tmp_path / "many.json")
        tuning.write(some_parameters(tuning, UNITS + 1, 0.15))
    with pytest.raises(SystemExit, match=f"up to {UNITS} units"):
        tuning.read_earlier(tmp_path / "many.json")


@pytest.mark.parametrize("content", [b"", b"no positions", b"PK\x03\x04"])
def test_a_file_without_positions_is_refused_in_one_sentence(
    tuning: ModuleType, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "some.npz"
    file.write_bytes(content)
    with pytest.raises(SystemExit, match=r"is missing or damaged, or chess_self_play\.py did not write it\.$"):
        tuning.read([file])
