"""Learning from the games of a cluster's workers: what one thread learns, the same in every run, whoever dies."""

import os
import signal
from typing import Any

import numpy as np
import pytest

from zermelo.cluster.learn import ClusterPlayers
from zermelo.compiled.states import flatten
from zermelo.errors import BadParameter, ClusterError
from zermelo.games import mnk
from zermelo.learn import Training
from zermelo.learn.evaluation import Evaluation
from zermelo.learn.self_play import make_desk, play_match

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]
GAME = mnk()


def learned(games: int, workers: int = 2, seed: int = 0, **how: Any) -> Evaluation:
    """What the cluster learns from so many games."""
    return Training(GAME, seed=seed, players=ClusterPlayers("auto", workers, **how)).run(games=games, steps=2)


def test_one_worker_that_plays_game_by_game_learns_what_one_thread_learns(two_nodes: Any) -> None:
    here = Training(GAME, seed=7)
    here.run(games=200, steps=2)
    there = Training(GAME, seed=7, players=ClusterPlayers("auto", 1, task_games=1))
    there.run(games=200, steps=2)
    assert (there.games, there.plies) == (200, here.plies)
    assert there.learner.averaged[0] == here.learner.averaged[0] > 0
    for name in ("weights", "sums", "sizes", "means"):
        assert np.allclose(getattr(there.learner, name), getattr(here.learner, name), atol=1e-5)
    assert there.evaluation().how["workers"] == 1


def test_two_workers_learn_to_win_and_the_same_in_every_run(two_nodes: Any) -> None:
    training = Training(GAME, seed=3, players=ClusterPlayers("auto", 2))
    found = training.run(games=8000, steps=2)
    plan, nothing = training.learner.plan, np.zeros_like(training.learner.weights)
    pairs = (plan, plan), (training.learner.means, nothing)
    won, drawn, lost = play_match(training.rules, flatten(GAME.initial), *pairs, 0, 0.0, 1.0, make_desk(plan, 5), 400)
    assert won + drawn + lost == 400
    assert won > 200 > 40 > lost, "against a player that only sees what ends the game"
    assert np.array_equal(learned(8000, seed=3).weights, found.weights)
    assert not np.array_equal(learned(8000, seed=4).weights, found.weights)


def test_a_worker_that_dies_changes_nothing(two_nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray plays its games again in another process."""
    import ray

    whole = learned(16_000, task_games=500)
    start, rounds, pids = ClusterPlayers._start, list[int](), list[int]()

    def killing(self: ClusterPlayers, lesson: Any, shares: list[int]) -> list[Any]:
        rounds.append(sum(shares))
        if len(rounds) not in (4, 9):
            return start(self, lesson, shares)
        pids.append(ray.get(ray.remote(lambda: os.getpid()).remote()))
        tasks = start(self, lesson, shares)
        os.kill(pids[-1], signal.SIGKILL)
        return tasks

    monkeypatch.setattr(ClusterPlayers, "_start", killing)
    found = learned(16_000, task_games=500)
    assert len(set(pids)) == 2, "another process took the place of the first one"
    assert np.array_equal(found.weights, whole.weights)


def test_a_time_and_what_goes_wrong(two_nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    training = Training(GAME, players=ClusterPlayers("auto", 2))
    training.run(seconds=0.5, steps=1)
    assert training.games > 0
    with pytest.raises(BadParameter, match="number of workers is 0"):
        ClusterPlayers("auto", 0)
    monkeypatch.setattr(type(GAME), "seen_fingerprint", property(lambda _: "0" * 16))
    with pytest.raises(ClusterError, match=r"A node has rules of mnk.* with the fingerprint .* and this machine 0000"):
        learned(10)
