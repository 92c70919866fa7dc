"""Small ints that are added and multiplied side by side, for networks in evaluations.

A *row* holds ints of 16 bits, its *lanes*: 16, 32 or more of them, a power of two. Compiled, it is a vector of the
processor, so that one instruction serves as many lanes as fit into its registers::

    units = row_at(biases, 0, LANES)
    for place in places:
        units += row_at(weights, place, LANES)
    units = clipped(units, 0, 255)
    total = dot(units, row_at(output_weights, 0, LANES))

Rows know ``+``, ``-`` and ``*``, lane by lane. Sums and products must fit into 16 bits with their sign; what leaves
them is lost, interpreted and compiled alike.
"""

import numpy as np
from numpy.typing import NDArray


class Row:
    """Ints of 16 bits, side by side; like an int, a row never changes."""

    __slots__ = ("lanes",)

    def __init__(self, lanes: NDArray[np.int16]) -> None:
        self.lanes = lanes
        """Of shape (lanes,)."""

    def __repr__(self) -> str:
        return f"Row({self.lanes.tolist()})"

    def __add__(self, other: "Row") -> "Row":
        return Row(self.lanes + other.lanes)

    def __sub__(self, other: "Row") -> "Row":
        return Row(self.lanes - other.lanes)

    def __mul__(self, other: "Row") -> "Row":
        return Row(self.lanes * other.lanes)


def row_at(table: NDArray[np.int16], place: int, lanes: int) -> Row:
    """Return a row of a table of shape (rows, lanes); ``place`` is not negative, and ``lanes`` is a constant.

    >>> row_at(np.array([[1, 2], [3, 4]], dtype=np.int16), 1, 2)
    Row([3, 4])
    """
    assert table.dtype == np.int16 and table.shape[1] == lanes
    return Row(table[place])


def clipped(row: Row, least: int, most: int) -> Row:
    """Return a row whose lanes are those of ``row``, but at least and at most these.

    >>> clipped(Row(np.array([-7, 3, 9], dtype=np.int16)), 0, 5)
    Row([0, 3, 5])
    """
    return Row(np.clip(row.lanes, np.int16(least), np.int16(most)))


def dot(row: Row, other: Row) -> int:
    """Return the sum of the products of the lanes of two rows; it may be as large as an int of 64 bits.

    >>> dot(Row(np.array([-7, 3], dtype=np.int16)), Row(np.array([1, 1000], dtype=np.int16)))
    2993
    """
    return int(row.lanes.astype(np.int64) @ other.lanes.astype(np.int64))
