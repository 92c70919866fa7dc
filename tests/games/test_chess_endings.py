"""Endings of chess: published counts and longest mates, and tables in searches."""

import random
from itertools import permutations

import numpy as np
import pytest

from zermelo import Engine, solve
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten
from zermelo.errors import BadParameter
from zermelo.games.chess import chess
from zermelo.games.chess_board import LETTERS, UNCOUNTED, state_of
from zermelo.games.chess_endings import images, pack, unpack
from zermelo.solver.model.states import States
from zermelo.ui.positions import beginning, placed

GAME = chess()
LEGAL = {"KRk": (175_168, 223_944), "KQk": (144_508, 223_944), "KPk": (163_328, 168_024)}
"""Legal positions with White to move, and with Black to move: published with K. Thompson's endings."""
LONGEST = {"KRk": 31, "KQk": 19}
"""Plies of the longest mates with White to move: 16 and 10 moves."""


@pytest.fixture(scope="module")
def endings():
    """Packed positions; the last bit is 1 if White is to move."""
    return {men: placed(GAME, men) for men in LEGAL}


@pytest.fixture(scope="module")
def table(endings, tmp_path_factory):
    return solve(GAME, tmp_path_factory.mktemp("endings"), starts=np.concatenate(list(endings.values())))


def some_of(packed, count, seed):
    return [unpack(number) for number in random.Random(seed).sample(packed.tolist(), count)]


def test_placements_are_all_legal_positions(endings):
    for men, packed in endings.items():
        assert ((packed & 1 == 1).sum(), (packed & 1 == 0).sum()) == LEGAL[men]
        assert len(np.unique(packed)) == len(packed)
        for state in some_of(packed, 200, 0):
            assert GAME.from_text(GAME.to_text(state)) == state == unpack(pack(state))
            assert (state.player == 1) == (pack(state) & 1 == 1)


@pytest.mark.parametrize(("men", "size"), [("KPk", 5), ("Kpk", 5), ("Kqk", 5)])
def test_placements_are_those_found_one_by_one(men, size):
    game = chess(size=size)
    board = [8 * rank + file for rank in range(size) for file in range(size)]
    found = set()
    for squares in permutations(board, len(men)):
        words = {
            letter: sum(1 << at for man, at in zip(men, squares, strict=True) if man == letter) for letter in LETTERS
        }
        for player in (1, -1):
            state = state_of(words, player, UNCOUNTED)
            in_check = GAME.urgent(state._replace(player=-player))
            last = (state.pawns & (0x1F | 0x1F << 8 * (size - 1))) != 0
            if not in_check and not last:
                found.add(pack(state))
    packed = game.placements(men)
    assert len(packed) == len(found) and set(packed.tolist()) == found


def test_two_men_of_a_kind_are_placed_once():
    packed = chess(size=5).placements("KNNk")
    assert len(np.unique(packed)) == len(packed)
    assert (packed & 1 == 0).sum() == 456 * 253  # kings apart, times two of the 23 other squares


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
    for state in some_of(endings[men], 20, 1):
        alike = {state, *GAME.symmetries(state)}
        assert len(alike) in (most, most // 2)
        assert all({one, *GAME.symmetries(one)} == alike for one in alike)
        assert len({len(GAME.legal_actions(one)) for one in alike}) == 1
    assert len(images(5)) == 7


@pytest.mark.slow
def test_the_longest_mates_are_the_published_ones(endings, table):
    assert table.manifest["fold"]
    for men, plies in LONGEST.items():
        mine = endings[men][endings[men] & 1 == 1]
        values, remoteness = table.values(mine), table.remoteness(mine)
        assert remoteness[values > 0].max() == plies
        assert (values >= 0).all()
    pawns = endings["KPk"]
    won, white = table.values(pawns) > 0, pawns & 1 == 1
    assert ((won & white).sum(), (won & ~white).sum()) == (124_960, 97_604)


def test_a_table_stores_symmetric_positions_once(tmp_path):
    """Two kings stand in 3,612 ways, of which 462 differ by more than symmetry; each of them may be to move."""
    states = placed(GAME, "Kk")
    table = solve(GAME, tmp_path / "kings", starts=states)
    assert (table.manifest["fold"], len(table), table.manifest["stored"]) == (True, 2 * 3_612, 2 * 462)
    assert set(table.values(states).tolist()) == {0}


@pytest.mark.slow
def test_many_states_are_given_as_states_as_rows_or_packed(table, endings, tmp_path):
    """A man on the last square is the 64th bit of a word, which rows hold as a sign."""
    states = [GAME.from_text(fen) for fen in ("7k/5KQ1/8/8/8/8/8/8 b - - - 1", "7k/8/8/8/8/8/8/KR6 w - - - 1")]
    rows = np.array([flatten(state) for state in states])
    packed = np.array([pack(state) for state in states])
    assert (rows < -1).any()
    for given in (states, rows, packed):
        many = States(compiled(GAME), given)
        assert [many[0], many[1]] == states
        assert np.concatenate(list(many.blocks(table.key_makers[1]))).tolist() == rows.tolist()
        assert table.values(given).tolist() == [100_000, 100_000]
        assert table.remoteness(given).tolist() == [0, table[states[1]].remoteness]
        mated = solve(GAME, starts=given[:1])  # with a sign, the rules of Python would look for moves without an end
        assert (len(mated), mated[states[0]].value) == (1, 100_000)
        mated.close()
    assert table.values([]).tolist() == []
    with pytest.raises(BadParameter, match=r"States of chess\(.*\) have 10 ints; the array has shape \(2, 9\)"):
        solve(GAME, starts=rows[:, 1:])


def test_positions_in_a_file_and_placements_begin_a_solve_together(endings, tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("8/8/8/8/8/8/QK6/7k w - - - 1\n")
    both = beginning(GAME, file, "KRk")
    assert unpack(int(both[0])) == GAME.from_text(file.read_text()) and both[1:].tolist() == endings["KRk"].tolist()
    file.write_text("8/8/8/8/8/8/QK6/7k w - - 0 1\n")
    with pytest.raises(BadParameter, match="fits into no table of placements; pack gives no number for it"):
        beginning(GAME, file, "KRk")


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
