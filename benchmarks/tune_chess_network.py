"""Learning the network that corrects EVAL of chess, from positions of games that the engine played against itself.

With the numbers that it finds, EVAL tells best how many points the player to move will get: by the scores of searches,
squeezed by a logistic curve, and in part by how the game ended. A score counts for a fifth; four fifths are left to the
later scores of the same course, of which each counts for a fifth of what is left, and the last one for all of it:
TD(lambda) (R. Sutton 1988).

    python benchmarks/tune_chess_network.py positions-*.npz

The shipped numbers come from 8 million positions of searches of 400 nodes (`chess_self_play.py`; two hours, two cores).
First, 16 units learned from these, in seven epochs. All 64 began with them (``--begin``) and learned from 3.9 million
positions of games with the 16, in two epochs (a minute). Then they went on with 7.5 million positions of games with the
64. In four more rounds, in turns with `tune_chess.py`, they learned from these and from 13.5 million newer ones.
"""

import argparse
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from zipfile import BadZipFile

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from chess_self_play import UNKNOWN
from zermelo.bits import lowest_index
from zermelo.compiled.apart import apart
from zermelo.compiled.cache import kernel
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.helpers import register
from zermelo.compiled.rules import evaluate
from zermelo.compiled.states import flatten, load_state
from zermelo.files import write_whole
from zermelo.games import chess
from zermelo.games.chess_board import State
from zermelo.games.chess_evaluation import sum_of_terms
from zermelo.games.chess_network import (
    BUCKETS,
    FILE,
    KINDS,
    LARGEST,
    LARGEST_OUTPUT,
    ONE,
    SHIFT,
    UNITS,
    Network,
    read_network,
    rows_of,
)
from zermelo.games.chess_weights import WEIGHTS

Floats = NDArray[np.float32]
Function = TypeVar("Function", bound=Callable[..., Any])
CURVE: Final = 350.0
"""The value with which the player to move is expected to get 1 / (1 + 1/e) of the points."""
BATCH: Final = 8192
OUTPUT: Final = CURVE * (1 << SHIFT) / ONE**2
"""The whole number that stands for an output weight of 1."""
HELD: Final = 100_000
"""So many positions are not learned from; they tell how good the network is."""


def quick(parallel: bool) -> Callable[[Function], Function]:
    """Return a decorator that compiles a function, which may then round as is quickest."""
    decorator: Callable[[Function], Function] = njit(parallel=parallel, fastmath=True)
    return decorator


class Positions(NamedTuple):
    """Positions to learn from."""

    rows: NDArray[np.int16]
    """Of shape (positions, 2, 32): which rows of input weights the men add, first to the view of the player to move."""
    men: NDArray[np.int64]
    """Of shape (positions,): how many men there are."""
    known: Floats
    """Of the same shape: what the terms of EVAL come to, for the player to move, in units of `CURVE`."""
    targets: Floats
    """Of the same shape: the share of points that is expected."""


@kernel
def read_men(
    game: CompiledGame,
    words: NDArray[np.int64],
    rows: NDArray[np.int16],
    men: NDArray[np.int64],
    terms: NDArray[np.int64],
) -> None:
    """Write the rows of the men of each position, how many there are, and what EVAL is for the player to move."""
    for at in range(len(words)):
        state = load_state(game, words[at])
        left = state.white | state.black
        while left:
            rows[at, 0, men[at]], rows[at, 1, men[at]] = rows_of(state, lowest_index(left))
            men[at] += 1
            left &= left - 1
        terms[at] = evaluate(game, state) * state.player


def read_table(file: Path, words: int) -> NDArray[np.int64]:
    """Read the positions of a file; a row has so many words, a value, a result and a course.

    Raises
    ------
    SystemExit
        The file is missing or damaged, or somebody else wrote it.
    """
    try:
        with file.open("rb") as opened:
            table = np.load(opened)["positions"]
    except (OSError, ValueError, KeyError, EOFError, TypeError, IndexError, zlib.error, BadZipFile) as error:
        raise SystemExit(f"{file} is missing or damaged, or chess_self_play.py did not write it.") from error
    if table.dtype != np.int64 or table.ndim != 2 or table.shape[1] != words + 3:
        raise SystemExit(f"{file} holds no positions of chess as it is now; write them with chess_self_play.py.")
    return np.asarray(table)


def read(files: Sequence[Path]) -> NDArray[np.int64]:
    """Read what `chess_self_play.py` wrote, as one table."""
    words = len(flatten(chess().initial))
    return np.concatenate([read_table(file, words) for file in files])


