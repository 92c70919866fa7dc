"""Learning the network that corrects EVAL of chess, from positions of games that the engine played against itself.

With the numbers that it finds, EVAL tells the scores of the searches best. Both are squeezed by a logistic curve.

    python benchmarks/tune_chess_network.py positions-*.npz

The shipped numbers come from 8 million positions of searches of 400 nodes (`chess_self_play.py`; two hours, two cores)
and seven passes over them (two minutes).
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from chess_self_play import MEN
from zermelo.bits import lowest_index
from zermelo.compiled.apart import apart
from zermelo.compiled.cache import kernel
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import evaluate
from zermelo.compiled.states import flatten, load_state
from zermelo.files import write_whole
from zermelo.games import chess
from zermelo.games.chess_evaluation import sum_of_terms
from zermelo.games.chess_network import BUCKETS, FILE, FULL, KINDS, SHIFT, STEEPEST, UNITS
from zermelo.games.chess_weights import WEIGHTS

Floats = NDArray[np.float32]
Function = TypeVar("Function", bound=Callable[..., Any])
CURVE: Final = 350.0
"""The value with which the player to move is expected to get 1 / (1 + 1/e) of the points."""
BATCH: Final = 8192
RATE: Final = 2e-3
"""How far a number moves in a step at first; Adam (Kingma and Ba 2015), with a cosine to a hundredth of it."""
HELD: Final = 100_000
"""So many positions are not learned from; they tell how good the network is."""


def quick(function: Function) -> Function:
    """Compile a function that may use several threads and round as is quickest."""
    made: Function = njit(parallel=True, fastmath=True)(function)
    return made


class Positions(NamedTuple):
    """Positions to learn from. The first two have the shape (positions, 32), the others (positions,)."""

    own: NDArray[np.int16]
    """For each man, which row of the network it adds to the view of the player to move."""
    opposite: NDArray[np.int16]
    """And to that of the opponent."""
    men: NDArray[np.int64]
    """How many there are."""
    known: Floats
    """What the terms of EVAL come to, for the player to move, in units of `CURVE`."""
    targets: Floats
    """The share of points that the search expects."""


@quick
def read_men(
    words: NDArray[np.int64], own: NDArray[np.int16], opposite: NDArray[np.int16], men: NDArray[np.int64]
) -> None:
    """Write which rows of the network the men of each position add, as `chess_network` numbers them."""
    for at in prange(len(words)):
        white, black, pawns, knights, diagonal, straight, player = words[at, :7]
        left, mine, turn = white | black, white if player > 0 else black, 0 if player > 0 else 56
        while left:
            square = lowest_index(left)
            left &= left - 1
            kind = (pawns >> square & 1) + 2 * (knights >> square & 1)
            kind += 3 * (diagonal >> square & 1) + 4 * (straight >> square & 1)
            other = KINDS * (mine >> square & 1)
            own[at, men[at]] = (KINDS - other + kind) * 64 + (square ^ turn)
            opposite[at, men[at]] = (other + kind) * 64 + (square ^ turn ^ 56)
            men[at] += 1


@kernel
def add_terms(game: CompiledGame, words: NDArray[np.int64], start: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Write what EVAL of each position is for the player to move."""
    row = start.copy()
    row[6] = row[7] = row[9] = 0
    for at in range(len(words)):
        row[:6] = words[at, :6]
        row[8] = words[at, 6]
        out[at] = evaluate(game, load_state(game, row)) * words[at, 6]


def read(files: Sequence[Path]) -> Positions:
    """Read what `collect` wrote."""
    words = np.concatenate([np.load(file)["positions"] for file in files])
    own, opposite = np.zeros((2, len(words), 32), dtype=np.int16)
    men, terms = np.zeros((2, len(words)), dtype=np.int64)
    read_men(words, own, opposite, men)
    game = replace(chess(), evaluate=sum_of_terms(WEIGHTS, 8))
    apart(lambda: add_terms(compiled(game), words, flatten(game.initial), terms))
    targets = logistic(words[:, MEN] / CURVE).astype(np.float32)
    return Positions(own, opposite, men, (terms / CURVE).astype(np.float32), targets)


def logistic(values: NDArray[Any]) -> NDArray[Any]:
    """The logistic curve."""
    return np.asarray(1 / (1 + np.exp(-values)))


class Numbers(NamedTuple):
    """The network's numbers while they are learned, all floats; hidden units count from 0 to 1."""

    rows: Floats
    """Of shape (2 * KINDS * 64, UNITS)."""
    start: Floats
    """Of shape (UNITS,)."""
    last: Floats
    """Of shape (BUCKETS, 2 * UNITS)."""
    base: Floats
    """Of shape (BUCKETS,)."""


