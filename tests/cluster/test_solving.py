"""A game solved on a cluster comes to the very files that one machine writes."""

from pathlib import Path
from typing import Any

import pytest

from clusters import SHARED, contents, same_entries
from fuzz import fuzz_game
from loops import loop_game
from zermelo import Game, make_game, solve
from zermelo.cluster.estimate import estimate_on_cluster
from zermelo.cluster.solve import ClusterSolved, solve_on_cluster
from zermelo.errors import ClusterError
from zermelo.solver.passes import exchange

pytestmark = pytest.mark.filterwarnings("default")


def compare(
    game: Game, folder: Path, shards: int, exchange: str = "auto", loops: str = "auto", whole: int = 0
) -> ClusterSolved:
    """Solve here and on the cluster."""
    one, many = folder / f"one-{game}", folder / f"many-{game}-{shards}-{exchange}-{loops}-{whole}"
    if not one.exists():
        solve(game, one, workers=1)
    ways: Any = {"exchange": exchange, "loops": loops, "whole": whole}
    _, solved = solve_on_cluster(game, many, memory_gb=SHARED, shards=shards, **ways)
    assert contents(one) == contents(many)
    assert solved.shards == shards
    return solved


@pytest.mark.slow
def test_the_same_files_on_several_nodes(two_nodes: Any, tmp_path: Path) -> None:
    """With tiers and without, in both ways of exchange and with two levels, with loops in one task and in rounds."""
    game = make_game("connect", {"rows": "4", "columns": "3"})
    solved = compare(game, tmp_path, 7, "ask")
    assert solved.nodes == 2
    assert solved.exchanged_bytes > 0
    assert 0 <= solved.crossed_bytes <= solved.exchanged_bytes, "Ray may give one of two idle nodes every task"
    compare(game, tmp_path, 4, "fetch", whole=20)
    compare(make_game("kalah", {"pits": "2", "seeds": "2"}), tmp_path, 4)
    compare(loop_game(0), tmp_path, 3, loops="rounds")
    compare(loop_game(1), tmp_path, 3, loops="gather")
    compare(fuzz_game(0), tmp_path, 3, "ask")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchange, "TWO_LEVELS", 4)
        compare(game, tmp_path, 6, "ask", whole=20)


def test_an_estimate_counts_what_bundles_hand_on_twice(two_nodes: Any) -> None:
    game, found = make_game("tictactoe"), []
    for least in (6, 7):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exchange, "TWO_LEVELS", least)
            found.append(estimate_on_cluster(game, memory_gb=SHARED, shards=6))
    bundled, direct = found
    assert bundled.exchanged_bytes == 2 * direct.exchanged_bytes > 0


@pytest.mark.slow
def test_shards_in_a_folder(two_nodes: Any, tmp_path: Path) -> None:
    """Such a table is a table like any other."""
    game = make_game("connect", {"rows": "4", "columns": "3"})
    whole = solve(game, tmp_path / "whole")
    table, _ = solve_on_cluster(game, tmp_path / "shards", memory_gb=SHARED, shards=5, form="shards", whole=20)
    assert same_entries(game, whole, table)
    assert table.manifest["shards"] == 5
    state = game.replay([0, 1, 2])
    assert table[state] == whole[state]
    assert len(contents(tmp_path / "shards")) > len(contents(tmp_path / "whole"))


@pytest.mark.slow
def test_proofs_by_several_workers(two_nodes: Any, tmp_path: Path) -> None:
    """The same values as on one machine, whoever asks for how long; and nodes that are made of something else."""
    from zermelo.cluster import greet
    from zermelo.cluster.prove import prove_on_cluster
    from zermelo.engine import Engine
    from zermelo.errors import BadParameter

    for name, parameters, moves in (
        ("connect", {"rows": "4", "columns": "5"}, [2]),
        ("kalah", {"pits": "3", "seeds": "2"}, []),
    ):
        game = make_game(name, parameters)
        state = game.replay(moves)
        found = prove_on_cluster(game, state, table_mb=16, slice_seconds=0.2)
        assert (found.value, found.proven, found.bound) == (Engine(game).prove(state).value, True, "exact")
        assert Engine(game).prove(game.result(state, found.action)).value == found.value
    with pytest.raises(BadParameter, match="only one machine"):
        prove_on_cluster(loop_game(1))
    patch = pytest.MonkeyPatch()
    patch.setattr(greet, "versions", lambda: {"zermelo": "9", "numba": "0", "numpy": "0"})
    with pytest.raises(ClusterError, match=r"The node .* has zermelo .*, and this machine 9; install the same"):
        solve_on_cluster(make_game("tictactoe"), tmp_path / "table", memory_gb=SHARED)
    patch.undo()
