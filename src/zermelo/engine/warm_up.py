"""Getting a kernel's machine code ready: before the clock of a search starts, and where Ctrl-C reaches it.

A kernel is compiled, or loaded from disk, for the types of its arguments. Nothing is searched, so the engine's tables
and counts stay as they are.
"""

import numpy as np

from zermelo.compiled.apart import compile_for
from zermelo.compiled.beside import agreeing
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.states import flatten
from zermelo.engine.deepening import search_deeper
from zermelo.engine.df_pn import decide_root
from zermelo.engine.job import Job, make_job
from zermelo.engine.line import follow_line
from zermelo.engine.proof_search import prove_all
from zermelo.engine.switches import Switches


def warm_up_search(game: CompiledGame, job: Job) -> None:
    """Compile or load what `Engine.search` runs.

    Raises
    ------
    NotCompilable
        The rules do not compile, or answer otherwise compiled than interpreted; so for the other functions here.
    """
    words, line = flatten(game.initial), np.zeros(1, dtype=np.int64)
    with agreeing(game, warm_up_line), explained(game):
        compile_for(search_deeper, game, words, words[np.newaxis], 1, 1, 0, 1, line, job)


def warm_up_line(game: CompiledGame) -> None:
    """Compile or load what follows the principal variation of a search."""
    with explained(game):
        compile_for(follow_line, game, flatten(game.initial), np.zeros(1, dtype=np.int64), make_job(Switches()))


def warm_up_proof(game: CompiledGame, job: Job) -> None:
    """Compile or load what `Engine.prove` runs."""
    bounds = np.zeros(1, dtype=np.int64)
    with agreeing(game), explained(game):
        compile_for(prove_all, game, flatten(game.initial)[np.newaxis], bounds, bounds, 0, bounds, job)


def warm_up_decision(game: CompiledGame, job: Job) -> None:
    """Compile or load what `Engine.decide` runs."""
    with agreeing(game), explained(game):
        compile_for(decide_root, game, flatten(game.initial), 0, job)
