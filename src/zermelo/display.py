"""How objects are shown: shortened in a message, as a picture in a notebook, complete in a file."""

import json
import re
import reprlib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zermelo.errors import BadParameter
from zermelo.files import write_whole

if TYPE_CHECKING:
    from zermelo.game import Game, State

MOST_SHOWN: Final = 40
"""The most items of a list to show on a screen."""
_shortener = reprlib.Repr()
_shortener.maxlist = _shortener.maxtuple = _shortener.maxdict = _shortener.maxset = 12
_shortener.maxstring = _shortener.maxother = 160
_shortener.maxlevel = 3


def brief(thing: object) -> str:
    """The repr of an object, with ``...`` in place of what would not fit into a few lines."""
    return _shortener.repr(thing)


def call(name: str, *arguments: object, **named: object) -> str:
    """A call as Python code: ``Match(tictactoe(), 'human', 'random')``."""
    said = [brief(value) for value in arguments] + [f"{name}={brief(value)}" for name, value in named.items()]
    return f"{name}({', '.join(said)})"


def first_of(texts: Sequence[str], *, last: bool = False, separator: str | None = None) -> str:
    """Texts in a row; if there are many, the first or the last of them, and how many more there are."""
    separator = separator or (", " if any(" " in text for text in texts) else " ")
    more = len(texts) - MOST_SHOWN
    if more <= 0:
        return separator.join(texts)
    if last:
        return f"({more:,} earlier) {separator.join(texts[-MOST_SHOWN:])}"
    return f"{separator.join(texts[:MOST_SHOWN])} and {more:,} more"


def fault_of_sides(sides: object, colours: object) -> str:
    """What is wrong with the names and colours of a game's sides, and what would be right; empty if nothing is."""
    if not _are_texts(sides, ".*"):
        return f"sides {sides!r}; it must be a tuple of two names, such as ('Red', 'Yellow')"
    if colours is not None and not _are_texts(colours, "#[0-9a-fA-F]{6}"):
        return f"colours {colours!r}; it must be a tuple of two colours, such as ('#e0484d', '#f6c945')"
    return ""


def _are_texts(pair: object, pattern: str) -> bool:
    """Whether a thing is a tuple of two texts of a pattern."""
    return (
        isinstance(pair, tuple)
        and len(pair) == 2
        and all(isinstance(text, str) and re.fullmatch(pattern, text, re.DOTALL) for text in pair)
    )


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Names and texts as an HTML table."""
    return (
        f"<table>{''.join(f'<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>' for name, text in rows)}</table>"
    )


def html_picture(game: "Game", state: "State") -> str:
    """A state as HTML: its board, or what ``draw`` gives if the game has no board."""
    if game.board is None:
        return f"<pre>{escape(game.draw(state))}</pre>"
    from zermelo import show  # the front door: the room that draws lies below

    return show(game, state).svg


def save_picture(game: "Game", state: "State", path: str | Path) -> None:
    """Write the picture of a state to an SVG file; errors as `zermelo.show` and `save_text`."""
    from zermelo import show

    show(game, state).save(path)


def save_text(text: str, path: str | Path) -> None:
    """Write a text to a file, whole or not at all.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    try:
        write_whole(Path(path), text.encode())
    except (OSError, ValueError) as error:
        raise BadParameter(f"{str(path)!r} cannot be written: {getattr(error, 'strerror', None) or error}.") from None


def save_json(record: object, path: str | Path) -> None:
    """Write an object of JSON's types to a file; errors as `save_text`."""
    save_text(json.dumps(record, ensure_ascii=False) + "\n", path)
