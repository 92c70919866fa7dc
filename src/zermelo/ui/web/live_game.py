"""A visitor's game with what goes on around it: the programs' moves, the position's analysis, the judging of all moves.

It draws nothing: whoever shows it is told when there is something to be seen.
"""

import asyncio
from typing import Final, Protocol

from zermelo.errors import IllegalAction, NotCompilable
from zermelo.game import Action, Game, State
from zermelo.result import SearchResult
from zermelo.ui.terminal import show
from zermelo.ui.web.analysis import Analysis, best_first
from zermelo.ui.web.background import Background
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.stopping import Control, ProgramMove, Progress
from zermelo.ui.web.workshop import Workshop

ANALYSIS_SECONDS: Final = 5.0
REVIEW_SECONDS: Final = 0.4
HINT_SECONDS: Final = 1.0
PAUSE: Final = 0.15
"""Seconds that a position stands before its analysis begins."""


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
        self.thinking, self.reviewing = "", ""
        """What the computer is at; what the judging of all moves is at."""
        self.selected: tuple[int, ...] = ()
        """Cells that were clicked and are no move yet."""
        self.hint: Action = None
        self.is_analysing, self.waiting, self.paused = True, False, False
        """Whether analysis is wanted; whether it waits for an engine; whether a program gave up its turn."""
        self.is_hinting = False
        self.control: Control | None = None
        self.background = Background(self._ended)

    def changed(self) -> None:
        """The position is another one: let whose turn it is think, and look at it."""
        self.selected, self.hint, self.paused = (), None, False
        if self.sitting.computer is not None and "move" not in self.background:
            self.background.begin("move", self._computer())
        self.background.cancel("analysis")
        if self.is_analysing and not self.sitting.game.is_terminal(self.sitting.state):
            found = self.sitting.analyses.get(self.sitting.here)
            if found is None or not found.proven:
                self.background.begin("analysis", self._look())
        self.screen.address(self.sitting.link())

    def close(self) -> None:
        """The visitor has left: stop what runs for them."""
        self.background.close()

    def _ended(self, name: str, error: str) -> None:
        """What went on by itself has come to an end."""
        if error or name == "move":
            self.error = error
        if name == "review":
            self.reviewing = ""
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
        self.reviewing = ""
        self.sitting = sitting
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
        if self.control is not None:
            self.control.stop()

    async def look_for_hint(self) -> None:
        """Show what is best, as far as a short search finds."""
        sitting, here = self.sitting, self.sitting.here
        if sitting.game.is_terminal(sitting.state):
            raise IllegalAction("The game is over; there is nothing to hint at.")
        found = sitting.analyses.get(here)
        if self.is_hinting:
            return
        if found is None or not (found.depth or found.proven):
            self.is_hinting, self.notice = True, "Looking for a hint…"
            self.screen.paint(self)
            try:
                found = await self.workshop.analyse(
                    sitting.game, sitting.state, HINT_SECONDS, lambda _: None, client=self.client
                )
            finally:
                self.is_hinting = False
        if found is not None and (sitting, here) == (self.sitting, self.sitting.here):
            self.hint = best_first(found, sitting.game.to_move(sitting.state))[0].action
            self.notice = f"Hint: {sitting.game.show_action(sitting.state, self.hint)}"

    def show_analysis(self, wanted: bool) -> None:
        """Look at positions, or do not."""
        self.is_analysing = wanted
        if wanted:
            self.changed()
        else:
            self.background.cancel("analysis")

    def review(self) -> None:
        """Judge every move, or stop doing so."""
        if "review" in self.background:
            self.background.cancel("review")
            self.reviewing = ""
        else:
            self.background.begin("review", self._review())

    # What goes on meanwhile

    async def _computer(self) -> None:
        """A program's move."""
        sitting, loop = self.sitting, asyncio.get_running_loop()
        game, state = sitting.game, sitting.match.state
        control = self.control = Control()

        def say(nodes: int, result: SearchResult | None) -> None:
            if self.control is control:  # another search may have begun since
                self.thinking = thinking_words(game, state, nodes, result)
                self.screen.paint_soon(self)

        def progress(nodes: int, result: SearchResult | None) -> None:
            loop.call_soon_threadsafe(say, nodes, result)

        try:
            try:
                player = sitting.match.mover.name
                thought = await self._thought(sitting, state, player, progress, control)
            except NotCompilable as error:
                player = sitting.replace_player(game.to_move(state))
                self.notice = f"{error} So {player} plays instead of the engine."
                thought = await self._thought(sitting, state, player, progress, control)
        finally:
            if self.control is control:
                self.control, self.thinking = None, ""
        sitting.answer(thought.action)

    async def _thought(
        self, sitting: Sitting, state: State, player: str, progress: Progress, control: Control
    ) -> ProgramMove:
        options = sitting.move_options()
        return await self.workshop.move(sitting.game, state, player, options, progress, control, self.client)

    async def _look(self) -> None:
        """Analyse the position shown, live."""
        await asyncio.sleep(PAUSE)
        self.waiting = True
        await self._analyse(self.sitting.here, ANALYSIS_SECONDS)

    async def _analyse(self, ply: int, seconds: float) -> None:
        sitting, loop = self.sitting, asyncio.get_running_loop()
        state = sitting.match.states[ply]

        def keep(found: Analysis) -> None:
            old = sitting.analyses.get(ply)
            better = old is None or (found.proven, found.depth or 0) >= (old.proven, old.depth or 0)
            if sitting is self.sitting and sitting.match.states[ply : ply + 1] == [state] and better:
                sitting.analyses[ply] = found
                self.waiting = False
                self.screen.paint_soon(self)

        def say(found: Analysis) -> None:
            loop.call_soon_threadsafe(keep, found)

        found = await self.workshop.analyse(sitting.game, state, seconds, say, client=self.client)
        if found is not None:
            keep(found)

    async def _review(self) -> None:
        """Look at every position of the game that is not known yet."""
        sitting = self.sitting
        ply = 0
        while ply < len(sitting.match.actions):  # not a range: moves are made and taken back meanwhile
            self.reviewing = f"Stop judging (move {ply + 1} of {len(sitting.match.actions)})"
            if ply not in sitting.analyses:
                await self._analyse(ply, REVIEW_SECONDS)
                self.screen.paint_soon(self)
            ply += 1


def thinking_words(game: Game, state: State, nodes: int, result: SearchResult | None) -> str:
    """What a search of ``state`` is at: its nodes, and what the last depth found."""
    if result is None or not result.depth:
        return f"{nodes:,} nodes"
    line = show.line(game, state, result.principal_variation[:6])
    return f"depth {result.depth}, {nodes:,} nodes: {' '.join(line)}"
