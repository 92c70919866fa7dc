"""Small ints that are added and multiplied side by side, for networks in evaluations.

A *vector* holds ints of 16 bits: 16, 32 or more of them, a power of two. Compiled, it lies in the vector registers of
the processor, and one instruction serves as many of its ints as fit into a register::

    units = vector_at(biases, 0, UNITS)
    for place in places:
        units += vector_at(weights, place, UNITS)
    units = clipped(units, 0, 255)
    total = dot(units, vector_at(output_weights, 0, UNITS))

Vectors know ``+``, ``-`` and ``*``, int by int. Sums and products must fit into 16 bits with their sign; what leaves
them is lost, interpreted and compiled alike.
"""

import numpy as np
from numpy.typing import NDArray


class Vector:
    """Ints of 16 bits, side by side; like an int, a vector never changes."""

    __slots__ = ("ints",)

    def __init__(self, ints: NDArray[np.int16]) -> None:
        self.ints = ints
        """Of shape (length,)."""

    def __repr__(self) -> str:
        return f"Vector({self.ints.tolist()})"

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.ints + other.ints)

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.ints - other.ints)

    def __mul__(self, other: "Vector") -> "Vector":
        return Vector(self.ints * other.ints)


def vector_at(table: NDArray[np.int16], place: int, length: int) -> Vector:
    """Return a row of a table, whose shape is (rows, length); ``place`` is not negative, and ``length`` is a constant.

    Compiled code trusts the shape and the place.

    >>> vector_at(np.array([[1, 2], [3, 4]], dtype=np.int16), 1, 2)
    Vector([3, 4])
    """
    assert table.dtype == np.int16 and table.shape[1] == length
    return Vector(table[place])


def clipped(vector: Vector, least: int, most: int) -> Vector:
    """Return a vector whose ints are those of ``vector``, but at least and at most these.

    >>> clipped(Vector(np.array([-7, 3, 9], dtype=np.int16)), 0, 5)
    Vector([0, 3, 5])
    """
    return Vector(np.clip(vector.ints, np.int16(least), np.int16(most)))


def dot(vector: Vector, other: Vector) -> int:
    """Return the sum of the products of the ints of two vectors; it may be as large as an int of 64 bits.

    >>> dot(Vector(np.array([-7, 3], dtype=np.int16)), Vector(np.array([1, 1000], dtype=np.int16)))
    2993
    """
    return int(vector.ints.astype(np.int64) @ other.ints.astype(np.int64))
