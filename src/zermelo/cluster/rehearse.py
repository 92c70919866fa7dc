"""The task that reports a machine's versions and rules, and does once whatever a solve will do."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from zermelo.cluster.memory import WATCH
from zermelo.solver.kernels.induction import settle
from zermelo.solver.kernels.interleave import merge_two
from zermelo.solver.kernels.lookup import with_heads
from zermelo.solver.model.outcome_codes import ABSENT, code_of
from zermelo.solver.model.problem import knowledge_of
from zermelo.solver.passes.backward_tasks import improved
from zermelo.solver.passes.forward_tasks import exchanged
from zermelo.solver.passes.outcomes import count_into
from zermelo.solver.passes.site import Held, Keys, Site
from zermelo.solver.table.parquet import file_content
from zermelo.solver.table.sealed import sum_of


def greet(site: Site, keys: Keys) -> list[Any]:
    """Return the versions and rules of this machine, and the memory of an idle worker, in bytes.

    It first does with some keys whatever a solve will do, so that machine code is made now and its memory counts.
    """
    rehearse(site, keys)
    game = site.problem.game
    found = {**versions(), "rules": game.fingerprint, "knowledge": knowledge_of(game)}
    return [{"made of": found, "memory": WATCH.now()}]


def rehearse(site: Site, keys: Keys) -> None:
    """Do with some keys what a solve does with all keys."""
    problem = site.problem
    exchanged(site, [keys], {}, 2)
    codes = np.full(len(keys), code_of(0, 0, problem.game.utility_range), dtype=np.int32)
    merge_two(keys, codes, keys, codes)
    sum_of(codes)
    file_content(keys, codes, problem.game.utility_range)
    known = with_heads(keys)
    for array in (known.keys, known.heads, codes):
        array.flags.writeable = False  # as arrays from the object store are
    held = Held(site.node, known, codes)
    best = np.full(len(keys), ABSENT, dtype=np.int32)
    for _, found in problem.expand(keys):
        improved(site, found, None, {0: [held, held]}, best)
        settle(found.own, best, problem.shift, best)
        count_into(Counter(), best, found.weights)


def versions() -> dict[str, str]:
    """Return the versions that must be equal on all machines. Ray itself checks those of Ray and Python."""
    import numba
    import numpy

    import zermelo

    return {"zermelo": zermelo.__version__, "numba": numba.__version__, "numpy": numpy.__version__}


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {"greet": greet}
"""The tasks of this module, by name."""
