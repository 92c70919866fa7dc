"""What is to be solved: a game, where it starts, and how its positions are named."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Final

import numpy as np

from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.errors import Unsolvable
from zermelo.fingerprint import fingerprint
from zermelo.game import Game, State
from zermelo.solver.codec import Codec, leaves_of
from zermelo.solver.expand import BAD_UTILITY, MISFITS, STUCK, Batch, batch, endless_worth, expand
from zermelo.solver.outcomes import shift_of

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
        States to begin from; the game's initial state if empty.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    Unsolvable
        The states cannot be named by 63 bits.
    """

    def __init__(self, game: Game, starts: Sequence[State] = ()) -> None:
        self._begin(game, starts)
        met = self._met_at_random()
        self.codec = Codec(self.rules, map(leaves_of, met))
        # Positions that are the same by symmetry are one only if all of them can be reached or none, and if each
        # names all the others: else they could not be counted.
        self.fold = game.symmetries is not None and self._starts_are_symmetric() and self._is_mutual(met)

    @classmethod
    def resumed(cls, game: Game, starts: Sequence[State], samples: Iterable[Sequence[int]], fold: bool) -> "Problem":
        """The problem whose codec and symmetries another process has settled already."""
        problem = cls.__new__(cls)
        problem._begin(game, starts)
        problem.take_up(samples)
        problem.fold = fold
        return problem

    def _begin(self, game: Game, starts: Sequence[State]) -> None:
        self.game = game
        self.rules: CompiledGame = compiled(game)
        self.starts = list(starts) or [game.initial]
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
        game = self.game
        starts = sorted(leaves_of(state) for state in self.starts)
        return {
            "game": game.name,
            "parameters": dict(game.parameters),
            "rules": game.fingerprint,
            "knowledge": knowledge_of(game),
            "starts": hashlib.sha256(repr(starts).encode()).hexdigest()[:16],
        }

    def start_keys(self) -> dict[int, Any]:
        """Sorted keys of the starts, by tier.

        Raises
        ------
        Misfits
            The codec has no room for one of them.
        """
        found: dict[int, set[int]] = {}
        misfits = [leaves_of(state) for state in self.starts if self.canonical(state) < 0]
        if misfits:
            raise Misfits(misfits)
        for state in self.starts:
            found.setdefault(self.tier(state), set()).add(self.canonical(state))
        return {tier: np.array(sorted(keys), dtype=np.int64) for tier, keys in found.items()}

    def tier(self, state: State) -> int:
        """The tier of a state."""
        return int(self.rules.tier(state))

    def canonical(self, state: State) -> int:
        """The key that a table keeps a state under; negative where it can keep none."""
        keys = [self.codec.key(state)]
        if self.fold:
            keys += [self.codec.key(other) for other in self.rules.symmetries(state)]
        return min(keys)

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
        raise Misfits(room.misfits[: counts[MISFITS]].copy())

    def _starts_are_symmetric(self) -> bool:
        keys = {leaves_of(state) for state in self.starts}
        return all(leaves_of(other) in keys for state in self.starts for other in self.rules.symmetries(state))

    def _is_mutual(self, met: list[State]) -> bool:
        """Whether states that are the same by symmetry name each other, as far as can be seen."""

        def images(state: State) -> set[tuple[int, ...]]:
            return {leaves_of(state), *map(leaves_of, self.rules.symmetries(state))}

        chosen = random.Random(0).sample(met, min(len(met), _SAMPLE_SYMMETRIES))
        return all(images(other) == images(state) for state in chosen for other in self.rules.symmetries(state))

    def _met_at_random(self) -> list[State]:
        """States of random games: which bits of states differ."""
        chooser = random.Random(0)
        met = {leaves_of(state): state for state in self.starts}
        for number in range(_SAMPLE_GAMES):
            state = self.starts[number % len(self.starts)]
            for _ in range(_SAMPLE_PLIES):
                legal = self.game.legal_actions(state)
                if not legal:
                    break
                state = self.game.result(state, chooser.choice(legal))
                met[leaves_of(state)] = state
        return list(met.values())


def knowledge_of(game: Game) -> str:
    """The fingerprint of what a table depends on beside the rules."""
    knowledge = (game.pack, game.unpack, game.symmetries, game.tier, game.repetition, game.endless_value)
    return fingerprint(knowledge)
