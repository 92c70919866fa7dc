"""What a student may write: functions with the handouts' signatures, and how they are called.

This file describes and searches nothing, since the student's process imports it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from math import inf
from typing import Any, Final, Literal

from zermelo.game import Action, Game
from zermelo.textbook.rules import cutoff_of
from zermelo.textbook.variants import best_first

System = Literal["minimax", "alpha-beta", "heuristic", "path", "decision"]


@dataclass(frozen=True)
class Limits:
    """The limits of a search."""

    depth: int = 4
    """Plies ahead of the root."""
    width: int = 3
    """Moves of each position, for `minimax_max`."""
    window: tuple[float, float] = (-inf, inf)
    """Alpha and beta at the root, for the alpha-beta searches with a table."""


@dataclass(frozen=True)
class Question:
    """One search that is asked for: where it begins, and its limits."""

    path: tuple[int, ...] = ()
    """The moves from the start of the game, each as its place in ACTIONS."""
    limits: Limits = Limits()

    def actions(self, game: Game) -> list[Action]:
        """The moves as actions."""
        state, found = game.initial, list[Action]()
        for place in self.path:
            found.append(list(game.actions(state))[place])
            state = game.result(state, found[-1])
        return found

    def begun(self, game: Game) -> Game:
        """The game as it begins in the question's position."""
        state = game.initial
        for action in self.actions(game):
            state = game.result(state, action)
        return replace(game, initial=state) if self.path else game


@dataclass(frozen=True)
class Assignment:
    """One function that a student may write."""

    name: str
    parameters: str
    system: System
    bare: bool = False
    """Whether it returns the bare value; tables are then compared by their values only."""
    root_depth: int = 0

    @property
    def signature(self) -> str:
        """The function's head, as a student writes it."""
        return f"{self.name}({self.parameters})"

    @property
    def needs_eval(self) -> bool:
        """Whether it stops before the end of the game."""
        return self.system not in ("minimax", "alpha-beta")

    @property
    def has_table(self) -> bool:
        """Whether a table is one of its arguments."""
        return self.system in ("minimax", "alpha-beta", "heuristic")

    def prepared(self, game: Game, limits: Limits) -> Game:
        """The game that is handed to the function: with IS-CUTOFF for `heuristic`, its moves best first for `path`."""
        if self.system == "heuristic":
            return replace(game, is_cutoff=cutoff_of(game, limits.depth, self.root_depth))
        return best_first(game) if self.system == "path" else game

    def arguments(
        self, function: Callable[..., object], game: Game, table: dict[Any, Any], limits: Limits
    ) -> tuple[Any, ...]:
        """The arguments of the function; a bare minimax may have no table."""
        given: Mapping[System, tuple[Any, ...]] = {
            "minimax": (table,),
            "alpha-beta": (*limits.window, table),
            "heuristic": (*limits.window, self.root_depth, table),
            "path": (0, -inf, inf, limits.depth, limits.width),
            "decision": (limits.depth,),
        }
        arguments = (game, game.initial, *given[self.system])
        if self.name == "minimax" and len(signature(function).parameters) == 2:
            return arguments[:2]
        return arguments


_ALL: Final = (
    Assignment("minimax_search", "game, state, table", "minimax"),
    Assignment("minimax", "game, state, table", "minimax", bare=True),
    Assignment("alpha_beta_search", "game, state, alpha, beta, table", "alpha-beta"),
    Assignment("alpha_beta", "game, state, alpha, beta, table", "alpha-beta", bare=True),
    Assignment("alpha_beta_heuristic_search", "game, state, alpha, beta, depth, table", "heuristic"),
    Assignment("alpha_beta_heuristic", "game, state, alpha, beta, depth, table", "heuristic", bare=True, root_depth=1),
    Assignment("minimax_max", "game, state, depth_so_far, alpha, beta, max_depth, max_width", "path"),
    Assignment("alpha_beta_decision", "game, state, limit", "decision"),
)
ASSIGNMENTS: Final = {one.name: one for one in _ALL}
"""The functions that a student may write, by name."""
_INSTEAD: Final = {one.name: f"{one.name}_search" for one in _ALL if one.bare}
"""Functions that return a bare value; beside the search itself such a function is a helper, whatever its arguments."""
COUNTERS: Final = ("nodes", "prunings", "prunings_max", "prunings_min")
"""Globals of the student's file that are set to 0 before a search, where they exist, and compared after it."""


def assigned(names: list[str]) -> list[str]:
    """Which functions of a file are compared by default."""
    return [name for name in ASSIGNMENTS if name in names and _INSTEAD.get(name) not in names]


def read_question(written: Mapping[str, Any]) -> Question:
    """A question from its fields as JSON has them, and as `dataclasses.asdict` writes them."""
    limits = written["limits"]
    return Question(tuple(written["path"]), Limits(limits["depth"], limits["width"], tuple(limits["window"])))
