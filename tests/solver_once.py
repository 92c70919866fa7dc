"""Small solves whose every file operation is known: of a few positions near the end of a game, in one thread."""

import copy
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Any

import pytest

from zermelo import Game, make_game
from zermelo.game import State
from zermelo.solver import solve as solving
from zermelo.solver.local import workdir
from zermelo.solver.local.executor import LocalExecutor
from zermelo.solver.model import problem
from zermelo.solver.passes import journal
from zermelo.solver.passes.threads import Workers
from zermelo.solver.table import manifest

FEW = 12
"""Positions of a solve that is repeated a few hundred times."""


class Alone(Workers):
    """Do work in the calling thread, so that the operations are the same in every run."""

    def in_order(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        return map(work, tasks)


def in_known_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each unit of work is in the journal before the next one begins, and all files are written in a known order."""
    knowledge_of, problem_of = cache(problem.knowledge_of), cache(problem.Problem)
    for module in (problem, manifest):
        monkeypatch.setattr(module, "knowledge_of", knowledge_of)
    monkeypatch.setattr(solving, "Problem", lambda game, starts: copy.copy(problem_of(game, tuple(starts))))
    monkeypatch.setattr(solving, "Workers", Alone)
    monkeypatch.setattr(journal, "_SECONDS", -1.0)
    monkeypatch.setattr(workdir.WorkFolder, "sync_all", lambda self, paths: [workdir.sync_file(path) for path in paths])


def cut(monkeypatch: pytest.MonkeyPatch, **fields: Any) -> None:
    """Solves have these fields of the plan, such as the number of shards."""
    plan_for = solving.plan_for
    monkeypatch.setattr(solving, "plan_for", lambda memory: replace(plan_for(memory), **fields))


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of tasks that solves on this machine do from now on."""
    kinds: list[str] = []
    start = LocalExecutor.start

    def noting(self: LocalExecutor, kind: str, *arguments: Any, **options: Any) -> list[Any]:
        kinds.append(kind)
        return start(self, kind, *arguments, **options)

    monkeypatch.setattr(LocalExecutor, "start", noting)
    return kinds


@contextmanager
def interrupted(at: Callable[[str], bool]) -> Iterator[None]:
    """In this block, the user interrupts the solve before the first task for whose kind ``at`` says so."""
    start = LocalExecutor.start

    def stopping(self: LocalExecutor, kind: str, *arguments: Any, **options: Any) -> list[Any]:
        if at(kind):
            raise KeyboardInterrupt
        return start(self, kind, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(LocalExecutor, "start", stopping)
        yield


@cache
def game_of(name: str, **parameters: str) -> Game:
    return make_game(name, parameters)


@cache
def late(game: Game, few: int = FEW) -> State:
    """Among the states of some random games, the one that leads to the most other states, up to ``few``."""
    chooser = random.Random(1)
    found = {}
    for _ in range(20):
        state, played = game.initial, [game.initial]
        while not game.is_terminal(state) and len(played) < 100:  # some could go on for ever
            state = game.result(state, chooser.choice(game.legal_actions(state)))
            played.append(state)
        counts = ((reach(game, state, few), state) for state in reversed(played))
        found.update(takewhile(lambda pair: pair[0] <= few, counts))
    return found[max(found)]


def reach(game: Game, start: State, most: int) -> int:
    """The number of states that can be reached, the state itself included; counting stops soon after ``most``."""
    met, waiting = {start}, [start]
    while waiting and len(met) <= most:
        state = waiting.pop()
        new = {game.result(state, action) for action in game.legal_actions(state)} - met
        met |= new
        waiting += new
    return len(met)
