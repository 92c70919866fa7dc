"""Adjudication: rules by which the referee ends a game early. All of them are off unless asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from zermelo.errors import BadParameter
from zermelo.game import Game, State

if TYPE_CHECKING:
    from zermelo.lab.played import Ending
    from zermelo.solver import Table


class Decision(NamedTuple):
    """How the referee ends a game."""

    ending: "Ending"
    points: float
    """Of the player who began: 1, 0.5 or 0."""
    reason: str
    value: int | None = None
    """Of the position, where a table tells it."""


@dataclass(frozen=True)
class Adjudication:
    """When the referee ends a game.

    Parameters
    ----------
    resign
        A player has lost when its own score has been at most ``-resign``, and its opponent's at least ``resign``, for
        `resign_moves` moves of each. Scores are in the players' own units.
    resign_moves
        How many moves of each player.
    draw
        The game is a draw when no score was further from 0 than ``draw`` for `draw_moves` moves of each.
    draw_moves
        How many moves of each player.
    draw_after
        The game is no draw by agreement before that many plies.
    plies
        A game of that many plies, those of the opening included, is a draw.
    table
        The folder of a solved table; a position that it holds ends the game with its value.

    Raises
    ------
    BadParameter
        A number is out of range.
    """

    resign: int | None = None
    resign_moves: int = 3
    draw: int | None = None
    draw_moves: int = 8
    draw_after: int = 0
    plies: int | None = None
    table: str | None = None

    def __post_init__(self) -> None:
        for name, least in (
            ("resign", 1),
            ("resign_moves", 1),
            ("draw", 0),
            ("draw_moves", 1),
            ("draw_after", 0),
            ("plies", 1),
        ):
            number = getattr(self, name)
            if number is not None and number < least:
                raise BadParameter(f"The adjudication has {name}={number}; it must be at least {least}.")


NO_ADJUDICATION: Final = Adjudication()
"""The referee ends no game early."""


class Referee:
    """Applies an `Adjudication` to games of one game, in any number of threads."""

    def __init__(self, game: Game, adjudication: Adjudication) -> None:
        self.adjudication = adjudication
        self._side = game.to_move(game.initial)
        self._table = None if adjudication.table is None else _open(adjudication.table, game)

    def decide(self, state: State, scores: Sequence[int | None], movers: Sequence[int], plies: int) -> Decision | None:
        """Whether the game ends here; None if it goes on.

        Parameters
        ----------
        state
            The present position.
        scores, movers
            For each move after the opening, what its player said of the position, and who it was: 0 for the player who
            began the game, 1 for the other.
        plies
            How many moves were made, those of the opening included.
        """
        rules = self.adjudication
        if self._table is not None and (entry := self._table.get(state)) is not None:
            value = entry.value * self._side
            points = 1.0 if value > 0 else 0.0 if value < 0 else 0.5
            return Decision("table", points, "The solved table holds the position.", entry.value)
        if (
            rules.resign is not None
            and (loser := _resigned(rules.resign, rules.resign_moves, scores, movers)) is not None
        ):
            sentence = f"For {rules.resign_moves} moves both players agreed on a score of {rules.resign} or more."
            return Decision("resignation", float(loser), sentence)
        if (
            rules.draw is not None
            and plies >= rules.draw_after
            and _agreed(rules.draw, rules.draw_moves, scores, movers)
        ):
            sentence = f"For {rules.draw_moves} moves both players agreed on a score within {rules.draw} of 0."
            return Decision("agreement", 0.5, sentence)
        if rules.plies is not None and plies >= rules.plies:
            return Decision("plies", 0.5, f"The game has reached {rules.plies} plies.")
        return None


def _open(folder: str, game: Game) -> "Table":
    from zermelo.solver import Table  # the import takes half a second

    return Table(Path(folder), game)


def _latest(mover: int, count: int, scores: Sequence[int | None], movers: Sequence[int]) -> list[int] | None:
    """A player's latest scores; None where it has made fewer moves, or did not tell a score each time."""
    found: list[int] = []
    for place in range(len(scores) - 1, -1, -1):
        if movers[place] == mover:
            score = scores[place]
            if score is None:
                return None
            found.append(score)
            if len(found) == count:
                return found
    return None


def _resigned(least: int, count: int, scores: Sequence[int | None], movers: Sequence[int]) -> int | None:
    """The player whom both take for lost; None if there is none."""
    both = [_latest(mover, count, scores, movers) for mover in (0, 1)]
    if both[0] is None or both[1] is None:
        return None
    for loser in (0, 1):
        mine, theirs = both[loser], both[1 - loser]
        if mine is not None and theirs is not None and max(mine) <= -least and min(theirs) >= least:
            return loser
    return None


def _agreed(most: int, count: int, scores: Sequence[int | None], movers: Sequence[int]) -> bool:
    both = [_latest(mover, count, scores, movers) for mover in (0, 1)]
    return all(latest is not None and max(map(abs, latest)) <= most for latest in both)
