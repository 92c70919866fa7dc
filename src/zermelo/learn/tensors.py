"""Files of arrays with a description, in the format safetensors, which many programs read.

The file begins with the length of a JSON header in 8 bytes, low end first. The header tells the type, the shape and the
place of each array, and holds texts under ``__metadata__``: here ``description``, which is JSON again, and ``sha256``,
the checksum of that text and of all arrays. The arrays follow. See huggingface.co/docs/safetensors.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.files import write_whole

_KINDS: Final[dict[str, "np.dtype[Any]"]] = {"I16": np.dtype("<i2"), "I64": np.dtype("<i8"), "F32": np.dtype("<f4")}
_LONGEST: Final = 1 << 26
"""The most bytes of a header."""


def write_tensors(path: Path | str, description: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays of int16, int64 or float32 with a description that JSON can hold.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    text = json.dumps(description)
    names = {kind: name for name, kind in _KINDS.items()}
    blocks = {name: np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))) for name, array in arrays.items()}
    header: dict[str, Any] = {"__metadata__": {"description": text, "sha256": _checksum(text, list(blocks.values()))}}
    start = 0
    for name, block in blocks.items():
        end = start + block.nbytes
        header[name] = {"dtype": names[block.dtype], "shape": list(block.shape), "data_offsets": [start, end]}
        start = end
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    content = b"".join([len(head).to_bytes(8, "little"), head, *(block.tobytes() for block in blocks.values())])
    try:
        write_whole(Path(path), content)
    except OSError as error:
        raise BadParameter(f"{path} cannot be written: {error.strerror or error}.") from None


def read_tensors(path: Path | str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what `write_tensors` wrote.

    Raises
    ------
    BadParameter
        There is no such file, or it is damaged or of another kind.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadParameter(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        length = int.from_bytes(content[:8], "little")
        header = json.loads(content[8 : 8 + min(length, _LONGEST)])
        told = header.pop("__metadata__")
        arrays = {name: _array(content[8 + length :], entry) for name, entry in header.items()}
        text = told["description"]
        if told["sha256"] == _checksum(text, list(arrays.values())):
            description: dict[str, Any] = json.loads(text)
            return description, arrays
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise BadParameter(f"{path} is damaged, or was not written by zermelo learn or tune; make it anew.")


def _array(data: bytes, entry: Mapping[str, Any]) -> NDArray[Any]:
    """Return one of the arrays."""
    start, end = entry["data_offsets"]
    kind: np.dtype[Any] = _KINDS[entry["dtype"]]
    found: NDArray[Any] = np.frombuffer(data[start:end], dtype=kind).reshape(entry["shape"]).copy()
    return found


def _checksum(text: str, blocks: list[NDArray[Any]]) -> str:
    """Return the checksum of a description and arrays."""
    digest = hashlib.sha256(text.encode())
    for block in blocks:
        digest.update(block.tobytes())
    return digest.hexdigest()
