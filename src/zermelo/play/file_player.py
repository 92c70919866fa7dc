"""A player in a Python file: ``choose(game, state, seconds)``, or one of the handouts' searches.

The file runs in this process, so only programs that were started for it should do that; see ``zermelo engine``.
"""

import random
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Final

from zermelo.errors import GameFileError, in_a_line
from zermelo.game import Action, Game, State
from zermelo.play.limits import FREE, MoveLimits
from zermelo.play.players import Player, Thought
from zermelo.registry import load_file
from zermelo.result import SearchCounts
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits
from zermelo.textbook.homework.student import entry_of
from zermelo.textbook.recursion import deep_recursion

CHOOSE: Final = "choose"
SEARCHES: Final = {name: one for name, one in ASSIGNMENTS.items() if not one.bare}
"""The handouts' searches from which a move can be played."""


class FilePlayer(Player):
    """Plays what a function in a Python file says.

    The function is ``choose(game, state, seconds)``, which returns a legal action, or the text of one; ``seconds`` is
    the time for the move, infinite without a clock. If the file has none, it is the first of the handouts' searches
    that the file has, such as ``alpha_beta_decision(game, state, limit)``. Its depth is the move's limit, or else 4.

    Raises
    ------
    GameFileError
        The file cannot be imported, or has no such function.
    """

    def __init__(self, name: str, game: Game, file: Path) -> None:
        super().__init__(name, game)
        self.file = file
        sys.path.insert(0, str(file.resolve().parent))
        module = load_file(file)
        names = [name for name in (CHOOSE, *SEARCHES) if callable(getattr(module, name, None))]
        if not names:
            there_are = f"{CHOOSE}(game, state, seconds), {', '.join(SEARCHES)}"
            raise GameFileError(f"{file} has no function that chooses a move; write one of {there_are}.")
        self.function: Callable[..., object] = getattr(module, names[0])
        self.search: Assignment | None = SEARCHES.get(names[0])

    def new_game(self, number: int) -> None:  # noqa: D102
        random.seed(number)

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        try:
            with deep_recursion():
                if self.search is not None:
                    return Thought(self._searched(self.search, state, limits))
                return Thought(self.function(self.game, state, inf if limits.seconds is None else limits.seconds))
        except BaseException as error:  # a file may raise SystemExit, or what it likes
            if isinstance(error, KeyboardInterrupt):
                raise
            traceback.print_exc()
            raise GameFileError(f"{self._place(error)}: {self._called} failed: {in_a_line(error)}.") from None

    def _searched(self, search: Assignment, state: State, limits: MoveLimits) -> Action:
        """The action that one of the handouts' searches returns: alone, or with a value before it."""
        depths = Limits() if limits.depth is None else Limits(depth=limits.depth)
        game = search.prepared(replace(self.game, initial=state), depths)
        found = self.function(*search.arguments(self.function, game, {}, depths))
        entry = entry_of(found, search)
        if isinstance(entry, str) or len(entry) < 2:
            return entry  # which is no legal action
        return entry[1][0] if search.system == "path" and entry[1] else entry[1]

    @property
    def _called(self) -> str:
        return CHOOSE if self.search is None else self.search.name

    def _place(self, error: BaseException) -> str:
        """The last line of the file that an error passed through."""
        own = [step for step in traceback.extract_tb(error.__traceback__) if Path(step.filename) == self.file]
        return f"{self.file}, line {own[-1].lineno}" if own else str(self.file)
