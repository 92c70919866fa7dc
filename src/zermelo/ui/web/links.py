"""A position as a link: game, parameters, players and moves in the query of an address."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Final
from urllib.parse import urlencode

from zermelo.errors import BadParameter
from zermelo.play.settings import PLAYERS, read_description
from zermelo.ui.web.game_clock import read_clock
from zermelo.ui.web.shelf import Shelf

PARAMETER: Final = "p."
LONGEST: Final = 6_000
"""Characters of moves that a link may have."""
LEAST_SECONDS: Final = 0.05
MOST_SECONDS: Final = 60.0
USUAL_SECONDS: Final = 3.0
"""Time for a program's move: the limits of a server, and the usual time."""
GRANTED: Final = (
    *("depth", "nodes", "seconds", "width", "handout", "deeper", "error"),
    *("playouts", "exploration", "rave", "minimax", "prior"),
)
"""The settings of players that a link may name. The others concern the engines, which all visitors share."""


@dataclass(frozen=True)
class Position:
    """The contents of a link."""

    game: str
    parameters: dict[str, str] = field(default_factory=dict)
    max: str = "human"
    min: str = ""
    """Who plays MIN; if it is empty, `zermelo.ui.web.opponents.usual_opponent` chooses."""
    seconds: float = USUAL_SECONDS
    moves: str = ""
    """The moves that lead to the position shown."""
    position: str = ""
    """Where the moves begin, in the game's notation; empty for its start."""
    clock: str = ""
    """Minutes for the game and seconds added after each move, such as ``3+2``; empty for no clock."""
    tree: str = ""
    """All moves of the game with their variations (`zermelo.ui.web.tree_text`); empty if `moves` are all."""

    def query(self) -> str:
        """Return the part of an address after the question mark."""
        pairs = [("game", self.game), *((PARAMETER + name, value) for name, value in self.parameters.items())]
        pairs += [("tree", self.tree)]  # never last: programs that find links in texts drop a bracket at the end
        pairs += [("max", self.max), ("min", self.min), ("seconds", f"{self.seconds:g}")]
        pairs += [("clock", self.clock), ("position", self.position), ("moves", self.moves)]
        return urlencode([pair for pair in pairs if pair[1]], safe=",:()")


NAMES: Final = tuple(one.name for one in fields(Position) if one.name != "parameters")
"""What a link may name, beside the parameters of its game."""


def opening(shelf: Shelf) -> Position:
    """Return what a server shows for an empty link: its first game, as its solved table has it if there is one."""
    return Position(shelf.first, dict(shelf.solved.get(shelf.first, {})))


def read(pairs: Iterable[tuple[str, str]], usual: Position) -> Position:
    """Return the position that a query describes; ``usual`` fills in what it leaves out.

    Raises
    ------
    BadParameter
        Something in it makes no sense.
    """
    said = dict(pairs)
    parameters = {name.removeprefix(PARAMETER): text for name, text in said.items() if name.startswith(PARAMETER)}
    seconds = read_seconds(said.get("seconds", "")) if said.get("seconds") else usual.seconds
    if len(said.get("moves", "")) > LONGEST:
        raise BadParameter(f"The link has more than {LONGEST:,} characters of moves.")
    if len(said.get("tree", "")) > LONGEST:
        raise BadParameter(f"The link has more than {LONGEST:,} characters of variations.")
    return Position(
        game=said.get("game") or usual.game,
        parameters=parameters if parameters or said.get("game") else usual.parameters,
        max=check_player(said.get("max") or usual.max),
        min=check_player(said["min"]) if said.get("min") else usual.min,
        seconds=seconds,
        moves=said.get("moves", ""),
        tree=said.get("tree", ""),
        position=said.get("position", "")[:LONGEST],
        clock=check_clock(said.get("clock", ""), said.get("own-clock", "")),
    )


def check_clock(text: str, own: str = "") -> str:
    """Return a clock's text if it makes sense; where it is ``own``, return the other text.

    Raises
    ------
    BadParameter
        It is no time control.
    """
    chosen = own if text == "own" else text
    read_clock(chosen)
    return chosen.strip().replace(" ", "+")


def read_seconds(text: str) -> float:
    """Return the time for a move, within the limits of a server."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise BadParameter(
            f"The time is {text!r} seconds; it must be a number from {LEAST_SECONDS:g} to {MOST_SECONDS:g}."
        )
    return seconds


def check_player(text: str) -> str:
    """Return ``text`` if it describes a player that a page grants.

    Raises
    ------
    BadParameter
        There is no such player, or it asks for what a visitor cannot have.
    """
    if text == "table":
        return text
    if text.partition(":")[0] not in PLAYERS:
        raise BadParameter(f"There is no player {text[:40]!r}; there are {', '.join(PLAYERS)} and table.")
    settings = read_description(text).settings
    refused = [name for name in settings if name not in GRANTED]
    if refused:
        raise BadParameter(f"A page does not take the setting {refused[0]} of players; it takes {', '.join(GRANTED)}.")
    if "seconds" in settings:
        read_seconds(f"{settings['seconds']:g}")
    return text
