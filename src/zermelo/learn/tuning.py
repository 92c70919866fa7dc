"""`Tuning`: better numbers for the EVAL that a user wrote, from games of the engine; it can go on later."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.engine import Engine
from zermelo.errors import BadParameter
from zermelo.files import write_whole
from zermelo.game import Game
from zermelo.learn.prospects import find_prospects
from zermelo.learn.regression import Curve, error, fit, fitted_curve, rows_to_use, within
from zermelo.learn.tensors import read_tensors, write_tensors
from zermelo.learn.threads import in_threads
from zermelo.learn.tuning_games import TABLE_MB, Position, Tuned, points, positions_of
from zermelo.learn.weighing import Asking, asking, weighed
from zermelo.weights import Weights, numbers_of, with_numbers

FORMAT: Final = "zermelo tuning 1"
WEIGHTS_FORMAT: Final = "zermelo weights 1"
NODES: Final = 1000
"""Nodes of a search of self-play."""
ROUNDS: Final = 4
"""How many times games are played and numbers fitted."""
COMPARED: Final = 100
"""Games of the match between two versions."""
KEPT: Final = 45.0
"""A version that gets fewer points in it is dropped."""
RESULT: Final = 0.5
"""How much the result of a game counts in a position's target; the rest is the search's score."""
_HELD_BACK: Final = 5
"""One game in so many is not learned from, and tells how well the numbers tell results."""


@dataclass(frozen=True)
class Round:
    """What is known after a round."""

    games: int
    positions: int
    seconds: float
    share: float
    """The share of the work that is done, from 0 to 1."""
    left: float
    """How many seconds the rest is likely to take."""
    before: float
    """The mean squared error with the numbers so far, in games that were held back."""
    error: float
    """The same with the new numbers."""
    won: int
    drawn: int
    lost: int
    """Games of the new version against the one before."""
    kept: bool
    """Whether the new numbers take the place of the old ones."""


class Tuning:
    """Finding the numbers of a game's EVAL.

    Parameters
    ----------
    game
        A game with ``weights`` that compiles.
    threads
        How many games are played side by side.
    seed
        Of the openings.
    nodes
        Nodes of each search.

    Raises
    ------
    BadParameter
        The game has no weights.
    NotCompilable
        The rules or EVAL cannot become machine code.
    """

    def __init__(self, game: Game, threads: int = 1, seed: int = 0, nodes: int = NODES) -> None:
        if game.weights is None or game.evaluate is None:
            raise BadParameter(
                f"The EVAL of {game!r} has no numbers to tune. Give the game weights=..., a tuple of them, and write "
                "evaluate(state, weights)."
            )
        self.game, self.threads, self.seed, self.nodes = game, threads, seed, nodes
        self.weights: Weights = game.weights
        self.begin = self.numbers = np.array(list(numbers_of(game.weights)), dtype=np.int64)
        prospects = find_prospects(game, seed)
        self.win, self.reach = prospects.win, prospects.reach
        self.curve: Curve | None = None
        self.games = 0
        self.seconds = 0.0
        self._next = 0
        """The number of the next game, which its opening depends on."""
        size = len(flatten(game.initial))
        self._rows = np.zeros((0, size), dtype=np.int64)
        self._told = np.zeros((0, 3))
        """For each position: the score, the result and the number of the game."""
        self._weighed = weighed(game)
        self._engines = [[Engine(self._weighed, table_mb=TABLE_MB) for _ in range(2)] for _ in range(threads)]
        """For each thread, two engines: a version of the numbers in a match has a table of its own."""
        self._stop = False

    def run(
        self,
        seconds: float | None = None,
        games: int | None = None,
        progress: Callable[[Round], None] = lambda _: None,
        rounds: int = ROUNDS,
    ) -> Weights:
        """Tune for a time or a number of games; Ctrl-C ends it, and what was found and played before stays."""
        if (seconds is None) == (games is None):
            raise BadParameter("Tuning needs a limit: of time, or of games.")
        self._warm_up()
        began, games_before, seconds_before, fitting = time.monotonic(), self.games, self.seconds, 0.0
        try:
            for number in range(1, rounds + 1):
                if games is not None:
                    self._collect(games_before + games * number // rounds - self.games, None)
                else:
                    assert seconds is not None
                    self._collect(None, began + seconds * number / rounds - fitting)
                collected = time.monotonic()
                found = self._improve()
                fitting = time.monotonic() - collected
                self.seconds = seconds_before + time.monotonic() - began
                share = number / rounds
                left = (time.monotonic() - began) * (1 / share - 1)
                progress(Round(self.games, len(self._rows), self.seconds, share, left, *found))
        except KeyboardInterrupt:
            self.seconds = seconds_before + time.monotonic() - began
            raise
        return self.weights

    @property
    def tuned(self) -> Game:
        """The game with the numbers found so far."""
        return replace(self.game, weights=self.weights)

    def described(self) -> dict[str, Any]:
        """What is written to a file, for people and for games that read their numbers from it."""
        named = hasattr(self.weights, "_asdict")
        told = {"format": WEIGHTS_FORMAT, "game": repr(self.game), "fingerprint": self.game.fingerprint}
        return told | {
            "weights": self.weights._asdict() if named else list(self.weights),  # type: ignore[attr-defined]
            "games": self.games,
            "positions": len(self._rows),
            "seed": self.seed,
            "nodes": self.nodes,
        }

    def save(self, path: Path, unfinished: Path) -> None:
        """Write the numbers as JSON to ``path``, and what is needed to go on to ``unfinished``.

        Raises
        ------
        BadParameter
            A file cannot be written.
        """
        try:
            write_whole(path, (json.dumps(self.described(), indent=2) + "\n").encode())
        except OSError as wrong:
            raise BadParameter(f"{path} cannot be written: {wrong.strerror or wrong}.") from None
        kept = {"format": FORMAT, "fingerprint": self.game.fingerprint, "seed": self.seed, "nodes": self.nodes}
        kept |= {"games": self.games, "next": self._next, "seconds": self.seconds, "numbers": self.numbers.tolist()}
        kept |= {"shape": _shape(self.weights), "scale": None if self.curve is None else self.curve.scale}
        write_tensors(unfinished, kept, {"rows": self._rows, "told": self._told.astype(np.float32)})

    def load(self, unfinished: Path) -> None:
        """Go on with what `save` wrote, for the same rules, form of weights, seed and nodes.

        Raises
        ------
        BadParameter
            The file is damaged, or belongs to something else.
        """
        kept, arrays = read_tensors(unfinished)
        same = {"format": FORMAT, "fingerprint": self.game.fingerprint, "seed": self.seed, "nodes": self.nodes}
        same["shape"] = _shape(self.weights)
        if any(kept.get(name) != value for name, value in same.items()):
            raise BadParameter(
                f"{unfinished} holds the tuning of other rules or weights, or with another seed or other nodes; "
                "remove it first."
            )
        self._rows, self._told = arrays["rows"], arrays["told"].astype(float)
        self.games, self._next, self.seconds = kept["games"], kept["next"], kept["seconds"]
        self._set(np.array(kept["numbers"], dtype=np.int64))
        if kept["scale"] is not None:
            self.curve = Curve(kept["scale"], self.game.outcomes == "margin")

    def _set(self, numbers: NDArray[np.int64]) -> None:
        """Go on with other numbers."""
        self.numbers, self.weights = numbers, with_numbers(self.weights, numbers.tolist())

    def _warm_up(self) -> None:
        """Compile before the clock starts."""
        require_agreement(compiled(self._weighed))
        if not self.game.is_terminal(self.game.initial):
            self._engines[0][0].search(nodes=1)

    def _collect(self, games: int | None, deadline: float | None) -> None:
        """Play so many games, or until a time, and keep their positions."""
        first, found = self._next, dict[int, list[Position]]()

        def play(thread: int) -> None:
            for number in range(thread, 1 << 40 if games is None else games, self.threads):
                if self._stop or (deadline is not None and number >= self.threads and time.monotonic() >= deadline):
                    return
                seed = f"{self.seed} {first + number}"
                player = Tuned(self._engines[thread][0], self.weights, self.nodes)
                found[number] = positions_of(self.game, player, seed, self.win)

        try:
            self._in_threads(play)
        finally:
            whole = sorted(found)
            self.games += len(whole)
            self._next += max(found, default=-1) + 1
            told = [(first + number, position) for number in whole for position in found[number]]
            if told:
                rows = np.array([flatten(position.state) for _, position in told])
                numbers = np.array([(position.score, position.result, number) for number, position in told])
                self._rows, self._told = np.concatenate([self._rows, rows]), np.concatenate([self._told, numbers])

    def _improve(self) -> tuple[float, float, int, int, int, bool]:
        """Fit the numbers, and keep them if they do not play worse; see `Round` for what it returns."""
        used = rows_to_use(len(self._rows), len(self.numbers))
        rows, (scores, results, games) = self._rows[-used:], self._told[-used:].T
        learnt = games % _HELD_BACK != 0
        if learnt.all() or not learnt.any():
            raise BadParameter(
                f"In {self.games:,} games there was hardly a position that was neither proven nor noisy; allow more "
                "games, or fewer nodes for a search."
            )
        if self.curve is None:
            most = float(max(self.reach, 1))
            margin = self.game.outcomes == "margin"
            self.curve = Curve(self.win, margin=True) if margin else fitted_curve(scores, results, int(most))
        targets = RESULT * results + (1 - RESULT) * self.curve.expected(scores)
        rules = compiled(self._weighed)
        ask, checked = asking(rules, rows[learnt]), asking(rules, rows[~learnt])
        fitted = within(ask, fit(ask, self.numbers, targets[learnt], self.curve).tolist(), self.numbers, self.reach)
        errors = self._error(checked, self.numbers, targets[~learnt]), self._error(checked, fitted, targets[~learnt])
        if (fitted == self.numbers).all():
            return (*errors, 0, COMPARED, 0, False)
        won, drawn, lost = self._match(with_numbers(self.weights, fitted.tolist()))
        kept = won + drawn / 2 >= KEPT * COMPARED / 100
        if kept:
            self._set(fitted)
        return (*errors, won, drawn, lost, kept)

    def _error(self, ask: Asking, numbers: NDArray[np.int64], targets: NDArray[np.float64]) -> float:
        """Return how far EVAL with these numbers is from the targets."""
        assert self.curve is not None
        return error(self.curve, ask(numbers), targets)

    def _match(self, weights: Weights) -> tuple[int, int, int]:
        """Let the game with other weights play the present one; how many games it won, drew and lost."""
        got: list[float] = []

        def play(thread: int) -> None:
            for number in range(thread, COMPARED // 2, self.threads):
                if self._stop:
                    return
                new, old = (
                    Tuned(engine, version, self.nodes)
                    for engine, version in zip(self._engines[thread], (weights, self.weights), strict=True)
                )
                got.extend(points(self.game, new, old, f"match {self.seed} {self._next} {number}"))

        self._in_threads(play)
        return got.count(1.0), got.count(0.5), got.count(0.0)

    def _in_threads(self, play: Callable[[int], None]) -> None:
        """Call ``play`` in each thread; after Ctrl-C, wait until the running games are over."""
        self._stop = False
        in_threads(self.threads, play, self._end)

    def _end(self) -> None:
        """Let all threads end after the game under way."""
        self._stop = True


def _shape(weights: Any) -> Any:
    """Return the form of weights, as JSON keeps it: names and lengths."""
    if not isinstance(weights, tuple):
        return 0
    parts = [_shape(part) for part in weights]
    return dict(zip(weights._fields, parts, strict=True)) if hasattr(weights, "_fields") else parts
