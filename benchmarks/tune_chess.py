"""Tuning EVAL of chess: regression of the numbers of its terms on positions of games that the engine played.

The numbers of ``chess_weights.json`` are chosen so that EVAL, as the exponent of a logistic curve, tells best how many
points the player to move will get (P. Österlund, "Texel's Tuning Method", 2014). The network stays as it is, and
corrects EVAL. Positions and targets are those of `tune_chess_network.py`, with which the network can learn on
afterwards. Numbers that the positions say little about stay near where they are, and neighbours in a table move alike.

    python benchmarks/tune_chess.py positions-*.npz
"""

import argparse
import json
import multiprocessing
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tune_chess_network import (
    BATCH,
    CURVE,
    Positions,
    chosen_of,
    first_parameters,
    learned_of,
    logistic,
    positions_of,
    read,
    values_of,
)
from zermelo.bits import ALL
from zermelo.files import write_whole
from zermelo.games.chess_board import State
from zermelo.games.chess_evaluation import FULL, both_sides, phase_of, worth_of_sides
from zermelo.games.chess_network import NETWORK
from zermelo.games.chess_weights import FILE, Weights, tables

Floats = NDArray[np.float64]
STIFFNESS: Final = 3e-11
"""How much the square of a number's distance from where it was counts, beside the mean error of a position."""
SMOOTHNESS: Final = 2e-9
"""How much the square of the difference between the distances of two neighbours in a table counts."""
MIDDLE: Final = 3
"""How many times more both count for values of the middle game, about which the results of games say less."""
UNORDERED: Final = ("material", "checks", "threat", "hanging", "safe_checks")
"""The tables in which neighbours have nothing in common."""
DIGIT: Final = 8
"""Bits of a count: no number counts for one side more than 127 times."""
PART: Final = 50_000
"""A process counts the terms of so many positions at once."""


class Numbers:
    """The numbers of ``chess_weights.json`` as one vector: all values of the middle game, then those of the ending."""

    def __init__(self) -> None:
        self.terms: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
        self.sizes = {name: sum(map(len, phases["middle"])) for name, phases in self.terms.items()}
        self.count = sum(self.sizes.values())

    def vector(self) -> Floats:
        """Return the numbers as they are."""
        phases = [[row for term in self.terms.values() for row in term[phase]] for phase in ("middle", "end")]
        return np.array([number for rows in phases for row in rows for number in row], dtype=float)

    def tracers(self) -> Weights:
        """Return tables whose entries are powers of two: the digits of what EVAL adds up tell how often each counts."""
        terms: dict[str, Any] = {}
        for name, size in self.sizes.items():
            start = sum(map(len, terms.values()))
            terms[name] = tuple(1 << DIGIT * place for place in range(start, start + size))
        return tables(terms)

    def neighbours(self) -> NDArray[np.int64]:
        """Return the pairs of numbers that stand beside each other in a table, of shape (pairs, 2)."""
        places, start, found = np.arange(2 * self.count).reshape(2, -1), 0, []
        for name, size in self.sizes.items():
            rows = places[:, start : start + size].reshape(2, -1, 4 if name.endswith("_squares") else size)
            start += size
            if name not in UNORDERED:
                found += [(rows[:, :, :-1], rows[:, :, 1:]), (rows[:, :-1], rows[:, 1:])]
        return np.concatenate([np.stack([one.ravel(), other.ravel()], axis=1) for one, other in found])

    def write(self, vector: Floats) -> None:
        """Write other numbers to the file."""
        numbers = iter(vector.round().astype(int).tolist())
        for phase in ("middle", "end"):
            for term in self.terms.values():
                term[phase] = [[next(numbers) for _ in row] for row in term[phase]]
        write_whole(FILE, as_text(self.terms).encode())


