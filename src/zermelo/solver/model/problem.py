"""What is to be solved: a game, where it starts, and how its positions are named."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Final

import numpy as np

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.codec import Codec, leaves_of
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.states import load_state
from zermelo.compiled.word64 import signed
from zermelo.errors import Unsolvable
from zermelo.fingerprint import fingerprint
from zermelo.game import Game, State
from zermelo.solver.model.expand import (
    BAD_UTILITY,
    MISFITS,
    STUCK,
    Batch,
    batch,
    endless_worth,
    expand,
    has_all_images,
    name_states,
)
from zermelo.solver.model.outcome_codes import shift_of

POSITIONS: Final = 1 << 15
"""Positions expanded at a time: their successors stay in the processor's cache."""
_SAMPLE_GAMES: Final = 400
_SAMPLE_PLIES: Final = 400
_SAMPLE_SYMMETRIES: Final = 200


class Misfits(Exception):
    """States turned up that the codec has no room for; the solve begins again with a wider one."""

    def __init__(self, rows: Any) -> None:
        super().__init__()
        self.rows = rows


@dataclass(frozen=True)
class Expansion:
    """The successors of some positions."""

    own: Any
    ends: Any
    children: Any
    tiers: Any
    weights: Any
    """How many positions each stands for, symmetric ones counted."""


