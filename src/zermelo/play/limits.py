"""What a player may use for one move."""

from dataclasses import dataclass
from typing import Final, TypeVar

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class MoveLimits:
    """Limits of one move, beside those that the player has of its own; None where there is none."""

    seconds: float | None = None
    most_seconds: float | None = None
    """What a player may take at the very most where ``seconds`` are an average; None if they are the limit."""
    nodes: int | None = None
    depth: int | None = None


FREE: Final = MoveLimits()
"""No limits but the player's own."""


def least(one: Number | None, other: Number | None) -> Number | None:
    """The stricter of two limits; None is no limit."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