@quick
def add_slopes(
    numbers: Numbers, positions: Positions, chosen: NDArray[np.int64], slopes: Numbers, errors: Floats
) -> None:
    """Write how the squared error of some positions grows with each number; the first axis of slopes is for threads."""
    threads, units = len(errors), numbers.rows.shape[1]
    rows, start, last, base = slopes  # Numba loses what threads write to the arrays of a tuple
    for thread in prange(threads):
        rows[thread] = start[thread] = last[thread] = base[thread] = errors[thread] = 0
        one, two = np.zeros(units, np.float32), np.zeros(units, np.float32)
        down_one, down_two = np.zeros(units, np.float32), np.zeros(units, np.float32)
        for number in range(len(chosen) * thread // threads, len(chosen) * (thread + 1) // threads):
            at = chosen[number]
            men = positions.men[at]
            bucket = (men - 1) // 8
            value = look(numbers, positions, at, one, two)
            share = 1 / (1 + np.exp(-value))
            error = share - positions.targets[at]
            errors[thread] += error * error
            slope = np.float32(2 * error * share * (1 - share))
            base[thread, bucket] += slope
            for unit in range(units):
                first, second = clipped(one[unit]), clipped(two[unit])
                last[thread, bucket, unit] += slope * first * first
                last[thread, bucket, units + unit] += slope * second * second
                down_one[unit] = slope * numbers.last[bucket, unit] * 2 * first if 0 < one[unit] < 1 else 0
                down_two[unit] = slope * numbers.last[bucket, units + unit] * 2 * second if 0 < two[unit] < 1 else 0
                start[thread, unit] += down_one[unit] + down_two[unit]
            for man in range(men):
                row, other = positions.own[at, man], positions.opposite[at, man]
                for unit in range(units):
                    rows[thread, row, unit] += down_one[unit]
                    rows[thread, other, unit] += down_two[unit]


@quick
def clipped(unit: float) -> np.float32:
    """What a hidden unit counts."""
    return min(max(np.float32(unit), np.float32(0)), np.float32(1))


@quick
def look(numbers: Numbers, positions: Positions, at: int, one: Floats, two: Floats) -> float:
    """What the corrected EVAL of a position is; the hidden units of both views stay in ``one`` and ``two``."""
    units, men = len(one), positions.men[at]
    for unit in range(units):
        one[unit] = two[unit] = numbers.start[unit]
    for man in range(men):
        row, other = positions.own[at, man], positions.opposite[at, man]
        for unit in range(units):
            one[unit] += numbers.rows[row, unit]
            two[unit] += numbers.rows[other, unit]
    bucket = (men - 1) // 8
    value = positions.known[at] + numbers.base[bucket]
    for unit in range(units):
        first, second = clipped(one[unit]), clipped(two[unit])
        value += first * first * numbers.last[bucket, unit] + second * second * numbers.last[bucket, units + unit]
    return float(value)


@quick
def error_of(numbers: Numbers, positions: Positions, first: int) -> float:
    """The mean squared error of the positions from the one of that index on."""
    total = 0.0
    for at in prange(first, len(positions.men)):
        one, two = np.zeros(len(numbers.start), np.float32), np.zeros(len(numbers.start), np.float32)
        share = 1 / (1 + np.exp(-look(numbers, positions, at, one, two)))
        total += (share - positions.targets[at]) ** 2
    return total / (len(positions.men) - first)


def fit(files: Sequence[Path], passes: int, threads: int, seed: int) -> None:
    """Learn the numbers of the network, and write them."""
    positions, chooser = read(files), np.random.default_rng(seed)
    learned = max(BATCH, len(positions.men) - HELD)
    rows = (chooser.standard_normal((2 * KINDS * 64, UNITS)) * 0.1).astype(np.float32)
    start, last, base = np.full(UNITS, 0.3), np.zeros((BUCKETS, 2 * UNITS)), np.zeros(BUCKETS)
    numbers = Numbers(rows, *(array.astype(np.float32) for array in (start, last, base)))
    means, squares = ([np.zeros_like(array) for array in numbers] for _ in range(2))
    slopes = Numbers(*(np.zeros((threads, *array.shape), np.float32) for array in numbers))
    errors, step, steps = np.zeros(threads, np.float32), 0, passes * (learned // BATCH)
    print(f"error without the network {error_of(numbers, positions, learned):.6f}", flush=True)
    for number in range(passes):
        order = chooser.permutation(learned)
        for place in range(0, learned - BATCH + 1, BATCH):
            add_slopes(numbers, positions, order[place : place + BATCH], slopes, errors)
            step += 1
            rate = RATE * (0.01 + 0.99 * (1 + np.cos(np.pi * step / steps)) / 2)
            for array, mean, square, parts in zip(numbers, means, squares, slopes, strict=True):
                slope = parts.sum(axis=0) / BATCH
                mean += 0.1 * (slope - mean)
                square += 0.001 * (slope * slope - square)
                array -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            np.clip(numbers.rows, -STEEPEST / FULL, STEEPEST / FULL, out=numbers.rows)
        print(f"pass {number + 1}: error {error_of(numbers, positions, learned):.6f}", flush=True)
    write(numbers)


def write(numbers: Numbers) -> None:
    """Write the numbers as whole ones."""
    scale = CURVE * (1 << SHIFT)
    whole: dict[str, NDArray[Any]] = {
        "rows": numbers.rows * FULL,
        "start": numbers.start * FULL,
        "last": numbers.last * scale / FULL**2,
        "base": numbers.base * scale,
    }
    listed = {name: np.rint(np.asarray(array, dtype=float)).astype(int).tolist() for name, array in whole.items()}
    terms = [f'"{name}": [\n' + ",\n".join(map(json.dumps, items)) + "\n]" for name, items in listed.items()]
    write_whole(FILE, ("{\n" + ",\n".join(terms) + "\n}\n").encode())


def main() -> None:
    """Learn from the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--passes", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    fit(asked.files, asked.passes, asked.threads, asked.seed)


if __name__ == "__main__":
    main()
