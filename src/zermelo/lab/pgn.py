"""Games of a match or a tournament as Portable Game Notation.

Comments hold what both players said: ``[%eval 0.31]`` is a score for White in hundredths of the players' unit, and
``[%eval #-3]`` a mate by Black in three moves; ``[%emt 0:00:00.520]`` is the time that the move took.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from zermelo.game import Game
from zermelo.lab.clocks import TimeControl
from zermelo.lab.played import PlayedGame
from zermelo.play.pgn import RESULTS, pgn_text, require_pgn, roster
from zermelo.protocol.position import read_move
from zermelo.protocol.scores import MATE

_MOST_MOVES: Final = 1000
"""A score nearer than this to that of a mate tells in how many moves it comes."""
_TERMINATIONS: Final = {
    "rules": "normal",
    "repetition": "normal",
    "resignation": "adjudication",
    "agreement": "adjudication",
    "plies": "adjudication",
    "table": "adjudication",
    "time": "time forfeit",
    "illegal": "rules infraction",
    "protocol": "rules infraction",
}
"""How PGN calls the endings of games; the others are abandoned."""
_REPEATED: Final = "The position has come back."


def games_text(game: Game, games: Iterable[PlayedGame], control: TimeControl, event: str) -> str:
    """Return games as PGN.

    Raises
    ------
    BadParameter
        The game is not written so.
    """
    require_pgn(game)
    return "".join(_game_text(game, played, control, event) for played in games)


def control_in(header: Mapping[str, Mapping[str, float]]) -> TimeControl:
    """Return the time control that the header of a contest's file tells."""
    return TimeControl(**header["control"])  # type: ignore[arg-type]


def _game_text(game: Game, played: PlayedGame, control: TimeControl, event: str) -> str:
    states, actions = [game.initial], []
    for text in played.moves:
        actions.append(read_move(game, states[-1], text))
        states.append(game.result(states[-1], actions[-1]))
    number = f"{played.number // 2 + 1}.{played.number % 2 + 1}"
    tags = roster(event, played.began, number, played.first, played.second, RESULTS[played.points])
    tags |= {"TimeControl": _control(control), "Termination": _TERMINATIONS.get(played.ending, "abandoned")}
    first = game.to_move(game.initial)
    said = zip(states[played.plies :], played.scores, played.seconds, strict=False)
    comments = [_comment(score, seconds, game.to_move(state) * first) for state, score, seconds in said]
    ending = played.reason or (_REPEATED if played.ending == "repetition" else "")
    return pgn_text(game, tags, game.initial, actions, [""] * played.plies + comments, ending)


def _comment(score: int | None, seconds: float, side: int) -> str:
    """Return what was said of a position, for the player ``side``, and the time of the move."""
    hours, rest = divmod(round(seconds * 1000), 3_600_000)
    minutes, milliseconds = divmod(rest, 60_000)
    time = f"[%emt {hours}:{minutes:02}:{milliseconds / 1000:06.3f}]"
    if score is None:
        return time
    moves = MATE - abs(score)
    score *= side
    if 0 <= moves < _MOST_MOVES:
        return f"[%eval #{moves if score > 0 else -moves}] {time}"
    return f"[%eval {score / 100:.2f}] {time}"


def _control(control: TimeControl) -> str:
    """Return the time control as PGN writes it."""
    if control.base is not None:
        return f"{control.base:g}" + (f"+{control.increment:g}" if control.increment else "")
    return "-" if control.move_seconds is None else f"1/{control.move_seconds:g}"
