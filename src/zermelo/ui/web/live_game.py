"""A visitor's game, the programs' moves in it, and the analyses of its positions.

It draws nothing. It tells its `Screen` when there is something new to show.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol

from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN, Action
from zermelo.ui.web.analyst import Analyst
from zermelo.ui.web.background import Background
from zermelo.ui.web.moving import click
from zermelo.ui.web.program_turn import ProgramTurn
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop

_LOOKING: Final = "Looking for a hint…"


class Screen(Protocol):
    """What shows a game to its visitor."""

    def paint(self, game: "LiveGame") -> None:
        """Show the game as it is now."""

    def paint_soon(self, game: "LiveGame") -> None:
        """Show the game soon, and not more often than people can see."""

    def address(self, query: str) -> None:
        """Make the page's address a link to the position."""


class LiveGame:
    """One visitor's game, with its programs and analyses.

    Parameters
    ----------
    sitting, workshop, screen
        The game, who searches, and who shows it.
    client
        Whom searches are for: clients take turns.
    """

    def __init__(self, sitting: Sitting, workshop: Workshop, screen: Screen, client: str = "") -> None:
        self.sitting, self.workshop, self.screen, self.client = sitting, workshop, screen, client
        self.error, self.notice = "", ""
        self.names: dict[int, str] = {}
        """What the players call themselves, by side."""
        self.selected: tuple[int, ...] = ()
        """Cells that were clicked and are no move yet."""
        self.hint: Action = None
        self.paused = False
        """Whether a program gave up its turn."""
        self.is_resigning = False
        """Whether the visitor is asked if the game shall be given up."""
        self.background = Background(self._ended)
        self.analyst = Analyst(sitting, workshop, self.background, client, self._paint_soon)
        self.turn = ProgramTurn(workshop, client, self._paint_soon, self.tell)
        self._flag: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Start what a new position needs: the search of the program to move, and the analysis."""
        self.selected, self.hint, self.paused, self.is_resigning = (), None, False, False
        self._run_clock()
        if self.sitting.computer is not None and "move" not in self.background:
            self.background.begin("move", self.turn.play(self.sitting))
        self.analyst.look()
        self.screen.address(self.sitting.link())

    def close(self) -> None:
        """Stop everything, because the visitor has left."""
        self._cancel_flag()
        self.background.close()

    # The clocks

    def _run_clock(self) -> None:
        """Let the clock of the side to move run, and end the game when it is at 0."""
        self._cancel_flag()
        self.sitting.run_clock()
        clock = self.sitting.clock
        if clock is not None and clock.side:
            self._flag = asyncio.get_running_loop().call_later(clock.left(clock.side) + 0.01, self._look_at_clock)

    def _cancel_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def _look_at_clock(self) -> None:
        """End the game if the side to move has no time left."""
        if self.sitting.look_at_clock():
            self.background.cancel("move")
            self.changed()
            self.screen.paint(self)

    def _ended(self, name: str, error: str) -> None:
        """Show the end of work in the background; after a program's move, go on with the game."""
        if error or name == "move":
            self.error = error
        if name == "review":
            self.analyst.reviewing = ""
        if name == "move":
            if error:
                self.paused = True
            else:
                self.changed()
        self.screen.paint(self)

    # What the visitor does

    def begin(self, sitting: Sitting) -> None:
        """Begin another game."""
        self.background.cancel_all()
        self.sitting = sitting
        self.analyst.begin(sitting)
        self.changed()

    def require_turn(self) -> None:
        """Raise `IllegalAction` if the visitor may not move now."""
        if not self.sitting.can_move:
            raise IllegalAction("It is not your turn." if not self.sitting.is_over else "The game is over.")

    def play(self, action: Action) -> None:
        """Make a person's move, unless it comes too late."""
        self._look_at_clock()
        self.require_turn()
        self.sitting.play(action)
        self.background.cancel("move")
        self.changed()

    def play_line(self, count: int) -> None:
        """Play the first moves of a line of the analysis, whoever's turn it is.

        ``count`` is the place of the last of them among the moves of all lines that are shown, from 1.
        """
        found = self.sitting.analyses.get(self.sitting.here)
        for line in [] if found is None else found.lines_shown:
            if 0 < count <= len(line):
                self._play_all(line[:count])
                break
            count -= len(line)

    def _play_all(self, actions: Sequence[Action]) -> None:
        """Play moves up to the end of the game: the analysis does not see that a position comes back."""
        for action in actions:
            if self.sitting.is_live and self.sitting.is_over:
                break
            self.sitting.play(action)
        self.background.cancel("move")
        self.changed()

    def go_to(self, ply: int) -> None:
        """Show the position after so many moves."""
        self.sitting.go_to(ply)
        self.changed()

    def undo(self) -> None:
        """Take moves back; see `Sitting.undo`."""
        self.sitting.undo()
        self.background.cancel("move")
        self.changed()

    def redo(self) -> None:
        """Make the moves again that were taken back."""
        self.sitting.redo()
        self.background.cancel("move")
        self.changed()

    def resign(self) -> None:
        """Give the game up."""
        self.background.cancel("move")
        self.sitting.resign()
        self.changed()

    def ask_to_resign(self) -> None:
        """Ask whether the game shall be given up."""
        self.is_resigning = not self.sitting.is_over

    def seat_players(self, max_player: str, min_player: str) -> None:
        """Let other players go on with the game."""
        self.background.cancel("move")
        self.sitting.seat_players(max_player, min_player)
        self.changed()

    def swap_sides(self) -> None:
        """Let the players change sides in the middle of the game."""
        sitting = self.sitting
        self.seat_players(sitting.seat(MIN), sitting.seat(MAX))
        sitting.flip()

    def follow(self, ply: int, action: Action) -> None:
        """Take up another line that was played; see `Sitting.follow`."""
        self.sitting.follow(ply, action)
        self.background.cancel("move")
        self.changed()

    def stop(self) -> None:
        """Make the program move now; if it has no move yet, it waits until it is told to go on."""
        self.turn.stop()

    async def look_for_hint(self) -> None:
        """Show what is best, as far as a short search finds."""
        action = await self.analyst.best_action(lambda: self._tell_at_once(_LOOKING))
        if action is not None:
            self.hint = action
            self.tell(f"Hint: {self.sitting.game.show_action(self.sitting.state, action)}")
        elif self.notice == _LOOKING:
            self.tell("The search ended before it found a hint; ask for one again.")

    def show_analysis(self, wanted: bool) -> None:
        """Turn the analysis of positions on or off."""
        self.analyst.is_wanted = wanted
        if wanted:
            self.changed()
        else:
            self.background.cancel("analysis")

    def toggle_analysis(self) -> None:
        """Show the analysis if it is hidden; hide it if it is shown."""
        self.show_analysis(not self.analyst.is_wanted)

    def click(self, cells: list[Any]) -> None:
        """Take a click on a cell, or a drag over two, given by their indices: select cells, or make a move."""
        sitting = self.sitting
        board = None if sitting.game.board is None else sitting.game.board(sitting.state)
        if board is None or not sitting.can_move:
            return
        if len(cells) == 2:
            self.unselect()
        for cell in cells:
            if not isinstance(cell, int) or not 0 <= cell < len(board.cells):
                return
            done = click(board, self.selected, cell)
            self.selected = done.selected
            if done.is_move:
                self.play(done.action)
                return

    def unselect(self) -> None:
        """Forget clicks that are no move yet, and a question."""
        self.selected, self.is_resigning = (), False

    # What the visitor is told

    def clear_messages(self) -> None:
        """Clear what the visitor was told."""
        self.error = self.notice = ""

    def refuse(self, sentence: str) -> None:
        """Tell the visitor what was wrong."""
        self.error = sentence

    def tell(self, sentence: str) -> None:
        """Tell the visitor something."""
        self.notice = sentence

    def _paint_soon(self) -> None:
        self.screen.paint_soon(self)

    def _tell_at_once(self, sentence: str) -> None:
        self.tell(sentence)
        self.screen.paint(self)
