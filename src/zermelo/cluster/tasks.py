"""Where a worker is called: each kind of task by its name, and the ticket that tells what it took."""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from zermelo.cluster import finding, rounds, solving, writing
from zermelo.cluster.memory import Watch, store_memory
from zermelo.cluster.plan import Plan
from zermelo.cluster.work import Site, Ticket, site_of
from zermelo.errors import ZermeloError
from zermelo.solver.model.problem import Misfits, knowledge_of
from zermelo.solver.table.stores import place_errors

WATCH: Final = Watch()


def perform(kind: str, plan: Plan, returns: int, *arguments: Any) -> Any:
    """Do a task: its ticket, and ``returns`` blocks beside it."""
    import ray

    WATCH.begin()
    ticket = Ticket(str(ray.get_runtime_context().get_node_id()), os.getpid(), time.time())
    blocks: Sequence[Any] = [None] * returns
    try:
        site = site_of(plan, ticket.node)
        site.spent = ticket
        with place_errors(plan.place):
            ticket.answer, *blocks = TASKS[kind](site, *arguments)
    except Misfits as misfits:
        ticket.misfits = misfits.rows
    except ZermeloError as error:
        ticket.error = error
    ticket.ended, ticket.peak, ticket.objects = time.time(), WATCH.peak, store_memory()
    return [ticket, *blocks] if returns else ticket


def greet(site: Site, keys: Any) -> list[Any]:
    """What this node is made of, and what a worker takes that has nothing to do.

    A little of everything is done with some ``keys``: so machine code is made now, and what that takes is counted.
    """
    game = site.problem.game
    solving.rehearse(site, keys)
    found = {**versions(), "rules": game.fingerprint, "knowledge": knowledge_of(game)}
    return [{"made of": found, "memory": WATCH.now()}]


def versions() -> dict[str, str]:
    """What must be the same on all nodes, beside Ray and Python, of which Ray sees to it."""
    import numba
    import numpy

    import zermelo

    return {"zermelo": zermelo.__version__, "numba": numba.__version__, "numpy": numpy.__version__}


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "greet": greet,
    **finding.TASKS,
    **solving.TASKS,
    **rounds.TASKS,
    **writing.TASKS,
}
