"""How often a player keeps the value of a position, and what its mistakes cost, against a solved table.

A *result* is who wins: for the player to move a win counts 1 point, a draw 1/2, a loss 0. Where a game is played for a
margin, the result is the margin itself. A move *keeps* the value if the result under perfect play is the same after it
as before it. A position is *critical* if some legal move does not keep its value.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from zermelo.errors import BadParameter, TableError
from zermelo.game import Action, Game
from zermelo.lab.estimates import NOTHING, Estimate, finite, grouped_mean, grouped_share
from zermelo.lab.study.sampling import (
    SOURCES,
    Decider,
    Position,
    Source,
    choose,
    from_games,
    from_random_games,
    from_table,
)
from zermelo.protocol.competitor import Fault
from zermelo.result import plain
from zermelo.solver.table.table import Table

COUNT: Final = 1000
"""How many positions, unless told otherwise."""
PHASES: Final = 4
OPENING: Final = 4
"""Random plies at the start of each game between players."""
_WEIGHTS: Final = {
    "table": "stored positions, each equally likely; symmetric ones count once",
    "random": "one position from each of many random games, each of the game's positions equally likely",
    "games": "every decision of the player in games from random openings",
}


class Judgement(NamedTuple):
    """One decision of a player, judged by the table."""

    game: int
    """As in `Position`."""
    phase: float
    """The ply, or the plies to the end (infinite if there is no end)."""
    keeping: float
    """The share of the legal actions that keep the value."""
    before: float
    """The result for the player to move, and then the one after its choice."""
    after: float
    most: float
    """What the worst action would have lost."""

    @property
    def loss(self) -> float:
        """What the choice lost; 0 or more."""
        return self.before - self.after

    @property
    def critical(self) -> bool:
        """Whether some action loses something."""
        return self.keeping < 1


@dataclass(frozen=True)
class Score:
    """What a set of decisions comes to."""

    positions: int
    critical: int
    kept: Estimate
    """The share of positions in which the player kept the value."""
    kept_critical: Estimate
    """The same among critical positions."""
    chance: Estimate
    """The share that a player keeps who chooses every legal action with the same probability."""
    loss: Estimate
    """The expected loss a move: in points, or in units of the value where the margin counts."""


@dataclass(frozen=True)
class Phase(Score):
    """The decisions of one phase of the game."""

    first: float
    """The least ply, or number of plies to the end; infinite where play need never end. Then the greatest."""
    last: float


@dataclass(frozen=True)
class Accuracy(Score):
    """How well a player decides."""

    game: str
    player: str
    source: Source
    weights: str
    """How the positions were chosen, in words."""
    phase: str
    """What phases count: ``ply`` or ``plies to the end``."""
    unit: str
    """Of losses: ``points`` or ``value``."""
    mistakes: Mapping[str, int]
    """How many moves turned a win into a draw, and so on; empty where the margin counts."""
    phases: list[Phase]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; an estimate becomes a list: the value, and both ends of its interval."""
        record: dict[str, Any] = finite(plain(asdict(self)))
        return record


def accuracy(
    player: Decider,
    table: Table,
    *,
    count: int = COUNT,
    source: Source = "table",
    against: Decider | None = None,
    seed: int = 0,
    phases: int = PHASES,
    progress: Callable[[int], None] | None = None,
) -> Accuracy:
    """Judge a player's decisions by a solved table.

    Parameters
    ----------
    player
        Who decides: a player, or a competitor such as `zermelo.lab.competitors.make_competitor` gives for a program.
    table
        The solved game.
    count
        How many decisions.
    source
        Where the positions come from: ``table`` draws stored positions, each equally likely, symmetric ones counting
        once. ``random`` draws one position from each of many random games. ``games`` takes all decisions in games that
        the player plays from random openings.
    against
        The opponent in those games; the player itself if None.
    seed
        Of the positions and openings.
    phases
        Into how many phases, with about equally many positions, the decisions are divided: by ply, or by the plies to
        the end where the positions come from the table.
    progress
        Called with 1 after each decision.

    Raises
    ------
    BadParameter
        A number is less than 1, or the source is none of those.
    TableError
        The table does not hold a position, or no position with a choice.
    Fault
        The player names no legal move, or its program fails.
    """
    if min(count, phases) < 1:
        raise BadParameter(f"There are {count} positions and {phases} phases to judge; both must be at least 1.")
    if source not in SOURCES:
        raise BadParameter(f"There is no source of positions {source!r}; there are {', '.join(SOURCES)}.")
    judgements = []
    for position, action in _decisions(player, table, count, source, against or player, seed):
        judgements.append(judge(table, position, action))
        if progress is not None:
            progress(1)
    if not judgements:
        raise TableError(f"No position of {table.place} leaves a choice, so there is nothing to judge.")
    return Accuracy(
        **vars(score(judgements)),
        game=repr(table.game),
        player=player.name,
        source=source,
        weights=_WEIGHTS[source],
        phase="plies to the end" if source == "table" else "ply",
        unit="points" if table.game.outcomes == "wdl" else "value",
        mistakes=_mistakes(judgements) if table.game.outcomes == "wdl" else {},
        phases=[
            Phase(**vars(score(some)), first=min(one.phase for one in some), last=max(one.phase for one in some))
            for some in by_phase(judgements, phases)
        ],
    )


