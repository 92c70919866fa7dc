"""Where a solve keeps what it has not finished: keys of tiers in files, arrays that memory has no room for.

Everything lies in the folder ``work`` of the table to be, and is gone when the table is done. A state file says
what is whole; it is written whole or not at all, after the files that it names. What it does not name is
left over from a solve that was stopped, and is deleted when the solve goes on.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.errors import TableError
from zermelo.files import write_whole

STATE: Final = "state.json"
_OURS: Final = re.compile(r"state\.json|\.state\.json\..*|.*\.(keys|run|array)")
"""Names of files that a solve keeps in its folder, half-written ones too."""


@dataclass
class Tier:
    """Positions that are solved together: all of one tier."""

    number: int
    files: list[str]
    """Of keys, each `zermelo.solver.runs.PART` long but for the last."""
    counts: list[int]
    """Keys in each."""
    positions: int = 0
    """How many positions the keys stand for, symmetric ones counted."""
    loops: bool = False
    """Whether positions lead to others of the same tier."""
    leads_to: list[int] = field(default_factory=list)
    """Later tiers that a move may lead to."""

    @property
    def count(self) -> int:
        """Keys."""
        return sum(self.counts)


class Storage:
    """The folder of an unfinished solve.

    Parameters
    ----------
    folder
        Made where it is missing.
    memory
        How many bytes of arrays may be held in memory at a time.

    Raises
    ------
    TableError
        The folder holds what no solve left there.
    """

    def __init__(self, folder: Path, memory: int) -> None:
        self.folder, self.memory = folder, memory
        stranger = stranger_in(folder)
        if stranger is not None:  # the folder is deleted in the end, with all that is in it
            raise TableError(f"{stranger} belongs to no solve of one machine; choose another folder for the table.")
        folder.mkdir(parents=True, exist_ok=True)

    def load_state(self) -> dict[str, Any] | None:
        """What was whole when the solve stopped; None for a new one."""
        path = self.folder / STATE
        if not path.is_file():
            return None
        try:
            state: dict[str, Any] = json.loads(path.read_text())
        except ValueError:
            raise TableError(
                f"{path} is damaged; delete the folder {self.folder} to solve from the beginning."
            ) from None
        return state

    def save_state(self, state: dict[str, Any]) -> None:
        """Say what is whole from now on."""
        write_whole(self.folder / STATE, json.dumps(state).encode())

    def keep_only(self, names: set[str]) -> None:
        """Delete every file but these and the state."""
        for path in self.folder.iterdir():
            if path.name not in names and path.name != STATE:
                path.unlink()

    def write_keys(self, name: str, keys: Any) -> None:
        """A file of keys, on the disk when this returns."""
        temporary = self.folder / f".{name}"
        with temporary.open("wb") as file:
            file.write(np.ascontiguousarray(keys).data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.folder / name)

    def read_keys(self, name: str, count: int) -> Any:
        """The keys of a file.

        Raises
        ------
        TableError
            The file is missing or of another length.
        """
        path = self.folder / name
        try:
            keys = np.fromfile(path, dtype=np.int64)
        except OSError:
            keys = np.empty(0, dtype=np.int64)
        if len(keys) != count:
            raise TableError(
                f"{path} should hold {count} keys and holds {len(keys)}; "
                f"delete the folder {self.folder} to solve from the beginning."
            )
        return keys

    def parts(self, tier: Tier) -> Iterator[Any]:
        """The keys of a tier, file by file."""
        return (self.read_keys(name, count) for name, count in zip(tier.files, tier.counts, strict=True))

    def array(self, name: str, count: int, dtype: Any) -> Any:
        """Room for so many items: in memory, or in a file where they would take more than an eighth of it."""
        size = count * np.dtype(dtype).itemsize
        if size <= self.memory // 8:
            return np.zeros(count, dtype=dtype)
        path = self.folder / f"{name}.array"
        path.unlink(missing_ok=True)
        return np.memmap(path, dtype=dtype, mode="w+", shape=(count,))

    def drop(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)


def stranger_in(folder: Path) -> Path | None:
    """Something in a folder that no solve left there; None where all of it is a solve's, or there is none."""
    if not folder.is_dir():
        return None
    return next((path for path in sorted(folder.iterdir()) if path.is_dir() or not _OURS.fullmatch(path.name)), None)


def tier_to_dict(tier: Tier) -> dict[str, Any]:
    """For the state file."""
    return asdict(tier)
