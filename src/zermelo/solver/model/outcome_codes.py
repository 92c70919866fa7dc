"""What is stored of a position: its value and its remoteness, in one non-negative 32-bit word.

    word = (value - low) << shift | remoteness

``low`` is the least utility; ``shift`` leaves as many bits for the remoteness as the range of utilities does. The
greatest remoteness that fits stands for none: play at that value need never end.
"""

from typing import Any, Final

import numpy as np

from zermelo.compiled.cache import inlined
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.overloads import overload

WORD_BITS: Final = 31
UNKNOWN: Final = -1
"""Instead of a word: a position of MAX that is not decided yet."""
UNKNOWN_MIN: Final = -2
"""The same of MIN."""
ABSENT: Final = -3
"""Instead of a word: a position that a table does not hold."""


def shift_of(utility_range: tuple[int, int]) -> int:
    """How many bits a word has for the remoteness."""
    low, high = utility_range
    return WORD_BITS - int(high - low).bit_length()


def outcome(value: int, remoteness: int | None, utility_range: tuple[int, int]) -> int:
    """The word of a value and a remoteness."""
    shift = shift_of(utility_range)
    return (value - utility_range[0]) << shift | ((1 << shift) - 1 if remoteness is None else remoteness)


def values_in(words: Any, utility_range: tuple[int, int]) -> Any:
    """The values in an array of words, as int64."""
    return (words.astype(np.int64) >> shift_of(utility_range)) + utility_range[0]


def remoteness_in(words: Any, utility_range: tuple[int, int]) -> Any:
    """The remoteness in an array of words, as int64; -1 where there is none."""
    endless = (1 << shift_of(utility_range)) - 1
    plies = words.astype(np.int64) & endless
    return np.where(plies == endless, -1, plies)


def preference_of(value: int, remoteness: int | None, sign: int) -> tuple[int, float]:
    """`preference` of a value and a remoteness, to be compared: more is better for the player with that sign."""
    plies = float("inf") if remoteness is None else remoteness
    return value * sign, plies if value * sign < 0 else -plies


def shift(game: CompiledGame) -> int:
    """`shift_of` the game's range: known when a kernel is compiled."""
    return shift_of(game.utility_range)


@overload(shift, strict=False)
def _shift(game: Any) -> Any:
    known = shift_of(game.rules.utility_range)
    return lambda game: known


@inlined
def preference(word: int, sign: int, zero: int, shift: int) -> int:
    """How much the player with that sign (1 for MAX) likes an outcome: more is better.

    The value comes first. At a value above 0 for the player, quicker is better, below 0 slower; at 0 quicker.
    ``zero`` is the value 0 as words count it, the least utility negated.
    """
    plies = word & ((1 << shift) - 1)
    worth = ((word >> shift) - zero) * sign
    return (worth << shift) + (plies if worth < 0 else (1 << shift) - 1 - plies)


@inlined
def one_ply_on(word: int, shift: int) -> int:
    """The outcome seen from a ply before; endless stays endless."""
    endless = (1 << shift) - 1
    return word if word & endless == endless else word + 1
