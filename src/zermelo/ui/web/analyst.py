"""The analyses of a visitor's game: of the position shown, live; of all positions, to judge the moves."""

import asyncio
from collections.abc import Callable
from typing import Final

from zermelo.errors import IllegalAction
from zermelo.game import Action
from zermelo.ui.web.analysis import Analysis, best_first
from zermelo.ui.web.background import Background
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop

ANALYSIS_SECONDS: Final = 5.0
REVIEW_SECONDS: Final = 0.4
HINT_SECONDS: Final = 1.0
PAUSE: Final = 0.15
"""Seconds for which a position is shown before its analysis begins."""


class Analyst:
    """Analyses of one visitor's game, kept in its `Sitting`.

    Parameters
    ----------
    sitting, workshop, background
        The game, who searches, and under whose names the work goes on: ``analysis`` and ``review``.
    client
        Whom searches are for.
    found
        Called when something new is known.

    Attributes
    ----------
    is_wanted
        Whether positions that are shown should be analysed; at first not while a person plays a program.
    waiting
        Whether the analysis waits for an engine.
    reviewing
        How far the judging of all moves is; empty if none goes on.
    """

    def __init__(
        self, sitting: Sitting, workshop: Workshop, background: Background, client: str, found: Callable[[], None]
    ) -> None:
        self.sitting, self.workshop, self.background, self.client = sitting, workshop, background, client
        self._found = found
        self.is_wanted, self.waiting = len(sitting.match.humans()) != 1, False
        self.reviewing = ""
        self._is_hinting = False

    def begin(self, sitting: Sitting) -> None:
        """Turn to another game."""
        self.sitting, self.reviewing = sitting, ""
        self.is_wanted = len(sitting.match.humans()) != 1

    def look(self) -> None:
        """Analyse the position that is shown, unless it is proven; stop the analysis of the one before."""
        self.background.cancel("analysis")
        if self.is_wanted and not self.sitting.game.is_terminal(self.sitting.state):
            known = self.sitting.analyses.get(self.sitting.here)
            if known is None or not known.proven:
                self.background.begin("analysis", self._look())

    def review(self) -> None:
        """Judge every move, or stop doing so."""
        if "review" in self.background:
            self.background.cancel("review")
            self.reviewing = ""
        else:
            self.background.begin("review", self._review())

    async def best_action(self, started: Callable[[], None]) -> Action:
        """Return the best action in the position shown, found by a short search.

        None if the visitor has moved on, another hint is looked for, or the search ended before it found a move.
        ``started`` is called if a search is needed.

        Raises
        ------
        IllegalAction
            The game is over there.
        """
        sitting, here = self.sitting, self.sitting.here
        if sitting.game.is_terminal(sitting.state):
            raise IllegalAction("The game is over; there is nothing to hint at.")
        if self._is_hinting:
            return None
        found = sitting.analyses.get(here)
        if found is None or not found.moves or not (found.depth or found.proven):
            self._is_hinting = True
            started()
            try:
                found = await self.workshop.analyse(
                    sitting.game, sitting.state, HINT_SECONDS, lambda _: None, client=self.client
                )
            finally:
                self._is_hinting = False
        if found is None or not found.moves or (sitting, here) != (self.sitting, self.sitting.here):
            return None
        return best_first(found, sitting.game.to_move(sitting.state))[0].action

    async def analyse(self, ply: int, seconds: float) -> None:
        """Analyse the position after ``ply`` moves, and keep what is found while the game still has that position."""
        sitting, loop = self.sitting, asyncio.get_running_loop()
        state = sitting.match.states[ply]

        def keep(found: Analysis) -> None:
            old = sitting.analyses.get(ply)
            better = old is None or (found.proven, found.depth or 0) >= (old.proven, old.depth or 0)
            if sitting is self.sitting and sitting.match.states[ply : ply + 1] == [state] and better:
                sitting.analyses[ply] = found
                self.waiting = False
                self._found()

        def say(found: Analysis) -> None:
            loop.call_soon_threadsafe(keep, found)

        await self.workshop.meanwhile(sitting.game, state, say, self.client)
        found = await self.workshop.analyse(sitting.game, state, seconds, say, client=self.client)
        if found is not None:
            keep(found)

    async def _look(self) -> None:
        await asyncio.sleep(PAUSE)
        self.waiting = True
        await self.analyse(self.sitting.here, ANALYSIS_SECONDS)

    async def _review(self) -> None:
        """Look at every position of the game that is not known yet."""
        sitting = self.sitting
        ply = 0
        while ply < len(sitting.match.actions):  # not a range: the visitor may make moves or take them back meanwhile
            self.reviewing = f"Stop judging (move {ply + 1} of {len(sitting.match.actions)})"
            if ply not in sitting.analyses:
                await self.analyse(ply, REVIEW_SECONDS)
                self._found()
            ply += 1
