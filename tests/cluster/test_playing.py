"""Contests on a cluster: the same games as on this machine."""

from pathlib import Path

import pytest

from clusters import cluster_of
from zermelo.errors import BadParameter
from zermelo.games import connect
from zermelo.lab import Sprt, play_match
from zermelo.lab.ledger import read_ledger
from zermelo.protocol.competitor import Competitor


@pytest.mark.slow
def test_two_nodes_play_the_same_games_as_this_machine(tmp_path: Path) -> None:
    players = ("engine:depth=3", "engine:depth=1")
    said = {"games": 24, "plies": 4, "sprt": Sprt(0, 300)}
    here = play_match(connect(), *players, **said)  # type: ignore[arg-type]
    file = tmp_path / "games.jsonl"
    with cluster_of(2):
        there = play_match(connect(), *players, cluster="auto", file=file, **said)  # type: ignore[arg-type]
        with pytest.raises(BadParameter, match="nobody"):
            play_match(connect(), "nobody", "engine", cluster="auto", file=tmp_path / "none", games=2)
    assert [without_times(game) for game in there.games] == [without_times(game) for game in here.games]
    assert {game.number for game in there.games} <= {game.number for game in read_ledger(file)[1]}
    assert not (tmp_path / "none").exists()


def without_times(game: object) -> dict[str, object]:
    return {**vars(game), "seconds": (), "began": ""}


def test_on_a_cluster_players_are_texts() -> None:
    def maker() -> Competitor:
        raise AssertionError

    with pytest.raises(BadParameter, match="as text"):
        play_match(connect(), maker, "engine", games=2, openings=[()], cluster="local")
