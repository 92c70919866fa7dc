"""The referee of one game: asks two competitors in turn, watches the rules and the clocks, and records what happens."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from zermelo.errors import in_a_line
from zermelo.game import Action, Game, State
from zermelo.lab.adjudication import Decision, Referee
from zermelo.lab.clocks import Clocks, TimeControl
from zermelo.lab.openings import Opening
from zermelo.lab.played import Ending, PlayedGame
from zermelo.lab.schedule import Pairing
from zermelo.play.ending import final_value
from zermelo.protocol.competitor import Answer, Competitor, Fault
from zermelo.protocol.position import write_move


class Abandoned(Exception):
    """The tournament was stopped during a game."""


@dataclass
class _Game:
    """A game in progress; ``movers`` are 0 for the player who began it, and 1 for the other."""

    game: Game
    states: list[State]
    actions: list[Action] = field(default_factory=list)
    met: Counter[State] = field(default_factory=Counter)
    """How often each position stood on the board, where one that comes back ends the game."""
    over: bool = False
    movers: list[int] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    began: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.side = self.game.to_move(self.game.initial)
        self._watch()

    @property
    def mover(self) -> int:
        return 0 if self.game.to_move(self.states[-1]) == self.side else 1

    def play(self, action: Action) -> None:
        self.states.append(self.game.result(self.states[-1], action))
        self.actions.append(action)
        self._watch()

    def _watch(self) -> None:
        """Note whether the game is over: as `zermelo.play.ending`, without a look at all positions each time."""
        state = self.states[-1]
        self.over = self.game.is_terminal(state)
        if self.game.repetition is not None:
            position = self.game.position_of(state)
            self.met[position] += 1
            self.over = self.over or self.met[position] >= self.game.occurrences

    def decision(self) -> Decision:
        """The end that the rules give a finished game."""
        value = final_value(self.game, self.states)
        assert value is not None
        points = 0.5 if value == 0 else float(value * self.side > 0)
        ending: Ending = "rules" if self.game.is_terminal(self.states[-1]) else "repetition"
        return Decision(ending, points, "", value)


def play_game(
    game: Game,
    first: Competitor,
    second: Competitor,
    opening: Opening,
    control: TimeControl,
    referee: Referee,
    pairing: Pairing,
    stopped: Callable[[], bool] = lambda: False,
) -> PlayedGame:
    """Play one game.

    Parameters
    ----------
    game
        The rules.
    first, second
        Who moves first in the game's initial position, and who second.
    opening
        The moves from which they go on.
    control
        What they may use.
    referee
        Who may end the game early.
    pairing
        The game's place in the schedule.
    stopped
        Asked before each move: whether to abandon the game.

    Returns
    -------
    PlayedGame
        A player who makes a mistake or is late has lost it, and `reason` says why.

    Raises
    ------
    Abandoned
        ``stopped`` said so.
    """
    match = _Game(game, [game.initial])
    for action in opening:
        match.play(action)
    competitors, names = (first, second), (pairing.first, pairing.second)
    decision = _start(competitors, names, pairing.number)
    clocks = Clocks(control)
    while decision is None:
        if match.over:
            decision = match.decision()
            break
        decision = referee.decide(
            match.states[-1], [answer.score for answer in match.answers], match.movers, len(match.actions)
        )
        if decision is None:
            if stopped():
                raise Abandoned
            decision = _move(match, competitors, names, clocks)
    if stopped():  # a program that was closed meanwhile seems to have crashed
        raise Abandoned
    return _record(match, pairing, opening, decision)


def _start(competitors: Sequence[Competitor], names: Sequence[str], number: int) -> Decision | None:
    """Let both prepare; the decision if one of them cannot."""
    for mover, competitor in enumerate(competitors):
        try:
            competitor.new_game(number)
        except Exception as error:
            return _lost(mover, names[mover], error)
    return None


def _move(match: _Game, competitors: Sequence[Competitor], names: Sequence[str], clocks: Clocks) -> Decision | None:
    """Ask for a move and make it; the decision if the player loses by it."""
    mover = match.mover
    allowed = clocks.allowed(mover)
    try:
        answer = competitors[mover].choose(match.states, match.actions, clocks.go())
    except Exception as error:
        return _lost(mover, names[mover], error)
    if answer.action not in match.game.legal_actions(match.states[-1]):
        return _lost(mover, names[mover], Fault("illegal", f"{answer.action} is not a legal action."))
    in_time = clocks.spend(mover, answer.seconds, answer.waited)
    match.movers.append(mover)
    match.answers.append(answer)
    match.play(answer.action)
    if in_time:
        return None
    late = f"{names[mover]} took {answer.seconds:.3f} s for a move for which it had {allowed:.3f} s."
    return Decision("time", float(mover), late)


def _lost(mover: int, name: str, error: Exception) -> Decision:
    """The decision against a player who made a mistake; an error of a player in this process counts as a crash."""
    if isinstance(error, Fault):
        said = str(error)
        return Decision(error.kind, float(mover), said if said.startswith(name) else f"{name}: {said}")
    return Decision("crash", float(mover), f"{name} failed: {in_a_line(error)}.")


def _record(match: _Game, pairing: Pairing, opening: Opening, decision: Decision) -> PlayedGame:
    moves = [write_move(match.game, *played) for played in zip(match.states, match.actions, strict=False)]
    return PlayedGame(
        number=pairing.number,
        first=pairing.first,
        second=pairing.second,
        opening=pairing.opening,
        plies=len(opening),
        moves=tuple(moves),
        seconds=tuple(round(answer.seconds, 6) for answer in match.answers),
        scores=tuple(answer.score for answer in match.answers),
        nodes=tuple(answer.nodes for answer in match.answers),
        points=decision.points,
        value=decision.value,
        ending=decision.ending,
        reason=decision.reason,
        began=match.began.isoformat(timespec="seconds"),
    )
