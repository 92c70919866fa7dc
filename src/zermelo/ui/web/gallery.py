"""The games of a server for people: their names, a line of rules, a picture from play, and what the rules say."""

import random
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from zermelo.game import Game, State
from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.laid import board_after
from zermelo.pictures.palette import palette_of

_MOVES: Final = 12
_FEW: Final = 6
"""Moves before the position of a picture: fewer where men stand on the board from the beginning."""


class Introduction(NamedTuple):
    """A game in a few words."""

    title: str
    """What people call it: ``Nine men's morris``."""
    line: str
    """Its rules in a sentence."""


def introduction(name: str, summary: str, sides: tuple[str, str]) -> Introduction:
    """Return what the first sentence of a factory says: ``Hex: ...``."""
    summary = named(summary.replace("`", ""), sides)
    title, colon, line = summary.partition(":")
    title = title.partition(", ")[0].strip()
    if not colon or len(title) > 45:
        word = name.partition(".py")[0].rpartition("/")[2]  # of my_game.py:factory, my_game
        return Introduction(word.replace("_", " ").capitalize(), summary)
    line = line.strip()
    return Introduction(title, line[:1].upper() + line[1:])


def title_of(game: Game, name: str, summary: str, parameters: Mapping[str, object]) -> str:
    """Return what people call a game, with these of its parameters: ``Kayles: pins 12``."""
    values = ", ".join(f"{one.replace('_', ' ')} {value}" for one, value in parameters.items())
    return introduction(name, summary, game.sides).title + (f": {values}" if values else "")


def named(text: str, sides: tuple[str, str]) -> str:
    """Return a text with the names of the sides in the place of MAX and MIN."""
    return re.sub(r"\bMIN\b", sides[1], re.sub(r"\bMAX\b", sides[0], text))


@lru_cache(maxsize=256)
def thumbnail(game: Game) -> str:
    """Return a picture of a game some moves after its beginning; empty if it has no board."""
    return picture(game, sample(game))


def picture(game: Game, states: tuple[State, ...]) -> str:
    """Return the picture of the last of a game's states; empty if the game has no board."""
    if game.board is None:
        return ""
    return draw_board(board_after(game, states), palette=palette_of(game), title=f"A position of {game.name}")


def sample(game: Game) -> tuple[State, ...]:
    """Return the states of a game that was played by chance, the same each time."""
    choose = random.Random(7).choice
    states = [game.initial]
    taken = game.board is not None and bool(game.board(game.initial).pieces)
    for _ in range(_FEW if taken else _MOVES):
        legal = game.legal_actions(states[-1])
        after = game.result(states[-1], choose(legal)) if legal else None
        if after is None or game.is_terminal(after):
            break
        states.append(after)
    return tuple(states)
