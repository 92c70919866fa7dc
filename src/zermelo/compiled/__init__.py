"""Games as Numba sees them: one type a game, the game's functions reached through top-level ones.

A kernel is a top-level function that takes a game first and speaks of rules as the textbook does::

    @kernel
    def count(game, words):
        state = load_state(game, words)
        total = 0
        for action in actions(game, state):
            total += is_terminal(game, result(game, state, action))
        return total

    count(compiled(connect()), flatten(state))

Modules
    words      bits and word arithmetic as machine instructions
    parts      compiling what only kernels call
    states     states as flat arrays of words and back
    game       `CompiledGame`: a game with every optional function filled in, and its Numba type
    rules      the functions that kernels call: ``to_move(game, state)`` and its kin
    helpers    registering the plain Python functions that rules call
    cache      machine code on disk
    explain    why a game cannot be compiled
    perft      counting nodes, compiled
    apart      kernels in threads, so that Ctrl-C comes through
"""

from zermelo.compiled.cache import CacheInfo, cache_info, clear_cache, is_cached, kernel
from zermelo.compiled.game import CompiledGame, code_of, compiled
from zermelo.compiled.perft import perft
from zermelo.compiled.states import flatten, load_state

__all__ = [
    "CacheInfo",
    "CompiledGame",
    "cache_info",
    "clear_cache",
    "code_of",
    "compiled",
    "flatten",
    "is_cached",
    "kernel",
    "load_state",
    "perft",
]
