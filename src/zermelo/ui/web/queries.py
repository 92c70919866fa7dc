"""The parameters of a request: they must exist, each at most once, and mean a position."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from fastapi import Depends, Request

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.play.moves import read_moves
from zermelo.ui.web.links import PARAMETER
from zermelo.ui.web.shelf import Shelf


class WrongAddress(BadParameter):
    """The address of a page names what the page does not know."""


def check_names(names: Sequence[str], known: Collection[str], *, of_game: bool = False, hint: str = "") -> None:
    """Refuse names that an address does not have, which would be ignored silently.

    Parameters
    ----------
    names
        The names in the query, as often as they are said.
    known
        The names that the address has.
    of_game
        Whether it also has parameters of a game, as ``p.NAME``.
    hint
        What else to say of an unknown name.

    Raises
    ------
    BadParameter
        A name is unknown here, or is said twice.
    """
    for name, count in Counter(names).items():
        if name not in known and not (of_game and name.startswith(PARAMETER)):
            there = ", ".join(known) + (f", and {PARAMETER}NAME for the parameters of the game" if of_game else "")
            there = f"there are {there}" if known else "this address takes none"
            raise BadParameter(f"There is no query parameter {name[:40]!r} here{hint}; {there}.")
        if count > 1:
            raise BadParameter(f"The query parameter {name[:40]} is said {count} times; say it once.")


def check_request(request: Request) -> None:
    """Refuse names that an address of the interface for programs does not have.

    Raises
    ------
    BadParameter
        As `check_names`.
    """
    if "rest" in request.path_params:  # there is nothing at that address, whatever is asked
        return
    needs = request.scope["route"].dependant
    known = [field.alias for part in (*needs.dependencies, needs) for field in part.query_params]
    names = names_of(request)
    check_names(names, known, hint=_hint(request, next((name for name in names if name not in known), "")))


def page_query(*known: str, of_game: bool = False) -> Any:
    """Return a dependency of a page, with which it refuses addresses with other names than these (`WrongAddress`)."""

    def check(request: Request) -> None:
        try:
            check_names(names_of(request), known, of_game=of_game)
        except BadParameter as error:
            raise WrongAddress(str(error)) from None

    return Depends(check)


def names_of(request: Request) -> list[str]:
    """Return the names in a request's query, as often as they are said."""
    return [name for name, _ in request.query_params.multi_items()]


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
