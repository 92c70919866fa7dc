"""Files of machine code are believed only if this user wrote them, whole, under that very name."""

import os
import random
import stat
import subprocess
import sys
import time

import pytest

from zermelo.compiled import cache_info, clear_cache
from zermelo.compiled.sealed import UNFINISHED, read_sealed, write_sealed

CONTENT = bytes(range(256)) * 8


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cache" / "game" / "kernel.code"
    write_sealed(path, CONTENT)
    return path


def test_what_was_written_is_read(file):
    assert read_sealed(file) == CONTENT
    write_sealed(file, b"")
    assert read_sealed(file) == b""
    assert [one.name for one in file.parent.iterdir()] == ["kernel.code"]


@pytest.mark.parametrize("seed", range(150))
def test_a_flipped_bit_anywhere_is_noticed(seed, file):
    whole = bytearray(file.read_bytes())
    place = random.Random(seed).randrange(8 * len(whole)) if seed > 50 else seed
    whole[place // 8] ^= 1 << place % 8
    file.write_bytes(whole)
    assert read_sealed(file) is None


@pytest.mark.parametrize("length", [0, 1, 16, 48, 49, 500, 2000])
def test_a_file_that_was_cut_off_is_noticed(length, file):
    file.write_bytes(file.read_bytes()[:length])
    assert read_sealed(file) is None
    file.write_bytes(file.read_bytes() + b"more")
    assert read_sealed(file) is None


def test_a_file_under_another_name_or_in_another_folder_is_foreign(file):
    other = file.with_name("other.code")
    other.write_bytes(file.read_bytes())
    assert read_sealed(other) is None
    folder = file.parent.with_name("another")
    file.parent.rename(folder)
    assert read_sealed(folder / file.name) is None


def test_nobody_else_can_enter_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        path = tmp_path / "cache" / "game" / "kernel.code"
        write_sealed(path, CONTENT)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (path.parent.parent, path.parent, path)]
    assert modes == [0o700, 0o700, 0o600]


def test_a_folder_that_others_could_write_to_is_not_believed_until_it_is_private(file):
    file.parent.chmod(0o777)
    assert read_sealed(file) is None
    write_sealed(file, CONTENT)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700 and read_sealed(file) == CONTENT


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_files_and_folders_of_another_user_are_not_believed(file):
    os.chown(file, 65534, 65534)
    assert read_sealed(file) is None
    os.chown(file, 0, 0)
    os.chown(file.parent, 65534, 65534)
    assert read_sealed(file) is None
    with pytest.raises(PermissionError, match="belongs to another user"):
        write_sealed(file, CONTENT)


def test_what_is_no_plain_file_is_not_opened(file):
    link = file.with_name("link.code")
    link.symlink_to(file)
    pipe = file.with_name("pipe.code")
    os.mkfifo(pipe)
    assert read_sealed(link) is None and read_sealed(pipe) is None and read_sealed(file.parent) is None
    assert read_sealed(file.with_name("none.code")) is None


def test_what_a_process_left_unfinished_is_counted_and_swept_up(file, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(file.parent.parent))
    old, new = file.with_name(f"{UNFINISHED}old"), file.with_name(f"{UNFINISHED}new")
    for one in (old, new):
        one.write_bytes(b"half")
    found = cache_info()
    assert (found.entries, found.unfinished, found.size) == (1, 2, file.stat().st_size + 8)
    os.utime(old, (time.time() - 7200,) * 2)
    write_sealed(file, CONTENT)
    assert not old.exists() and new.exists()
    clear_cache()
    assert not file.parent.exists()


def test_a_write_that_fails_leaves_nothing_behind(file, monkeypatch):
    def fail(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_sealed(file, b"other")
    monkeypatch.undo()
    assert read_sealed(file) == CONTENT and list(file.parent.iterdir()) == [file]


TWO_KERNELS = """
from zermelo.compiled.cache import shared_kernel

@shared_kernel
def one(number):
    return number + 1

@shared_kernel
def two(number):
    return number + 2

print(one(1), two(1))
"""


def test_a_cache_that_cannot_be_written_is_one_warning(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "kernels.py").write_text(TWO_KERNELS)
    place = tmp_path / "file" / "cache"
    environment = os.environ | {"ZERMELO_CACHE_DIR": str(place), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "kernels.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "2 3\n"
    assert done.stderr.count(f"Compiled code cannot be kept in {place} (Not a directory), so every process") == 1
