"""A visitor's game with what goes on around it: the programs' moves, the position's analysis, the judging of all moves.

It draws nothing: whoever shows it is told when there is something to be seen.
"""

from typing import Any, Protocol

from zermelo.errors import IllegalAction
from zermelo.game import Action
from zermelo.ui.web.analyst import Analyst
from zermelo.ui.web.background import Background
from zermelo.ui.web.moving import click
from zermelo.ui.web.program_turn import ProgramTurn
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop


class Screen(Protocol):
    """Whoever shows a game to its visitor."""

    def paint(self, game: "LiveGame") -> None:
        """Show the game as it is now."""

    def paint_soon(self, game: "LiveGame") -> None:
        """Show it, but not more often than eyes can follow."""

    def address(self, query: str) -> None:
        """Let the page's address be a link to the position."""


class LiveGame:
    """One visitor's game, and what goes on around it.

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
        self.selected: tuple[int, ...] = ()
        """Cells that were clicked and are no move yet."""
        self.hint: Action = None
        self.paused = False
        """Whether a program gave up its turn."""
        self.background = Background(self._ended)
        self.analyst = Analyst(sitting, workshop, self.background, client, self._paint_soon)
        self.turn = ProgramTurn(workshop, client, self._paint_soon, self.tell)

    def changed(self) -> None:
        """The position is another one: let whose turn it is think, and look at it."""
        self.selected, self.hint, self.paused = (), None, False
        if self.sitting.computer is not None and "move" not in self.background:
            self.background.begin("move", self.turn.play(self.sitting))
        self.analyst.look()
        self.screen.address(self.sitting.link())

    def close(self) -> None:
        """The visitor has left: stop what runs for them."""
        self.background.close()

    def _ended(self, name: str, error: str) -> None:
        """What went on by itself has come to an end."""
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
        """Another game."""
        self.background.cancel_all()
        self.sitting = sitting
        self.analyst.begin(sitting)
        self.changed()

    def require_turn(self) -> None:
        """Raise `IllegalAction` if the visitor may not move now."""
        if not self.sitting.can_move:
            raise IllegalAction("It is not your turn." if not self.sitting.is_over else "The game is over.")

    def play(self, action: Action) -> None:
        """Make a person's move."""
        self.sitting.play(action)
        self.background.cancel("move")
        self.changed()

    def play_line(self, count: int) -> None:
        """Play the first moves of the principal variation, whoever's turn it is."""
        found = self.sitting.analyses.get(self.sitting.here)
        if found is not None:
            for action in found.line[: max(0, count)]:
                if self.sitting.is_live and self.sitting.is_over:  # analysis does not know what comes back
                    break
                self.sitting.play(action)
            self.background.cancel("move")
            self.changed()

    def go_to(self, ply: int) -> None:
        """Show the position after so many moves."""
        self.sitting.go_to(ply)
        self.changed()

    def undo(self) -> None:
        """Take back."""
        self.sitting.undo()
        self.background.cancel("move")
        self.changed()

    def redo(self) -> None:
        """Make again what was taken back."""
        self.sitting.redo()
        self.background.cancel("move")
        self.changed()

    def resign(self) -> None:
        """Give up."""
        self.background.cancel("move")
        self.sitting.resign()
        self.changed()

    def stop(self) -> None:
        """Make the computer move now; one that cannot yet waits until it is told to go on."""
        self.turn.stop()

    async def look_for_hint(self) -> None:
        """Show what is best, as far as a short search finds."""
        action = await self.analyst.best_action(lambda: self._tell_at_once("Looking for a hint…"))
        if action is not None:
            self.hint = action
            self.tell(f"Hint: {self.sitting.game.show_action(self.sitting.state, action)}")

    def show_analysis(self, wanted: bool) -> None:
        """Look at positions, or do not."""
        self.analyst.is_wanted = wanted
        if wanted:
            self.changed()
        else:
            self.background.cancel("analysis")

    def toggle_analysis(self) -> None:
        """Show the analysis if it is hidden; hide it if it is shown."""
        self.show_analysis(not self.analyst.is_wanted)

    def click(self, cells: list[Any]) -> None:
        """Take clicks on cells, by their indices: one, or, for a drag, two. They select, or make a move."""
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
        """Forget clicks that are no move yet."""
        self.selected = ()

    # What the visitor is told

    def clear_messages(self) -> None:
        """Take back what was said."""
        self.error = self.notice = ""

    def refuse(self, sentence: str) -> None:
        """Say what was wrong."""
        self.error = sentence

    def tell(self, sentence: str) -> None:
        """Say something that is not wrong."""
        self.notice = sentence

    def _paint_soon(self) -> None:
        self.screen.paint_soon(self)

    def _tell_at_once(self, sentence: str) -> None:
        self.tell(sentence)
        self.screen.paint(self)
