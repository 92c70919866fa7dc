"""Portable Game Notation (PGN; S. Edwards, 1994): games as text, as chess programs read them.

A game of zermelo is written so if it has ``pgn_tags``. White is the side that moves first in the initial position.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from zermelo.errors import BadParameter, RecordError
from zermelo.files import write_whole
from zermelo.game import Action, Game, State

if TYPE_CHECKING:
    from zermelo.play.match import Match

SUFFIX: Final = ".pgn"
"""How the names of files in this notation end."""
RESULTS: Final = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}
"""How a game's result is written, by the points of White; None while it goes on."""
_COLUMNS: Final = 79
_FIXED: Final = "\N{NO-BREAK SPACE}"
"""Stands for a space at which no line may end."""


def require_pgn(game: Game) -> None:
    """Refuse a game that is not written in PGN.

    Raises
    ------
    BadParameter
        It has no ``pgn_tags``.
    """
    if game.pgn_tags is None:
        raise BadParameter(f"Games of {game.name} cannot be written as PGN, because the game has no pgn_tags.")


def pgn_text(
    game: Game,
    tags: Mapping[str, str],
    start: State,
    actions: Sequence[Action],
    comments: Sequence[str] = (),
    ending: str = "",
) -> str:
    """Return one game as PGN, with an empty line at its end.

    Parameters
    ----------
    game
        The rules, with ``pgn_tags``.
    tags
        The seven tags that every game has (Event, Site, Date, Round, White, Black, Result), and perhaps more.
    start
        The state in which the game began.
    actions
        What was played.
    comments
        What to write behind each of the actions; nothing where the text is empty.
    ending
        A sentence that says how the game ended.
    """
    require_pgn(game)
    assert game.pgn_tags is not None
    all_tags = {**tags, **game.pgn_tags(start), "PlyCount": str(len(actions))}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in all_tags.items()]
    words = [*_moves(game, start, actions, comments), *([_comment(ending)] if ending else []), tags["Result"]]
    text = wrap(" ".join(words), _COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *text, "", ""]).replace(_FIXED, " ")


def _moves(game: Game, state: State, actions: Sequence[Action], comments: Sequence[str]) -> list[str]:
    """Return the moves with their numbers and comments; no line may end within one of these."""
    words: list[str] = []
    number, first = 1, game.to_move(game.initial)
    for action, comment in zip_longest(actions, comments, fillvalue=""):
        is_white = game.to_move(state) == first
        if is_white or not words or words[-1].startswith("{"):
            words.append(f"{number}." if is_white else f"{number}...")
        words.append(game.show_action(state, action))
        if comment:
            words.append(_comment(comment).replace(" ", _FIXED))
        number += not is_white
        state = game.result(state, action)
    return words


def _comment(text: str) -> str:
    return "{" + text.replace("{", "(").replace("}", ")") + "}"


def _quoted(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def date_tags(began: str) -> dict[str, str]:
    """Return the tags of the time at which a game began, as ISO 8601 writes it in UTC; an empty text is unknown."""
    if not began:
        return {}
    moment = datetime.fromisoformat(began).astimezone(UTC)
    return {"UTCDate": moment.strftime("%Y.%m.%d"), "UTCTime": moment.strftime("%H:%M:%S")}


def roster(event: str, began: str, number: str, white: str, black: str, result: str) -> dict[str, str]:
    """Return the seven tags that every game has, and those of its time."""
    dated = date_tags(began)
    date = dated.get("UTCDate", "????.??.??")
    names = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
    return dict(zip(names, (event, "?", date, number, white, black, result), strict=True)) | dated


def match_text(match: "Match") -> str:
    """Return a game between people or programs as PGN; the date is today's."""
    game, value = match.game, match.value
    first = game.to_move(game.initial)
    points = None if value is None else 0.5 if value == 0 else float(value * first > 0)
    white, black = match.player(first).name, match.player(-first).name
    began = datetime.now(UTC).isoformat(timespec="seconds")
    tags = roster("zermelo play", began, "-", white, black, RESULTS[points])
    termination = "unterminated" if points is None else "normal"
    return pgn_text(game, {**tags, "Termination": termination}, match.states[0], match.actions)


def save_pgn(path: Path, text: str) -> None:
    """Write games to a file, whole or not at all.

    Raises
    ------
    RecordError
        The file cannot be written.
    """
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise RecordError(f"The games cannot be written to {path}: {error.strerror}.") from None


def read_pgn(game: Game, path: Path | str) -> list[tuple[State, list[Action]]]:
    """Return the games in a file, each as the state in which it began and what was played.

    Raises
    ------
    BadParameter
        The game reads no PGN, the file cannot be read or holds no game, or one of its games cannot be played.
    """
    if game.read_pgn is None:
        raise BadParameter(f"{path} cannot be read, because the game {game.name} reads no PGN.")
    try:
        games = game.read_pgn(Path(path).read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise BadParameter(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise BadParameter(f"{path} cannot be read: {str(error).rstrip('.')}.") from None
    if not games:
        raise BadParameter(f"{path} holds no game in PGN.")
    return games
