"""`Evaluation`: what was learned of a game, as a file and as an engine takes it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo import games
from zermelo.compiled.states import leaf_count, state_type
from zermelo.engine.job import MOST_CELLS, MOST_TUPLES, MOST_WORDS
from zermelo.engine.network import SETS, UNIT, WEIGHTS, Plan
from zermelo.engine.switches import Switches
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.learn.cells import Cells, Count, Group, View, seen_ints
from zermelo.learn.planning import Tuple, make_plan
from zermelo.learn.tensors import read_tensors, write_tensors

FORMAT: Final = "zermelo evaluation 2"
OLDER: Final = "zermelo evaluation 1"
"""The format before numbers in some bits of an int were cells; it is read as well."""
SHIPPED: Final = "learned"
"""In the place of a file: the evaluation that comes with zermelo."""
FOLDER: Final = Path(games.__file__).parent / "learned"
"""Where these are."""
_MOST_WEIGHTS: Final = 1 << 28


@dataclass(frozen=True)
class Evaluation:
    """An evaluation learned from the rules of a game."""

    game: str
    """The name of the game, with its parameters."""
    fingerprint: str
    """Of the game's rules and features."""
    cells: Cells
    tuples: tuple[tuple[Tuple, ...], ...]
    """For each table of weights, the tuples that share it."""
    reach: int
    """What an evaluation tends to if a win is sure."""
    weights: NDArray[np.int16]
    """Of all tables, one after the other, in units of 1 / `UNIT`."""
    how: Mapping[str, Any] = field(default_factory=dict)
    """How it was learned: games, minutes, seed."""
    switches: Mapping[str, int] = field(default_factory=dict)
    """The switches of the engine with which it plays best, where they differ from the game's own."""

    @property
    def open_words(self) -> tuple[int, ...]:
        """By which ints of a state it sees open squares; empty if it sees none."""
        return self.cells.open_words

    @cached_property
    def plan(self) -> Plan:
        """How to read a state, and which tuples to look at."""
        return make_plan(self.cells, self.tuples, self.reach)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.game}: {len(self.weights):,} weights>"

    def save(self, path: str | Path) -> None:
        """Write the evaluation to a file.

        Raises
        ------
        BadParameter
            The file cannot be written.
        """
        described = {"format": FORMAT, "game": self.game, "fingerprint": self.fingerprint, "unit": 1 / UNIT}
        described |= {"reach": self.reach, "cells": asdict(self.cells), "tuples": self.tuples, "how": dict(self.how)}
        described |= {"switches": dict(self.switches)} if self.switches else {}
        write_tensors(path, described, {"weights": self.weights})


def quantized(weights: NDArray[np.float32]) -> NDArray[np.int16]:
    """Return weights as ints, in units of 1 / `UNIT`."""
    return np.clip(np.rint(weights * UNIT), -32767, 32767).astype(np.int16)


def read_evaluation(path: str | Path, game: Game) -> Evaluation:
    """Read an evaluation of ``game``.

    Parameters
    ----------
    path
        A file; or ``learned``, which means the evaluation that comes with zermelo.
    game
        The game that it was learned for.

    Raises
    ------
    BadParameter
        There is no such file, it is damaged, or it belongs to another game or to older rules.
    """
    file = Path(path)
    if path == SHIPPED:
        file = FOLDER / f"{game.name}.eval"
        if not file.exists():
            raise BadParameter(
                f"No evaluation of {game.name} comes with zermelo; zermelo learn {game.name} learns one."
            )
    described, arrays = read_tensors(file)
    if described.get("format") not in (FORMAT, OLDER):
        raise BadParameter(f"{file} holds no evaluation of a game; zermelo learn {game.name} writes one.")
    if described.get("fingerprint") != game.seen_fingerprint:
        name = str(described.get("game"))[:80]
        what = f"older or other rules of {name}" if name == repr(game) else f"{name}, not for {game!r}"
        raise BadParameter(f"{file} was learned for {what}; zermelo learn {game.name} learns one for these rules.")
    try:
        evaluation = Evaluation(
            game=str(described["game"]),
            fingerprint=game.seen_fingerprint,
            cells=_cells(described["cells"]),
            tuples=tuple(tuple(map(_ints, images)) for images in described["tuples"]),
            reach=int(described["reach"]),
            weights=arrays["weights"].astype(np.int16),
            how=described["how"],
            switches=_switches(described.get("switches", {}), file),
        )
        fits = _fits(evaluation, game)
    except (AttributeError, ValueError, KeyError, TypeError, IndexError):
        fits = False
    if not fits:
        raise BadParameter(f"{file} does not fit the states of {game!r}; learn it anew.")
    return evaluation


