"""Tuning EVAL of chess: regression of its numbers on games that the engine plays against itself.

``collect`` plays games and writes quiet positions with what became of them; several processes may do so, with seeds
of their own. ``fit`` chooses the numbers of ``chess_weights.json`` so that EVAL, as the exponent of a logistic curve,
tells the results best (P. Österlund, "Texel's Tuning Method", 2014). The target of a position is the mean of the game's
result and of what the search thought of the position. Numbers that the games say little about stay near where they are,
and neighbours in a table move alike.

    python benchmarks/tune_chess.py collect positions-1.npz --games 5000 --seed 1
    python benchmarks/tune_chess.py fit positions-*.npz
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo import Engine
from zermelo.bits import ALL, lowest_index
from zermelo.compiled.states import flatten
from zermelo.game import Game
from zermelo.games import chess
from zermelo.games.chess_board import State, attackers, kings, sides
from zermelo.games.chess_evaluation import FULL, both_sides, phase_of, side_worth
from zermelo.games.chess_weights import FILE, Weights, tables

Floats = NDArray[np.float64]
OPENING: Final = (6, 10)
"""The least and the most random plies of an opening."""
EVEN: Final = 250
"""A game is played on from an opening that the search thinks so even."""
CLEAR: Final = 1_500
"""Positions in which the search thinks that one side is so far ahead say little about EVAL."""
STIFFNESS: Final = 1e-9
"""How much the square of a number's distance from where it was counts, beside the mean error of a position."""
SMOOTHNESS: Final = 3e-8
"""How much the square of the difference between the distances of two neighbours in a table counts."""
MIDDLE: Final = 3
"""How many times more both count for values of the middle game, about which the results of games say less."""
UNORDERED: Final = ("material", "checks", "threat")
"""The tables in which neighbours have nothing in common."""
STEP: Final = 2.0
"""How far a number moves in a step at first, in hundredths of a pawn."""


def collect(file: Path, games: int, nodes: int, seed: int) -> None:
    """Play games and write their quiet positions, results and scores, the last two from White's point of view."""
    game, chooser = chess(), random.Random(seed)
    engine = Engine(game, table_mb=8)
    states: list[State] = []
    results: list[float] = []
    scores: list[int] = []
    began = time.monotonic()
    for number in range(games):
        played = list(quiet_positions(game, engine, opening(game, engine, chooser, nodes), nodes))
        result = played.pop()[1] / 2 + 0.5
        states += [state for state, _ in played]
        scores += [score for _, score in played]
        results += [result] * len(played)
        if number % 100 == 99:
            minutes = (time.monotonic() - began) / 60
            print(f"{number + 1:,} games, {len(states):,} positions, {minutes:.1f} minutes", flush=True)
            words = np.array([flatten(state) for state in states])
            np.savez_compressed(file, states=words, results=np.array(results), scores=np.array(scores))


def opening(game: Game, engine: Engine, chooser: random.Random, nodes: int) -> State:
    """Return a position that random moves lead to, and that is about even."""
    while True:
        state: State = game.initial
        for _ in range(chooser.randint(*OPENING)):
            if not game.is_terminal(state):
                state = game.result(state, chooser.choice(game.legal_actions(state)))
        engine.clear()
        if not game.is_terminal(state) and abs(engine.search(state, nodes=nodes).value) <= EVEN:
            return state


def quiet_positions(game: Game, engine: Engine, state: State, nodes: int) -> Iterator[tuple[State, int]]:
    """Play a game; yield quiet positions with the search's scores, and at last the end with the result, 1, 0 or -1."""
    noisy_actions, position = game.noisy_actions, game.position
    assert noisy_actions is not None
    assert position is not None
    path: list[State] = []
    while not (game.is_terminal(state) or any(position(state) == position(earlier) for earlier in path)):
        found = engine.search(state, nodes=nodes, before=path)
        noisy = found.action in set(noisy_actions(state))
        if not noisy and not found.proven and abs(found.value) <= CLEAR and not in_check(state):
            yield state, found.value
        path.append(state)
        state = game.result(state, found.action)
    value = game.utility(state) if game.is_terminal(state) else 0
    yield state, (value > 0) - (value < 0)


def in_check(state: State) -> bool:
    """Return whether the player to move is in check, on a board of 8x8."""
    mine, theirs = sides(state)
    return attackers(state, lowest_index(kings(state) & mine), mine | theirs, theirs) != 0


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
        """Return tables whose entries are unit vectors: what EVAL adds up then tells how often each number counts."""
        units, start = np.eye(self.count, dtype=np.int16), 0
        terms: dict[str, Any] = {}
        for name, size in self.sizes.items():
            terms[name] = tuple(units[start : start + size])
            start += size
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
        FILE.write_text(as_text(self.terms), encoding="utf-8")


