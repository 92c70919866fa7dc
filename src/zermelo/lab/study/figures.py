"""A set of games in figures: how long they last, how many moves there are to choose from, who wins."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from zermelo.game import Game, State
from zermelo.lab.estimates import Estimate, grouped_mean, grouped_points, grouped_share
from zermelo.lab.played import PlayedGame
from zermelo.play.ending import final_value
from zermelo.protocol.position import read_move

BANDS: Final = 12
"""Into how many bands of plies a chart divides the games."""


class Line(NamedTuple):
    """A finished game."""

    states: Sequence[State]
    """From the initial position to the last."""
    points: float
    """Of the player who moves first in the initial position."""
    group: int
    """Games of one group are not independent: they begin with the same opening."""


class Band(NamedTuple):
    """What holds for some plies."""

    first: int
    last: int
    estimate: Estimate


@dataclass(frozen=True)
class Figures:
    """What a set of games looks like."""

    games: int
    first: Estimate
    """Points a game of the player who moves first."""
    draws: Estimate
    """The share of games that nobody won."""
    plies: Estimate
    """The mean length of a game."""
    middle: tuple[int, int, int]
    """Of a hundred games the lengths in plies of the 10th, the 50th and the 90th, from short to long."""
    branching: Estimate
    """The mean number of legal actions."""
    widths: list[Band]
    """The same by ply."""


def figures(game: Game, lines: Sequence[Line]) -> Figures:
    """Return the figures of a set of games."""
    groups = [line.group for line in lines]
    lengths = [len(line.states) - 1 for line in lines]
    widths = [
        (ply, len(game.legal_actions(state)), line.group)
        for line in lines
        for ply, state in enumerate(line.states[:-1])
    ]
    tenth, half, last = np.quantile(lengths, [0.1, 0.5, 0.9], method="inverted_cdf").tolist()
    return Figures(
        games=len(lines),
        first=grouped_points([line.points for line in lines], groups),
        draws=grouped_share([line.points == 0.5 for line in lines], groups),
        plies=grouped_mean(lengths, groups),
        middle=(int(tenth), int(half), int(last)),
        branching=grouped_mean([width for _, width, _ in widths], [group for *_, group in widths]),
        widths=by_ply(widths),
    )


def by_ply(
    observed: Sequence[tuple[int, float, int]],
    estimate: Callable[[Sequence[float], Sequence[int]], Estimate] = grouped_mean,
) -> list[Band]:
    """Return estimates for bands of plies.

    Parameters
    ----------
    observed
        Ply, observation and group.
    estimate
        Makes an estimate of observations and their groups.
    """
    longest = max((ply for ply, *_ in observed), default=0)
    width = -(-(1 + longest) // BANDS)
    parts = defaultdict(list)
    for ply, value, group in observed:
        parts[ply // width].append((value, group))
    return [
        Band(
            width * number,
            min(longest, width * (number + 1) - 1),
            estimate([one for one, _ in part], [of for _, of in part]),
        )
        for number, part in sorted(parts.items())
    ]


def line_of(game: Game, played: PlayedGame, group: int) -> Line:
    """Return a game of a match as a line of positions."""
    states = [game.initial]
    for text in played.moves:
        states.append(game.result(states[-1], read_move(game, states[-1], text)))
    return Line(states, played.points, group)


def random_line(game: Game, states: Sequence[State], number: int) -> Line | None:
    """Return a random game as a line; None if it was broken off before its end."""
    value = final_value(game, states)
    if value is None:
        return None
    return Line(states, (1 + float(np.sign(value * game.to_move(game.initial)))) / 2, number)
