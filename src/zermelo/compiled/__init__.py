"""Games as machine code: a Numba type for each game, and kernels that call its rules.

A *kernel* is a top-level function whose first argument is a game. It calls the rules as the textbook does::

    @kernel
    def count(game, words, items):
        state = load_state(game, words)
        end = fill_actions(game, state, items, 0, len(items))
        total = 0
        for place in range(end):
            total += is_terminal(game, result(game, state, items[place]))
        return total

    count(compiled(connect()), flatten(state), np.zeros(100, np.int64))

Modules
    word64         64-bit arithmetic as machine instructions
    llvm_vectors   vectors of LLVM's: their types, how to fill and to reduce them
    vectors        vectors of small ints in registers of the processor
    lanes          boards side by side in such registers, one for each direction
    passes         the steps of the compiler, without their checks and reports
    operations     types of operations on ints, looked up once
    borrowing      kernels do not count references to the arrays that they are given
    link_late      optimising functions that only kernels call once, within the kernel
    clock          the clock that searches keep their limits of time by
    numba_names    every name of Numba that this package relies on and Numba does not promise to keep
    states         states as flat arrays of ints and back
    codec          states as keys of 63 bits, and back
    game           `CompiledGame`: a game with every optional function filled in, and its Numba type
    listing        generators of actions rewritten as functions that fill an array, or count
    rules          the functions that kernels call: ``to_move(game, state)`` and its kin
    seen           what a learned evaluation sees of a state
    overloads      registering functions with Numba
    helpers        registering the plain Python functions that rules call
    answers        all answers of the rules at a position, as ints that can be compared
    table_probe    how searches look states up in solved tables
    reach          the code that a kernel reaches
    cache          machine code on disk
    sealed         files that are read only if this user wrote them and they are whole
    turns          letting one process compile a kernel while others wait for its file
    explain        why a game cannot be compiled
    agreement      comparing compiled rules with the same rules interpreted
    beside         a second process that compares them while this one compiles
    perft          counting nodes, compiled
    apart          kernels in threads of their own, so that Ctrl-C works
    thread_pool    threads that run kernels one after another
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
