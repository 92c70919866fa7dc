"""Endings of chess: published counts and longest mates, and tables in searches."""

import random

import numpy as np
import pytest

from zermelo import Engine, solve
from zermelo.bits import lowest_index
from zermelo.errors import BadParameter
from zermelo.games.chess import chess
from zermelo.games.chess_board import UNCOUNTED, kings
from zermelo.games.chess_endings import images, pack, unpack
from zermelo.ui.positions import placed

GAME = chess()
LEGAL = {"KRk": (175_168, 223_944), "KQk": (144_508, 223_944), "KPk": (163_328, 168_024)}
"""Legal positions with White to move, and with Black to move: published with K. Thompson's endings."""
LONGEST = {"KRk": 31, "KQk": 19, "KPk": 55}
"""Plies of the longest mates with White to move: 16, 10 and 28 moves."""


@pytest.fixture(scope="module")
def endings():
    return {men: placed(GAME, men) for men in LEGAL}


@pytest.fixture(scope="module")
def different(endings):
    """Of positions that are the same by symmetry, those whose white king is on the queen's side; without pawns, those
    whose white king is also on the squares a1, b1, b2, c1 and so on to d4.
    """
    return {men: [state for state in states if is_chosen(state)] for men, states in endings.items()}


def is_chosen(state):
    rank, file = divmod(lowest_index(kings(state) & state.white), 8)
    return file < 4 and (state.pawns != 0 or rank <= file)


@pytest.fixture(scope="module")
def table(different, tmp_path_factory):
    """A table of these positions, and of what play comes to from them."""
    starts = [state for states in different.values() for state in states]
    return solve(GAME, tmp_path_factory.mktemp("endings"), starts=starts)


def test_placements_are_all_legal_positions(endings):
    for men, states in endings.items():
        assert (sum(state.player == 1 for state in states), sum(state.player == -1 for state in states)) == LEGAL[men]
        assert len(set(states)) == len(states)
        chosen = random.Random(0).sample(states, 200)
        assert all(GAME.from_text(GAME.to_text(state)) == state == unpack(pack(state)) for state in chosen)


@pytest.mark.parametrize("text", ["", "KR", "KRkk", "KRRRRk", "Kxk", "krk"])
def test_other_texts_are_no_endings(text):
    with pytest.raises(BadParameter, match="is no ending; write both kings and up to 3 more men"):
        placed(GAME, text)


def test_a_table_packs_no_clock_no_castling_and_no_sixth_man():
    for fen in (
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - - 1",
        "7k/8/8/8/8/8/8/KRRRRR2 w - - - 1",
    ):
        assert pack(GAME.from_text(fen)) < 0
    passed = GAME.from_text("8/8/8/K7/3pP3/8/8/7k b - e3 - 1")
    assert passed.en_passant and unpack(pack(passed)) == passed


@pytest.mark.parametrize(("men", "most"), [("KRk", 8), ("KPk", 2)])
def test_symmetric_endings_play_alike(men, most, endings):
    for state in random.Random(1).sample(endings[men], 20):
        alike = {state, *GAME.symmetries(state)}
        assert len(alike) in (most, most // 2)
        assert all({one, *GAME.symmetries(one)} == alike for one in alike)
        assert len({len(GAME.legal_actions(one)) for one in alike}) == 1
    assert len(images(5)) == 7


@pytest.mark.slow
def test_the_longest_mates_are_the_published_ones(different, table):
    for men, plies in LONGEST.items():
        mine = [state for state in different[men] if state.player == 1]
        values, remoteness = table.values(mine), table.remoteness(mine)
        assert remoteness[values > 0].max() == plies
        assert (values >= 0).all()
    pawns = different["KPk"]
    won, turns = table.values(pawns) > 0, np.array([state.player for state in pawns])
    # Each stands for two positions, since the reflection of the files leaves no square in its place.
    assert 2 * (won & (turns == 1)).sum() == 124_960
    assert 2 * (won & (turns == -1)).sum() == 97_604


def test_a_table_stores_symmetric_positions_once(tmp_path):
    """Two kings stand in 3,612 ways, of which 462 differ by more than symmetry; each of them may be to move."""
    states = placed(GAME, "Kk")
    table = solve(GAME, tmp_path / "kings", starts=states)
    assert (table.manifest["fold"], len(table), table.manifest["stored"]) == (True, 2 * 3_612, 2 * 462)
    assert set(table.values(states).tolist()) == {0}


@pytest.mark.slow
def test_a_search_uses_the_table_as_far_as_fifty_moves_allow(table):
    far = "7K/8/8/8/8/2k5/8/R7 b - - {} 1"
    early, late = (GAME.from_text(far.format(clock)) for clock in (0, 90))
    entry = table.get(GAME.position(early))
    assert (entry.value, entry.remoteness) == (100_000, 32)
    assert table.get(early) == entry and table.get(late) is None
    engine = Engine(GAME, tables=[table], table_mb=4)
    found = engine.search(early, depth=1)
    assert (found.value, found.remoteness, found.proven) == (100_000, 32, True)
    assert not engine.search(late, depth=3).proven
    before = GAME.from_text("8/8/8/8/8/2k5/7n/R6K w - - 0 1")
    found = engine.search(before, depth=1)
    assert (found.value, found.table_hits) == (100_000, 1)  # the knight is taken, and the table knows the rest
    assert before.halfmove_clock == 0 != UNCOUNTED