def _decisions(
    player: Decider, table: Table, count: int, source: Source, against: Decider, seed: int
) -> Iterator[tuple[Position, Action]]:
    """Yield positions and what the player chooses there."""
    if source == "games":
        yield from from_games(table.game, player, against, count, seed, OPENING)
        return
    positions = from_table(table, count, seed) if source == "table" else from_random_games(table.game, count, seed)
    for number, position in enumerate(positions):
        player.new_game(number)
        yield position, choose(player, position)


def judge(table: Table, position: Position, action: Action) -> Judgement:
    """Judge one decision.

    Raises
    ------
    TableError
        The table does not hold the position, or one that follows it.
    Fault
        The action is not legal.
    """
    game, state = table.game, position.state
    try:
        remoteness, moves = table[state].remoteness, table.moves(state)
    except KeyError:
        raise TableError(f"The table {table.place} does not hold the position {game.show_state(state)}.") from None
    side = game.to_move(state)
    results = {move.action: result_for(game, move.value, side) for move in moves}
    if action not in results:
        raise Fault("illegal", f"{action} is not a legal action in {game.show_state(state)}.")
    best = max(results.values())
    phase = remoteness if position.ply is None else position.ply
    return Judgement(
        game=position.game,
        phase=float("inf") if phase is None else float(phase),
        keeping=sum(result == best for result in results.values()) / len(results),
        before=best,
        after=results[action],
        most=best - min(results.values()),
    )


def result_for(game: Game, value: int, side: int) -> float:
    """The result that a value means for a side: points if the game counts who wins, else the margin."""
    return float(side * value) if game.outcomes == "margin" else (1 + int(np.sign(side * value))) / 2


def score(judgements: Sequence[Judgement]) -> Score:
    """Sum decisions up."""
    critical = [one for one in judgements if one.critical]
    return Score(
        positions=len(judgements),
        critical=len(critical),
        kept=_kept(judgements),
        kept_critical=_kept(critical),
        chance=grouped_mean([one.keeping for one in judgements], [one.game for one in judgements]),
        loss=_loss(judgements),
    )


def _kept(judgements: Sequence[Judgement]) -> Estimate:
    return grouped_share([one.loss == 0 for one in judgements], [one.game for one in judgements])


def _loss(judgements: Sequence[Judgement]) -> Estimate:
    """The mean loss.

    Where no mistake was seen, the upper end is what the share of mistakes may be, times the mean of the worst losses.
    """
    if not judgements:
        return NOTHING
    if all(one.loss == 0 for one in judgements):
        worst = float(np.mean([one.most for one in judgements if one.critical] or [0.0]))
        return Estimate(0.0, 0.0, (1 - _kept(judgements).low) * worst)
    found = grouped_mean([one.loss for one in judgements], [one.game for one in judgements])
    return found._replace(low=max(0.0, found.low))


def _mistakes(judgements: Iterable[Judgement]) -> dict[str, int]:
    """How many moves turned one result into a worse one."""
    names = {1.0: "win", 0.5: "draw", 0.0: "loss"}
    counts = Counter((one.before, one.after) for one in judgements)
    return {
        f"{names[before]} to {names[after]}": counts[before, after]
        for before, after in ((1.0, 0.5), (1.0, 0.0), (0.5, 0.0))
    }


def by_phase(judgements: Sequence[Judgement], count: int) -> list[list[Judgement]]:
    """Divide decisions into phases with about equally many each; those of one ply stay together."""
    phases = sorted(one.phase for one in judgements)
    starts = sorted({phases[len(phases) * number // count] for number in range(count)})
    parts: list[list[Judgement]] = [[] for _ in starts]
    for one in judgements:
        parts[int(np.searchsorted(starts, one.phase, side="right")) - 1].append(one)
    return parts
