"""One game on several screens: the second visitor who opens its link plays the other side, and all others watch."""

import secrets
from collections import OrderedDict
from typing import Final, Protocol

from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN
from zermelo.ui.web.live_game import LiveGame, Screen
from zermelo.ui.web.sitting import Sitting

MOST_SHARED: Final = 200
"""Games that a server keeps for visitors to join; those shared last."""
LONGEST_NAME: Final = 30
"""Characters of a visitor's name."""
NOBODY: Final = 2
"""The side of those who watch."""

_OF_MOVER: Final = ("cell", "type", "play", "line", "ask", "resign")
"""What only the player to move may do: the events that make moves, and the commands to give up."""
_OF_WATCHERS: Final = ("name", "cancel", "flip", "save", "pgn", "link", "address")
"""What those may do who only watch a game."""


def check_wish(wish: str, side: int, to_move: int) -> None:
    """Check that a visitor of a shared game may do something now.

    Parameters
    ----------
    wish
        An event of the page, or a command of its menu.
    side
        The visitor's side; 0 for both, `NOBODY` for none.
    to_move
        The side to move, 0 if the game is over.

    Raises
    ------
    IllegalAction
        It is for another visitor to do.
    """
    if side == NOBODY and wish not in _OF_WATCHERS:
        raise IllegalAction("You watch this game.")
    if side and wish in _OF_MOVER and to_move not in (0, side):
        raise IllegalAction("It is the other player's turn.")


class Seated(Screen, Protocol):
    """A screen whose visitor plays a side."""

    side: int
    """MAX or MIN; 0 for both, `NOBODY` for none."""
    name: str
    """What the visitor wants to be called; empty if nothing was said."""


class Audience:
    """The screens that show one game; see `zermelo.ui.web.live_game.Screen`."""

    def __init__(self, first: Seated) -> None:
        self.screens: list[Seated] = [first]
        self.token = ""
        """What the link to join holds; empty as long as nobody was invited."""

    def paint(self, game: LiveGame) -> None:
        """See `Screen`."""
        for screen in self.screens:
            screen.paint(game)

    def paint_soon(self, game: LiveGame) -> None:
        """See `Screen`."""
        for screen in self.screens:
            screen.paint_soon(game)

    def address(self, query: str) -> None:
        """See `Screen`; the address goes on naming the shared game."""
        for screen in self.screens:
            screen.address(f"{query}&join={self.token}" if self.token else query)

    def names(self, sitting: Sitting) -> dict[int, str]:
        """Return the names that visitors gave themselves, by their sides; a program's side has none."""
        people = sitting.match.humans()
        found = {}
        for one in self.screens:
            side = people[0] if one.side == 0 and len(people) == 1 else one.side
            if one.name and side in people:
                found[side] = one.name
        return found

    def seat(self, screen: Seated) -> None:
        """Add a screen: its visitor plays the side that is free, or watches."""
        taken = {one.side for one in self.screens}
        screen.side = next((side for side in (MAX, MIN) if side not in taken), NOBODY)
        self.screens.append(screen)


def read_name(text: str) -> str:
    """Return a visitor's name without what no line of text holds."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:LONGEST_NAME]


class SharedGames:
    """The games that visitors may join, by the token in their links."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[LiveGame, Audience]] = OrderedDict()

    def share(self, game: LiveGame, audience: Audience) -> str:
        """Let others join a game, and return its token."""
        if not audience.token:
            audience.token = secrets.token_urlsafe(9)
        self._games[audience.token] = game, audience
        while len(self._games) > MOST_SHARED:
            self._games.popitem(last=False)
        return audience.token

    def find(self, token: str) -> tuple[LiveGame, Audience] | None:
        """Return the game with a token; None if it ended or never was."""
        return self._games.get(token)

    def leave(self, game: LiveGame, audience: Audience, screen: Seated) -> None:
        """Take a screen away; the game ends with its last screen."""
        if screen in audience.screens:
            audience.screens.remove(screen)
            game.names = audience.names(game.sitting)
        if not audience.screens:
            self._games.pop(audience.token, None)
            game.close()
