"""Flipping a switch costs what the engine itself counts."""

import json
import math
from functools import cache
from pathlib import Path

import pytest

from zermelo.engine import Engine
from zermelo.errors import BadParameter
from zermelo.games import connect
from zermelo.lab.openings import random_openings
from zermelo.lab.study.ablation import TABLE_MB, NodeAblation, ablate_nodes, flips_of, greatest_depth
from zermelo.lab.study.ablation_games import EloAblation, ablate_elo
from zermelo.lab.study.ablation_page import ablation_page, elo_chart, how_games, how_nodes

GAME = connect()


@cache
def found() -> NodeAblation:
    return ablate_nodes(GAME, depth=6, openings=4, plies=4)


def nodes(opening: tuple[int, ...], depth: int, **switches: bool) -> int:
    return Engine(GAME, table_mb=TABLE_MB, **switches).search(GAME.replay(opening), depth=depth).nodes


def test_factors_are_the_geometric_mean_of_the_engines_own_counts() -> None:
    openings = random_openings(GAME, 4, 4)
    usual = [nodes(opening, 6) for opening in openings]
    without = [nodes(opening, 6, order=False) for opening in openings]
    cost = next(cost for cost in found().costs if cost.flip == "order=off")
    factors = [flipped / before for flipped, before in zip(without, usual, strict=True)]
    assert found().nodes == sum(usual)
    assert cost.nodes == sum(without)
    assert cost.factor.value == pytest.approx(math.prod(factors) ** (1 / len(factors)))
    assert cost.factor.low < cost.factor.value < cost.factor.high
    assert ablate_nodes(GAME, depth=6, openings=4, plies=4) == found()


def test_only_switches_that_mean_something_in_the_game_are_flipped() -> None:
    texts = {flip.text for flip in flips_of(GAME)}
    assert {"table=off", "history=off", "reductions=on", "same_depth=on", "bounds=off"} <= texts
    assert not {text for text in texts if text.startswith(("quiescence", "width"))}, "the game has no noisy actions"
    hooks = {"quiescence": "noisy_actions", "urgent": "urgent", "exchanges": "gain", "null_move": "null_state"}
    hooks["quiescence_table"] = "noisy_actions"
    assert found().without == {**hooks, "delta": "gain", "losing_last": "gain", "losing_pruning": "gain"}
    assert "quiescence (noisy_actions)" in how_nodes(found())


def test_the_depth_is_the_greatest_that_the_nodes_allow() -> None:
    openings = random_openings(GAME, 4, 4)
    limit = found().nodes // 4
    depth = greatest_depth(GAME, [GAME.replay(opening) for opening in openings], limit)
    assert sum(nodes(opening, depth) for opening in openings) <= 4 * limit
    assert sum(nodes(opening, depth + 1) for opening in openings) > 4 * limit


def test_no_openings_are_refused() -> None:
    with pytest.raises(BadParameter, match="Openings, nodes and depth are 0, 100000 and None"):
        ablate_nodes(GAME, openings=0)


def test_plain_values_are_json_and_the_page_has_a_row_for_each_switch() -> None:
    record = json.loads(json.dumps(found().to_dict(), allow_nan=False))
    assert [cost["flip"] for cost in record["costs"]] == [cost.flip for cost in found().costs]
    text = ablation_page(found())
    assert text.count("<tr>") == 2 + len(found().costs)
    assert text.count("<circle") == len(found().costs)


def test_matches_go_on_from_their_files_and_count_for_the_flipped_engine(tmp_path: Path) -> None:
    def play(games: int) -> tuple[EloAblation, int]:
        reported: list[int] = []
        return ablate_elo(GAME, games=games, seconds=0.001, folder=tmp_path, progress=reported.append), sum(reported)

    first, played = play(2)
    assert {cost.flip for cost in first.costs} == {flip.text for flip in flips_of(GAME)}
    assert played == 2 * len(first.costs)
    assert all(cost.games == 2 and (cost.elo.value > 1) == (cost.wins > cost.losses) for cost in first.costs)
    assert play(2)[0] == first, "the clock would not give the same games again"
    assert elo_chart(first).count("<circle") == len(first.costs)


def test_matches_with_equal_nodes_are_the_same_every_time() -> None:
    first, again = (ablate_elo(GAME, games=2, nodes=50) for _ in range(2))
    assert first == again
    assert "50 nodes a move for both" in how_games(first)
    with pytest.raises(BadParameter, match="2 games of 0 nodes a move"):
        ablate_elo(GAME, games=2, nodes=0)
