"""Schedules: who plays whom, from which opening, in which order.

Games are numbered from 0. Games 2n and 2n + 1 make a pair: the same two players, the same opening, sides exchanged.
"""

from collections.abc import Sequence
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
    """The number of the opening, from 0."""


def couples_of(kind: Kind, players: Sequence[str]) -> list[tuple[str, str]]:
    """Return who plays whom: in a gauntlet the first player meets each other one, else everybody meets everybody.

    Raises
    ------
    BadParameter
        There are fewer than two players, or two have the same name; or a match has more than two.
    """
    if len(players) < 2 or len(set(players)) < len(players) or (kind == "match" and len(players) > 2):
        count = "two players" if kind == "match" else "two players or more"
        raise BadParameter(f"A {kind} needs {count} with different names; here are {len(players)}.")
    if kind == "gauntlet":
        return [(players[0], other) for other in players[1:]]
    return list(combinations(players, 2))


def schedule(couples: Sequence[tuple[str, str]], games: int) -> list[Pairing]:
    """The games of a tournament, in order.

    A round has a pair of games for each couple, all from the same opening.

    Parameters
    ----------
    couples
        Who plays whom.
    games
        How many games each couple plays.

    Raises
    ------
    BadParameter
        The number of games is odd or not more than 0.
    """
    if games < 2 or games % 2:
        raise BadParameter(
            f"The number of games is {games}; it must be even and at least 2, since pairs exchange sides."
        )
    pairings: list[Pairing] = []
    for round_ in range(games // 2):
        for one, other in couples:
            number = len(pairings)
            pairings.append(Pairing(number, one, other, round_))
            pairings.append(Pairing(number + 1, other, one, round_))
    return pairings
