"""What a solve writes down beside its arrays: JSON objects with a checksum of their own, and checksums of arrays."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from zermelo.compiled.cache import shared_kernel


def sealed(fields: Mapping[str, Any], indent: int | None = None) -> bytes:
    """An object as JSON with sorted keys, and the checksum of all else in its field ``checksum``."""
    plain = json.loads(json.dumps(fields))
    return json.dumps({**plain, "checksum": checksum_of(plain)}, sort_keys=True, indent=indent).encode() + b"\n"


def unsealed(content: bytes | bytearray) -> dict[str, Any]:
    """The object without its checksum.

    Raises
    ------
    ValueError
        It is no JSON object, or its checksum is missing or another.
    """
    fields, checksum = parsed(content)
    if checksum_of(fields) != checksum:
        raise ValueError("the checksum does not match")
    return fields


def parsed(content: bytes | bytearray) -> tuple[dict[str, Any], Any]:
    """The object without its checksum, and the checksum, which is not compared; ValueError as `unsealed`."""
    fields = json.loads(bytes(content))
    if not isinstance(fields, dict) or "checksum" not in fields:
        raise ValueError("it is no object with a checksum")
    checksum = fields.pop("checksum")
    return fields, checksum


def checksum_of(fields: Mapping[str, Any]) -> str:
    """SHA-256 of an object as compact JSON with sorted keys."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


_ALL: Final = (1 << 64) - 1


def sum_of(keys: Any) -> str:
    """The checksum of an array of int64.

    Two sums, the second of all that the first has been (J. Fletcher, 1982), as ZFS checks its blocks: any flipped bit
    changes the first, and what changes place the second. It takes a quarter of the time of a CRC.
    """
    first, second = add_up(keys)
    return f"{int(first) & _ALL:016x}{int(second) & _ALL:016x}"


@shared_kernel
def add_up(keys: Any) -> tuple[int, int]:
    """The sum of all keys, and the sum of these sums, both modulo 2**64."""
    first = second = 0
    for number in range(len(keys)):
        first += int(keys[number])  # without a compiler as an int of any size, of which the low 64 bits count
        second += first
    return first, second
