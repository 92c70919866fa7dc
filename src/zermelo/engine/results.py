"""From the scores of kernels, for the player to move, to a `SearchResult`, whose values are for MAX."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.compiled.game import CompiledGame
from zermelo.compiled.table_probe import Probed
from zermelo.engine.deepening import Iteration
from zermelo.engine.scores import remoteness_in, value_in
from zermelo.engine.team import Team
from zermelo.game import MAX, Action, Game, Player, State
from zermelo.result import Bound, SearchResult, StoppedBy

Found = tuple[Iteration, SearchResult | None]
"""What an iteration found, and the result made of it if somebody watches the search."""


class Clock:
    """The seconds that a search has taken, and those that it has left."""

    def __init__(self, seconds: float | None) -> None:
        self._began = time.perf_counter()
        self._seconds = seconds

    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._began

    def left(self) -> float | None:
        """Seconds until the limit; None if there is none."""
        return None if self._seconds is None else max(0.0, self._seconds - self.seconds())


def no_iteration(game: CompiledGame, state: State, legal: Sequence[Action]) -> Iteration:
    """What is known before the first iteration: the static evaluation."""
    return Iteration(0, game.to_move(state) * game.evaluate(state), False, (legal[0],))


def searched(
    team: Team, state: State, found: Iteration, clock: Clock, stopped_by: StoppedBy = "finished"
) -> SearchResult:
    """The result of a depth-limited search whose last whole iteration found ``found``."""
    side, scale = team.game.to_move(state), int(team.first["scale"]) if found.depth else 1
    values = best = proofs = None
    if found.scores is not None:
        proofs = {action: _told(team, found.scores[action], side) for action in found.scores if action in found.sure}
        values = {action: side * value_in(score, scale) for action, score in found.scores.items()}
        best = _best(values, side)
    return SearchResult(
        value=side * value_in(found.score, scale),
        bound="exact" if found.whole else "lower" if side == MAX else "upper",
        action=found.variation[0],
        proven=found.proven,
        best_actions=best,
        principal_variation=found.variation,
        remoteness=_told(team, found.score, side) if found.proven and found.quickest else None,
        ends_within=None if found.quickest else _told(team, found.score, side),
        root_values=values,
        root_proofs=proofs,
        unsound=team.unsound,
        depth=found.depth,
        seconds=clock.seconds(),
        game=team.game.game,
        state=state,
        stopped_by=stopped_by,
        **team.counts(),
    )


def _told(team: Team, score: int, side: Player) -> int | None:
    """The remoteness in a proven score; None if the scores of this game do not tell it."""
    scale = int(team.first["scale"])
    return remoteness_in(score, scale) if team.game.tells_remoteness(side * value_in(score, scale)) else None


def looked_up(table: Probed, game: Game, state: State) -> SearchResult:
    """What a solved table knows of a state."""
    moves = table.moves(state)
    best = [move for move in moves if move.value == moves[0].value]
    plies = moves[0].remoteness
    return SearchResult(
        value=moves[0].value,
        action=moves[0].action,
        proven=True,
        best_actions=tuple(sorted(move.action for move in best)),
        principal_variation=tuple(table.line(state)),
        remoteness=None if plies is None else plies + 1,
        root_values={move.action: move.value for move in moves},
        root_proofs={move.action: None if move.remoteness is None else move.remoteness + 1 for move in moves},
        table_hits=1,
        game=game,
        state=state,
        stopped_by="finished",
    )


def proved(
    team: Team,
    state: State,
    legal: Sequence[Action],
    interval: tuple[int, int],
    values: Mapping[Action, int] | None,
    line: Sequence[Action],
    remoteness: int | None,
    counts: Mapping[str, Any],
    clock: Clock,
    stopped_by: StoppedBy | None,
) -> SearchResult:
    """The result of a proof that narrowed the value down to ``interval``."""
    low, high = interval
    value, bound = _bound(interval, team.game.utility_range)
    best = None if values is None else _best(values, team.game.to_move(state))
    line = tuple(line) or ((best or legal)[0],)
    return SearchResult(
        value=value,
        bound=bound,
        proven=low == high,
        action=line[0],
        best_actions=best,
        principal_variation=line,
        remoteness=remoteness,
        root_values=values,
        root_proofs=None if values is None else dict.fromkeys(values),
        seconds=clock.seconds(),
        game=team.game.game,
        state=state,
        stopped_by=stopped_by or "finished",
        **counts,
    )


def decided(
    team: Team,
    state: State,
    legal: Sequence[Action],
    goal: int,
    answer: bool | None,
    clock: Clock,
    stopped_by: StoppedBy | None,
) -> SearchResult:
    """The result of a search for whether the value is at least ``goal``."""
    least, _ = team.game.utility_range
    value, bound = (least, "lower") if answer is None else (goal, "lower") if answer else (goal - 1, "upper")
    works = answer is not None and answer == (team.game.to_move(state) == MAX)
    action = legal[team.first.root_action] if works else legal[0]
    return SearchResult(
        value=value,
        bound=bound,  # type: ignore[arg-type]
        proven=answer is not None,
        action=action,
        principal_variation=(action,),
        seconds=clock.seconds(),
        game=team.game.game,
        state=state,
        stopped_by=stopped_by or "finished",
        **team.counts(),
    )


def _best(values: Mapping[Action, int], side: Player) -> tuple[Action, ...]:
    best = max(values.values()) if side == MAX else min(values.values())
    return tuple(action for action, value in values.items() if value == best)


def _bound(interval: tuple[int, int], utility_range: tuple[int, int]) -> tuple[int, Bound]:
    """The value and what it is: exact, an upper bound if that says anything, else a lower bound."""
    (low, high), (_, most) = interval, utility_range
    if low == high:
        return low, "exact"
    return (high, "upper") if high < most else (low, "lower")
