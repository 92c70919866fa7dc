"""Ratings of many players from the games between them, by maximum likelihood.

The model is that of R. Bradley and M. Terry (1952) with draws as R. Davidson has them (1970) and an advantage of the
first move (R. Davidson and R. Beaver, 1977). Where the first player of a game is stronger by ``d`` (strength, not Elo),
and ``a`` and ``t`` stand for the advantage of the first move and for the tendency to draw, the three results have
probabilities in the proportions

    win : draw : loss  =  exp((d + a) / 2) : exp(t) : exp(-(d + a) / 2)

The exponents are linear in the unknowns, so the likelihood has one maximum, which Newton's method finds; and its second
derivatives, the Fisher information, give the intervals.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from zermelo.errors import BadParameter
from zermelo.lab.pentanomial import DEVIATIONS, Floats

ELO: Final = 400 / math.log(10)
"""Elo for each unit of strength: a factor of e between the odds of winning and losing."""
_STEPS: Final = 100
_ENOUGH: Final = 1e-10
_PRIOR: Final = np.array([0.0625, 0.125, 0.0625])
"""Wins, draws and losses that are added to the real games: of each player, moving first and moving second, against an
opponent of mean strength. They come to half a game for each player.

Without them a player who won every game would have no finite rating.
"""


class Results(NamedTuple):
    """Games between two players in which the first named moved first."""

    first: str
    second: str
    wins: float
    """Of the player who moved first."""
    draws: float
    losses: float


@dataclass(frozen=True)
class Ratings:
    """What the games say of the players.

    The mean of all ratings is 0: only differences have a meaning.
    """

    players: tuple[str, ...]
    elo: Floats
    """Of each player."""
    first_move: float
    """The advantage of moving first, in Elo."""
    draws: float
    """The share of draws between players of equal strength if nobody moved first."""
    covariance: Floats
    """Of the players' ratings, in Elo squared: square, a row for each player."""
    first_move_error: float
    """The standard error of `first_move`, in Elo."""

    @cached_property
    def half_widths(self) -> Floats:
        """Half of each player's 95 % interval, in Elo."""
        return DEVIATIONS * np.sqrt(np.diag(self.covariance))

    @property
    def first_move_half_width(self) -> float:
        """Half of the 95 % interval of `first_move`, in Elo."""
        return DEVIATIONS * self.first_move_error

    def los(self, one: str, other: str) -> float:
        """The likelihood of superiority: the probability that one player is stronger than the other."""
        i, j = self.players.index(one), self.players.index(other)
        if i == j:
            return 0.5
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return 0.5 * math.erfc((self.elo[j] - self.elo[i]) / math.sqrt(2 * variance))


def rate(results: Iterable[Results]) -> Ratings:
    """Rate all players that occur in the results.

    Parameters
    ----------
    results
        Any number for the same two players.

    Returns
    -------
    Ratings
        Players in the order of strength, the strongest first.

    Raises
    ------
    BadParameter
        There are no games, a count is negative or not finite, or a player plays against itself.
    """
    rows = list(results)
    _require_sound(rows)
    players = sorted({row.first for row in rows} | {row.second for row in rows})
    features, games = _features(rows, players)
    unknowns, information = _most_likely(features, games)
    count = len(players)
    # Ratings relative to their mean: the projection that takes the mean away, applied from both sides.
    centred = np.eye(count) - 1 / count
    inverse = np.linalg.inv(information)
    order = np.argsort(-unknowns[:count], kind="stable")
    covariance = (ELO**2 * centred @ inverse[:count, :count] @ centred)[np.ix_(order, order)]
    tendency = math.exp(unknowns[count + 1])
    return Ratings(
        players=tuple(players[place] for place in order),
        elo=ELO * (centred @ unknowns[:count])[order],
        first_move=ELO * float(unknowns[count]),
        draws=tendency / (2 + tendency),
        covariance=covariance,
        first_move_error=ELO * math.sqrt(float(inverse[count, count])),
    )


def probabilities(difference: float, first_move: float, draws: float) -> Floats:
    """The probabilities of win, draw and loss for a first player who is stronger by that many Elo.

    Parameters
    ----------
    difference, first_move
        In Elo.
    draws
        The share of draws between equals if nobody moved first, less than 1; as in `Ratings`.
    """
    half = (difference + first_move) / ELO / 2
    weights = np.array([math.exp(half), 2 * draws / (1 - draws), math.exp(-half)])
    chances: Floats = weights / weights.sum()
    return chances


def _features(rows: Sequence[Results], players: Sequence[str]) -> tuple[Floats, Floats]:
    """The exponents of the model as linear functions of the unknowns, and how many games ended each way.

    Returns
    -------
    tuple of arrays
        A feature for each row, result (win, draw, loss) and unknown (each player's strength, the advantage of the first
        move, the tendency to draw); and a number of games for each row and result.
    """
    place = {player: number for number, player in enumerate(players)}
    count = len(players)
    features = np.zeros((len(rows) + 2 * count, 3, count + 2))
    games = np.empty((len(rows) + 2 * count, 3))
    features[:, 1, count + 1] = 1
    features[:, 0, count], features[:, 2, count] = 0.5, -0.5
    for number, row in enumerate(rows):
        features[number, [0, 2], place[row.first]] = 0.5, -0.5
        features[number, [0, 2], place[row.second]] = -0.5, 0.5
        games[number] = row[2:]
    for player in range(count):
        first, second = len(rows) + 2 * player, len(rows) + 2 * player + 1
        features[first, [0, 2], player] = 0.5, -0.5
        features[second, [0, 2], player] = -0.5, 0.5
        games[[first, second]] = _PRIOR
    return features, games


def _most_likely(features: Floats, games: Floats) -> tuple[Floats, Floats]:
    """The unknowns under which the games are most likely, and the Fisher information there, by Newton's method."""
    totals = games.sum(axis=1)
    unknowns = np.zeros(features.shape[-1])
    best = _log_likelihood(features, games, unknowns)
    for _ in range(_STEPS):
        chances = _chances(features @ unknowns)
        slope = np.einsum("rk,rku->u", games - totals[:, None] * chances, features)
        means = np.einsum("rk,rku->ru", chances, features)
        spread = features - means[:, None, :]
        information = np.einsum("r,rk,rku,rkv->uv", totals, chances, spread, spread, optimize=True)
        step = np.linalg.solve(information, slope)
        found = _log_likelihood(features, games, unknowns + step)
        while found < best and np.abs(step).max() > _ENOUGH:  # too far; there is one maximum only
            step = step / 2
            found = _log_likelihood(features, games, unknowns + step)
        unknowns, best = unknowns + step, found
        if np.abs(step).max() <= _ENOUGH:
            break
    return unknowns, information


def _chances(exponents: Floats) -> Floats:
    """Probabilities of win, draw and loss, a row each, from the model's exponents."""
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    chances: Floats = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _log_likelihood(features: Floats, games: Floats, unknowns: Floats) -> float:
    return float((games * np.log(_chances(features @ unknowns))).sum())


def _require_sound(rows: Sequence[Results]) -> None:
    """Refuse counts that cannot be; errors as `rate`."""
    for row in rows:
        if row.first == row.second:
            raise BadParameter(f"{row.first!r} plays against itself; give the two players different names.")
        if not all(0 <= count < math.inf for count in row[2:]):
            raise BadParameter(f"The games between {row.first!r} and {row.second!r} are {row[2:]}; give counts from 0.")
    if not sum(row.wins + row.draws + row.losses for row in rows):
        raise BadParameter("There are no games to rate players by.")
