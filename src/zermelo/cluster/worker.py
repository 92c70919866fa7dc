"""A worker: what Ray calls on a node, and the ticket that tells what a task took."""

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
    """What every worker is told."""

    plan: Plan
    source: GameSource
    fingerprints: tuple[str, str]
    """Of the rules, and of what else a table depends on."""
    place: str
    """Of the store."""
    threads: int
    """Of a task."""


@dataclass
class Ticket:
    """What a task tells of itself."""

    node: str
    process: int
    began: float
    ended: float = 0.0
    peak: int = 0
    """The most bytes of memory of its own that the process has taken."""
    objects: int = 0
    """Bytes of memory that the node's object store takes."""
    spent: Spent = field(default_factory=Spent)
    answer: Any = None
    """Plain values."""
    error: ZermeloError | None = None
    misfits: Any = None
    """Ints of states that have no key, a row each; None if there are none."""


def perform(kind: str, orders: Orders, returns: int, *arguments: Any) -> Any:
    """Do a task; returns its ticket, and then ``returns`` blocks."""
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
"""The site of the latest orders."""


def site_of(orders: Orders, node: str) -> Site:
    """What this process's tasks share; made at the first task of a plan."""
    plan, source = orders.plan, orders.source
    same = repr((source.name, sorted(source.parameters.items()), orders.fingerprints, orders.place, orders.threads,
                 plan.samples, plan.fold))  # fmt: skip
    if same not in _SITES:
        _SITES.clear()
        problem = Problem.resumed(source.make(), plan.samples, plan.fold)
        # Parts are not kept in memory: the next task that needs them runs on any node.
        parts = Parts(store_at(orders.place), 0)
        _SITES[same] = Site(plan, problem, parts, node, Workers(orders.threads))
    site = _SITES[same]
    site.plan = plan
    return site
