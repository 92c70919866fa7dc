"""Outcome codes: the value and the remoteness of a position in one non-negative 32-bit int.

    code = offset << shift | plies

``offset`` is the value less the least utility, so it is never negative. ``plies`` is the remoteness; the greatest
number that fits means that there is none, since play at that value need never end. ``shift`` is the number of bits for
``plies``: those that the range of utilities leaves of 31.

Only this module packs and unpacks codes. The functions with a ``utility_range`` convert values; those with a ``shift``
work on offsets. Kernels call `shift`, `terminal_code`, `preference` and `one_ply_on`; the rest is for Python.
"""

from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.overloads import overload

CODE_BITS: Final = 31
UNKNOWN: Final = -1
"""In place of a code: the position is not solved yet, and MAX is to move."""
UNKNOWN_MIN: Final = -2
"""In place of a code: the position is not solved yet, and MIN is to move."""
ABSENT: Final = -3
"""In place of a code: the table does not hold the position."""

Ints = TypeVar("Ints", int, NDArray[np.int32], NDArray[np.int64])
"""One int or an array of them; an array keeps its type."""

SomeInts: TypeAlias = NDArray[np.signedinteger[Any]]


def shift_of(utility_range: tuple[int, int]) -> int:
    """Return how many bits of a code hold the remoteness."""
    low, high = utility_range
    return CODE_BITS - int(high - low).bit_length()


def code_of(value: int, remoteness: int | None, utility_range: tuple[int, int]) -> int:
    """Return the code of a value and a remoteness, which is None if play need never end."""
    shift = shift_of(utility_range)
    return (value - utility_range[0]) << shift | (endless_plies(shift) if remoteness is None else remoteness)


def value_of(code: int, utility_range: tuple[int, int]) -> int:
    """Return the value that a code holds."""
    return (int(code) >> shift_of(utility_range)) + utility_range[0]


def remoteness_of(code: int, utility_range: tuple[int, int]) -> int | None:
    """Return the remoteness that a code holds, in plies; None if play need never end."""
    endless = endless_plies(shift_of(utility_range))
    plies = int(code) & endless
    return None if plies == endless else plies


def codes_of(values: NDArray[np.int64], plies: NDArray[np.int64], utility_range: tuple[int, int]) -> NDArray[np.int32]:
    """Return the codes, shape (n,), of values and remotenesses, both of shape (n,).

    Parameters
    ----------
    values
        From MAX's point of view.
    plies
        Remoteness; negative if play need never end.
    """
    return coded(values - utility_range[0], plies, shift_of(utility_range))


def values_of(codes: NDArray[np.int32], utility_range: tuple[int, int]) -> NDArray[np.int64]:
    """Return the values, shape (n,), that codes of shape (n,) hold."""
    return (codes.astype(np.int64) >> shift_of(utility_range)) + utility_range[0]


def plies_of(codes: NDArray[np.int32], utility_range: tuple[int, int]) -> NDArray[np.int64]:
    """Return the remotenesses in plies, shape (n,), that codes of shape (n,) hold; -1 if play need never end."""
    endless = endless_plies(shift_of(utility_range))
    plies = codes.astype(np.int64) & endless
    return np.where(plies == endless, -1, plies)


def preference_of(value: int, remoteness: int | None, sign: int) -> tuple[int, float]:
    """Return the sort key of an outcome for the player with that sign: greater is better, as in `preference`."""
    plies = float("inf") if remoteness is None else remoteness
    return value * sign, plies if value * sign < 0 else -plies


def shift(game: CompiledGame) -> int:
    """Return `shift_of` the game's utilities; in a kernel it is a constant."""
    return shift_of(game.utility_range)


@overload(shift, strict=False)
def _shift(game: Any) -> Any:  # Numba's types
    known = shift_of(game.rules.utility_range)
    return lambda game: known


def endless_plies(shift: int) -> int:
    """Return what a code holds for the remoteness if play need never end."""
    return (1 << shift) - 1


def coded(offsets: SomeInts, plies: SomeInts, shift: int) -> NDArray[np.int32]:
    """Return codes, shape (n,), given offsets and remotenesses of shape (n,); negative ``plies`` mean endless play."""
    return joined(offsets, np.where(plies < 0, endless_plies(shift), plies), shift)


def joined(offsets: SomeInts, raw_plies: SomeInts, shift: int) -> NDArray[np.int32]:
    """Return codes, shape (n,), given offsets and what the codes hold for the remoteness, both of shape (n,)."""
    return (offsets << shift | raw_plies).astype(np.int32, copy=False)


def offsets_in(codes: Ints, shift: int) -> Ints:
    """Return the offsets that codes hold: values less the least utility."""
    return codes >> shift


def raw_plies_in(codes: Ints, shift: int) -> Ints:
    """Return what codes hold for the remoteness; `endless_plies` if play need never end."""
    return codes & endless_plies(shift)


def are_endless(codes: NDArray[np.int32], shift: int) -> NDArray[np.bool_]:
    """Return which codes, shape (n,), say that play need never end."""
    return np.asarray(raw_plies_in(codes, shift) == endless_plies(shift))


@inlined
def terminal_code(offset: int, shift: int) -> int:
    """Return the code of a terminal position, given its offset; its remoteness is 0."""
    return offset << shift


@inlined
def preference(code: int, sign: int, zero: int, shift: int) -> int:
    """Return how much the player with that sign (1 for MAX) prefers an outcome; greater is better.

    The value comes first. Among equal values, quick is better if the value is good for the player or 0, and slow is
    better if it is bad. ``zero`` is the offset of the value 0, the least utility negated.
    """
    plies = code & ((1 << shift) - 1)
    worth = ((code >> shift) - zero) * sign
    return (worth << shift) + (plies if worth < 0 else (1 << shift) - 1 - plies)


@inlined
def one_ply_on(code: int, shift: int) -> int:
    """Return the outcome of a position one ply before a position with this code; endless play stays endless."""
    endless = (1 << shift) - 1
    return code if code & endless == endless else code + 1
