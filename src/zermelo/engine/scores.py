"""Scores: a value and the distance to the end in one int, for the player to move.

The score of a value v, n plies before the end, is v * SCALE - n if v is positive, v * SCALE + n if v is negative, and 0
if v is 0. So of two equal values the quicker win and the slower loss have the greater score. `job.scale` is `SCALE`, or
1 if distances do not count; a score is then a value.

The longest distance in a score is SCALE // 2 - 1. It stands for that many plies, for more, and for play that never
ends; moving one ply up or down does not change it. So no distance, however long, turns a score into another value.
"""

from typing import Final

from zermelo.compiled.cache import subkernel
from zermelo.compiled.table_probe import PLIES
from zermelo.engine.job import SCALE, Job
from zermelo.game import Player

INFINITY: Final = (1 << 31) - 1


@subkernel
def shrink(score: int, job: Job) -> int:
    """A child's score as seen one ply further up."""
    if job.scale == 1 or score == 0 or abs(score) & (SCALE - 1) == SCALE // 2 + 1:
        return score
    return score - 1 if score > 0 else score + 1


@subkernel
def grow(bound: int, job: Job) -> int:
    """The bound for a child's score: the score exceeds it exactly if `shrink` of the score exceeds ``bound``."""
    if job.scale == 1 or bound == 0:
        return bound
    part = abs(bound) & (SCALE - 1)
    if bound > 0:
        return bound if part == SCALE // 2 else bound + 1
    return bound if part == SCALE // 2 + 1 else bound - 1


@subkernel
def turn_window(alpha: int, beta: int, same: bool, job: Job) -> tuple[int, int]:
    """A window as the child sees it; ``same`` says whether the same player is to move there."""
    lower, upper = grow(alpha, job), -grow(-beta, job)
    return (lower, upper) if same else (-upper, -lower)


@subkernel
def turn_score(score: int, same: bool, job: Job) -> int:
    """A child's score as its parent sees it."""
    return shrink(score if same else -score, job)


@subkernel
def score_of(value: int, plies: int, job: Job) -> int:
    """The score of a value, for the player to move, that many plies before the end."""
    if job.scale == 1 or value == 0:
        return value * job.scale
    distance = min(plies, SCALE // 2 - 1)
    return value * SCALE - distance if value > 0 else value * SCALE + distance


@subkernel
def endless_score(value: int, job: Job) -> int:
    """The score of a repetition worth ``value``: the end is as far away as a score can tell."""
    return score_of(value, SCALE, job)


@subkernel
def solved_score(side: Player, known: int, job: Job) -> int:
    """The score, for ``side``, of an outcome in a solved table."""
    value = known // PLIES
    return score_of(side * value, known - value * PLIES, job)


def value_in(score: int, scale: int) -> int:
    """The value within a score."""
    return (score + scale // 2) // scale


def plies_in(score: int, scale: int) -> int:
    """The plies to the end in a score, as far as a score can tell."""
    return abs(value_in(score, scale) * scale - score)


def remoteness_in(score: int, scale: int) -> int | None:
    """The plies to the end in a proven score; None for a draw, and for the longest distance."""
    value = value_in(score, scale)
    plies = plies_in(score, scale)
    return None if scale == 1 or value == 0 or plies >= scale // 2 - 1 else plies
