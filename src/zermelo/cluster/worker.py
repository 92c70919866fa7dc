"""A worker: the function that Ray calls on a machine, and the ticket that reports what a task took."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.cluster import rehearse
from zermelo.cluster.memory import WATCH, store_memory
from zermelo.cluster.source import GameSource
from zermelo.errors import ZermeloError
from zermelo.solver.model.problem import Misfits, Problem
from zermelo.solver.passes.plan import Plan
from zermelo.solver.passes.site import Parts, Site, Spent
from zermelo.solver.passes.tasks import TASKS
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table.stores import place_errors, store_at


@dataclass(frozen=True)
class Orders:
    """What every worker needs to know of a solve."""

    plan: Plan
    source: GameSource
    fingerprints: tuple[str, str]
    """The fingerprint of the rules, and that of the game's other functions that a table depends on."""
    place: str
    """The place of the store: a folder or a URL."""
    threads: int
    """The number of threads of a task."""


@dataclass
class Ticket:
    """What a task reports to the driver."""

    node: str
    """Ray's id of the machine."""
    process: int
    """The id of the worker's process."""
    began: float
    """When the task began, in seconds since 1970."""
    ended: float = 0.0
    """When the task ended, in seconds since 1970."""
    peak: int = 0
    """The most memory that the process has taken, in bytes; shared memory does not count."""
    objects: int = 0
    """Bytes of memory that the machine's object store takes."""
    spent: Spent = field(default_factory=Spent)
    """What the task received from other tasks."""
    answer: Any = None
    """The task's answer, made of plain values."""
    error: ZermeloError | None = None
    """The error of a task that failed."""
    misfits: Any = None
    """Shape (states, ints of a state): states that have no key; None if there are none."""


def perform(kind: str, orders: Orders, returns: int, *arguments: Any) -> Any:
    """Do a task, and return its ticket, followed by its blocks.

    Parameters
    ----------
    kind
        The name of the task.
    orders
        What the worker needs to know of the solve.
    returns
        The number of blocks that the task makes. If it is 0, the ticket itself is returned and not a list.
    arguments
        The arguments of the task.
    """
    import ray

    WATCH.begin()
    ticket = Ticket(str(ray.get_runtime_context().get_node_id()), os.getpid(), time.time())
    blocks: Sequence[Any] = [None] * returns
    try:
        site = site_of(orders, ticket.node)
        site.spent = ticket.spent
        with place_errors(orders.place):
            ticket.answer, *blocks = {**TASKS, **rehearse.TASKS}[kind](site, *arguments)
    except Misfits as misfits:
        ticket.misfits = misfits.rows
    except ZermeloError as error:
        ticket.error = error
    ticket.ended, ticket.peak, ticket.objects = time.time(), WATCH.peak, store_memory()
    return [ticket, *blocks] if returns else ticket


_SITES: Final[dict[str, Site]] = {}
"""The site of the latest orders, which the tasks of this process share."""


def site_of(orders: Orders, node: str) -> Site:
    """Return the site, which the tasks of this process share; the first task of a solve makes it.

    Parameters
    ----------
    node
        Ray's id of this machine.
    """
    plan, source = orders.plan, orders.source
    same = repr((source.name, sorted(source.parameters.items()), orders.fingerprints, orders.place, orders.threads,
                 plan.samples, plan.fold))  # fmt: skip
    if same not in _SITES:
        _SITES.clear()
        problem = Problem.resumed(source.make(), plan.samples, plan.fold)
        # Parts are not kept in memory, since the next task that needs them may run on another machine.
        parts = Parts(store_at(orders.place), 0)
        _SITES[same] = Site(plan, problem, parts, node, Workers(orders.threads))
    site = _SITES[same]
    site.plan = plan
    return site
