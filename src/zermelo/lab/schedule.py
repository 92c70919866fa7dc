"""Schedules: who plays whom, from which opening, in which order.

Games are numbered from 0. Games 2n and 2n + 1 make a pair: the same two players, the same opening, sides exchanged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from zermelo.errors import BadParameter

Kind = Literal["match", "round robin", "gauntlet"]


@dataclass(frozen=True)
class Pairing:
    """One game of a schedule, before it is played."""

    number: int
    first: str
    """The player who moves first in the game's initial position."""
    second: str
    opening: int
    """The number of the opening in the list of openings, from 0."""


def couples_of(kind: Kind, players: Sequence[str]) -> list[tuple[str, str]]:
    """Return who plays whom: in a gauntlet the first player meets each other one, else everybody meets everybody.

    Raises
    ------
    BadParameter
        There are fewer than two players, or two have the same name; or a match has more than two.
    """
    if len(players) < 2 or len(set(players)) < len(players) or (kind == "match" and len(players) > 2):
        raise BadParameter(f"A {kind} of {', '.join(players) or 'nobody'} cannot be held; name two players or more.")
    if kind == "gauntlet":
        return [(players[0], other) for other in players[1:]]
    return list(combinations(players, 2))


def schedule(couples: Iterable[tuple[str, str]], games: int, openings: int) -> list[Pairing]:
    """The games of a tournament, in order.

    A round has a pair of games for each couple, all from the same opening. The next round plays the next opening, and
    after the last opening comes the first again.

    Parameters
    ----------
    couples
        Who plays whom.
    games
        How many games each couple plays.
    openings
        How many there are.

    Raises
    ------
    BadParameter
        The number of games is odd or not more than 0, or there are no openings.
    """
    if games < 2 or games % 2:
        raise BadParameter(
            f"The number of games is {games}; it must be even and at least 2, since pairs exchange sides."
        )
    if openings < 1:
        raise BadParameter("There are no openings; give at least one, which may be empty.")
    pairings: list[Pairing] = []
    couples = list(couples)
    for round_ in range(games // 2):
        for one, other in couples:
            number, opening = len(pairings), round_ % openings
            pairings.append(Pairing(number, one, other, opening))
            pairings.append(Pairing(number + 1, other, one, opening))
    return pairings
