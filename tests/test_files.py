"""Files are written whole: what they replace, what they leave unchanged, and what they refuse."""

import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from zermelo.files import name_of_temporary, temporary_name, whole, write_whole


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link, dangling = tmp_path / "far" / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_text("before")
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "far" / "new")
    write_whole(link, b"after")
    write_whole(dangling, b"new")
    assert link.is_symlink()
    assert target.read_text() == "after"
    assert dangling.is_symlink()
    assert (tmp_path / "far" / "new").read_text() == "new"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["dangling", "far", "link", "new", "target"]


def test_the_mode_is_that_of_the_file_or_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"")
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o600)
        write_whole(tmp_path / "old", b"")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "old")]
    assert modes == [0o640, 0o600]


def test_pipes_and_terminals_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"content")
    reader.join()
    assert read == [b"content"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_whole(Path(os.devnull), b"content")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_other_things_are_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        with pytest.raises(OSError, match="it is not a regular file"):
            write_whole(tmp_path / "socket", b"")
    with pytest.raises(OSError, match="it is not a regular file"):
        write_whole(tmp_path, b"")
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "file", b"")


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before")
    with pytest.raises(RuntimeError), whole(tmp_path / "file") as file:
        file.write(b"after")
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"


def test_long_names_have_temporary_ones(tmp_path: Path) -> None:
    name = "ä" * 127
    write_whole(tmp_path / name, b"content")
    assert (tmp_path / name).read_bytes() == b"content"
    assert name_of_temporary(temporary_name("state.json")) == "state.json"
    assert name_of_temporary("state.json") is None
