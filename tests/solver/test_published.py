"""Tables against published counts, winners and lengths; tests/cluster/test_nodes.py has connect four on 5x5."""

from collections import Counter
from pathlib import Path

import pytest

from facts import rows
from zermelo import solve
from zermelo.games import connect, kalah, minicheckers, tictactoe
from zermelo.solver.table.table import Table

BOARDS = [
    (int(row["height"]), int(row["width"]), int(row["positions"])) for row in rows("connect4_positions_tromp.tsv")
]
WALKED = [(6, 3), (2, 7)]
"""Larger boards whose positions tests/games/test_connect.py counts, and those of all smaller boards."""
PLAYED = {(int(row["height"]), int(row["width"])): row for row in rows("connect_boards.tsv")}
"""Who wins on a board, and after how many plies; of boards that are solved here, all are drawn."""


def wins(table: Table) -> Counter[int]:
    """How many positions MAX wins (1), MIN wins (-1) and nobody (0)."""
    counted: Counter[int] = Counter()
    for tier in table.census():
        for value, _, positions in tier["outcomes"]:
            counted[(value > 0) - (value < 0)] += positions
    return counted


@pytest.mark.parametrize(
    ("height", "width", "positions"),
    [board for board in BOARDS if 60_000 < board[2] < 4_000_000 and board[:2] not in WALKED],
)
def test_positions_of_connect_four_boards(height: int, width: int, positions: int, tmp_path: Path) -> None:
    table = solve(connect(height, width, 4), tmp_path / "table")
    assert len(table) == positions
    assert sum(tier["positions"] for tier in table.census()) == positions
    assert sum(wins(table).values()) == positions
    if (height, width) in PLAYED:
        entry, fact = table[table.game.initial], PLAYED[height, width]
        assert (entry.value, entry.remoteness) == (0, int(fact["last_ply"]))
        assert fact["steininger"] == "D"


def test_tictactoe(tmp_path: Path) -> None:
    """5,478 positions; 765 where symmetric ones are one; a draw after nine moves."""
    table = solve(tictactoe(), tmp_path / "table")
    entry = table[tictactoe().initial]
    assert (len(table), table.manifest["stored"]) == (5478, 765)
    assert (entry.value, entry.remoteness) == (0, 9)


@pytest.mark.parametrize(("pits", "seeds"), [(1, 6), (2, 4), (3, 2), (3, 3)])
def test_who_wins_kalah(pits: int, seeds: int, tmp_path: Path) -> None:
    """Irving, Donkers and Uiterwijk (2000); (3, 6), lost by 10, and (4, 4), won by 2, are in benchmarks/solving.py."""
    winner = next(row["wdl_paper"] for row in rows("kalah.tsv") if (row["m"], row["n"]) == (str(pits), str(seeds)))
    table = solve(kalah(pits, seeds), tmp_path / "table")
    value = table[table.game.initial].value
    assert "LDW"[(value > 0) - (value < 0) + 1] == winner


@pytest.mark.slow
def test_minicheckers_whole(tmp_path: Path) -> None:
    """No count is published; the value is the engine's too, and the perft test covers the rules."""
    table = solve(minicheckers(), tmp_path / "table")
    assert (len(table), table[table.game.initial].value) == (34_337_081, 0)
