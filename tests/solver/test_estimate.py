"""Estimates against known counts: exact where everything fits, within a measured factor elsewhere."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from facts import rows
from solved import game_of, solved
from zermelo.errors import BadParameter
from zermelo.solver.model.problem import Problem
from zermelo.solver.study.estimate import _Estimator, estimate
from zermelo.solver.study.tiers import Level, Sweep
from zermelo.solver.table.packed import packed

POSITIONS = {(4, 4): 161029, (4, 5): 3945711, (5, 4): 1706255, (5, 5): 69763700, (4, 6): 94910577}
"""Rows and columns of connect, from connect4_positions_tromp.tsv."""
FACTOR = 2


@pytest.mark.parametrize(("name", "parameters"), [
    ("tictactoe", {}), ("connect", {"rows": 4, "columns": 4, "run": 3}), ("kalah", {"pits": 2, "seeds": 2}),
])  # fmt: skip
def test_small_games_are_counted(name: str, parameters: dict[str, int]):
    table = solved(name, **parameters)
    found = estimate(table.game)
    assert found.exact
    assert (found.positions, found.stored) == (len(table), table.manifest["stored"])
    assert sum(level.stored for level in found.levels) == found.stored


@pytest.mark.parametrize("counted", [30_000, 100_000, 1_000_000])
@pytest.mark.parametrize("board", POSITIONS)
def test_boards_of_connect_are_estimated_within_the_measured_factor(board: tuple[int, int], counted: int):
    game = game_of("connect", rows=board[0], columns=board[1])
    found = estimate(game, counted=counted, kept=5000)
    assert found.exact == (found.stored <= counted)
    assert POSITIONS[board] / FACTOR < found.positions < POSITIONS[board] * FACTOR
    if found.exact:
        assert found.positions == POSITIONS[board]
    assert found.positions < found.stored * 2.01


def test_the_known_counts_are_the_published_ones():
    table = rows("connect4_positions_tromp.tsv")
    published = {(int(row["height"]), int(row["width"])): int(row["positions"]) for row in table}
    assert all(published[board] == count for board, count in POSITIONS.items())


@pytest.mark.parametrize(
    ("name", "parameters", "low", "high"),
    # Kalah(3, 3) and mini-checkers: solved whole. Nine men's morris: Gasser (1996) has 7.7e9 positions up to symmetry
    # without those of the opening.
    [("kalah", {"pits": 3, "seeds": 3}, 25_391 / 10, 25_391 * 10), ("nine_mens_morris", {}, 1e8, 1e12)],
)
def test_other_games(name: str, parameters: dict[str, int], low: float, high: float):
    found = estimate(game_of(name, **parameters), counted=5000, kept=2000)
    assert not found.exact
    assert low < found.stored < high


@pytest.mark.parametrize(
    ("name", "parameters", "positions"),
    # All were counted one by one. In the first four, a position does not tell how many plies have been played.
    [("kalah", {"pits": 3, "seeds": 6}, 1_598_296), ("kalah", {"pits": 4, "seeds": 4}, 37_170_302),
     ("minicheckers", {}, 34_337_081), ("breakthrough", {"width": 3, "height": 6}, 35_546_763),
     ("clobber", {"width": 4, "height": 5}, 26_787_440), ("hex", {"size": 4, "swap": False}, 9_386_235),
     ("dots_and_boxes", {"width": 3, "height": 3}, 29_598_523)],
)  # fmt: skip
def test_games_whose_tiers_are_sampled(name: str, parameters: dict[str, int | bool], positions: int):
    found = estimate(game_of(name, **parameters), counted=30_000, kept=30_000)
    assert not found.exact
    assert positions * 0.45 < found.positions < positions * 1.15
    assert [level.number for level in found.levels] == sorted(level.number for level in found.levels)


def test_sweeping_over_all_tiers_counts_them():
    table = solved("kalah", pits=2, seeds=2)
    sweep = Sweep(Problem(table.game), 1_000_000, 10)
    levels = sweep.run()
    assert all(level.counted for level in levels)
    assert (sum(sweep.positions), sum(level.stored for level in levels)) == (len(table), table.manifest["stored"])


def test_a_tier_that_is_too_large_is_sampled():
    """Of a game that calls itself one tier, only a part is expanded."""
    game = replace(game_of("kalah", pits=3, seeds=3), tier=lambda state: 0)  # 25,391 positions
    sweep = Sweep(Problem(game), 5_000, 500)
    (level,) = sweep.run()
    assert not level.counted
    assert 100 < level.stored < 1e9


def test_starts_that_are_too_many_to_count_are_sampled():
    game = game_of("kalah", pits=3, seeds=3)
    starts = [game.result(game.initial, action) for action in game.legal_actions(game.initial)]
    found = estimate(game, starts=starts, counted=1, kept=3000)
    assert not found.exact
    assert 25_391 / 1.2 < found.stored < 25_391 * 1.2


def test_a_share_follows_the_trend_where_few_moves_meet():
    sweep = Sweep(Problem(game_of("kalah", pits=2, seeds=2)), 1, 1)

    def after(*shares: float) -> Sweep:
        sweep.levels = [Level(number, 1.0, True, 1.0, 1 / share) for number, share in enumerate(shares)]
        return sweep

    assert after(0.9, 0.8)._smoothed(0.1, 9.0, 1000.0) == 0.1  # no trend yet
    # Odd and even tiers differ, and stay as they are.
    assert after(0.5, 0.4, 0.5)._smoothed(0.1, 9.0, 0.0) == pytest.approx(0.4)
    # A fall continues, but less steeply; a share is at most 1.
    assert after(0.8, 0.6, 0.4)._smoothed(0.1, 9.0, 0.0) == pytest.approx(0.6 * (0.4 / 0.8) ** 0.85)
    assert after(0.2, 0.9, 0.9)._smoothed(0.1, 9.0, 0.0) == pytest.approx(1.0)
    # With others for each move, the logarithm of the share is as uncertain as three percent at so many pairs.
    pairs = (9.0 / 10 / 0.03) ** 2
    assert after(0.4, 0.4, 0.4)._smoothed(0.1, 9.0, pairs) == pytest.approx((0.4 * 0.1) ** 0.5)
    assert after(0.4, 0.4, 0.4)._smoothed(0.1, 9.0, 1e12) == pytest.approx(0.1)
    assert after(0.4, 0.4, 0.4)._smoothed(0.9, 0.0, 9.0) == pytest.approx(0.9)


def test_a_sample_stands_for_all():
    sweep = Sweep(Problem(game_of("kalah", pits=2, seeds=2)), 1, 1)
    keys, each = np.arange(1000), np.linspace(1.0, 9.0, 1000)
    chosen, stand = sweep._chosen(keys, each, 100)
    assert stand.sum() == pytest.approx(each.sum())
    assert len(np.unique(chosen)) == len(chosen) <= 100
    assert (each[chosen]).mean() > each.mean()  # chosen in proportion to what each stands for
    assert sweep._chosen(keys, each, 1000) == (keys, each)


def test_two_workers_are_quicker_and_more_positions_take_more():
    game = game_of("connect", rows=4, columns=4)
    small = estimate(game_of("connect", rows=3, columns=3), counted=10_000)
    one, two = estimate(game, counted=10_000, kept=1000), estimate(game, workers=2, counted=10_000, kept=1000)
    assert one.positions == two.positions > small.positions
    assert one.table_bytes > small.table_bytes > 0
    assert one.memory_mb > small.memory_mb


def test_the_keys_of_an_unfinished_solve_fit_into_what_is_estimated():
    table = solved("connect", rows=4, columns=4)
    keys = sum(
        len(packed(np.concatenate([keys for keys, _ in table.row_groups(tier["tier"])])))
        for tier in table.manifest["tiers"]
    )
    for counted in (10_000, 1_000_000):
        assert keys < estimate(table.game, counted=counted, kept=1000).work_bytes < 8 * table.manifest["stored"]


def test_moves_to_positions_that_end_the_game_are_counted_apart():
    """As they are counted here one by one, symmetric positions as one."""
    table = solved("connect", rows=3, columns=3, run=3)
    game = table.game
    found = _Estimator(Problem(game), 10_000, 10)
    found.run(1)
    counted = {False: found.lasting, True: found.ending}
    level, number = {table.stored_key(game.initial): game.initial}, 0
    moves = Counter(level.keys())
    while level:
        for ends in (False, True):
            keys = [key for key, state in level.items() if game.is_terminal(state) == ends]
            if keys:
                expected = (number, len(keys), pytest.approx(sum(moves[key] for key in keys) / len(keys)))
                assert [row for row in counted[ends] if row.number == number] == [expected]
        after = [
            game.result(state, action)
            for state in level.values()
            if not game.is_terminal(state)
            for action in game.legal_actions(state)
        ]
        moves = Counter(map(table.stored_key, after))
        level, number = {table.stored_key(state): state for state in after}, number + 1
    assert number == 10


def test_numbers_out_of_range():
    with pytest.raises(BadParameter, match="at least 1, not 0"):
        estimate(game_of("tictactoe"), workers=0)