def as_text(terms: dict[str, Any]) -> str:
    """Return JSON with a line for each row."""

    def block(phase: str, rows: list[list[int]]) -> str:
        return f'    "{phase}": [\n' + ",\n".join(f"      {row}" for row in rows) + "\n    ]"

    parts = [
        f'  "{name}": {{\n' + ",\n".join(block(*item) for item in phases.items()) + "\n  }"
        for name, phases in terms.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


class Positions:
    """How often each number counts in each position, White's less Black's; a sparse matrix, row by row.

    Parameters
    ----------
    states
        Of shape (positions, words).
    numbers
        The numbers that count.
    """

    def __init__(self, states: NDArray[np.int64], numbers: Numbers) -> None:
        worth = side_worth(numbers.tracers())
        columns, shares, lengths = [], [], []
        for place, words in enumerate(states.tolist()):
            state = State(*(word & ALL for word in words[:-2]), *words[-2:])
            ours, others = both_sides(state, 8)
            counts, phase = np.asarray(worth(ours) - worth(others)), phase_of(state) / FULL
            used = np.flatnonzero(counts)
            columns += [used, used + numbers.count]
            shares += [phase * counts[used], (1 - phase) * counts[used]]
            lengths.append(2 * len(used))
            if place % 20_000 == 0:
                print(f"{place:,} of {len(states):,} positions read", flush=True)
        self._columns, self._shares = np.concatenate(columns), np.concatenate(shares)
        self._rows = np.repeat(np.arange(len(states)), lengths)
        self._size, self._count = 2 * numbers.count, len(states)

    def values(self, vector: Floats) -> Floats:
        """Return EVAL of each position with these numbers."""
        return np.bincount(self._rows, self._shares * vector[self._columns], minlength=self._count).astype(float)

    def gradient(self, slopes: Floats) -> Floats:
        """Return the sum over the positions of their counts times ``slopes``."""
        return np.bincount(self._columns, self._shares * slopes[self._rows], minlength=self._size).astype(float)


def fit(files: Sequence[Path], weight_of_result: float, steps: int) -> None:
    """Find the numbers that tell the positions' targets best, by Adam (Kingma and Ba 2015), and write them."""
    loaded = [np.load(file) for file in files]
    states = np.concatenate([one["states"] for one in loaded])
    results = np.concatenate([one["results"] for one in loaded])
    scores = np.concatenate([one["scores"] for one in loaded])
    scale = fitted_scale(scores, results)
    print(f"{len(states):,} positions; {scale:.0f} hundredths of a pawn are odds of 10 to 1")
    targets = weight_of_result * results + (1 - weight_of_result) * expected(scores, scale)
    numbers = Numbers()
    positions, start = Positions(states, numbers), numbers.vector()
    learnt = np.arange(len(states)) * 20 // len(states) % 5 != 4  # the others, whole stretches of games, are for a test
    pairs, firmness = numbers.neighbours(), np.repeat([MIDDLE, 1], numbers.count)
    vector, speed, power = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, steps + 1):
        shares = expected(positions.values(vector), scale)
        errors = shares - targets
        if step in (1, steps) or step % 30 == 0:
            print(f"step {step}: mean squared error {(errors[learnt] ** 2).mean():.5f}, "
                  f"in positions held back {(errors[~learnt] ** 2).mean():.5f}", flush=True)  # fmt: skip
        slopes = 2 * errors * shares * (1 - shares) * np.log(10) / scale * learnt / learnt.sum()
        gradient = positions.gradient(slopes) + firmness * pull(vector - start, pairs)
        speed, power = 0.9 * speed + 0.1 * gradient, 0.999 * power + 0.001 * gradient**2
        pace = STEP * (1 - step / (steps + 1))
        vector -= pace * speed / (1 - 0.9**step) / (np.sqrt(power / (1 - 0.999**step)) + 1e-12)
    numbers.write(vector)


def pull(moved: Floats, pairs: NDArray[np.int64]) -> Floats:
    """Return the gradient of what holds the numbers back, given how far each has moved."""
    found = 2 * STIFFNESS * moved
    apart = 2 * SMOOTHNESS * (moved[pairs[:, 0]] - moved[pairs[:, 1]])
    np.add.at(found, pairs[:, 0], apart)
    np.add.at(found, pairs[:, 1], -apart)
    return found


def expected(scores: NDArray[Any], scale: float) -> Floats:
    """Return the share of points that White is expected to get."""
    return np.asarray(1 / (1 + 10.0 ** (-np.asarray(scores, dtype=float) / scale)))


def fitted_scale(scores: NDArray[np.int64], results: Floats) -> float:
    """Return the scale with which the search's scores tell the results best."""
    return min(range(150, 1000, 10), key=lambda scale: float(((expected(scores, scale) - results) ** 2).mean()))


def main() -> None:
    """Read the command line and run what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["collect", "fit"])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--result", type=float, default=0.5, help="how much a game's result counts, from 0 to 1")
    parser.add_argument("--steps", type=int, default=150)
    asked = parser.parse_args()
    if asked.task == "fit":
        fit(asked.files, asked.result, asked.steps)
    elif len(asked.files) == 1:
        collect(asked.files[0], asked.games, asked.nodes, asked.seed)
    else:
        sys.exit("collect writes to one file")


if __name__ == "__main__":
    main()
