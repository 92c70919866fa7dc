"""One visitor's game: who plays, what was played, which position is shown. It neither draws nor searches."""

import secrets
from dataclasses import dataclass, field, replace

from zermelo.errors import IllegalAction, RecordError
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.play.match import Match
from zermelo.play.moves import read_moves, write_moves
from zermelo.play.players import Human, Player, PlayerOptions, Thought
from zermelo.play.record import Record
from zermelo.result import SearchCounts
from zermelo.ui.web.analysis import Analysis
from zermelo.ui.web.links import LEAST_SECONDS, MOST_SECONDS, USUAL_SECONDS, Position, check_player
from zermelo.ui.web.opponents import usual_opponent
from zermelo.ui.web.shelf import Shelf


@dataclass
class Sitting:
    """A game as it stands in one visitor's page."""

    source: str
    """The game as the command line names it."""
    parameters: dict[str, str]
    match: Match
    options: PlayerOptions
    here: int = 0
    """How many moves are made on the board that is shown: all of them, unless the visitor steps back to look."""
    flipped: bool = False
    resigned: int = 0
    """Who gave up: MAX, MIN, or 0."""
    undone: list[Action] = field(default_factory=list)
    """What undo took back, the latest last."""
    analyses: dict[int, Analysis] = field(default_factory=dict)
    """What is known of each position, by the number of moves before it."""

    @classmethod
    def begin(cls, shelf: Shelf, position: Position) -> "Sitting":
        """A game as a link describes it.

        Raises
        ------
        ZermeloError
            The link names no game of the shelf, or a move that is not legal.
        """
        game = shelf.game(position.game, position.parameters)
        min_ = position.min or usual_opponent(game)
        match = Match(game, _seat(position.max, game), _seat(min_, game), read_moves(game, position.moves))
        seed = secrets.randbelow(1 << 30)
        options = PlayerOptions(seconds=position.seconds, seed=seed)
        sitting = cls(position.game, dict(position.parameters), match, options)
        sitting.here = len(match.actions)
        sitting.flipped = position.max != "human" and min_ == "human"
        return sitting

    @classmethod
    def resume(cls, shelf: Shelf, record: Record) -> "Sitting":
        """A saved game.

        Raises
        ------
        ZermeloError
            Its game is not on the shelf, or was played under other rules.
        """
        parameters = {name: str(value).lower() for name, value in record.parameters.items()}
        game = shelf.game(record.game, parameters)
        try:
            match = Match(
                game,
                _seat(check_player(record.max), game),
                _seat(check_player(record.min), game),
                record.actions(game),
            )
            options = PlayerOptions.of(record.options)
        except (TypeError, ValueError) as error:
            raise RecordError(f"The saved game cannot be taken up: {error}.") from None
        granted = options.seconds is not None and LEAST_SECONDS <= options.seconds <= MOST_SECONDS
        sitting = cls(record.game, parameters, match, options if granted else replace(options, seconds=USUAL_SECONDS))
        sitting.here = len(match.actions)
        if record.outcome is not None and not match.is_over:
            sitting.resigned = {"max": MIN, "min": MAX}.get(record.outcome, 0)
        return sitting

    @property
    def game(self) -> Game:
        """The rules."""
        return self.match.game

    @property
    def state(self) -> State:
        """The position that is shown."""
        return self.match.states[self.here]

    @property
    def is_live(self) -> bool:
        """Whether the position shown is the one that the game has reached."""
        return self.here == len(self.match.actions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by resignation."""
        return bool(self.resigned) or self.match.is_over

    @property
    def to_move(self) -> int:
        """MAX or MIN, who is to move in the position that is shown; 0 where the game is over there."""
        is_over = self.is_over if self.is_live else self.game.is_terminal(self.state)
        return 0 if is_over else self.game.to_move(self.state)

    @property
    def computer(self) -> str | None:
        """The program whose turn it is; None where it is a person's, or nobody's."""
        if self.is_over or not self.is_live:
            return None
        mover = self.match.mover
        return None if isinstance(mover, Human) else mover.name

    @property
    def can_move(self) -> bool:
        """Whether a click on the board may make a move: at a person's turn, or to go on otherwise from a look back."""
        if self.game.is_terminal(self.state) or (self.is_live and self.is_over):
            return False
        return not self.is_live or self.computer is None

    def play(self, action: Action) -> None:
        """Make a move in the position shown; what had followed there is given up.

        Raises
        ------
        IllegalAction
            The rules do not allow it.
        """
        if action not in self.game.legal_actions(self.state):
            raise IllegalAction("That move is not legal here.")
        if not self.is_live:
            if action == self.match.actions[self.here]:  # the game as it was: only look on
                self.here += 1
                return
            self._keep(self.here)
        if not self.undone or self.undone.pop() != action:
            self.undone.clear()
        self.resigned = 0
        self.match.play(action)
        self.here = len(self.match.actions)

    def answer(self, action: Action) -> None:
        """A program's move in the position that the game has reached, whichever is shown."""
        was_live = self.is_live
        self.match.play(action)
        self.undone.clear()
        if was_live:
            self.here = len(self.match.actions)

    def replace_player(self, side: int) -> str:
        """Put somebody who can play this game in the place of an engine that cannot; who it is."""
        stand_in = usual_opponent(self.game, refusal="the engine cannot")
        if side == MAX:
            self.match.max_player = _seat(stand_in, self.game)
        else:
            self.match.min_player = _seat(stand_in, self.game)
        return stand_in

    def move_options(self) -> PlayerOptions:
        """The options of the next move: chance does not repeat itself from move to move."""
        return replace(self.options, seed=self.options.seed + len(self.match.actions))

    def _keep(self, count: int) -> None:
        """Give up all moves but the first ``count``."""
        old = self.match
        self.match = Match(old.game, old.max_player, old.min_player, old.actions[:count])
        self.analyses = {ply: one for ply, one in self.analyses.items() if ply <= count}
        self.here = count
        self.undone.clear()

    def undo(self) -> None:
        """Take back to the last position in which a person was to move.

        Raises
        ------
        IllegalAction
            There is none.
        """
        match, people = self.match, self.match.humans() or [MAX, MIN]
        places = [place for place, state in enumerate(match.states[:-1]) if self.game.to_move(state) in people]
        if self.resigned:
            self.resigned = 0
            return
        if not places:
            raise IllegalAction("There is no move of yours to take back.")
        undone = [*self.undone, *reversed(match.actions[places[-1] :])]
        self._keep(places[-1])
        self.undone = undone

    def redo(self) -> None:
        """Make again what undo took back, up to the next turn of a person.

        Raises
        ------
        IllegalAction
            Nothing was taken back.
        """
        if not self.undone:
            raise IllegalAction("There is no move to redo.")
        people = self.match.humans() or [MAX, MIN]
        while self.undone:
            self.match.play(self.undone.pop())
            if not self.match.is_over and self.game.to_move(self.match.state) in people:
                break
        self.here = len(self.match.actions)

    def go_to(self, ply: int) -> None:
        """Show the position after so many moves."""
        self.here = max(0, min(ply, len(self.match.actions)))

    def flip(self) -> None:
        """Turn the board round."""
        self.flipped = not self.flipped

    def resign(self) -> None:
        """Give the game up, for the person to move; for the only person at the board, whoever's turn it is."""
        people = self.match.humans()
        mover = self.game.to_move(self.match.state)
        if not self.is_over:
            self.resigned = mover if mover in people or not people else people[0]

    def outcome(self) -> str | None:
        """Who won: "max", "min", "draw"; None while the game goes on."""
        if self.resigned:
            return "min" if self.resigned == MAX else "max"
        return self.match.outcome

    def seat(self, side: int) -> str:
        """Who plays a side."""
        return self.match.player(side).name

    def moves(self) -> list[str]:
        """What was played, as people write it."""
        return self.match.moves()

    def link(self) -> str:
        """The position shown, as a query."""
        seconds = self.options.seconds or USUAL_SECONDS
        moves = write_moves(self.match, self.here)
        return Position(self.source, self.parameters, self.seat(MAX), self.seat(MIN), seconds, moves).query()

    def record(self) -> Record:
        """The game as the terminal's record."""
        kept = Record.of(self.match, self.source, replace(self.options, seed=0))
        return replace(kept, outcome=self.outcome())


class Program(Player):
    """The place of a program, whose moves come from the `Workshop`."""

    def think(self, state: State, counts: SearchCounts | None = None) -> Thought:  # noqa: D102
        raise NotImplementedError("A program's moves come from the workshop, not from here.")


def _seat(player: str, game: Game) -> Player:
    """Somebody's place."""
    return Human(player, game) if player == "human" else Program(player, game)
