"""A program's turn in a visitor's game: its search, how far that is, and the move that it makes."""

import asyncio
from collections.abc import Callable
from typing import Final

from zermelo.errors import NotCompilable
from zermelo.game import Game, State
from zermelo.result import SearchResult
from zermelo.ui.terminal import show
from zermelo.ui.web.opponents import player_title, usual_opponent
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.stopping import Control, ProgramMove
from zermelo.ui.web.workshop import Workshop

COMPILER_SECONDS: Final = 6.0
"""Time that an engine's turn waits for the compiler before another player makes the move."""


class ProgramTurn:
    """The search for a program's move.

    Parameters
    ----------
    workshop, client
        Who searches, and whom the search is for.
    changed
        Called when there is something new to show.
    tell
        Called with a sentence for the visitor.

    Attributes
    ----------
    thinking
        How far the search is; empty if none goes on.
    """

    def __init__(
        self, workshop: Workshop, client: str, changed: Callable[[], None], tell: Callable[[str], None]
    ) -> None:
        self.workshop, self.client = workshop, client
        self.thinking = ""
        self._changed, self._tell = changed, tell
        self._control: Control | None = None

    def stop(self) -> None:
        """Make the program move now; a search that has not begun ends as soon as it begins."""
        if self._control is not None:
            self._control.stop()

    async def play(self, sitting: Sitting) -> None:
        """Search, and make the move; if rules cannot be compiled, somebody else takes the engine's place."""
        state = sitting.match.state
        control = self._control = Control()
        try:
            try:
                player = await self._ready_player(sitting)
                move = await self._search(sitting, player, control)
            except NotCompilable as error:
                player = sitting.replace_player(sitting.game.to_move(state))
                self._tell(f"{error} So {player} plays instead of the engine.")
                move = await self._search(sitting, player, control)
        finally:
            if self._control is control:
                self._control, self.thinking = None, ""
        sitting.answer(move.action)

    async def _ready_player(self, sitting: Sitting) -> str:
        """Return the player to move; while its rules are still being compiled, one that needs no machine code."""
        player, game = sitting.match.mover.name, sitting.game
        if not player.startswith("engine") or game.evaluate is None:
            return player
        if await self.workshop.is_compiled_within(game, COMPILER_SECONDS):
            return player
        stand_in = usual_opponent(game, refusal="it is not compiled yet")
        self._tell(f"The rules are still being compiled; {player_title(stand_in)} makes this move.")
        return stand_in

    async def _search(self, sitting: Sitting, player: str, control: Control) -> ProgramMove:
        game, state, loop = sitting.game, sitting.match.state, asyncio.get_running_loop()

        def say(nodes: int, result: SearchResult | None) -> None:
            if self._control is control:  # another search may have begun since
                self.thinking = thinking_words(game, state, nodes, result)
                self._changed()

        def progress(nodes: int, result: SearchResult | None) -> None:
            loop.call_soon_threadsafe(say, nodes, result)

        options, before = sitting.move_options(), sitting.match.states[:-1]
        return await self.workshop.move(game, state, player, options, progress, control, self.client, before)


def thinking_words(game: Game, state: State, nodes: int, result: SearchResult | None) -> str:
    """Return how far a search of ``state`` is: its nodes, and the line that the last depth found."""
    if result is None or not result.depth:
        return f"{nodes:,} nodes"
    line = show.line(game, state, result.principal_variation[:6])
    return f"depth {result.depth}, {nodes:,} nodes: {' '.join(line)}"