def positions_of(table: NDArray[np.int64], results: float, later: float) -> Positions:
    """Return the positions of a table.

    Where a result is known, it counts so much of a target, and later values count so much of the rest.
    """
    rows = np.zeros((len(table), 2, 32), dtype=np.int16)
    men, terms = np.zeros((2, len(table)), dtype=np.int64)
    rules = compiled(replace(chess(), evaluate=sum_of_terms(WEIGHTS, 8)))
    register(rows_of)
    apart(lambda: read_men(rules, table[:, :-3], rows, men, terms))
    values, ends = logistic(table[:, -3] / CURVE), table[:, -2]
    look_ahead(values, table[:, State._fields.index("player")], table[:, -1], later)
    targets = np.where(ends == UNKNOWN, values, (1 - results) * values + results * (ends + 1) / 2)
    return Positions(rows, men, (terms / CURVE).astype(np.float32), targets.astype(np.float32))


def chosen_of(positions: Positions, chosen: NDArray[np.int64]) -> Positions:
    """Return the positions of these indices."""
    rows, men, known, targets = positions
    return Positions(rows[chosen], men[chosen], known[chosen], targets[chosen])


def learned_of(positions: Positions) -> int:
    """Return how many of the positions are learned from; the others are held back.

    Raises
    ------
    SystemExit
        There are too few.
    """
    if len(positions.men) < BATCH + HELD:
        raise SystemExit(f"{len(positions.men):,} positions are too few: learning needs {BATCH + HELD:,} or more.")
    return len(positions.men) - HELD


def logistic(values: NDArray[Any]) -> NDArray[Any]:
    """The logistic curve."""
    return np.asarray(1 / (1 + np.exp(-values)))


@quick(parallel=False)
def look_ahead(
    values: NDArray[np.float64], players: NDArray[np.int64], courses: NDArray[np.int64], later: float
) -> None:
    """Move each value, a share of points, so far towards the next one of its course, which has been moved itself."""
    for at in range(len(values) - 2, -1, -1):
        if courses[at] == courses[at + 1]:
            ahead = values[at + 1] if players[at] == players[at + 1] else 1 - values[at + 1]
            values[at] += later * (ahead - values[at])


class Parameters(NamedTuple):
    """The network's parameters while they are learned, all floats; hidden units count from 0 to 1."""

    input_weights: Floats
    """Of shape (2 * KINDS * 64, UNITS)."""
    hidden_biases: Floats
    """Of shape (UNITS,)."""
    output_weights: Floats
    """Of shape (BUCKETS, 2, UNITS)."""
    output_biases: Floats
    """Of shape (BUCKETS,)."""


@quick(parallel=False)
def clipped(unit: float) -> np.float32:
    """What a hidden unit counts."""
    return min(max(np.float32(unit), np.float32(0)), np.float32(1))


@quick(parallel=False)
def forward(parameters: Parameters, positions: Positions, at: int, hidden: Floats) -> float:
    """The corrected EVAL of a position; ``hidden``, of shape (2, UNITS), receives the units before they are clipped."""
    bucket = (positions.men[at] - 1) // 8
    value = positions.known[at] + parameters.output_biases[bucket]
    for view in range(2):
        hidden[view] = parameters.hidden_biases
        for man in range(positions.men[at]):
            hidden[view] += parameters.input_weights[positions.rows[at, view, man]]
        for unit in range(hidden.shape[1]):
            value += clipped(hidden[view, unit]) ** 2 * parameters.output_weights[bucket, view, unit]
    return float(value)


