"""JSON objects that contain their own checksum, and checksums of arrays."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel


def sealed(fields: Mapping[str, Any], indent: int | None = None) -> bytes:
    """Return an object as JSON with sorted keys; its field ``checksum`` has the checksum of the other fields."""
    plain = json.loads(json.dumps(fields))
    return json.dumps({**plain, "checksum": checksum_of(plain)}, sort_keys=True, indent=indent).encode() + b"\n"


def unsealed(content: bytes | bytearray) -> dict[str, Any]:
    """Return the object without its checksum, after comparing it.

    Raises
    ------
    ValueError
        The content is not a JSON object, or its checksum is missing or wrong.
    """
    fields, checksum = parsed(content)
    if checksum_of(fields) != checksum:
        raise ValueError("the checksum does not match")
    return fields


def parsed(content: bytes | bytearray) -> tuple[dict[str, Any], object]:
    """Return the object without its checksum, and the checksum, which the caller must compare.

    Raises
    ------
    ValueError
        The content is not a JSON object with a checksum.
    """
    fields = json.loads(bytes(content))
    if not isinstance(fields, dict) or "checksum" not in fields:
        raise ValueError("it is not an object with a checksum")
    checksum = fields.pop("checksum")
    return fields, checksum


def checksum_of(fields: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an object as compact JSON with sorted keys."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


_ALL: Final = (1 << 64) - 1


def sum_of(numbers: NDArray[Any]) -> str:
    """Return the checksum of whole numbers, shape (n,), as 32 hexadecimal digits.

    It has two sums, as in ZFS: that of the numbers, and that of all partial sums of them (J. Fletcher, 1982). A
    flipped bit changes the first one, a change of the order the second one. This takes a quarter of the time of a CRC.
    """
    first, second = add_up(numbers)
    return f"{int(first) & _ALL:016x}{int(second) & _ALL:016x}"


@shared_kernel
def add_up(numbers: NDArray[Any]) -> tuple[int, int]:
    """Return the sum of whole numbers, and the sum of all its partial sums, both modulo 2**64."""
    first = second = 0
    for place in range(len(numbers)):
        first += int(numbers[place])  # interpreted, this is an int of any size; only its low 64 bits count
        second += first
    return first, second
