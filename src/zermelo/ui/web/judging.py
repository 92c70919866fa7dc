"""Verdicts on moves, and values as colours, as words, and as heights on a plot.

A move is judged by the value that its mover gave away, compared with the best move:

best      nothing, and the quickest way there where that is known
good      nothing that decides: the same outcome, or less than 2 % of the range of utilities
slip      less than 12 % of the range, with the outcome still the same
blunder   the outcome that was proven, or more than that
"""

from dataclasses import replace
from math import atan, pi
from typing import Final, Literal

from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.pictures.board_svg import Shade
from zermelo.ui.web.analysis import Analysis, MoveValue

Verdict = Literal["best", "good", "slip", "blunder"]
GOOD: Final = 0.02
SLIP: Final = 0.12
SYMBOLS: Final[dict[Verdict, str]] = {"best": "★", "good": "✓", "slip": "?!", "blunder": "??"}


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def judge(game: Game, analysis: Analysis, action: Action, player: int) -> Verdict | None:
    """Return the verdict on ``player``'s ``action`` in the position analysed; None if its value is unknown."""
    played = analysis.of(action)
    if played is None:
        return None
    best = max(analysis.moves, key=lambda move: player * move.value)
    lost = player * (best.value - played.value)
    if lost <= 0:
        return "best"
    sure = best.proven and played.proven
    if sure and sign(best.value) != sign(played.value):
        return "blunder"
    low, high = game.utility_range
    part = lost / max(1, high - low)
    if sure and game.outcomes == "wdl":  # the outcome is the same and only its distance differs
        return "good" if part <= GOOD else "slip"
    return "good" if part <= GOOD else "slip" if part <= SLIP else "blunder"


def corrected(game: Game, analysis: Analysis, action: Action, state: State, after: Analysis | None) -> Analysis:
    """Return an analysis with the proven value of ``state``, to which ``action`` led, if it is known."""
    if game.is_terminal(state):
        sure = MoveValue(action, game.utility(state), 1, proven=True)
    elif after is not None and after.is_decided:
        sure = MoveValue(action, after.value, None if after.remoteness is None else after.remoteness + 1, proven=True)
    else:
        return analysis
    return replace(analysis, moves=tuple(sure if move.action == action else move for move in analysis.moves))


def shade(game: Game, analysis: Analysis, move: MoveValue, player: int) -> Shade:
    """Return the mark of one of ``player``'s moves: what it loses against the best one, and its value."""
    verdict = judge(game, analysis, move.action, player)
    assert verdict is not None
    return Shade(verdict, brief_value(game, move, player), worth(game, move, player))


def brief_value(game: Game, move: MoveValue, player: int) -> str:
    """Return the value of ``player``'s move in a few characters: plies to the end if it is proven, else a score."""
    gain = player * move.value
    if not move.proven or game.outcomes == "margin":
        return {1: "W?", -1: "L?"}[sign(gain)] if _is_almost_sure(game, move) else short(gain)
    letter = {1: "W", 0: "=", -1: "L"}[sign(gain)]
    return letter if move.remoteness is None else f"{letter}{move.remoteness}"


def worth(game: Game, move: MoveValue, player: int) -> str:
    """Return what ``player``'s move leads to, in words: ``wins in 7``, ``draw in 16``, ``+35``."""
    gain = player * move.value
    if not move.proven:
        return ("likely win" if gain > 0 else "likely loss") if _is_almost_sure(game, move) else short(gain)
    words = {1: "wins", 0: "draw", -1: "loses"}[sign(gain)]
    if gain and game.outcomes == "margin":
        words += f" by {abs(gain)}"
    return words if move.remoteness is None else f"{words} in {move.remoteness}"


def _is_almost_sure(game: Game, move: MoveValue) -> bool:
    """Whether an estimate is that of a won game: the search found a win and could not prove it."""
    return game.outcomes == "wdl" and 2 * abs(move.value) > max(map(abs, game.utility_range))


def short(number: int) -> str:
    """Return a score in few characters, with its sign; the minus is a true one."""
    if number == 0:
        return "0"
    said = f"{number:+d}" if abs(number) < 1000 else f"{number / 1000:+.0f}k"
    return said.replace("-", "\N{MINUS SIGN}")


def in_words(game: Game, analysis: Analysis) -> str:
    """Return the value of a position in words; an estimate is that of the side which it names."""
    value, side = analysis.value, game.side_name(MAX if analysis.value > 0 else MIN)
    if not analysis.is_decided and value and _is_almost_sure(game, MoveValue(None, value)):
        return f"{side} likely wins"
    if not analysis.is_decided:
        least, most = ("upper", "lower") if value < 0 else ("lower", "upper")
        bound = {least: "at least ", most: "at most "}.get(analysis.bound, "")
        leads = f"{side} is ahead" if value else "Even"
        return f"{leads} ({bound}{short(abs(value))})"
    if value == 0:
        words = "A draw"
    elif game.outcomes == "margin":
        words = f"{side} wins by {abs(value)}"
    else:
        words = f"{side} wins"
    return words + (f" in {plies(analysis.remoteness)}" if analysis.remoteness else "")


def plies(number: int) -> str:
    """Return a number of plies in words."""
    return f"{number} ply" if number == 1 else f"{number} plies"


def height(game: Game, analysis: Analysis) -> float:
    """Return a value as a height from -1, where MIN wins, to 1, where MAX wins."""
    low, high = game.utility_range
    most = max(abs(low), abs(high), 1)
    if game.outcomes == "margin":
        return max(-1.0, min(1.0, analysis.value / most))
    if analysis.is_decided:
        return float(sign(analysis.value))
    return 1.6 / pi * atan(20 * analysis.value / most)
