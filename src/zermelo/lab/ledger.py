"""The file of a contest: JSON lines, a header and then a line for each game, in the order in which the games ended.

Each line is an object with a ``checksum``: the first 16 digits of SHA-256 of the rest as compact JSON with sorted keys.
Lines are appended and handed to the system at once. So a killed process loses at most the games in progress, and at
most the last line of its file is torn; whoever goes on with the file removes that line.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

from zermelo.errors import RecordError
from zermelo.files import sync, write_whole
from zermelo.lab.played import PlayedGame

Header = dict[str, Any]
_DIGITS: Final = 16


class Ledger:
    """The file of a contest, open for more games.

    Parameters
    ----------
    path
        The file, which is made if it is not there; None for a contest that is kept in memory alone.
    header
        Gives the header of this contest.

    Attributes
    ----------
    games
        Those that the file held when it was opened.

    Raises
    ------
    RecordError
        The file cannot be read or written, is damaged, holds another contest, or is in use.
    """

    def __init__(self, path: Path | str | None, header: Callable[[], Header]) -> None:
        self.games: list[PlayedGame] = []
        self._file: BinaryIO | None = None
        if path is None:
            return
        try:
            self._open(Path(path), header())
        except OSError as error:
            raise RecordError(f"The games cannot be kept in {path}: {error.strerror}.") from None

    def _open(self, path: Path, header: Header) -> None:
        if not path.exists() or not path.stat().st_size:
            write_whole(path, _line(header))
        file = path.open("r+b")
        try:
            _lock(file, path)
            found, self.games, end = _read(file.read(), path)
            _require_same(path, found, header)
        except BaseException:
            file.close()
            raise
        file.seek(end)
        file.truncate()
        self._file = file

    def append(self, game: PlayedGame) -> None:
        """Add a game.

        Raises
        ------
        RecordError
            The disk is full, or the like.
        """
        if self._file is None:
            return
        try:
            self._file.write(_line(game.to_dict()))
            self._file.flush()
        except OSError as error:
            raise RecordError(f"The games cannot be kept in {self._file.name}: {error.strerror}.") from None

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            try:
                sync(self._file)
            finally:
                self._file.close()


def read_ledger(path: Path | str) -> tuple[Header, list[PlayedGame]]:
    """The header and the games of a file; a torn last line is left out.

    Raises
    ------
    RecordError
        The file cannot be read, is none of these files, or is damaged.
    """
    try:
        header, games, _ = _read(Path(path).read_bytes(), path)
    except OSError as error:
        raise RecordError(f"The games in {path} cannot be read: {error.strerror}.") from None
    return header, games


def _lock(file: BinaryIO, path: Path) -> None:
    """Keep other processes from writing to the file; Windows has no such lock."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RecordError(f"Another process is writing to {path}; wait for it, or give another file.") from None


def _line(record: dict[str, Any]) -> bytes:
    return (_compact({**record, "checksum": _checksum(record)}) + "\n").encode()


def _compact(record: dict[str, Any], sort_keys: bool = False) -> str:
    return json.dumps(record, separators=(",", ":"), sort_keys=sort_keys)


def _checksum(record: dict[str, Any]) -> str:
    return hashlib.sha256(_compact(record, sort_keys=True).encode()).hexdigest()[:_DIGITS]


def _read(content: bytes, path: Path | str) -> tuple[Header, list[PlayedGame], int]:
    """The header, the games, and the number of bytes in whole lines."""
    end = content.rfind(b"\n") + 1
    lines = content[:end].splitlines()
    if not lines:
        raise RecordError(f"{path} is no file of a tournament: it has no whole line.")
    header = _parsed(lines[0], path, 1)
    if "format" not in header or "players" not in header:
        raise RecordError(f"{path} is no file of a tournament: its first line is no header.")
    games = []
    for number, line in enumerate(lines[1:], start=2):
        record = _parsed(line, path, number)
        try:
            games.append(PlayedGame.from_dict(record))
        except RecordError as error:
            raise RecordError(f"{path}, line {number}: {error}") from None
    return header, games, end


def _parsed(line: bytes, path: Path | str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or "checksum" not in record:
        what = "is no file of a tournament" if number == 1 else f"is damaged in line {number}"
        raise RecordError(f"{path} {what}: the line is no JSON object with a checksum.")
    if record.pop("checksum") != _checksum(record):
        raise RecordError(f"{path} is damaged in line {number}: the checksum does not match what it holds.")
    return record


def _require_same(path: Path, found: Header, asked: Header) -> None:
    """Refuse to go on with another contest; the message names the first difference."""
    asked = json.loads(_compact(asked))  # tuples become lists
    for name in (*asked, *found):
        there, here = found.get(name), asked.get(name)
        if there != here:
            said = "" if name == "openings" else f": there {_compact_value(there)}, here {_compact_value(here)}"
            raise RecordError(
                f"{path} belongs to another command: the {name} differ{said}. Give the same command, or another file."
            )


def _compact_value(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "))
