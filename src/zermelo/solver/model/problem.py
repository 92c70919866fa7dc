"""What is to be solved: a game, the states it starts from, and the keys of its positions."""

import random
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

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
    MOST_IMAGES,
    STUCK,
    Batch,
    batch,
    count_images,
    endless_values,
    expand,
    write_keys,
)
from zermelo.solver.model.outcome_codes import shift_of
from zermelo.solver.model.states import Given, States

POSITIONS: Final = 1 << 15
"""Positions that are expanded at a time: their successors fit into the processor's cache."""
_SAMPLE_GAMES: Final = 400
"""Random games whose states teach the codec which bits occur."""
_SAMPLE_PLIES: Final = 400
"""The longest such game, in plies."""
_SAMPLE_SYMMETRIES: Final = 200
"""States whose symmetric images are compared."""


class Misfits(Exception):
    """States turned up that the codec has no key for. The solve must begin again with a wider codec."""

    def __init__(self, rows: NDArray[np.int64]) -> None:
        super().__init__()
        self.rows = rows
        """Shape (states, ints of a state)."""


@dataclass(frozen=True)
class Expansion:
    """The successors of some positions. The arrays are those of `Batch`, cut to their used lengths."""

    own: NDArray[np.int32]
    ends: NDArray[np.int64]
    children: NDArray[np.int64]
    tiers: NDArray[np.int64]
    weights: NDArray[np.int64]


