"""Previews: short searches by which a proof orders the actions of its largest nodes."""

import random
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

from reference import depth_limited, random_states, solve
from zermelo import Engine
from zermelo.compiled.game import compiled
from zermelo.engine.job import OUT_OF_NODES, make_job
from zermelo.engine.previews import look_ahead, worth_by_preview
from zermelo.engine.scores import INFINITY
from zermelo.engine.switches import Switches
from zermelo.engine.team import NO_LIMIT
from zermelo.games import mnk, othello
from zermelo.learn import Training

OTHELLO = othello(4)
"""A player may have to pass, so the same player may move twice."""


@njit
def looked_ahead(game, state, side, depth, alpha, beta, job):
    return look_ahead(game, state, side, depth, alpha, beta, job.bottom, job)


@njit
def worth(game, state, action, child, side, job):
    return worth_by_preview(game, state, action, child, side, job.bottom, job)


@pytest.mark.parametrize("depth", range(4))
def test_a_look_ahead_is_depth_limited_minimax(depth):
    job, chooser = make_job(Switches()), random.Random(depth)
    job.node_limit = NO_LIMIT
    for state in random_states(OTHELLO, 30, range(11)):
        side = OTHELLO.to_move(state)
        expected = side * depth_limited(OTHELLO, state, depth) * job.scale
        low = chooser.randrange(-20, 20) * job.scale
        for alpha, beta in ((-INFINITY, INFINITY), (low, low + 1)):
            found = looked_ahead(compiled(OTHELLO), state, side, depth, alpha, beta, job)
            assert found == expected if alpha < expected < beta else (found <= alpha) == (expected <= alpha)


@pytest.mark.parametrize("previews, order", [(1, True), (2, True), (3, False)])
def test_previews_and_order_are_weighed(previews, order):
    job = make_job(Switches(previews=previews, order=order))
    job.node_limit = NO_LIMIT
    for state in random_states(OTHELLO, 20, range(10)):
        if OTHELLO.is_terminal(state):
            continue
        side = OTHELLO.to_move(state)
        for action in OTHELLO.legal_actions(state):
            child = OTHELLO.result(state, action)
            expected = previews * side * depth_limited(OTHELLO, child, 2)
            expected += OTHELLO.order(state, action) if order else 0
            assert worth(compiled(OTHELLO), state, action, child, side, job) == expected * job.scale


def test_previews_change_the_work_of_a_proof_and_not_its_value():
    """Positions of tic-tac-toe, of which the first nodes of each ply count as large."""
    game = replace(mnk(), switches={"previews": 1}, symmetries=None)
    evaluation = Training(game).run(games=200, steps=1)
    values = solve(game, game.initial)
    nodes = []
    for previews in (0, 1):
        engine = Engine(game, table_mb=1, evaluation=evaluation, previews=previews)
        np.testing.assert_array_equal(engine.prove_many(list(values)[::5]), list(values.values())[::5])
        engine.clear()
        found = engine.prove(quickest=False)
        nodes.append(found.nodes - engine._team.first.previewed)
    assert nodes[0] != nodes[1]
    # Without a learned evaluation, there are no previews.
    assert Engine(game, table_mb=1).prove(quickest=False).nodes == nodes[0]


def test_the_nodes_of_previews_count():
    """A look-ahead counts each state it visits, and ends at the limit of nodes."""
    job, state = make_job(Switches()), OTHELLO.initial
    job.node_limit = NO_LIMIT
    actions = OTHELLO.legal_actions(state)
    looked_ahead(compiled(OTHELLO), state, OTHELLO.to_move(state), 1, -INFINITY, INFINITY, job)
    assert job.nodes == job.previewed == 1 + len(actions)
    job.nodes, job.node_limit = 0, 3
    looked_ahead(compiled(OTHELLO), state, OTHELLO.to_move(state), 4, -INFINITY, INFINITY, job)
    assert job.status == OUT_OF_NODES and job.nodes == 4


def test_a_limit_of_nodes_ends_a_proof_within_its_previews():
    game = replace(mnk(), switches={"previews": 1}, symmetries=None)
    engine = Engine(game, table_mb=1, evaluation=Training(game).run(games=200, steps=1), previews=1)
    for limit in (10, 20, 40, 80):
        engine.clear()
        found = engine.prove(nodes=limit, quickest=False)
        assert found.stopped_by == "nodes" and found.nodes == limit + 1 and engine._team.first.previewed > 0
