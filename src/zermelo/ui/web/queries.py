"""The parameters of a request: they must exist, each at most once, and mean a position."""

from typing import Any

from fastapi import Request

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.play.moves import read_moves
from zermelo.ui.web.links import PARAMETER
from zermelo.ui.web.shelf import Shelf


def check_names(request: Request) -> None:
    """Refuse parameters that an address does not have, which would be ignored silently.

    Raises
    ------
    BadParameter
        A name is unknown here, or is said twice.
    """
    if "rest" in request.path_params:  # there is nothing at that address, whatever is asked
        return
    needs = request.scope["route"].dependant
    known = [field.alias for part in (*needs.dependencies, needs) for field in part.query_params]
    said = [name for name, _ in request.query_params.multi_items()]
    for name in said:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "this address takes none"
            raise BadParameter(f"There is no query parameter {name[:40]!r} here{_hint(request, name)}; {there}.")
        if said.count(name) > 1:
            raise BadParameter(f"The query parameter {name} is said {said.count(name)} times; say it once.")


def _hint(request: Request, name: str) -> str:
    """Return how to write a parameter of a game, if the request writes it as the address of a page does."""
    if not name.startswith(PARAMETER):
        return ""
    return f": write parameters={name.removeprefix(PARAMETER)[:40]}={request.query_params[name][:40]}"


def pairs(text: str) -> dict[str, str]:
    """Return ``rows=4,columns=4`` as names and texts."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        if not equals:
            raise BadParameter(f"{part!r} is not a parameter; write name=value, with commas between.")
        found[name.strip()] = value.strip()
    return found


def found(shelf: Shelf, game: str, parameters: str, moves: str, position: str) -> tuple[Game, State]:
    """Return the game and the state that a request means: after ``moves`` from ``position``, or from the start.

    Raises
    ------
    ZermeloError
        There is no such game, parameter, position or move.
    """
    rules = shelf.game(game, pairs(parameters))
    start = _read(rules, position) if position else rules.initial
    return rules, rules.replay(read_moves(rules, moves, start), start)


def _read(game: Game, text: str) -> Any:
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} has no notation for positions; say the moves that lead there.")
    try:
        return game.from_text(text)
    except ValueError as error:
        raise BadParameter(f"{text!r} is no position of {game.name}: {str(error).rstrip('.')}.") from None