class Problem:
    """A game to be solved, with the states to start from.

    Parameters
    ----------
    game
        The rules.
    starts
        The states to begin from, as `zermelo.solver.model.states` takes them; the game's initial state if empty.

    Attributes
    ----------
    codec
        Turns states into keys and back.
    fold
        Whether symmetric positions are stored as one.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code, or give other answers as machine code.
    Unsolvable
        The states differ in more than 63 bits, so they cannot have keys.
    """

    def __init__(self, game: Game, starts: Given | States = ()) -> None:
        self._begin(game, starts)
        met = self._met_at_random()
        self.codec = Codec(self.rules, [*map(leaves_of, met), *self.starts.telling()])
        # Symmetric positions are folded only if either all or none of them can be reached, and if each has all the
        # others as images: otherwise a table could not tell how many positions a stored one stands for.
        self.fold = game.symmetries is not None and self._starts_are_symmetric() and self._is_mutual(met)

    @classmethod
    def resumed(cls, game: Game, samples: Iterable[Sequence[int]], fold: bool) -> "Problem":
        """Return the problem as another process has set it up.

        Parameters
        ----------
        samples
            What that process's codec was made from: the ints of some states.
        fold
            Whether that process folds symmetric positions.
        """
        problem = cls.__new__(cls)
        problem._begin(game, ())
        problem.take_up(samples)
        problem.fold = fold
        return problem

    def _begin(self, game: Game, starts: Given | States) -> None:
        self.game = game
        self.rules: CompiledGame = compiled(game)
        require_agreement(self.rules)
        self.starts = starts if isinstance(starts, States) else States(self.rules, starts)
        self._some_starts = [self.starts[n] for n in range(0, len(self.starts), -(-len(self.starts) // _SAMPLE_GAMES))]
        self.zero = -game.utility_range[0]
        self.shift = shift_of(game.utility_range)
        self._batches: SimpleQueue[Batch] = SimpleQueue()

    def widen(self, misfits: Misfits) -> None:
        """Widen the codec so that these states have keys."""
        self.codec = self.codec.widened(misfits.rows)

    def take_up(self, samples: Iterable[Sequence[int]]) -> None:
        """Make the codec again from the samples that an earlier run has saved."""
        self.codec = Codec(self.rules, samples)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """The fields of the manifest that tell the game and the starts of a table."""
        return identity_of(self.game, self.starts)

    def start_keys(self) -> dict[int, NDArray[np.int64]]:
        """Return the keys of the starts, ascending and distinct, for each tier.

        Raises
        ------
        Misfits
            The codec has no key for one of them.
        Unsolvable
            The game's ``pack`` gives no key for one of them.
        """
        keys, tiers = self._start_keys(self.fold)
        if (keys < 0).any():
            if self.rules.pack is not None:
                raise self._without_key(self.starts[int(np.argmin(keys))])
            telling = [[signed(leaf) for leaf in row] for row in self.starts.telling()]
            raise Misfits(np.array(telling, dtype=np.int64))
        return {int(tier): np.unique(keys[tiers == tier]) for tier in np.unique(tiers)}

    @property
    def start(self) -> State:
        """The first of the states to begin from."""
        return self._some_starts[0]

    def _start_keys(self, fold: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys of the starts, and their tiers; see `keys_of`."""
        found = [self.keys_of(rows, fold) for rows in self.starts.blocks(self.codec.layout)]
        return np.concatenate([keys for keys, _ in found]), np.concatenate([tiers for _, tiers in found])

    def keys_of(self, rows: NDArray[np.int64], fold: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys of states, negative for misfits, and their tiers.

        Parameters
        ----------
        rows
            Shape (states, ints of a state).
        fold
            Whether to return the key that a symmetric position is stored under.
        """
        keys, tiers = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
        with explained(self.rules):
            write_keys(self.rules, self.codec.layout, rows, fold, keys, tiers)
        return keys, tiers

    def endless(self, keys: NDArray[np.int64]) -> tuple[int, int]:
        """Return the least and the greatest value that the game gives to one of these positions if it comes back."""
        with explained(self.rules):
            least, most = endless_values(self.rules, self.codec.layout, keys, np.zeros(64, dtype=np.int64))
        return int(least), int(most)

    def expand(self, keys: NDArray[np.int64]) -> Generator[tuple[int, Expansion], None, None]:
        """Yield the successors of positions, shape (n,), a few thousand at a time; see `expansions`.

        Several threads may call this at the same time.
        """
        room = self._take()
        try:
            room = yield from expansions(self.rules, self.codec.layout, keys, self.fold, room, self._complain)
        finally:
            self._batches.put(room)

    def _take(self) -> Batch:
        """Return a batch that no other thread uses."""
        if self._batches.empty():
            return batch(self.rules, POSITIONS, 8 * POSITIONS)
        return self._batches.get()

    def _complain(self, room: Batch) -> None:
        """Raise the error for the faults that `expand` counted."""
        counts = room.counts.copy()
        room.counts[:] = 0
        if counts[BAD_UTILITY]:
            raise Unsolvable(f"A terminal position of {self.game!r} has a utility outside of utility_range.")
        if counts[STUCK]:
            raise Unsolvable(f"A position of {self.game!r} is not terminal and has no actions; see 'zermelo check'.")
        if self.rules.pack is not None:
            raise self._without_key(load_state(self.rules, tuple(room.misfits[0].tolist())))
        raise Misfits(room.misfits[: counts[MISFITS]].copy())

    def _without_key(self, state: State) -> Unsolvable:
        """Return the error for a state that the game's ``pack`` cannot pack."""
        position = self.game.to_text(state) if self.game.to_text is not None else repr(state)
        return Unsolvable(
            f"pack of {self.game!r} has no key for the position {position!r}, so it is in no solved table; "
            "begin with positions that have one, such as endings."
        )

    def _starts_are_symmetric(self) -> bool:
        """Return whether each symmetric image of a start is a start, too: if the images of all are as many as all.

        Packed starts of which each is the least of its images stand for all of these.
        """
        if self.starts.is_packed and self._starts_are_least():
            return True
        keys = np.unique(self._start_keys(False)[0])
        least = np.unique(self._start_keys(True)[0])
        if least[0] < 0:
            return False
        scratch = np.zeros(len(self.codec.layout), dtype=np.int64)
        with explained(self.rules):
            images = count_images(self.rules, self.codec.layout, least, np.zeros(MOST_IMAGES, dtype=np.int64), scratch)
        return bool(images == len(keys))

    def _starts_are_least(self) -> bool:
        """Return whether each start has a key, the least of those of its symmetric images."""
        for rows in self.starts.blocks(self.codec.layout):
            keys, least = self.keys_of(rows, False)[0], self.keys_of(rows, True)[0]
            if (least < 0).any() or (keys != least).any():
                return False
        return True

    def _is_mutual(self, met: list[State]) -> bool:
        """Return whether symmetric states have the same set of images, in a sample of the states met."""

        def images(state: State) -> set[tuple[int, ...]]:
            return {leaves_of(state), *map(leaves_of, self.rules.symmetries(state))}

        chosen = random.Random(0).sample(met, min(len(met), _SAMPLE_SYMMETRIES))
        return all(images(other) == images(state) for state in chosen for other in self.rules.symmetries(state))

    def _met_at_random(self) -> list[State]:
        """Return different states of random games."""
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


def expansions(
    game: CompiledGame,
    layout: NDArray[np.int64],
    keys: NDArray[np.int64],
    fold: bool,
    room: Batch,
    complain: Callable[[Batch], None],
) -> Generator[tuple[int, Expansion], None, Batch]:
    """Yield the successors of positions, a few thousand positions at a time.

    Parameters
    ----------
    layout
        The layout of the codec.
    keys
        Shape (n,): the positions.
    fold
        Whether symmetric positions are stored as one.
    room
        A batch to use.
    complain
        Called if ``counts`` of the batch shows a fault; must raise an error.

    Yields
    ------
    int, Expansion
        The index in ``keys`` of the first position of this expansion, and the expansion. The next expansion overwrites
        its arrays.

    Returns
    -------
    Batch
        The batch in use at the end: ``room``, or a larger one if that was too small for the successors of a position.
    """
    # Keys from files and from Ray's object store cannot be written to, and Numba compiles a kernel once more for arrays
    # that can be. A view that cannot be written to lets one compilation serve all.
    keys = keys[:]
    keys.flags.writeable = False
    done = 0
    while done < len(keys):
        with explained(game):
            count = expand(game, layout, keys[done : done + POSITIONS], fold, room)
        if room.counts.any():
            complain(room)
        if count == 0:
            room = batch(game, POSITIONS, 2 * len(room.children))
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
    return room


def knowledge_of(game: Game) -> str:
    """Return the fingerprint of the game's functions, other than the rules, that a table depends on."""
    knowledge = (game.pack, game.unpack, game.symmetries, game.tier, game.repetition, game.endless_value)
    return fingerprint(knowledge)


def identity_of(game: Game, starts: States) -> dict[str, Any]:
    """Return the fields of a manifest that tell which game was solved from which states."""
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "rules": game.fingerprint,
        "knowledge": knowledge_of(game),
        "starts": starts.digest(),
    }
