"""A whole solve, or the rest of one that was stopped: make the plan, run the passes, write the manifest."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from zermelo.errors import BadParameter, TableError
from zermelo.solver.model.problem import Misfits, Problem
from zermelo.solver.passes.backward import Backward
from zermelo.solver.passes.executor import Executor, Solve
from zermelo.solver.passes.forward import Forward, Tier
from zermelo.solver.passes.journal import Journal
from zermelo.solver.passes.plan import WORK, Plan, drop_work, load_plan, require_form, require_own, save_plan
from zermelo.solver.passes.progress import Progress, reporter
from zermelo.solver.passes.publish import Publisher, forget_damaged
from zermelo.solver.table.manifest import FORMAT, MANIFEST, manifest_content
from zermelo.solver.table.stores import Store

ExecutorOf = Callable[[Problem, Plan, Any], Executor]
"""A function that makes an executor, given a problem, a plan, and the store that the tasks work with."""


@dataclass(frozen=True)
class Done:
    """The result of a run, apart from the table."""

    plan: Plan
    tiers: list[Tier]
    resumed: int
    """The number of units of work that an earlier run had done."""


def run(
    problem: Problem,
    plan: Plan,
    store: Store,
    executor_of: ExecutorOf,
    began_on: str,
    progress: Callable[[Progress], None] | None = None,
) -> Done:
    """Solve a problem, and write its table.

    If a state turns up that has no key, the solve begins again with a wider codec.

    Parameters
    ----------
    problem
        The problem.
    plan
        The plan of a new solve. What an earlier run has fixed stays as it is.
    store
        Where the table goes.
    executor_of
        Makes the executor that runs the tasks.
    began_on
        The kind of executor, in words. A solve that began on another kind is refused.
    progress
        Receives the progress.

    Raises
    ------
    Unsolvable
        The rules give something that a table cannot hold.
    TableError
        The store holds another solve or a damaged one, or the solve began on another kind of executor.
    """
    while True:
        require_own(store)
        settled = load_plan(store)
        if settled is None:
            settled = json.loads(json.dumps(with_codec(plan, problem).settled(problem.identity, began_on)))
            save_plan(store, settled)
        require_form(store, settled)
        check_same(settled["identity"], problem.identity, store.place)
        if settled["began_on"] != began_on:
            raise TableError(
                f"The solve in {store.place} was begun on {settled['began_on']}, and {began_on} cannot go on with it; "
                f"delete the folder {store.place}/{WORK} to solve from the beginning."
            )
        resumed = plan.resumed(settled)
        problem.take_up(resumed.samples)
        try:
            return _attempt(problem, resumed, store, Journal(store, settled), executor_of, progress)
        except Misfits as misfits:
            problem.widen(misfits)
            save_plan(store, with_codec(resumed, problem).settled(problem.identity, began_on))


def with_codec(plan: Plan, problem: Problem) -> Plan:
    """Return the plan with the codec and the symmetries of a problem."""
    return replace(plan, samples=problem.codec.samples, fold=problem.fold)


def _attempt(
    problem: Problem,
    plan: Plan,
    store: Store,
    journal: Journal,
    executor_of: ExecutorOf,
    progress: Callable[[Progress], None] | None,
) -> Done:
    """Run both passes with the problem's codec, and write the manifest; a state without a key raises `Misfits`."""
    resumed = journal.resumed
    if resumed and store.path is not None:
        forget_damaged(store, journal)
    solve = Solve(problem, plan, store, journal, executor_of(problem, plan, store))
    try:
        tiers = Forward(solve, reporter(progress, "forward")).run()
        publisher = Publisher(solve)
        Backward(solve, publisher, reporter(progress, "backward", tiers), tiers).run()
    finally:
        solve.executor.drop()
        journal.flush()
    more = {} if plan.form == "merged" else {"shards": plan.shards}
    store.write(MANIFEST, manifest_of(problem, publisher.tiers(), more))
    drop_work(store)
    return Done(plan, tiers, resumed)


def require_settled(store: Store, wanted: Mapping[str, Any]) -> None:
    """Refuse to go on with a solve that began with another number of shards, or another form of the table.

    Parameters
    ----------
    wanted
        What the caller asks for, by the field of the plan; None if anything will do.

    Raises
    ------
    BadParameter
        The solve began with something else.
    """
    settled = load_plan(store) or {}
    for name, value in wanted.items():
        if value is not None and name in settled and settled[name] != value:
            had, asked = (f"{count} shards" if name == "shards" else f"the form {count!r}"
                          for count in (settled[name], value))  # fmt: skip
            raise BadParameter(
                f"The solve in {store.place} was begun with {had}, and not {asked}; say so, "
                f"or delete {store.place}/{WORK} to begin again."
            )


def check_same(identity: Mapping[str, Any], wanted: Mapping[str, Any], place: object) -> None:
    """Refuse to solve into a place that holds another game.

    Parameters
    ----------
    identity
        The identity of the table or the solve in that place.
    wanted
        The identity of the game to solve.
    place
        The place, for the message.

    Raises
    ------
    TableError
        The identities differ.
    """
    ours = json.loads(json.dumps(wanted))
    for name, meaning in (
        ("game", "the game is"),
        ("parameters", "the parameters are"),
        ("starts", "the hash of the positions to start from is"),
        ("rules", "the fingerprint of the rules is"),
        ("knowledge", "the fingerprint of pack, unpack, symmetries, tier and repetition is"),
    ):
        if identity[name] != ours[name]:
            raise TableError(
                f"{place} already holds a table for which {meaning} {identity[name]!r}, and not {ours[name]!r}; "
                "choose another folder, or delete this one."
            )


def manifest_of(problem: Problem, tiers: list[dict[str, Any]], more: Mapping[str, Any]) -> bytes:
    """Return the content of a table's manifest, given the entries of its tiers and ``more`` fields."""
    return manifest_content({
        **more,
        "format": FORMAT,
        "identity": problem.identity,
        "fold": problem.fold,
        "columns": problem.codec.columns,
        "positions": sum(tier["positions"] for tier in tiers),
        "stored": sum(tier["stored"] for tier in tiers),
        "tiers": tiers,
    })  # fmt: skip
