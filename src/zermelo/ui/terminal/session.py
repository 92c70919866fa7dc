"""A game in the terminal: a loop that shows the board, asks a person for a move, or lets a program choose one."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from zermelo.errors import RecordError, ZermeloError
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.play.match import Match, plural
from zermelo.play.moves import write_moves
from zermelo.play.pgn import SUFFIX
from zermelo.play.players import Human, Player, Searcher, TablePlayer, Thought, make_player
from zermelo.play.record import Record
from zermelo.result import SearchCounts
from zermelo.textbook.systems import Algorithm, Settings, System, guarantee
from zermelo.ui.positions import read_position
from zermelo.ui.terminal import show
from zermelo.ui.terminal.setup import Setup, ask_yes_no

HELP: Final = """\
Type a move, or
  hint       what a search would play
  undo       take back your last move
  table      the table's entries for this state and the next ones
  save FILE  save the game; zermelo play --resume FILE goes on
  help       this text
  quit       stop"""
HINT_SECONDS: Final = 2.0
SHOWN_ENTRIES: Final = 1000


class Quit(Exception):
    """The person asked to stop."""


class Session:
    """A game, its players, and the matches that they play one after the other."""

    def __init__(self, setup: Setup, console: Console, record: Record | None = None, position: str = "") -> None:
        self.setup = setup
        self.console = console
        self.game: Game = setup.make_game()
        max_name, min_name = self._seats(setup)
        self.max_player = make_player(max_name, self.game, setup.options)
        # Two random players of one seed should not mirror each other.
        second = replace(setup.options, seed=setup.options.seed + 1)
        self.min_player = make_player(min_name, self.game, second)
        self.start: State = read_position(self.game, position) if position else self.game.initial
        actions: list[Action] = []
        if record is not None:
            self.start, actions = record.start(self.game), record.actions(self.game)
        self.match = Match(self.game, self.max_player, self.min_player, actions, self.start)

    def _seats(self, setup: Setup) -> tuple[str, str]:
        """Return who plays MAX and MIN; an open seat is a person's, or a program's if the other is a person's."""
        program = "alpha-beta" if self.game.evaluate is None else "timed"
        if setup.max is None:
            return ("human" if setup.min != "human" else program), setup.min or program
        return setup.max, setup.min or (program if setup.max == "human" else "human")

    def run(self) -> None:
        """Play matches until the person wants no more.

        Raises
        ------
        EOFError, KeyboardInterrupt
            Input ended, or Ctrl-C was pressed, in mid-game; `match` holds what was played.
        """
        try:
            self.play_one()
            while self.match.humans() and self._again():
                self.match = Match(self.game, self.max_player, self.min_player, start=self.start)
                self.play_one()
        except Quit:
            self.say("Goodbye.")

    def play_one(self) -> None:
        """Play one match from its present state to its end; raise `Quit` if the person stops."""
        self._prepare()
        while not self.match.is_over:
            self._turn()
        self.show_board()
        self.say(self._result_sentence(), style="bold")

    def say(self, text: str, style: str | None = None) -> None:
        """Print a line of plain text; only the terminal wraps it."""
        self.console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    def show_board(self) -> None:
        """Print the present state, with a blank line above."""
        self.console.print()
        self.console.print(show.board(self.game, self.match.state), highlight=False, soft_wrap=True)

    def _prepare(self) -> None:
        """Let the players that have tables search the whole game, and print what they found."""
        if self.match.is_over:
            return
        for player in (self.max_player, self.min_player):
            if player.words:
                self.say(f"{player.name} {player.words}.")
        told = False
        for player in (self.max_player, self.min_player):
            if not isinstance(player, TablePlayer):
                continue
            counts = SearchCounts()
            with show.searching(self.console, counts):
                result = player.prepare(self.match.state, counts)
            self.say(f"{player.name}: {show.preparation(result)}")
            if not told:
                self.say(show.guarantee_sentence(guarantee(self.game, result, player.system.settings.handout)))
                told = True
            if self.setup.show_table:
                self._print_table(player.system, list(show.table_lines(self.game, player.system.table)))

    def _turn(self) -> None:
        """Print the board, the programs' comment and whose turn it is, and make the move."""
        match = self.match
        state, mover = match.state, match.mover
        self.show_board()
        thought = None
        commentator = match.commentator
        if commentator is not None:
            thought = self._think(commentator)
            if thought.result is not None:
                self.say(show.value_line(self.game, state, thought.result))
        self.say(f"It is the turn of {self.game.side_title(self.game.to_move(state))}: {mover.name}.")
        if isinstance(mover, Human):
            self._human_turn(thought)
            return
        if thought is None or mover is not commentator:
            thought = self._think(mover)
            if thought.result is not None:
                self.say(show.value_line(self.game, state, thought.result))
        self.say(f"{mover.name} plays {self.game.show_action(state, thought.action)}.")
        match.play(thought.action)

    def _think(self, player: Player) -> Thought:
        """Let a player choose in the present state, with a spinner, and report its search."""
        counts = SearchCounts()
        if isinstance(player, TablePlayer):
            if player.system.look_up(self.match.state) is not None:
                return self.match.think(player)
            self.say("This state is not in the table. Searching again from here.")
        with show.searching(self.console, counts):
            thought = self.match.think(player, counts)
        if thought.off_table and thought.result is not None:
            self.say(show.preparation(thought.result))
        elif thought.searched and thought.result is not None:
            self.say(show.search_report(thought.result))
        return thought

    def _human_turn(self, thought: Thought | None) -> None:
        """Ask until a move is made or the position changes; a command leaves the turn with the person."""
        side = self.game.to_move(self.match.state)
        while True:
            text = self.console.input(Text("Your move (or help): ", "bold")).strip()
            command, _, argument = text.partition(" ")
            try:
                if command in ("quit", "exit"):
                    raise Quit
                if command == "help":
                    self.say(HELP)
                elif command == "hint":
                    self._hint(thought)
                elif command == "table":
                    self._table()
                elif command == "save":
                    self._save(argument.strip())
                elif command == "undo":
                    self.match.undo(side)
                    return
                elif text:
                    self.match.play(self.game.read_action(self.match.state, text))
                    return
            except ZermeloError as error:
                self.say(str(error), style="red")

    def _hint(self, thought: Thought | None) -> None:
        """Print what the commenting program would play, or what a short search finds."""
        state = self.match.state
        if thought is None:
            algorithm: Algorithm = "alpha-beta" if self.game.evaluate is None else "timed"
            system = System(self.game, algorithm, Settings(seconds=HINT_SECONDS))
            counts = SearchCounts()
            with show.searching(self.console, counts):
                result = system.search(state, counts)
            thought = Thought(result.action, result, searched=True)
        self.say(f"Hint: {self.game.show_action(state, thought.action)}")

    def _table(self) -> None:
        """Print the table's entries of the present state and of its children."""
        players = [one for one in (self.max_player, self.min_player) if isinstance(one, Searcher) and one.system.table]
        if not players:
            self.say("No player here has a table.")
        for player in players:
            table, state = player.system.table, self.match.state
            children = [self.game.result(state, action) for action in self.game.legal_actions(state)]
            self.say(f"{player.name}: {len(table):,} states in the table; of this state and the next ones:")
            known = {one: table[one] for one in (state, *children) if one in table}
            self._print_table(player.system, list(show.table_lines(self.game, known)))

    def _print_table(self, system: System, lines: list[str]) -> None:
        for line in lines[:SHOWN_ENTRIES]:
            self.say(line)
        if len(lines) > SHOWN_ENTRIES:
            self.say(
                f"… and {len(lines) - SHOWN_ENTRIES:,} more; "
                f"zermelo search {self.setup.source} --algorithm {system.algorithm} --table prints them all."
            )

    def _save(self, name: str) -> None:
        if not name:
            raise RecordError("Say where to save the game: save FILE.")
        try:
            path = Path(name).expanduser()
        except RuntimeError:
            raise RecordError(f"The game cannot be saved to {name}: there is no such home folder.") from None
        self.match.save(path, self.setup.source, self.setup.options)
        named = f" {self.setup.source}" if path.suffix == SUFFIX else ""  # which PGN does not tell
        self.say(f"Saved to {path}; zermelo play{named} --resume {path} goes on.")

    def _result_sentence(self) -> str:
        outcome, met = self.match.outcome, self.match.came_back()
        why = "" if met is None else f"This position has come back: it was met after {plural(met, 'move')}. "
        if outcome == "draw":
            return f"{why}The game is a draw ({self.match.value})."
        side = MAX if outcome == "max" else MIN
        return f"{why}The winner is {self.game.side_title(side)}: {self.match.player(side).name}."

    def _again(self) -> bool:
        """Ask whether to play another match; the end of input means no."""
        try:
            return ask_yes_no(self.console, "Play again?")
        except EOFError:
            return False


def farewell(session: Session, why: str) -> None:
    """Show a game that was interrupted, and say how to continue it."""
    session.console.print()
    session.show_board()
    moves = write_moves(session.match)
    begun = session.start != session.game.initial
    options = f"--position {shlex.quote(session.game.show_state(session.start))} " if begun else ""
    session.say(f"{why} Moves so far: {moves or 'none'}." + (f" To go on: {options}--moves {moves}" if moves else ""))
