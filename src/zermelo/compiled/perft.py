"""Counting the nodes of the game tree, compiled: the fast twin of `zermelo.textbook.perft`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.agreement import require_agreement
from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import count_actions, fill_actions, is_stopped, is_terminal, result
from zermelo.compiled.states import flatten, load_state
from zermelo.compiled.word64 import words_at
from zermelo.errors import BadParameter
from zermelo.game import Game, State

WIDTH_BITS: Final = 12
"""No state may have more than 2 to this power actions."""
NO_ROOM: Final = -(1 << 62)
"""Stands for a count where a state has too many; with it, the whole count is less than 0."""


def perft(game: Game, state: State, depth: int) -> int:
    """Return how many nodes lie exactly ``depth`` plies below ``state``; games that end earlier do not count.

    Raises
    ------
    NotCompilable
        The game's rules do not compile, or give other answers compiled than interpreted.
    BadParameter
        A state has too many actions.
    """
    rules = compiled(game)
    require_agreement(rules)
    items = np.empty(max(depth, 1) << WIDTH_BITS, dtype=np.int64)
    with explained(rules):
        found = count_nodes(rules, flatten(state), depth, items.ctypes.data, 0, len(items))
    if found < 0:
        raise BadParameter(f"A state of {game!r} has more than {1 << WIDTH_BITS:,} actions, too many to be counted.")
    return found


@kernel
def count_nodes(game: CompiledGame, words: NDArray[np.int64], depth: int, address: int, base: int, end: int) -> int:
    """Count the nodes ``depth`` plies below the state in ``words``; less than 0 if a state has too many actions."""
    return _count(game, load_state(game, words), depth, address, base, end)


@subkernel
def _count(game: CompiledGame, state: State, depth: int, address: int, base: int, end: int) -> int:
    """Count the nodes ``depth`` plies below. At ``address`` is an array of ``end`` ints, free from ``base`` on.

    An address is a single number to hand down, and an array is seven.
    """
    if depth == 0:
        return 1
    if is_terminal(game, state) and not is_stopped(game, state):
        return 0
    if depth == 1:
        return count_actions(game, state)
    items = words_at(address, end)
    free = fill_actions(game, state, items, base, end)
    if free > end:
        return NO_ROOM
    total = 0
    for place in range(base, free):
        total += _count(game, result(game, state, items[place]), depth - 1, address, free, end)
    return total
