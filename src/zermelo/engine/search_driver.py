"""Searches with a team: iterative deepening in all threads."""

from collections.abc import Callable, Sequence

from zermelo.engine.deepening import Iteration, deepen, deepen_each
from zermelo.engine.job import MAX_PLY
from zermelo.engine.patience import Patience
from zermelo.engine.results import Clock, Found, no_iteration, searched
from zermelo.engine.team import Team
from zermelo.game import Action, State
from zermelo.result import SearchResult, StoppedBy

Progress = Callable[[SearchResult], None]


def search_state(
    team: Team,
    state: State,
    legal: Sequence[Action],
    before: Sequence[State],
    clock: Clock,
    depth: int | None = None,
    root_values: bool = False,
    progress: Progress | None = None,
    optimum: float | None = None,
) -> SearchResult:
    """Search ever deeper in all threads; the deepest iteration that one of them completes gives the result.

    ``legal`` are the actions to choose from; the other parameters are those of `Engine.search`. The team has been
    started.
    """
    deepest = MAX_PLY if depth is None else int(min(depth, MAX_PLY))
    each = progress is not None or optimum is not None
    best: Found = (no_iteration(team.game, state, legal), None)

    def work(number: int, say: Callable[[Found], None]) -> None:
        job, patience = team.jobs[number], Patience(optimum)

        def take_down(found: Iteration) -> None:  # counts are read before the next iteration changes them
            say((found, None if progress is None else searched(team, state, found, clock)))

        def enough(found: Iteration) -> bool:
            effort = int(job["best_nodes"]) / max(1, int(job["nodes"] - job["nodes_before"]))
            return patience.is_over(found, len(legal), effort, clock.seconds())

        if root_values:
            deepen_each(team.game, state, legal, before, job, deepest, take_down)
        else:
            deepen(team.game, state, legal, before, job, deepest, each, take_down, enough)

    def report(found: Found) -> None:
        nonlocal best
        if (found[0].proven, found[0].depth) > (best[0].proven, best[0].depth):
            best = found
            if progress is not None and found[1] is not None and found[0].whole:
                progress(found[1])

    ended = team.run(work, clock.left(), report)
    reached = best[0].depth >= deepest or optimum is None
    reason: StoppedBy = "finished" if best[0].proven else ended or ("depth" if reached else "time")
    return searched(team, state, best[0], clock, reason)