@quick(parallel=True)
def add_gradients(parameters: Parameters, positions: Positions, chosen: NDArray[np.int64], sums: Parameters) -> None:
    """Write how the squared error of some positions grows with each parameter; sums have one more axis, for threads."""
    threads, units = sums.hidden_biases.shape
    to_input, to_hidden, to_output, to_bias = sums  # Numba loses what threads write to the arrays of a tuple
    for thread in prange(threads):
        to_input[thread], to_hidden[thread], to_output[thread], to_bias[thread] = 0, 0, 0, 0
        hidden, back = np.zeros((2, units), np.float32), np.zeros(units, np.float32)
        for number in range(len(chosen) * thread // threads, len(chosen) * (thread + 1) // threads):
            at = chosen[number]
            bucket = (positions.men[at] - 1) // 8
            share = 1 / (1 + np.exp(-forward(parameters, positions, at, hidden)))
            gradient = np.float32(2 * (share - positions.targets[at]) * share * (1 - share))
            to_bias[thread, bucket] += gradient
            for view in range(2):
                for unit in range(units):
                    counted = clipped(hidden[view, unit])
                    to_output[thread, bucket, view, unit] += gradient * counted * counted
                    is_between = np.float32(0 < counted < 1)
                    back[unit] = is_between * gradient * parameters.output_weights[bucket, view, unit] * 2 * counted
                to_hidden[thread] += back
                for man in range(positions.men[at]):
                    to_input[thread, positions.rows[at, view, man]] += back


@quick(parallel=True)
def values_of(parameters: Parameters, positions: Positions, first: int) -> Floats:
    """The corrected EVAL of the positions from the one of that index on."""
    values = np.zeros(len(positions.men) - first, np.float32)
    for number in prange(len(values)):
        hidden = np.zeros((2, len(parameters.hidden_biases)), np.float32)
        values[number] = forward(parameters, positions, first + number, hidden)
    return values


def error_of(parameters: Parameters, positions: Positions, first: int) -> float:
    """The mean squared error of the positions from the one of that index on."""
    shares = logistic(values_of(parameters, positions, first))
    return float(((shares - positions.targets[first:]) ** 2).mean())


def read_earlier(file: Path) -> Network:
    """Read the network to begin with.

    Raises
    ------
    SystemExit
        The file holds no network, or one with more units than there are places for.
    """
    try:
        earlier = read_network(file)
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise SystemExit(f"{file} is missing or damaged, or holds no network of chess.") from error
    units = earlier.hidden_biases.size
    shapes = [np.shape(array) for array in earlier]
    if units > UNITS or shapes != [(2 * KINDS * 64, units), (1, units), (2 * BUCKETS, units), (BUCKETS,)]:
        raise SystemExit(f"{file} holds another network than those of chess, which have up to {UNITS} units.")
    return earlier


def first_parameters(chooser: np.random.Generator, earlier: Network | None) -> Parameters:
    """Random parameters of a network that corrects nothing, or those of an earlier one with as many units or fewer."""
    parameters = Parameters(
        (chooser.standard_normal((2 * KINDS * 64, UNITS)) * 0.1).astype(np.float32),
        np.full(UNITS, 0.3, np.float32),
        np.zeros((BUCKETS, 2, UNITS), np.float32),
        np.zeros(BUCKETS, np.float32),
    )
    if earlier is not None:
        units = earlier.hidden_biases.shape[1]
        parameters.input_weights[:, :units] = earlier.input_weights / ONE
        parameters.hidden_biases[:units] = earlier.hidden_biases[0] / ONE
        parameters.output_weights[:, :, :units] = earlier.output_weights.reshape(BUCKETS, 2, units) / OUTPUT
        parameters.output_biases[:] = np.array(earlier.output_biases) / (CURVE * (1 << SHIFT))
    return parameters


def fit(positions: Positions, earlier: Network | None, epochs: int, rate: float, threads: int, seed: int) -> None:
    """Learn the numbers of the network, and write them."""
    chooser = np.random.default_rng(seed)
    learned = learned_of(positions)
    parameters = first_parameters(chooser, earlier)
    means, squares = ([np.zeros_like(array) for array in parameters] for _ in range(2))
    sums = Parameters(*(np.zeros((threads, *array.shape), np.float32) for array in parameters))
    step, steps = 0, epochs * (learned // BATCH)
    print(f"error at first {error_of(parameters, positions, learned):.6f}", flush=True)
    for number in range(epochs):
        order = chooser.permutation(learned)
        for place in range(0, learned - BATCH + 1, BATCH):
            add_gradients(parameters, positions, order[place : place + BATCH], sums)
            step += 1
            step_size = rate * (0.01 + 0.99 * (1 + np.cos(np.pi * step / steps)) / 2)
            for array, mean, square, parts in zip(parameters, means, squares, sums, strict=True):
                gradient = parts.sum(axis=0) / BATCH
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient * gradient - square)
                array -= step_size * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            for array, most in zip(parameters, (LARGEST / ONE, LARGEST / ONE, LARGEST_OUTPUT / OUTPUT), strict=False):
                np.clip(array, -most, most, out=array)
        print(f"epoch {number + 1}: error {error_of(parameters, positions, learned):.6f}", flush=True)
    write(parameters)


def write(parameters: Parameters) -> None:
    """Write the numbers as whole ones."""
    whole: dict[str, NDArray[Any]] = {
        "input_weights": parameters.input_weights * ONE,
        "hidden_biases": parameters.hidden_biases * ONE,
        "output_weights": parameters.output_weights.reshape(2 * BUCKETS, -1) * OUTPUT,
        "output_biases": parameters.output_biases * CURVE * (1 << SHIFT),
    }
    listed = {name: np.rint(np.asarray(array, dtype=float)).astype(int).tolist() for name, array in whole.items()}
    terms = [f'"{name}": [\n' + ",\n".join(map(json.dumps, items)) + "\n]" for name, items in listed.items()]
    write_whole(FILE, ("{\n" + ",\n".join(terms) + "\n}\n").encode())


def main() -> None:
    """Learn from the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--begin", type=Path, metavar="FILE", help="a network to begin with; it may have fewer units")
    parser.add_argument("--results", type=float, default=0.15, help="the share of a game's result in what is learned")
    parser.add_argument("--later", type=float, default=0.8, help="the share of later values in those of searches")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-3, help="how far Adam moves a number in a step at first")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    earlier = None if asked.begin is None else read_earlier(asked.begin)
    positions = positions_of(read(asked.files), asked.results, asked.later)
    fit(positions, earlier, asked.epochs, asked.rate, asked.threads, asked.seed)


if __name__ == "__main__":
    main()
