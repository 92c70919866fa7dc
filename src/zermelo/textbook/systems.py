"""The handouts' systems by name, each with its table and its settings, answering with a `SearchResult`.

Players and the command line use the textbook through this module only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any, Final, Literal, get_args

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import MAX, Action, Game, State
from zermelo.result import MinimaxInfo, SearchCounts, SearchResult
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision, timed_decision
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.path import minimax_max
from zermelo.textbook.rules import cutoff_of, require_end
from zermelo.textbook.sound import SoundInfo, sound_search

Algorithm = Literal["minimax", "alpha-beta", "heuristic", "path", "decision", "timed"]
ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)
DEPTH: Final = 6
"""The default depth of `heuristic`, `path` and `decision`, in plies."""
ESTIMATING: Final[tuple[Algorithm, ...]] = ("heuristic", "path", "decision", "timed")
"""The algorithms that stop before the end of the game, and so need an EVAL."""


@dataclass(frozen=True)
class Settings:
    """How an algorithm is to search; settings that do not apply to it are ignored.

    ``handout`` asks for the handout's own table in `alpha-beta` and `heuristic`, whose values can be
    wrong (``docs/explanation/errata.md``), in place of the sound one.
    """

    depth: int | None = None
    """Plies to look ahead, 6 if None, for `heuristic`, `path` and `decision`; the most plies, for `timed`."""
    width: int = 5
    """Moves to look at in each position, for `path`."""
    seconds: float = 15.0
    """Time for each move, for `timed`."""
    handout: bool = False

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("width", self.width)):
            if value is not None and (type(value) is not int or value < 1):
                raise BadParameter(f"The {name} is {value}; it must be a whole number, 1 or more.")
        if not self.seconds > 0:
            raise BadParameter(f"The time is {self.seconds} seconds; it must be more than 0.")


@dataclass
class System:
    """One algorithm on one game, with the table of its last search.

    The table of `minimax` is kept and added to; every other search starts with an empty one.
    """

    game: Game
    algorithm: Algorithm
    settings: Settings = field(default_factory=Settings)
    table: dict[State, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise BadParameter(f"There is no algorithm {self.algorithm!r}; there are {', '.join(ALGORITHMS)}.")
        if self.algorithm in ("minimax", "alpha-beta"):
            require_end(self.game, self.algorithm)

    def search(self, state: State | None = None, counts: SearchCounts | None = None) -> SearchResult:
        """Search from ``state``, or from the start. Another thread may read ``counts`` meanwhile.

        Raises
        ------
        TerminalState
            The game is over in ``state``.
        BadParameter
            The game has no EVAL and the algorithm needs one.
        """
        state = self.game.initial if state is None else state
        if self.game.is_terminal(state):
            raise TerminalState("The game is over in this state; there is nothing to search.")
        if self.algorithm != "minimax":
            self.table.clear()
        counts = SearchCounts() if counts is None else counts
        start = perf_counter()
        if self.algorithm == "timed":
            return timed_decision(self.game, state, self.settings.seconds, self.settings.depth, counts)
        if self.algorithm == "path":
            found = self._path(state, counts)
        elif self.algorithm == "decision":
            found = self._decide(state, counts)
        else:
            found = self._fill_table(state, counts)
        return SearchResult.from_counts(counts, seconds=perf_counter() - start, game=self.game, state=state, **found)

    def look_up(self, state: State) -> SearchResult | None:
        """The exact value of ``state`` in the table; None if it must be searched.

        Bounds in a sound table do not count. The counts of the result are 0, since nothing was searched.
        """
        info = self.table.get(state)
        if info is None or getattr(info, "bound", "exact") != "exact":
            return None
        return SearchResult(
            value=info.value,
            action=info.action,
            proven=self._is_sound and getattr(info, "depth", None) is None,
            principal_variation=tuple(self._line(state)),
            table_states=len(self.table),
            game=self.game,
            state=state,
        )

    def _fill_table(self, state: State, counts: SearchCounts) -> dict[str, Any]:
        """Search with the table: the handout's, or the sound one."""
        depth = (self.settings.depth or DEPTH) if self.algorithm == "heuristic" else None
        cutoff = None if depth is None else cutoff_of(self.game, depth)
        info: MinimaxInfo | SoundInfo
        if self.algorithm == "minimax":
            info = minimax_search(self.game, state, self.table, counts)
        elif not self.settings.handout:
            info = sound_search(self.game, state, -inf, inf, self.table, cutoff, counts)
        elif cutoff is None:
            info = alpha_beta_search(self.game, state, -inf, inf, self.table, counts)
        else:
            info = alpha_beta_heuristic_search(self.game, state, -inf, inf, 0, self.table, cutoff, counts)
        return {
            "value": info.value,
            "action": info.action,
            "proven": counts.cutoffs == 0 and self._is_sound,
            "principal_variation": tuple(self._line(state)),
            "depth": depth,
            "stopped_by": "depth" if counts.cutoffs else "finished",
        }

    def _path(self, state: State, counts: SearchCounts) -> dict[str, Any]:
        depth = self.settings.depth or DEPTH
        found = minimax_max(self.game, state, 0, -inf, inf, depth, self.settings.width, counts=counts)
        return {
            "value": self.game.to_move(state) * int(found.value),
            "action": found.path[0],
            "proven": counts.cutoffs == 0 and counts.dropped == 0,
            "principal_variation": found.path,
            "depth": depth,
            "stopped_by": "depth" if counts.cutoffs else "finished",
        }

    def _decide(self, state: State, counts: SearchCounts) -> dict[str, Any]:
        """The search to a fixed depth alone, with its own counts; `timed` adds up those of all depths until then."""
        depth = self.settings.depth or DEPTH
        info = alpha_beta_decision(self.game, state, depth, counts)
        return {
            "value": info.value,
            "action": info.action,
            "proven": counts.cutoffs == 0,
            "principal_variation": (info.action,),
            "depth": depth,
            "stopped_by": "depth" if counts.cutoffs else "finished",
        }

    @property
    def _is_sound(self) -> bool:
        """Whether what the table holds can be trusted: all but the handouts' own alpha-beta table."""
        return self.algorithm == "minimax" or not self.settings.handout

    def _line(self, state: State) -> Iterator[Action]:
        """The actions that the table holds best from ``state`` on, as far as it is sure of them."""
        while (info := self.table.get(state)) is not None and info.action is not None:
            if getattr(info, "bound", "exact") != "exact":
                return
            yield info.action
            state = self.game.result(state, info.action)


def guarantee(game: Game, result: SearchResult, handout: bool = False) -> Literal["first", "second", "draw"] | None:
    """Who wins under perfect play: the player who starts the game or the other.

    None where the value is not proven; ``handout`` takes the handouts' word for a search that went to
    the end of the game, as their programs do.
    """
    searched_to_the_end = handout and result.stopped_by == "finished" and result.depth is None
    if not (result.proven or searched_to_the_end):
        return None
    if result.value == 0:
        return "draw"
    return "first" if (result.value > 0) == (game.to_move(game.initial) == MAX) else "second"
