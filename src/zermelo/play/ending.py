"""How a game ends: by its rules, or because a position comes back in a game with ``repetition``.

Games say with ``occurrences`` how often a position must stand on the board for that: two times, or three in chess.

Each function takes the states of a game so far, the first one first and the present one last.
"""

from collections.abc import Sequence
from typing import Literal

from zermelo.game import Game, State

Ending = Literal["rules", "repetition"]


def earlier_place(game: Game, states: Sequence[State]) -> int | None:
    """Return after how many moves the present position first stood, if it has come back so often that the game ends."""
    if game.repetition is None:
        return None
    present = game.position_of(states[-1])
    places = [place for place, state in enumerate(states) if game.position_of(state) == present]
    return places[0] if len(places) >= game.occurrences else None


def ending_of(game: Game, states: Sequence[State]) -> Ending | None:
    """Return what ended the game; None while it goes on."""
    if game.is_terminal(states[-1]):
        return "rules"
    return None if earlier_place(game, states) is None else "repetition"


def final_value(game: Game, states: Sequence[State]) -> int | None:
    """Return the value of the finished game, for MAX; None while it goes on."""
    ending = ending_of(game, states)
    if ending == "rules":
        return game.utility(states[-1])
    if ending == "repetition":
        return game.repetition(states[-1]) if callable(game.repetition) else game.endless_value
    return None
