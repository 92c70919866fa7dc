"""One visitor's game: who plays, what was played, which position is shown. It neither draws nor searches."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zermelo.errors import BadParameter, IllegalAction, RecordError
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.play.limits import FREE, MoveLimits
from zermelo.play.match import Match, Outcome
from zermelo.play.moves import read_moves, write_moves
from zermelo.play.pgn import match_text
from zermelo.play.players import Human, Player, Thought
from zermelo.play.record import Record
from zermelo.play.settings import PlayerOptions
from zermelo.result import SearchCounts
from zermelo.ui.positions import read_position
from zermelo.ui.web.analysis import Analysis
from zermelo.ui.web.game_clock import GameClock, clock_of, read_clock, write_clock
from zermelo.ui.web.links import LEAST_SECONDS, LONGEST, MOST_SECONDS, USUAL_SECONDS, Position, check_player
from zermelo.ui.web.opponents import usual_opponent
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.tree_text import read_tree, write_tree
from zermelo.ui.web.variations import Variations


@dataclass
class Sitting:
    """A game as it stands in one visitor's page."""

    source: str
    """The game as the command line names it."""
    parameters: dict[str, str]
    match: Match
    options: PlayerOptions
    here: int = 0
    """The number of moves before the position shown: all moves, unless the visitor has stepped back."""
    flipped: bool = False
    resigned: int = 0
    """The side that gave up: MAX, MIN, or 0 for none."""
    flagged: int = 0
    """The side whose time is up: MAX, MIN, or 0 for none."""
    clock: GameClock | None = None
    """The clocks of both sides; None if the game has none."""
    undone: list[Action] = field(default_factory=list)
    """The moves that undo took back, the latest last."""
    analyses: dict[int, Analysis] = field(default_factory=dict)
    """What is known of each position, by the number of moves before it."""
    variations: Variations = field(default_factory=Variations)
    """All lines that were played, with those that were taken back."""
    number: str = field(default_factory=lambda: secrets.token_hex(4))
    """What the browser's list of recent games knows this game by."""

    def __post_init__(self) -> None:
        self.variations.add(self.match.actions)

    @classmethod
    def begin(cls, shelf: Shelf, position: Position) -> "Sitting":
        """Return a game as a link describes it.

        Raises
        ------
        ZermeloError
            The link names no game of the shelf, or a move that is not legal.
        """
        game = shelf.game(position.game, position.parameters)
        min_ = position.min or usual_opponent(game)
        start = read_position(game, position.position) if position.position else game.initial
        shown = read_moves(game, position.moves, start)
        moves, lines = read_tree(game, position.tree, start) if position.tree else (shown, [])
        if moves[: len(shown)] != shown:
            raise BadParameter("The moves of the link are not the first moves of its variations.")
        match = Match(game, _seat(position.max, game), _seat(min_, game), moves, start)
        seed = secrets.randbelow(1 << 30)
        options = PlayerOptions(seconds=position.seconds, seed=seed)
        sitting = cls(position.game, dict(position.parameters), match, options)
        sitting.here = len(shown)
        for line in [*lines, moves]:
            sitting.variations.add(line)
        control = read_clock(position.clock)
        sitting.clock = None if control is None else GameClock(control, len(moves))
        sitting.flipped = position.max != "human" and min_ == "human"
        return sitting

    @classmethod
    def resume(cls, shelf: Shelf, record: Record) -> "Sitting":
        """Return a saved game.

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
                record.start(game),
            )
            options = PlayerOptions.of(record.options)
        except (TypeError, ValueError) as error:
            raise RecordError(f"The saved game cannot be taken up: {error}.") from None
        granted = options.seconds is not None and LEAST_SECONDS <= options.seconds <= MOST_SECONDS
        sitting = cls(record.game, parameters, match, options if granted else replace(options, seconds=USUAL_SECONDS))
        sitting.here = len(match.actions)
        for line in [*record.lines(game), match.actions]:
            sitting.variations.add(line)
        if record.clock is not None:
            sitting.clock = clock_of(record)
        if record.outcome is not None and not match.is_over:
            loser = {"max": MIN, "min": MAX}.get(record.outcome, 0)
            is_late = sitting.clock is not None and loser != 0 and sitting.clock.left(loser) <= 0
            sitting.resigned, sitting.flagged = (0, loser) if is_late else (loser, 0)
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
        """Whether the game has ended: by its rules, by resignation, or because a side has no time left."""
        return bool(self.loser) or self.match.is_over

    @property
    def loser(self) -> int:
        """The side that gave up or has no time left; 0 for none."""
        return self.resigned or self.flagged

    @property
    def to_move(self) -> int:
        """The side to move in the position shown; 0 if the game is over there."""
        is_over = self.is_over if self.is_live else self.game.is_terminal(self.state)
        return 0 if is_over else self.game.to_move(self.state)

    @property
    def computer(self) -> str | None:
        """The program whose turn it is; None if it is a person's turn, or the game is over."""
        if self.is_over or not self.is_live:
            return None
        mover = self.match.mover
        return None if isinstance(mover, Human) else mover.name

    @property
    def can_move(self) -> bool:
        """Whether a click may make a move: if it is a person's turn, or if the visitor has stepped back."""
        if self.game.is_terminal(self.state) or (self.is_live and self.is_over):
            return False
        return not self.is_live or self.computer is None

    def play(self, action: Action) -> None:
        """Make a move in the position shown, and give up the moves that followed it.

        Raises
        ------
        IllegalAction
            The rules do not allow it.
        """
        if action not in self.game.legal_actions(self.state):
            raise IllegalAction("That move is not legal here.")
        if not self.is_live:
            if action == self.match.actions[self.here]:  # the move that followed: only step forward
                self.here += 1
                return
            self._keep(self.here)
        if not self.undone or self.undone.pop() != action:
            self.undone.clear()
        self._reopen()
        self.match.play(action)
        self.variations.add(self.match.actions)
        self.here = len(self.match.actions)

    def answer(self, action: Action) -> None:
        """Make a program's move in the last position of the game, whichever position is shown."""
        was_live = self.is_live
        self.match.play(action)
        self.variations.add(self.match.actions)
        self.undone.clear()
        if was_live:
            self.here = len(self.match.actions)

    def replace_player(self, side: int) -> str:
        """Let another player replace an engine that cannot play this game, and return its name."""
        stand_in = usual_opponent(self.game, refusal="the engine cannot")
        if side == MAX:
            self.match.max_player = _seat(stand_in, self.game)
        else:
            self.match.min_player = _seat(stand_in, self.game)
        return stand_in

    def seat_players(self, max_player: str, min_player: str) -> None:
        """Let these players go on with the game."""
        self.match.max_player, self.match.min_player = _seat(max_player, self.game), _seat(min_player, self.game)

    @property
    def can_undo(self) -> bool:
        """Whether `undo` has something to take back."""
        people = self.match.humans() or [MAX, MIN]
        return bool(self.loser) or any(self.game.to_move(state) in people for state in self.match.states[:-1])

    def others(self, ply: int) -> list[Action]:
        """Return the moves that were played in the place of move ``ply``, counted from 0, and then given up."""
        return self.variations.others(self.match.actions[: ply + 1])

    def follow(self, ply: int, action: Action) -> None:
        """Take up the line in which ``action`` was played as move ``ply``.

        Raises
        ------
        IllegalAction
            Nobody played that.
        """
        if not 0 <= ply < len(self.match.actions) or action not in self.others(ply):
            raise IllegalAction("That move was not played here.")
        line = self.variations.line([*self.match.actions[:ply], action])
        self._keep(ply)
        self._reopen()
        for one in line[ply:]:
            self.match.play(one)
        self.here = ply + 1

    def move_options(self) -> PlayerOptions:
        """Return the options of the next move; each move has another seed, and a clock leaves it less time."""
        options = replace(self.options, seed=self.options.seed + len(self.match.actions))
        if self.clock is None:
            return options
        share = self.clock.share(self.game.to_move(self.match.state))
        return replace(options, seconds=min(share, options.seconds or USUAL_SECONDS))

    def run_clock(self) -> None:
        """Let the clock of the side to move run; stop both if the game is over."""
        if self.clock is not None:
            side = 0 if self.is_over else self.game.to_move(self.match.state)
            self.clock.update(side, len(self.match.actions))

    def look_at_clock(self) -> bool:
        """Return whether the game has just ended because the side to move has no time left."""
        if self.clock is None or self.is_over or not self.clock.is_out:
            return False
        self.flagged = self.clock.side
        return True

    def _reopen(self) -> None:
        """Let a game go on that ended by resignation or on time; after the latter it goes on without clocks."""
        if self.flagged:
            self.clock = None
        self.resigned = self.flagged = 0

    def _keep(self, count: int) -> None:
        """Give up all moves but the first ``count``."""
        old = self.match
        self.match = Match(old.game, old.max_player, old.min_player, old.actions[:count], old.states[0])
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
        if self.loser:
            self._reopen()
            return
        if not places:
            raise IllegalAction("There is no move of yours to take back.")
        undone = [*self.undone, *reversed(match.actions[places[-1] :])]
        self._keep(places[-1])
        self.undone = undone

    def redo(self) -> None:
        """Make the moves again that undo took back, up to the next turn of a person.

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
        """Give the game up for the person to move, or for the only person if it is a program's turn."""
        people = self.match.humans()
        mover = self.game.to_move(self.match.state)
        if not self.is_over:
            self.resigned = mover if mover in people or not people else people[0]

    def outcome(self) -> Outcome | None:
        """Return who won, "max", "min" or "draw"; None while the game goes on."""
        if self.loser:
            return "min" if self.loser == MAX else "max"
        return self.match.outcome

    def seat(self, side: int) -> str:
        """Return who plays a side."""
        return self.match.player(side).name

    def moves(self) -> list[str]:
        """Return the moves as people write them."""
        return self.match.moves()

    def position(self, count: int | None = None) -> Position:
        """Return the position after ``count`` moves, or the position shown, with its players."""
        seconds = self.options.seconds or USUAL_SECONDS
        start = "" if self.match.states[0] == self.game.initial else self.game.show_state(self.match.states[0])
        moves = write_moves(self.match, self.here if count is None else count)
        clock = "" if self.clock is None else write_clock(self.clock.control)
        return Position(self.source, self.parameters, self.seat(MAX), self.seat(MIN), seconds, moves, start, clock)

    def link(self) -> str:
        """Return the position shown with all lines of the game, as the query of a link.

        Lines that are too long for a link are left out.
        """
        tree = self.tree()
        return replace(self.position(), tree=tree if len(tree) <= LONGEST else "").query()

    def tree(self) -> str:
        """Return all lines as the text of a link; empty if there are only the moves to the position shown."""
        main = self.match.actions
        if self.is_live and not self.variations.lines(main):
            return ""
        return write_tree(self.game, self.match.states[0], self.variations, main)

    def record(self) -> Record:
        """Return the game as a record, which the terminal reads as well."""
        kept = Record.of(self.match, self.source, replace(self.options, seed=0))
        clock = None if self.clock is None else self.clock.record(len(self.match.actions))
        return replace(kept, outcome=self.outcome(), variations=self.variations.written(self.match), clock=clock)

    def pgn(self) -> str:
        """Return the game with its variations and clocks as PGN, if it is written so."""
        match, clock = self.match, self.clock
        if not match.actions:  # brackets need a move that they replace
            line = self.variations.line([])
            match = Match(match.game, match.max_player, match.min_player, line, match.states[0])
        left = [] if clock is None else clock.after_moves(len(self.match.actions))
        return match_text(match, self.outcome(), self.variations.lines(match.actions), left)


class Program(Player):
    """A program's seat; its moves come from the `Workshop`."""

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        raise NotImplementedError("A program's moves come from the workshop, not from here.")


def _seat(player: str, game: Game) -> Player:
    """Return the seat of a person or of a program."""
    return Human(player, game) if player == "human" else Program(player, game)
