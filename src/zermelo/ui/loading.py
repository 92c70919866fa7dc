"""Games as a command line names them: how they are made, and whether their rules caused an error later."""

from collections.abc import Mapping
from typing import Final

from zermelo.errors import BadGame
from zermelo.game import Game
from zermelo.registry import make_game
from zermelo.ui.arguments import parse_parameters

_SECONDS: Final = 1.0
"""How long an audit may look for what made a command fail."""
_others: list[Game] = []
"""Games of this run that are not zermelo's own, in the order in which they were made."""


def read_game(source: str, given: list[str] | None) -> Game:
    """Return the game of a command line; ``given`` are its parameters as they stand there.

    Raises
    ------
    ZermeloError
        As `zermelo.registry.make_game`; and where the rules fail in the state in which the game starts.
    """
    return load_game(source, parse_parameters(given))


def load_game(source: str, parameters: Mapping[str, str]) -> Game:
    """Return the game, given its parameters as names and texts; see `read_game`."""
    game = make_game(source, parameters)
    if str(game.to_move.__module__).startswith("zermelo.games"):
        return game
    from zermelo.check.start import look_at_start

    _others.append(game)
    finding = look_at_start(game)
    if finding is not None:
        raise BadGame(f"The game {source} fails at its start: {finding.sentence} {finding.advice}")
    return game


def blame_rules() -> str | None:
    """Return what is wrong with the last game that is not zermelo's own; None if an audit finds nothing.

    For a command that has failed and whose error does not say why: rules give answers of the wrong kind, and
    something else stumbles over them.
    """
    if not _others:
        return None
    from zermelo.check import check_game

    report = check_game(_others[-1], seconds=_SECONDS, compile=False)
    errors = [finding for finding in report.findings if finding.severity == "error"]
    return f"The game's own code failed: {errors[0].sentence} {errors[0].advice}" if errors else None
