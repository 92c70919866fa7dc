"""Where a solve keeps what it has not finished: keys of tiers in files, arrays that memory has no room for.

Everything lies in the folder ``work`` of the table to be, and is gone when the table is done. The state is a file that
says what is whole; `Storage.commit` is the only place where it changes and where files are deleted:

1. all files that the new state names are on the disk;
2. the new state replaces the old one, in one step;
3. what the new state does not name is deleted.

So whatever the state on the disk names is there, however the solve ends; and no file that it names is written again.
What a solve that was stopped has written beyond that is deleted when the solve goes on. Checksums of all files are in
the state, as is one of itself, and are compared whenever a file is read.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.errors import TableError
from zermelo.files import name_of_temporary, put, sync, sync_folder, unlink, write_whole
from zermelo.solver.table.sealed import sealed, sum_of, unsealed

STATE: Final = "state.json"
_OURS: Final = re.compile(r"state\.json|.*\.(keys|run|array)")
"""Names of files that a solve keeps in its folder."""


@dataclass
class Tier:
    """Positions that are solved together: all of one tier."""

    number: int
    files: list[str]
    """Of keys, each `zermelo.solver.local.external_sort.PART` long but for the last."""
    counts: list[int]
    """Keys in each."""
    sums: list[str]
    """Of each, the checksum of its keys."""
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
        sync_folder(folder.parent)

    def resume(self) -> dict[str, Any] | None:
        """What was whole when the solve stopped, None for a new one; all else is deleted.

        Raises
        ------
        TableError
            The state is damaged.
        """
        path = self.folder / STATE
        state = None
        if path.is_file():
            try:
                state = unsealed(path.read_bytes())
            except ValueError:
                raise TableError(
                    f"{path} is damaged, or another version of zermelo wrote it; "
                    f"delete the folder {self.folder} to solve from the beginning."
                ) from None
        self._keep_only(names_in(state))
        return state

    def commit(self, state: dict[str, Any]) -> None:
        """Say what is whole from now on: files that `write` or `sync` has brought to the disk; delete all others."""
        sync_folder(self.folder)
        write_whole(self.folder / STATE, sealed(state))
        self._keep_only(names_in(state))

    def _keep_only(self, names: set[str]) -> None:
        for path in sorted(self.folder.iterdir()):
            if path.name not in names:
                unlink(path)

    def write(self, name: str, keys: Any, durable: bool = True) -> str:
        """A file of keys, on the disk when this returns if it is to be durable; returns their checksum."""
        keys = np.ascontiguousarray(keys)
        with (self.folder / name).open("wb") as file:
            put(file, keys.data)
            if durable:
                sync(file)
        return sum_of(keys)

    def sync(self, name: str) -> None:
        """Bring a file to the disk."""
        with (self.folder / name).open("rb") as file:
            sync(file)

    def read(self, name: str, count: int | None, checksum: str) -> Any:
        """The keys of a file; ``count`` is None where the checksum alone tells whether they are all there.

        Raises
        ------
        TableError
            The file is missing, or is not what was written.
        """
        path = self.folder / name
        try:
            keys = np.fromfile(path, dtype=np.int64)
        except OSError as error:
            raise self._damaged(f"{path} cannot be read: {error.strerror}") from None
        if count is not None and len(keys) != count:
            raise self._damaged(f"{path} should hold {count} keys and holds {len(keys)}")
        if sum_of(keys) != checksum:
            raise self._damaged(f"{path} is damaged: its checksum does not match")
        return keys

    def _damaged(self, what: str) -> TableError:
        return TableError(f"{what}; delete the folder {self.folder} to solve from the beginning.")

    def parts(self, tier: Tier) -> Iterator[Any]:
        """The keys of a tier, file by file."""
        return (self.part(tier, number) for number in range(len(tier.files)))

    def part(self, tier: Tier, number: int) -> Any:
        """The keys of one file of a tier."""
        return self.read(tier.files[number], tier.counts[number], tier.sums[number])

    def array(self, name: str, count: int, dtype: Any) -> Any:
        """Room for so many items: in memory, or in a file where they would take more than an eighth of it."""
        size = count * np.dtype(dtype).itemsize
        if size <= self.memory // 8:
            return np.zeros(count, dtype=dtype)
        path = self.folder / f"{name}.array"
        with path.open("wb") as file:
            # A full disk is an error here; without this it would be the end of the process, when the array is used.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, size)
            else:
                file.truncate(size)
        return np.memmap(path, dtype=dtype, mode="r+", shape=(count,))

    def clear(self) -> None:
        """Delete all files; the state goes first, since it must not outlive what it names."""
        unlink(self.folder / STATE)
        sync_folder(self.folder)
        self._keep_only(set())

    def drop(self) -> None:
        """Delete the folder."""
        self.clear()
        self.folder.rmdir()


def names_in(state: dict[str, Any] | None) -> set[str]:
    """The files that a state needs, and its own."""
    if state is None:
        return set()
    tiers = [*state["tiers"], *([state["merged"]] if "merged" in state else [])]
    runs = [name for runs in state.get("pending", {}).values() for name, _ in runs]
    return {STATE, *(name for tier in tiers for name in tier["files"]), *runs}


def stranger_in(folder: Path) -> Path | None:
    """Something in a folder that no solve left there; None where all of it is a solve's, or there is none."""
    if not folder.is_dir():
        return None
    return next((path for path in sorted(folder.iterdir()) if path.is_dir() or not _is_ours(path.name)), None)


def _is_ours(name: str) -> bool:
    return _OURS.fullmatch(name_of_temporary(name) or name) is not None


def tier_to_dict(tier: Tier) -> dict[str, Any]:
    """For the state file."""
    return asdict(tier)
