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
from zermelo.game import MAX, MIN, Action, Game, State

if TYPE_CHECKING:
    from zermelo.play.match import Match, Outcome

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
    variations: Sequence[Sequence[Action]] = (),
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
    variations
        Other lines, each from the beginning. What replaces a move stands in brackets behind that move; moves behind
        the end of the game stand in brackets that begin with its last move.
    """
    require_pgn(game)
    assert game.pgn_tags is not None
    all_tags = {**tags, **game.pgn_tags(start), "PlyCount": str(len(actions))}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in all_tags.items()]
    others = _others(actions, variations)
    words = [*_moves(game, start, actions, comments, others), *([_comment(ending)] if ending else []), tags["Result"]]
    text = wrap(" ".join(words), _COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *text, "", ""]).replace(_FIXED, " ")


def _others(actions: Sequence[Action], variations: Sequence[Sequence[Action]]) -> dict[int, list[list[Action]]]:
    """Return variations by the number of moves that they share with a line, without those; each has one move more.

    A variation that goes on behind the end of the line repeats its last move.
    """
    found: dict[int, list[list[Action]]] = {}
    for line in variations:
        pairs = enumerate(zip(line, actions, strict=False))
        shared = next((i for i, (one, other) in pairs if one != other), len(actions) - 1)
        if shared >= 0:
            found.setdefault(shared, []).append(list(line[shared:]))
    return found


def _moves(
    game: Game,
    state: State,
    actions: Sequence[Action],
    comments: Sequence[str],
    others: Mapping[int, list[list[Action]]],
    number: int = 1,
) -> list[str]:
    """Return the moves with their numbers, comments and variations; no line may end within a comment.

    Parameters
    ----------
    game, state, actions, comments
        The game, the state before the first of the actions, and what to write.
    others
        What was played in the place of each of the actions.
    number
        The number of the first move.
    """
    words: list[str] = []
    first = game.to_move(game.initial)
    for ply, (action, comment) in enumerate(zip_longest(actions, comments, fillvalue="")):
        is_white = game.to_move(state) == first
        if is_white or not words or words[-1].endswith(("}", ")")):
            words.append(f"{number}." if is_white else f"{number}...")
        words.append(game.show_action(state, action))
        if comment:
            words.append(_comment(comment).replace(" ", _FIXED))
        for line, rest in _grouped(others.get(ply, [])):
            inner = _moves(game, state, line, (), _others(line, rest), number)
            words += [f"({inner[0]}", *inner[1:-1], f"{inner[-1]})"]
        number += not is_white
        state = game.result(state, action)
    return words


def _grouped(lines: Sequence[list[Action]]) -> list[tuple[list[Action], list[list[Action]]]]:
    """Return, for each first move, the first of the lines that begin with it, and the others."""
    found: dict[Action, list[list[Action]]] = {}
    for line in lines:
        found.setdefault(line[0], []).append(line)
    return [(group[0], group[1:]) for group in found.values()]


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


def match_text(
    match: "Match",
    outcome: "Outcome | None" = None,
    variations: Sequence[Sequence[Action]] = (),
    left: Sequence[float | None] = (),
) -> str:
    """Return a game between people or programs as PGN; the date is today's.

    Parameters
    ----------
    match
        The game.
    outcome
        Who won a game that its rules did not end.
    variations
        Other lines, each from the beginning.
    left
        Seconds that the player had left after each move, or None; a comment ``[%clk 0:02:59.5]`` tells them.
    """
    game, outcome = match.game, match.outcome or outcome
    first = game.to_move(game.initial)
    points = {None: None, "draw": 0.5, "max": float(first == MAX), "min": float(first == MIN)}[outcome]
    white, black = match.player(first).name, match.player(-first).name
    began = datetime.now(UTC).isoformat(timespec="seconds")
    tags = roster("zermelo play", began, "-", white, black, RESULTS[points])
    termination = "unterminated" if points is None else "normal"
    comments = ["" if seconds is None else f"[%clk {_time(seconds)}]" for seconds in left]
    return pgn_text(
        game, {**tags, "Termination": termination}, match.states[0], match.actions, comments, variations=variations
    )


def _time(seconds: float) -> str:
    """Return a time as PGN's comments write it, in tenths of seconds."""
    hours, rest = divmod(int(seconds * 10), 36_000)
    minutes, tenths = divmod(rest, 600)
    return f"{hours}:{minutes:02}:{tenths // 10:02}" + (f".{tenths % 10}" if tenths % 10 else "")


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
