"""The form of a new game, filled in: from the game that is played, or from what was chosen in the form so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN
from zermelo.parameters import ParameterInfo
from zermelo.play.settings import LEVELS
from zermelo.ui.web.game_clock import CLOCKS
from zermelo.ui.web.links import PARAMETER, USUAL_SECONDS
from zermelo.ui.web.opponents import Offer, offers, usual_opponent
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop


@dataclass(frozen=True)
class NewGameForm:
    """The contents of the form."""

    game: str
    parameters: list[ParameterInfo]
    values: Mapping[str, str]
    """Values of parameters; those that are missing have their defaults."""
    offers: list[Offer]
    titles: tuple[str, str]
    """What MAX and MIN are called."""
    max: str
    min: str
    seconds: str
    error: str
    clock: str = ""
    """The time control, one of `CLOCKS` or another; empty for none."""
    own_clock: str = ""
    """What was written in the field for another time control."""


def filled_in(
    sitting: Sitting, shelf: Shelf, workshop: Workshop, said: Mapping[str, Any], error: str = ""
) -> NewGameForm:
    """Return the form as ``said``, or, if nothing was said yet, as the game that is played.

    Other players replace those that cannot play the chosen game. To find them may take a second.
    """
    name = str(said.get("game") or sitting.source)
    parameters = shelf.parameters(name)
    values = _values(sitting, shelf, name, parameters, said)
    try:
        game = shelf.game(name, values)
    except BadParameter as refusal:
        game, error = shelf.game(name), error or str(refusal)
    refusal_words = workshop.engines.refusal(game)
    offered = offers(game, game.fingerprint in workshop.tables, refusal_words)
    possible = [offer.player for offer in offered if not offer.reason]
    usual = {"max": "human", "min": usual_opponent(game, refusal_words)}
    present = {"max": sitting.seat(MAX), "min": sitting.seat(MIN)}
    wanted = {side: _with_level(str(said.get(side) or present[side])) for side in usual}
    chosen = {side: wanted[side] if wanted[side] in possible else usual[side] for side in usual}
    titles = game.sides
    seconds = str(said.get("seconds") or f"{sitting.options.seconds or USUAL_SECONDS:g}")
    clock = str(said.get("clock", sitting.position(0).clock))
    own = str(said.get("own-clock", ""))
    if clock and clock not in (*CLOCKS, "own"):
        clock, own = "own", clock
    players = chosen["max"], chosen["min"]
    return NewGameForm(name, parameters, values, offered, titles, *players, seconds, error, clock, own)


def _with_level(player: str) -> str:
    """Return a player as the form names it; a player without a level has the level hard."""
    return f"{player}:hard" if player in LEVELS else player


def _values(
    sitting: Sitting, shelf: Shelf, name: str, parameters: list[ParameterInfo], said: Mapping[str, Any]
) -> dict[str, str]:
    """Return the parameters of the chosen game: as said, else as played, else as solved, else none."""
    spoken = {info.name: str(said[PARAMETER + info.name])[:20] for info in parameters if PARAMETER + info.name in said}
    if spoken and said.get("of") == name:
        return spoken
    if name == sitting.source and not said:
        return sitting.parameters
    return dict(shelf.solved.get(name, {}))
