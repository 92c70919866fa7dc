"""Tables from all placements of given men."""

from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from facts import rows
from reference import outcomes
from solver_once import cut, noted
from zermelo import solve
from zermelo.errors import Unsolvable
from zermelo.game import MAX
from zermelo.games import checkers, nine_mens_morris


def test_placements_of_checkers_pieces() -> None:
    """OEIS A055213 counts placements without the side to move; a man never stands on its last row."""
    published = {int(row["pieces"]): int(row["positions"]) for row in rows("checkers_piece_positions_A055213.tsv")}
    placements = checkers().placements
    assert placements is not None
    for pieces in (1, 2, 3):
        materials = ["".join(letters) for letters in combinations_with_replacement("KMkm", pieces)]
        assert sum(sum(1 for _ in placements(text)) for text in materials) == 2 * published[pieces]


def test_one_king_against_one_king(tmp_path: Path) -> None:
    """992 positions for a given side to move: 230 won, 654 drawn, 108 lost, the longest win 11 plies (E. Trice)."""
    game = checkers()
    assert game.placements is not None
    starts = list(game.placements("Kk"))
    table = solve(game, tmp_path / "table", starts=starts)
    mine = [table[state] for state in starts if state.player == MAX]
    counted = Counter((entry.value > 0) - (entry.value < 0) for entry in mine)
    assert counted == {1: 230, 0: 654, -1: 108}
    assert max(entry.remoteness or 0 for entry in mine) == 11
    expected = outcomes(game, starts)
    assert {state: (table[state].value, table[state].remoteness) for state in expected} == expected


@pytest.mark.slow
def test_three_men_against_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest loss takes 26 plies, and 83 % are won for the player to move: figures 9 and 11 of R. Gasser, 1996.

    The figures are as others quote them. The numbers of won, drawn and lost positions are those of a solve in memory.
    The moves do not fit into the memory that is allowed, so they go into files.
    """
    game = nine_mens_morris()
    assert game.placements is not None
    starts = game.placements("3-3")
    assert isinstance(starts, np.ndarray)
    cut(monkeypatch, memory=64 << 20)
    kinds = noted(monkeypatch)
    table = solve(game, tmp_path / "table", starts=starts)
    assert kinds.count("solve_filed") == 1
    assert table.manifest["fold"], "the least of symmetric placements stand for all"
    assert table.manifest["stored"] == 339_738
    mine = np.where(starts & 1, 1, -1) * table.values(starts)
    assert len(starts) == 2 * 169_626
    assert [int((np.sign(mine) == sign).sum()) for sign in (1, 0, -1)] == [281_242, 538, 57_472]
    assert table.remoteness(starts)[mine < 0].max() == 26
    assert round(float((mine > 0).mean()), 2) == 0.83


def test_placements_that_mean_nothing_are_refused() -> None:
    for game, text in ((nine_mens_morris(), "3"), (checkers(), "Kx")):
        assert game.placements is not None
        with pytest.raises(ValueError, match="is not"):
            next(iter(game.placements(text)))


def test_too_many_pieces_are_refused(tmp_path: Path) -> None:
    game = checkers()
    with pytest.raises(Unsolvable, match="pack of checkers"):
        solve(game, tmp_path / "table")