def as_text(terms: dict[str, Any]) -> str:
    """Return JSON with a line for each row."""

    def block(phase: str, rows: list[list[int]]) -> str:
        return f'    "{phase}": [\n' + ",\n".join(f"      {row}" for row in rows) + "\n    ]"

    parts = [
        f'  "{name}": {{\n' + ",\n".join(block(*item) for item in phases.items()) + "\n  }"
        for name, phases in terms.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


class Counts:
    """How often each number counts in each position, for the player to move less for the opponent.

    Parameters
    ----------
    words
        Flat states, of shape (positions, words).
    numbers
        The numbers that count.
    """

    def __init__(self, words: NDArray[np.int64], numbers: Numbers) -> None:
        parts = np.array_split(words, max(1, len(words) // PART))
        with multiprocessing.get_context("spawn").Pool() as processes:
            found = processes.starmap(count_terms, [(part, numbers) for part in parts])
        counts, phases = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        self._counts, self._phases = counts, np.stack([phases, 1 - phases], axis=1)

    def values(self, chosen: Any, vector: Floats) -> Floats:
        """Return what the numbers add up to in the chosen positions."""
        sums = self._counts[chosen].astype(np.float32) @ vector.reshape(2, -1).T.astype(np.float32)
        return np.asarray((sums * self._phases[chosen]).sum(axis=1), dtype=float)

    def gradient(self, chosen: Any, slopes: Floats) -> Floats:
        """Return the sum over the chosen positions of their counts times ``slopes``."""
        shares = (self._phases[chosen] * slopes[:, np.newaxis]).astype(np.float32)
        return np.asarray(shares.T @ self._counts[chosen].astype(np.float32), dtype=float).ravel()


def count_terms(words: NDArray[np.int64], numbers: Numbers) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return the counts of some positions, of shape (positions, numbers), and how much of the middle game is left."""
    worth, size = worth_of_sides(numbers.tracers(), 8), numbers.count
    counts, phases = np.zeros((len(words), size), dtype=np.int8), np.zeros(len(words), dtype=np.float32)
    for place, fields in enumerate(words.tolist()):
        state = State(*(word & ALL for word in fields[:-2]), *fields[-2:])
        white, black = (np.frombuffer(sums.to_bytes(size, "little"), np.int8) for sums in worth(*both_sides(state, 8)))
        counts[place], phases[place] = (white - black) * state.player, phase_of(state) / FULL
    return counts, phases


def fit(words: NDArray[np.int64], positions: Positions, epochs: int, rate: float, seed: int) -> None:
    """Find the numbers that tell the positions' targets best, by Adam (Kingma and Ba 2015), and write them."""
    chooser, numbers, learned = np.random.default_rng(seed), Numbers(), learned_of(positions)
    counts, start = Counts(words, numbers), numbers.vector()
    known = values_of(first_parameters(chooser, NETWORK), positions, 0)
    pairs, firmness = numbers.neighbours(), np.repeat([MIDDLE, 1], numbers.count)
    vector, speed, power = start.copy(), np.zeros_like(start), np.zeros_like(start)

    def shares(chosen: Any) -> Floats:
        return logistic(known[chosen] + counts.values(chosen, vector - start) / CURVE)

    def report(done: int) -> None:
        held = slice(learned, None)
        error = ((shares(held) - positions.targets[held]) ** 2).mean()
        print(f"epoch {done}: error {error:.6f}, numbers moved by {np.abs(vector - start).mean():.1f}", flush=True)

    report(0)
    step, steps = 0, epochs * (learned // BATCH)
    for number in range(epochs):
        order = chooser.permutation(learned)
        for place in range(0, learned - BATCH + 1, BATCH):
            chosen, step = order[place : place + BATCH], step + 1
            found = shares(chosen)
            slopes = 2 * (found - positions.targets[chosen]) * found * (1 - found) / (CURVE * BATCH)
            gradient = counts.gradient(chosen, slopes) + firmness * pull(vector - start, pairs)
            speed, power = 0.9 * speed + 0.1 * gradient, 0.999 * power + 0.001 * gradient**2
            pace = rate * (1 - step / (steps + 1))
            vector -= pace * speed / (1 - 0.9**step) / (np.sqrt(power / (1 - 0.999**step)) + 1e-12)
        report(number + 1)
    numbers.write(vector)


def pull(moved: Floats, pairs: NDArray[np.int64]) -> Floats:
    """Return the gradient of what holds the numbers back, given how far each has moved."""
    found = 2 * STIFFNESS * moved
    apart = 2 * SMOOTHNESS * (moved[pairs[:, 0]] - moved[pairs[:, 1]])
    np.add.at(found, pairs[:, 0], apart)
    np.add.at(found, pairs[:, 1], -apart)
    return found


def main() -> None:
    """Tune with the positions of some files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--positions", type=int, default=5_000_000, help="learn from so many positions at most")
    parser.add_argument("--results", type=float, default=0.15, help="the share of a game's result in what is learned")
    parser.add_argument("--later", type=float, default=0.8, help="the share of later values in those of searches")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2.0, help="how far Adam moves a number in a step at first")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    table = read(asked.files)
    positions = positions_of(table, asked.results, asked.later)
    chosen = np.random.default_rng(asked.seed).permutation(len(table))[: asked.positions]
    fit(table[chosen, :-3], chosen_of(positions, chosen), asked.epochs, asked.rate, asked.seed)


if __name__ == "__main__":
    main()
