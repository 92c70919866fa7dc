"""Reads published numbers: those that come with zermelo, for its atlas, and those in ``tests/data``."""

import csv
from pathlib import Path

from zermelo.atlas.facts import TABLES

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    """A table of tab-separated values with a head; lines that start with # are comments."""
    file = next(folder / name for folder in (TABLES, DATA) if (folder / name).exists())
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))