def _cells(described: Mapping[str, Any]) -> Cells:
    """Return cells from what JSON keeps of them."""
    swapped = described["swapped"]
    return Cells(
        groups=tuple(
            Group(_ints(one["words"]), _ints(one["bits"]), _ints(one["codes"])) for one in described["groups"]
        ),
        counts=tuple(Count(**{name: int(number) for name, number in one.items()}) for one in described["counts"]),
        swapped=None if swapped is None else View(_ints(swapped["cells"]), tuple(map(_ints, swapped["symbols"]))),
        symmetries=tuple(map(_ints, described["symmetries"])),
        places=tuple(None if place is None else (float(place[0]), float(place[1])) for place in described["places"]),
        open_words=_ints(described.get("open_words", ())),
    )


def _switches(described: Mapping[str, Any], file: Path) -> dict[str, int]:
    """Return switches of the engine.

    Raises
    ------
    BadParameter
        There is no switch of a name.
    ValueError
        A number is no int.
    """
    unknown = [name for name in described if name not in Switches._fields]
    if unknown:
        raise BadParameter(f"{file} names a search switch {unknown[0][:80]!r}, which this version of zermelo has not.")
    return {name: int(number) for name, number in described.items()}


def _ints(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return ints as a tuple."""
    return tuple(int(number) for number in numbers)


def _fits(evaluation: Evaluation, game: Game) -> bool:
    """Return whether every number is in its range, so that no kernel reads outside of its arrays."""
    cells, count, own = evaluation.cells, len(evaluation.cells.symbols), leaf_count(state_type(game.initial))
    words = len(seen_ints(game, game.initial)) + bool(cells.open_words)
    sizes = [len(group.codes) for group in cells.groups] + [one.symbols for one in cells.counts]
    views = () if cells.swapped is None else (cells.swapped,)
    flat = [image for images in evaluation.tuples for image in images]
    tables = [prod(cells.symbols[cell] for cell in images[0]) for images in evaluation.tuples]
    return (
        0 < count <= MOST_CELLS
        and words <= MOST_WORDS
        and all(0 <= word < own for word in cells.open_words)
        and len(flat) <= MOST_TUPLES
        and all(0 <= word < words for group in cells.groups for word in group.words)
        and all(0 <= bit < 64 for group in cells.groups for bit in group.bits)
        and all(
            len(group.words) <= 16 and 0 <= code < 1 << len(group.words)
            for group in cells.groups
            for code in group.codes
        )
        and all(0 <= one.word < words and 0 < one.symbols <= 1 << 16 for one in cells.counts)
        and all(0 <= one.shift < 64 and 0 < one.bits <= 64 for one in cells.counts)
        and all(len(view.cells) == count and set(view.cells) <= set(range(count)) for view in views)
        and all([len(known) for known in view.symbols] == sizes for view in views)
        and all(
            0 <= one < size for view in views for known, size in zip(view.symbols, sizes, strict=True) for one in known
        )
        and all(_same_symbols(cells, range(count), view.cells) for view in views)
        and all(0 <= cell < count for image in flat for cell in image)
        and all(len(image) == len(images[0]) for images in evaluation.tuples for image in images)
        and all(_same_symbols(cells, images[0], image) for images in evaluation.tuples for image in images)
        and 0 < sum(tables) <= _MOST_WEIGHTS
        and 0 < evaluation.reach <= max(-game.utility_range[0], game.utility_range[1])
        and evaluation.weights.shape == (int(evaluation.plan[SETS] * evaluation.plan[WEIGHTS]),)
    )


def _same_symbols(cells: Cells, ones: Sequence[int], others: Sequence[int]) -> bool:
    """Return whether cells have as many symbols as those that are read in their place."""
    return all(cells.symbols[one] == cells.symbols[other] for one, other in zip(ones, others, strict=True))
