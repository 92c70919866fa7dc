"""At every file operation in turn a cluster's solve is killed or fails: the same call comes to the same bytes.

No cluster is at work: tasks are done where they are handed out, so that the operations are the same in every run.
"""

import copy
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from faults import Killed, contents, disk
from solver_once import Alone, game_of, late
from zermelo.cluster import plan as planning
from zermelo.cluster import solve as solving
from zermelo.cluster.crew import Counts
from zermelo.cluster.plan import Plan
from zermelo.cluster.tasks import TASKS
from zermelo.cluster.work import Site
from zermelo.errors import TableError
from zermelo.solver.model import problem
from zermelo.solver.model.problem import Problem
from zermelo.solver.solve import solve
from zermelo.solver.table import manifest
from zermelo.solver.table.stores import store_at


class Crew:
    """Does each task at once; as `zermelo.cluster.crew.Crew`."""

    waiting = 0

    def __init__(self, resumed: Callable[..., Problem], plan: Plan) -> None:
        found = resumed(
            plan.source.name, tuple(plan.source.parameters.items()), tuple(map(tuple, plan.samples)), plan.fold
        )
        self.site = Site(plan, copy.copy(found), store_at(plan.place), "here", Alone(1))
        self.counts = Counts()

    def start(
        self, kind: str, *arguments: Any, returns: int = 0, tier: int = 0, done: Callable[[Any], None] = lambda _: None
    ) -> list[Any]:
        answer, *blocks = TASKS[kind](self.site, *arguments)
        done(answer)
        return blocks

    def wait(self, until: int = 0) -> None:
        pass

    def greet(self, fingerprints: tuple[str, str], keys: Any) -> int:
        return 0

    def drop(self) -> None:
        pass


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """All on this machine, without Ray; what is found out of a game is found out once."""
    knowledge_of, problem_of = cache(problem.knowledge_of), cache(Problem)
    for module in (problem, manifest, solving):
        monkeypatch.setattr(module, "knowledge_of", knowledge_of)

    @cache
    def resumed(name: str, parameters: Any, samples: Any, fold: bool) -> Problem:
        return Problem.resumed(game_of(name, **{key: str(value) for key, value in parameters}), samples, fold)

    resources = solving.Resources(nodes=1, threads=1, tasks=1, tasks_each=1, objects=1 << 28)
    monkeypatch.setattr(solving, "Problem", lambda game, starts: copy.copy(problem_of(game, tuple(starts))))
    monkeypatch.setattr(solving, "Crew", partial(Crew, resumed))
    monkeypatch.setattr(solving.Resources, "found", lambda memory: resources)
    monkeypatch.setattr(solving, "connected", lambda *_: nullcontext())
    monkeypatch.setattr(planning, "_SECONDS", -1.0)  # the journal is written after each unit


@pytest.mark.slow
def test_every_operation_killed_and_failed(tmp_path: Path) -> None:
    game = game_of("nim")
    start = late(game, 5)
    solve(game, tmp_path / "one", workers=1, starts=[start])

    def solve_in(folder: Path) -> None:
        solving.solve_on_cluster(game, folder, starts=[start], shards=2, whole=0)

    with disk() as counted:
        solve_in(tmp_path / "whole")
    whole = contents(tmp_path / "whole")
    assert whole == contents(tmp_path / "one")
    table = tmp_path / "table"
    for at in range(len(counted.done)):
        for kind in ("killed", "failed") if at % 4 == 0 else ("killed",):
            shutil.rmtree(table, ignore_errors=True)
            with disk(at, kind), pytest.raises((Killed, TableError)):
                solve_in(table)
            with disk():
                solve_in(table)
            assert contents(table) == whole, (kind, at, counted.done[at])
