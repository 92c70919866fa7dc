"""A student's own `minimax_search` or `alpha_beta_search` beside the handout's, on one board.

Both fill a plain dict from an empty table. Where the tables differ, the state that is told is the
*first* one to come out differently, in the order in which the searches finish their states: its
children still agree, so the mistake shows there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from types import ModuleType
from typing import Any, Final

from zermelo.errors import GameFileError
from zermelo.game import Game, State
from zermelo.result import MinimaxInfo, SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.recursion import deep_recursion

FUNCTIONS: Final = {
    "minimax_search": "minimax_search(game, state, table)",
    "alpha_beta_search": "alpha_beta_search(game, state, alpha, beta, table)",
}
"""The functions that a student may write, with the handouts' signatures."""


@dataclass(frozen=True)
class Outcome:
    """What one side's search came to."""

    value: Any
    table_states: int
    prunings: int | None
    """None where the student's file keeps no global ``prunings``."""


@dataclass(frozen=True)
class Difference:
    """The first state that came out differently; None stands for no entry."""

    state: State
    expected: MinimaxInfo | None
    found: Any


@dataclass(frozen=True)
class Comparison:
    """One function of the student's on one board."""

    function: str
    game: Game
    reference: Outcome
    student: Outcome
    difference: Difference | None

    @property
    def agrees(self) -> bool:
        """Whether tables, value and (where the student counts them) prunings are equal."""
        counted = self.student.prunings in (None, self.reference.prunings)
        return self.difference is None and self.student.value == self.reference.value and counted


def functions_in(module: ModuleType) -> list[str]:
    """Which of `FUNCTIONS` the student's file has.

    Raises
    ------
    GameFileError
        It has none of them.
    """
    found = [name for name in FUNCTIONS if callable(getattr(module, name, None))]
    if not found:
        raise GameFileError(
            f"{module.__file__} has neither {' nor '.join(FUNCTIONS)}; write {' or '.join(FUNCTIONS.values())}."
        )
    return found


def compare(module: ModuleType, function: str, game: Game) -> Comparison:
    """Run one function of the student's and the reference on ``game`` from its initial state.

    The student's table is a dict; each entry has ``value`` and ``action``, or is a pair of them. A global
    ``prunings`` of the student's file is set to 0 before the search and read after it.
    """
    counts, expected = SearchCounts(), dict[State, MinimaxInfo]()
    if function == "minimax_search":
        reference = minimax_search(game, game.initial, expected, counts)
    else:
        reference = alpha_beta_search(game, game.initial, -inf, inf, expected, counts)
    found: dict[State, Any] = {}
    value = _run(module, function, game, found)
    prunings = getattr(module, "prunings", None) if function == "alpha_beta_search" else 0
    return Comparison(
        function,
        game,
        Outcome(reference.value, len(expected), counts.prunings),
        Outcome(getattr(_as_info(value), "value", value), len(found), prunings),
        first_difference(expected, found),
    )


def _run(module: ModuleType, function: str, game: Game, table: dict[State, Any]) -> Any:
    search: Callable[..., Any] = getattr(module, function)
    if hasattr(module, "prunings"):
        vars(module)["prunings"] = 0
    with deep_recursion():
        if function == "minimax_search":
            return search(game, game.initial, table)
        return search(game, game.initial, -inf, inf, table)


def first_difference(expected: dict[State, MinimaxInfo], found: dict[State, Any]) -> Difference | None:
    """The earliest state on which two tables differ, in the order in which their entries were made."""
    for ours, theirs in zip_longest(expected, found, fillvalue=None):
        for state in (ours, theirs):
            if state is not None and _as_info(found.get(state)) != expected.get(state):
                return Difference(state, expected.get(state), found.get(state))
    return None


def _as_info(entry: Any) -> Any:
    """A student's entry as `MinimaxInfo`, whatever type it has; anything unfit as it is."""
    if hasattr(entry, "value") and hasattr(entry, "action"):
        return MinimaxInfo(entry.value, entry.action)
    if isinstance(entry, tuple | list) and len(entry) == 2:
        return MinimaxInfo(*entry)
    return entry