class Problem:
    """A game to be solved from some states on.

    Parameters
    ----------
    game
        The rules.
    starts
        States to begin from, or an array with a row of ints for each; the game's initial state if empty.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code, or answer otherwise as such.
    Unsolvable
        The states cannot be named by 63 bits.
    """

    def __init__(self, game: Game, starts: Any = ()) -> None:
        self._begin(game, starts)
        met = self._met_at_random()
        self.codec = Codec(self.rules, [*map(leaves_of, met), *_telling_rows(self.rows)])
        # Positions that are the same by symmetry are one only if all of them can be reached or none, and if each
        # names all the others: else they could not be counted.
        self.fold = game.symmetries is not None and self._starts_are_symmetric() and self._is_mutual(met)

    @classmethod
    def resumed(cls, game: Game, samples: Iterable[Sequence[int]], fold: bool) -> "Problem":
        """The problem of a game whose codec and symmetries another process has settled already."""
        problem = cls.__new__(cls)
        problem._begin(game, ())
        problem.take_up(samples)
        problem.fold = fold
        return problem

    def _begin(self, game: Game, starts: Any) -> None:
        self.game = game
        self.rules: CompiledGame = compiled(game)
        require_agreement(self.rules)
        starts = starts if len(starts) else [game.initial]
        self.rows = rows_of(game, starts)
        some = range(0, len(starts), -(-len(starts) // _SAMPLE_GAMES))
        self._some_starts = [load_state(self.rules, starts[n]) if starts is self.rows else starts[n] for n in some]
        self.zero = -game.utility_range[0]
        self.shift = shift_of(game.utility_range)
        self._batches: SimpleQueue[Batch] = SimpleQueue()

    def widen(self, misfits: Misfits) -> None:
        """Make room for states that turned up."""
        self.codec = self.codec.widened(misfits.rows)

    def take_up(self, samples: Iterable[Sequence[int]]) -> None:
        """The codec that an earlier run had come to."""
        self.codec = Codec(self.rules, samples)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What a table is a table of."""
        return identity_of(self.game, self.rows)

    def start_keys(self) -> dict[int, Any]:
        """Sorted keys of the starts, by tier.

        Raises
        ------
        Misfits
            The codec has no room for one of them.
        """
        keys, tiers = self.names_of(self.rows, self.fold)
        if (keys < 0).any():
            if self.rules.pack is not None:
                state = load_state(self.rules, self.rows[int(np.argmin(keys))])
                raise Unsolvable(f"pack of {self.game!r} gives no key for {state!r}.")
            raise Misfits(_telling_rows(self.rows))
        return {int(tier): np.unique(keys[tiers == tier]) for tier in np.unique(tiers)}

    @property
    def start(self) -> State:
        """The first of the states to begin from."""
        return self._some_starts[0]

    def names_of(self, rows: Any, fold: bool) -> tuple[Any, Any]:
        """Keys of states, negative where they have none, and their tiers."""
        keys, tiers = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
        with explained(self.rules):
            name_states(self.rules, self.codec.layout, rows, fold, keys, tiers)
        return keys, tiers

    def endless(self, keys: Any) -> tuple[int, int]:
        """The least and the most that a position come back to is worth, among these."""
        with explained(self.rules):
            least, most = endless_worth(self.rules, self.codec.layout, keys, np.zeros(64, dtype=np.int64))
        return int(least), int(most)

    def expand(self, keys: Any) -> Iterator[tuple[int, Expansion]]:
        """The successors of positions, some thousands at a time: where those begin in ``keys``, and theirs.

        The arrays handed out are used again for the next ones.
        """
        room = self._take()
        try:
            done = 0
            while done < len(keys):
                with explained(self.rules):
                    count = expand(self.rules, self.codec.layout, keys[done : done + POSITIONS], self.fold, room)
                if room.counts.any():
                    self._complain(room)
                if count == 0:
                    room = batch(self.rules, POSITIONS, 2 * len(room.children))
                    continue
                filled = room.ends[count - 1]
                yield (
                    done,
                    Expansion(
                        room.own[:count],
                        room.ends[:count],
                        room.children[:filled],
                        room.tiers[:filled],
                        room.weights[:count],
                    ),
                )
                done += count
        finally:
            self._batches.put(room)

    def _take(self) -> Batch:
        if self._batches.empty():
            return batch(self.rules, POSITIONS, 8 * POSITIONS)
        return self._batches.get()

    def _complain(self, room: Batch) -> None:
        counts = room.counts.copy()
        room.counts[:] = 0
        if counts[BAD_UTILITY]:
            raise Unsolvable(f"A terminal position of {self.game!r} has a utility outside of utility_range.")
        if counts[STUCK]:
            raise Unsolvable(f"A position of {self.game!r} is not terminal and has no actions; see 'zermelo check'.")
        if self.rules.pack is not None:
            row = tuple(room.misfits[0].tolist())
            raise Unsolvable(f"pack of {self.game!r} gives no key for {load_state(self.rules, row)!r}.")
        raise Misfits(room.misfits[: counts[MISFITS]].copy())

    def _starts_are_symmetric(self) -> bool:
        """Whether each state that a start is the same as by symmetry is a start too."""
        keys, _ = self.names_of(self.rows, False)
        with explained(self.rules):
            return bool(has_all_images(self.rules, self.codec.layout, self.rows, np.unique(keys)))

    def _is_mutual(self, met: list[State]) -> bool:
        """Whether states that are the same by symmetry name each other, as far as can be seen."""

        def images(state: State) -> set[tuple[int, ...]]:
            return {leaves_of(state), *map(leaves_of, self.rules.symmetries(state))}

        chosen = random.Random(0).sample(met, min(len(met), _SAMPLE_SYMMETRIES))
        return all(images(other) == images(state) for state in chosen for other in self.rules.symmetries(state))

    def _met_at_random(self) -> list[State]:
        """States of random games: which bits of states differ."""
        chooser = random.Random(0)
        starts = self._some_starts
        met = {leaves_of(state): state for state in starts}
        for number in range(_SAMPLE_GAMES):
            state = starts[number % len(starts)]
            for _ in range(_SAMPLE_PLIES):
                legal = self.game.legal_actions(state)
                if not legal:
                    break
                state = self.game.result(state, chooser.choice(legal))
                met[leaves_of(state)] = state
        if self.rules.game.symmetries is not None:
            met |= {leaves_of(other): other for state in list(met.values()) for other in self.rules.symmetries(state)}
        return list(met.values())


def knowledge_of(game: Game) -> str:
    """The fingerprint of what a table depends on beside the rules."""
    knowledge = (game.pack, game.unpack, game.symmetries, game.tier, game.repetition, game.endless_value)
    return fingerprint(knowledge)


def identity_of(game: Game, rows: Any) -> dict[str, Any]:
    """What the table of a game solved from these states, a row each, is a table of."""
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "rules": game.fingerprint,
        "knowledge": knowledge_of(game),
        "starts": hashlib.sha256(np.unique(rows, axis=0).tobytes()).hexdigest()[:16],
    }


def rows_of(game: Game, starts: Any) -> Any:
    """The states to begin from, the game's initial state if there are none, as an array with a row of ints for each."""
    if isinstance(starts, np.ndarray):
        return starts
    starts = starts if len(starts) else [game.initial]
    return np.array([[signed(leaf) for leaf in leaves_of(state)] for state in starts], dtype=np.int64)


def _telling_rows(rows: Any) -> list[tuple[int, ...]]:
    """Of many rows a few with all that a codec must know: the least of each column, and one with each of its bits."""
    chosen = set()
    for column in rows.T:
        chosen.add(int(np.argmin(column)))
        rest = column - min(0, int(column.min()))
        for bit in range(int(np.bitwise_or.reduce(rest)).bit_length()):
            chosen.add(int(np.argmax(rest >> bit & 1)))
    return [tuple(int(leaf) for leaf in rows[row]) for row in sorted(chosen)]
