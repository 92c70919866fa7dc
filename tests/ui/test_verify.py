"""``zermelo verify`` as people use it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solved import copy_of, solved


def test_a_whole_table(zermelo: Callable[..., Any]):
    ran = zermelo("verify", solved("connect", rows=4, columns=3, run=3).place, "--sample", "1000")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("keys are whole; 1,000 positions agree with their successors.\n")


def test_damage_is_named_and_the_exit_status_says_so(zermelo: Callable[..., Any], tmp_path: Path):
    folder = copy_of(solved("connect", rows=4, columns=3, run=3), tmp_path / "table")
    victim = sorted(folder.glob("*.parquet"))[2]
    content = bytearray(victim.read_bytes())
    content[40] ^= 4
    victim.write_bytes(content)
    ran = zermelo("verify", folder)
    assert (ran.status, ran.out) == (1, f"{victim} is damaged: its checksum does not match.\n")


def test_there_must_be_a_table(refusal: Callable[..., str], tmp_path: Path):
    assert "holds no solved table" in refusal("verify", tmp_path)
    assert "The sample is -2" in refusal("verify", tmp_path, "--sample", "-2")


@pytest.mark.parametrize("command", ["verify", "census", "puzzles"])
def test_a_seed_is_not_negative(command: str, refusal: Callable[..., str], tmp_path: Path):
    assert "The seed is -1; it must be 0 or more." in refusal(command, tmp_path, "--seed", "-1")
