"""Proofs with a team of threads: of one state, of each of its actions, and of many states."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.states import flatten
from zermelo.engine.df_pn import UNDECIDED, decide_root
from zermelo.engine.job import MAX_PLY
from zermelo.engine.proof_search import Interval, prove_all
from zermelo.engine.results import Clock, proved
from zermelo.engine.team import NO_LIMIT, Team
from zermelo.game import MAX, Action, State
from zermelo.result import SearchResult, StoppedBy


def prove_state(team: Team, state: State, within: Interval, seconds: float | None) -> tuple[Interval, StoppedBy | None]:
    """Narrow the value of ``state`` down from ``within``; all threads share the work until one is done."""
    interval, _, ended = prove_line(team, state, within, seconds, 0)
    return interval, ended


def prove_line(
    team: Team, state: State, within: Interval, seconds: float | None, plies: int
) -> tuple[Interval, tuple[Action, ...], StoppedBy | None]:
    """As `prove_state`, and the first ``plies`` of a line of play that keeps a value that is proven.

    The line may be shorter, where a limit was reached before the whole of it was found.
    """
    team.share(True)
    rows = flatten(state)[np.newaxis]
    ends = [(np.array([within[0]]), np.array([within[1]])) for _ in team.jobs]
    lines = np.zeros((len(team.jobs), plies + 1), dtype=np.int64)

    def work(number: int, _say: Callable[[Any], None]) -> None:
        lows, highs = ends[number]
        prove_all(team.game, rows, lows, highs, 0, lines[number], team.jobs[number])

    ended = team.run(work, seconds)
    # The bounds of every thread are proven, so together they say the most.
    low, high = max(int(lows[0]) for lows, _ in ends), min(int(highs[0]) for _, highs in ends)
    line = lines[lines[:, 0].argmax()]
    return (low, high), tuple(line[1 : 1 + line[0]].tolist()), None if low == high else ended


def prove_whole(
    team: Team,
    state: State,
    legal: Sequence[Action],
    clock: Clock,
    nodes: int | None,
    root_values: bool,
    polish: Callable[[int], SearchResult | None] | None,
) -> SearchResult:
    """Prove the value of ``state``, and find an action that keeps it.

    Parameters
    ----------
    legal
        The actions to choose from.
    polish
        A search that tells quick wins from slow ones, given the nodes of the proof; None if nobody asks for them. It is
        not called where the value tells how long the game lasts (`Game.plies_to_end`): the proof's line will do.
    """
    tells_end = team.game.game.plies_to_end if polish is not None else None
    team.start("proof", nodes)
    plies = 1 if polish is None else 0 if tells_end is None else MAX_PLY
    interval, line, ended = prove_line(team, state, team.game.utility_range, clock.left(), plies)
    value, remoteness, values = interval[0], None, None
    if root_values and interval[0] == interval[1]:
        values, ended = prove_actions(team, state, team.game.game.legal_actions(state), clock)
    counts = team.counts()
    if interval[0] == interval[1] and ended is None:
        if polish is None and values is not None:  # the first of the best actions will do
            line = ()
        elif line and tells_end is not None:
            remoteness = tells_end(state, value)
        if polish is not None and remoteness is None:
            found = polish(counts["nodes"])
            line = () if found is None else found.principal_variation
            remoteness = None if found is None else found.remoteness
        if not line and values is None:
            team.start("proof", nodes)
            line = (keeping_action(team, state, legal, value, clock),)
    return proved(team, state, legal, interval, values, line, remoteness, counts, clock, ended)


def prove_states(
    team: Team, states: Sequence[State], fresh: bool, seconds: float | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lower and upper bounds of the values of many states, as two arrays.

    Each thread proves an equal share of the states. With ``fresh``, one thread proves all of them, and forgets what it
    learnt from one state before the next.
    """
    low, high = team.game.utility_range
    lows, highs = np.full(len(states), low, dtype=np.int64), np.full(len(states), high, dtype=np.int64)
    if not len(states):
        return lows, highs
    rows = np.stack([flatten(state) for state in states])
    if fresh:
        team.forget_proofs()
    team.share(False)
    hands, no_line = 1 if fresh else len(team.jobs), np.zeros(1, dtype=np.int64)

    def work(number: int, _say: Callable[[Any], None]) -> None:
        if number < hands:
            mine = slice(number, None, hands)
            my_lows, my_highs = lows[mine].copy(), highs[mine].copy()
            prove_all(team.game, rows[mine].copy(), my_lows, my_highs, int(fresh), no_line, team.jobs[number])
            lows[mine], highs[mine] = my_lows, my_highs

    team.run(work, seconds, wait_for_all=True)
    return lows, highs


def prove_actions(
    team: Team, state: State, legal: Sequence[Action], clock: Clock
) -> tuple[dict[Action, int] | None, StoppedBy | None]:
    """The exact value of every action, for MAX; None if the search was stopped first."""
    values = {}
    for action in legal:
        within = team.game.utility_range
        (low, high), ended = prove_state(team, team.game.result(state, action), within, clock.left())
        if low != high:
            return None, ended
        values[action] = low
    return values, None


def keeping_action(team: Team, state: State, legal: Sequence[Action], value: int, clock: Clock) -> Action:
    """The first action that keeps the proven ``value``, for MAX; the first of all if the time is up before."""
    maximise = team.game.to_move(state) == MAX
    # No action gives the player to move more than the value, so one null window tells whether it gives as much.
    within = (value - 1, value) if maximise else (value, value + 1)
    for action in legal:
        (low, high), ended = prove_state(team, team.game.result(state, action), within, clock.left())
        if (low if maximise else high) == value:
            return action
        if ended is not None:
            break
    return legal[0]


def decide_state(
    team: Team, state: State, goal: int, clock: Clock, nodes: int | None
) -> tuple[bool | None, StoppedBy | None]:
    """Whether ``state`` is worth at least ``goal`` to MAX; None if stopped. The search table holds its numbers."""
    team.start("search", nodes)
    team.memory["search"][:] = 0
    answers = [UNDECIDED] * len(team.jobs)
    team.first.node_limit = NO_LIMIT if nodes is None else nodes

    def work(number: int, _say: Callable[[Any], None]) -> None:
        if number == 0:
            answers[0] = decide_root(team.game, flatten(state), goal, team.first)

    ended = team.run(work, clock.left(), wait_for_all=True)
    team.memory["search"][:] = 0
    return (None if answers[0] == UNDECIDED else bool(answers[0])), ended
