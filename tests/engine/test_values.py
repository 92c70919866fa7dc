"""Values, moves and remoteness of the engine against the obvious twins, switch by switch."""

import itertools
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from fuzz import fuzz_game
from knowing import knowing_tictactoe
from loops import loop_game
from reference import (
    best_actions,
    depth_limited,
    loop_values,
    quietly_limited,
    random_states,
    solve,
    with_remoteness,
)
from zermelo import MAX, Engine
from zermelo.games import breakthrough, connect, minicheckers, othello, tictactoe

SWITCHES = (
    "table",
    "transposition_cutoffs",
    "killers",
    "history",
    "order",
    "bounds",
    "symmetries",
    "sufficient_actions",
)
SEARCH_SWITCHES = (*SWITCHES, "null_windows", "aspiration", "remoteness")


@cache
def board(rows, columns, run):
    """A small game of connect, and the value of each of its positions."""
    game = connect(rows, columns, run)
    return game, solve(game, game.initial)


def combinations(names):
    for values in itertools.product((True, False), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


@pytest.fixture(scope="module")
def tictactoe_values():
    game = knowing_tictactoe()
    return game, solve(game, game.initial)


def test_proofs_of_all_positions_with_every_combination_of_switches(tictactoe_values):
    game, values = tictactoe_values
    states, expected = list(values), list(values.values())
    for number, switches in enumerate(combinations(SWITCHES)):
        engine, some = Engine(game, table_mb=1, **switches), slice(number % 3, None, 3)
        np.testing.assert_array_equal(engine.prove_many(states[some]), expected[some], err_msg=str(switches))


def test_searches_with_every_combination_of_switches(tictactoe_values):
    game, values = tictactoe_values
    chooser = random.Random(1)
    open_states = [state for state in values if not game.is_terminal(state)]
    remoteness = with_remoteness(game, game.initial)
    for switches in combinations(SEARCH_SWITCHES):
        engine = Engine(game, table_mb=1, **switches)
        state = chooser.choice(open_states)
        found = engine.search(state)
        assert found.proven and found.value == values[state], (switches, state)
        if switches["remoteness"] and found.value and not switches["bounds"] and not switches["sufficient_actions"]:
            assert found.remoteness == remoteness[state][1], (switches, state)


def test_move_sets_of_all_positions_of_tictactoe(tictactoe_values):
    """Of positions that are images of each other, one is asked."""
    game, values = tictactoe_values
    engine = Engine(game, table_mb=1)
    for state in values:
        if not game.is_terminal(state) and state <= min(game.symmetries(state)):
            found = engine.search(state, root_values=True)
            assert list(found.best_actions) == best_actions(game, state, values)
            assert found.root_values == {a: values[game.result(state, a)] for a in game.actions(state)}


@pytest.mark.parametrize("moves, folds", [("", True), ("b2", True), ("a1 b1", False), ("a1 c2 b2", False)])
def test_symmetric_states_count_as_one_below_a_symmetric_root_only(moves, folds):
    game = tictactoe()
    state = game.replay(moves)
    one, other = (Engine(game, table_mb=1, symmetries=on).search(state, depth=5) for on in (True, False))
    assert one.value == other.value
    assert (2 * one.nodes < other.nodes) == folds
    assert folds or one.nodes == other.nodes


def test_proofs_fold_below_any_root_also_after_a_search():
    game = tictactoe()
    state = game.replay("a1 b1")
    engine = Engine(game, table_mb=1, bounds=False)
    alone = engine.prove(state).nodes
    engine.clear()
    engine.search(state, depth=2)
    engine.clear()
    assert engine.prove(state).nodes == alone
    assert alone != Engine(game, table_mb=1, bounds=False, symmetries=False).prove(state).nodes


@pytest.mark.parametrize("rows, columns, run", [(4, 3, 3), (4, 4, 3), (4, 4, 4)])
def test_every_position_of_small_connect_boards(rows, columns, run):
    game, values = board(rows, columns, run)
    engine = Engine(game, table_mb=4)
    np.testing.assert_array_equal(engine.prove_many(list(values)), list(values.values()))
    for state in random.Random(0).sample([state for state in values if not game.is_terminal(state)], 50):
        found = engine.prove(state, root_values=True)
        assert list(found.best_actions) == best_actions(game, state, values)
        assert found.action in found.best_actions


def test_threads_prove_the_same():
    game, values = board(4, 4, 4)
    engine = Engine(game, threads=3, table_mb=1)
    np.testing.assert_array_equal(engine.prove_many(list(values)[::7]), list(values.values())[::7])
    for state in random_states(game, 20, range(8)):
        assert engine.search(state).value == engine.prove(state).value == values[state]


def test_threads_share_a_proof():
    """Two threads that leave each other's children alone prove what one does, and do not do the work twice."""
    game = connect()
    alone, together = Engine(game, table_mb=32), Engine(game, threads=2, table_mb=32)
    nodes = [0, 0]
    for moves in ("444415", "2252576253462244", "44444221", "3131533325556"):
        state = game.replay([int(column) - 1 for column in moves])
        one, two = (engine.prove(state, quickest=False) for engine in (alone, together))
        assert one.proven and two.proven and one.value == two.value
        nodes = [nodes[0] + one.nodes, nodes[1] + two.nodes]
    assert nodes[1] < 1.5 * nodes[0]


def test_threads_share_proofs_of_random_positions():
    for game, plies in ((connect(5, 5, 4), range(4, 14)), (minicheckers(), range(10, 20)), (fuzz_game(5), range(3))):
        alone, together = Engine(game, table_mb=4), Engine(game, threads=3, table_mb=1)
        for state in random_states(game, 25, plies):
            together.clear()
            assert together.prove(state, quickest=False).value == alone.prove(state, quickest=False).value


def test_depth_limited_values_are_those_of_minimax():
    for game, depths in ((connect(), range(1, 6)), (minicheckers(), range(1, 7))):
        for number, state in enumerate(random_states(game, 8, range(20))):
            switches = {
                name: bool(number >> place & 1) for place, name in enumerate(("killers", "null_windows", "table"))
            }
            # Proven bounds know more than a search of a few plies does.
            ignorant = {"quiescence": False, "bounds": False, "sufficient_actions": False}
            engine = Engine(game, table_mb=1, same_depth=True, **ignorant, **switches)
            for depth in depths:
                found = engine.search(state, depth=depth)
                assert found.value == depth_limited(game, state, depth), (game, state, depth, switches)


def test_threads_that_share_a_search_find_its_value():
    exact = {"same_depth": True, "quiescence": False, "bounds": False, "sufficient_actions": False}
    for game, depth, plies in ((connect(), 5, range(20)), (minicheckers(), 6, range(20)), (othello(4), 6, range(8))):
        engine = Engine(game, threads=3, table_mb=1, **exact)
        for state in random_states(game, 15, plies):
            found = engine.search(state, depth=depth)
            assert found.value == depth_limited(game, state, depth), (game, state)


def test_only_proofs_ask_for_the_order_of_proofs():
    """A game with both functions is searched as with the first alone, and proven as with the second alone."""
    whole = breakthrough(3, 5)
    ahead, behind = (replace(whole, order=one, proof_order=None) for one in (whole.order, whole.proof_order))
    nodes = []
    for game in (whole, ahead, behind):
        engine = Engine(game, table_mb=1)
        found = engine.search(depth=4), engine.prove(quickest=False)
        nodes.append([one.nodes for one in found])
        assert found[1].proven and found[1].value == game.utility_range[0]
    assert [nodes[0][0], nodes[0][1]] == [nodes[1][0], nodes[2][1]]
    assert nodes[1][0] != nodes[2][0] and nodes[1][1] != nodes[2][1]


def test_quiescence_plays_noisy_actions_out():
    game, differ = breakthrough(4, 5), 0
    exact = {"same_depth": True, "leaf_bounds": False}
    quick, plain = (Engine(game, table_mb=1, quiescence=on, **exact) for on in (True, False))
    for state in random_states(game, 15, range(4, 12)):
        for depth in (1, 2):
            found = quick.search(state, depth=depth).value
            assert found == quietly_limited(game, state, depth), (state, depth)
            differ += found != plain.search(state, depth=depth).value
    assert differ > 5


def test_noisy_actions_are_the_captures():
    for width, height in ((5, 5), (8, 8)):
        game = breakthrough(width, height)
        for state in random_states(game, 50, range(30)):
            captures = [a for a in game.actions(state) if "x" in game.show_action(state, a)]
            assert list(game.noisy_actions(state)) == captures


def test_a_search_that_is_stopped_keeps_the_better_action_that_it_found():
    """An action that the depth in progress found better than the last complete depth's is better there."""
    game, kept = connect(), 0
    engine = Engine(game, table_mb=1, same_depth=True, bounds=False, sufficient_actions=False)
    for state in random_states(game, 4, range(4, 12)):
        maximise = game.to_move(state) == MAX
        whole = [engine.search(state, depth=depth).action for depth in range(1, 5)]
        for nodes in range(30, 600, 7):
            engine.clear()
            found = engine.search(state, nodes=nodes)
            if found.bound == "exact" or found.depth > 4:
                continue
            kept += 1
            assert found.bound == ("lower" if maximise else "upper") and not found.proven
            values = [
                depth_limited(game, game.result(state, action), found.depth - 1) * (1 if maximise else -1)
                for action in (found.action, whole[found.depth - 2])
            ]
            assert values[0] >= (found.value if maximise else -found.value) and values[0] > values[1]
    assert kept > 0


def test_remoteness_decides_among_equal_actions():
    game = connect(4, 4, 3)
    known = with_remoteness(game, game.initial)
    engine = Engine(game, table_mb=4)
    for state in random_states(game, 60, range(10)):
        value, plies = known[state]
        found = engine.search(state)
        after = known[game.result(state, found.action)]
        assert found.proven and found.value == value == after[0]
        if value:
            assert found.remoteness == plies == after[1] + 1


def test_mini_checkers_endings():
    game = minicheckers()
    engine = Engine(game, table_mb=4)
    for state in random_states(game, 25, range(14, 24)):
        values = solve(game, state)
        assert engine.prove(state).value == engine.search(state).value == values[state]


def test_random_graphs():
    engine = Engine(fuzz_game(0), table_mb=1)
    for seed in range(150):
        game = fuzz_game(seed)
        values = solve(game, game.initial)
        np.testing.assert_array_equal(engine.prove_many(list(values)), list(values.values()))
        found = engine.search(game.initial, root_values=True)
        assert list(found.best_actions) == best_actions(game, game.initial, values)


def test_random_graphs_with_loops():
    table, no_table = (Engine(loop_game(0), table_mb=1, table=table) for table in (True, False))
    for seed in range(150):
        game = loop_game(seed)
        for state, value in loop_values(game, game.initial).items():
            if not game.is_terminal(state):
                found = table.search(state)
                assert found.proven and found.value == value, (seed, state)
        assert no_table.prove(game.initial).value == table.prove(game.initial).value


def test_a_static_evaluation_is_never_called_proven():
    game = connect()
    engine = Engine(game, table_mb=1)
    for depth in range(1, 7):
        assert not engine.search(depth=depth).proven
    wins_at_once = game.replay([3, 0, 3, 1, 3, 2])
    found = engine.search(wins_at_once, depth=1)
    assert found.proven and found.remoteness == 1 and found.action == 3 and found.value == game.utility_range[1]


def test_the_line_leads_to_the_value():
    for game in (connect(4, 4, 3), knowing_tictactoe()):
        engine = Engine(game, table_mb=4)
        for state in random_states(game, 30, range(6)):
            found = engine.search(state)
            end = game.replay(found.principal_variation, state)
            if game.is_terminal(end):
                assert game.utility(end) == found.value
            assert found.principal_variation[0] == found.action


def test_unsound_prunings_are_named():
    game = connect()
    assert Engine(game, reductions=True, width=3).search(depth=6).unsound == ("reductions", "width")
    assert Engine(game).search(depth=3).unsound == ()
    assert not Engine(tictactoe(), width=2).search(depth=20).proven


def test_a_game_without_key_is_given_a_hash():
    game = replace(tictactoe(), key=None)
    values = solve(game, game.initial)
    assert Engine(game).prove().value == values[game.initial]


def test_the_mover_may_be_either_player_at_the_root():
    game = minicheckers()
    engine = Engine(game, table_mb=1)
    for state in random_states(game, 10, range(1, 3)):
        swapped = game.to_move(state)
        found = engine.search(state, depth=4, root_values=True)
        best = (max if swapped == MAX else min)(found.root_values.values())
        assert found.value == best


def test_a_proof_asks_window_bounds_only_whether_a_value_is_more_than_alpha():
    game = knowing_tictactoe()
    values = solve(game, game.initial)
    plain, low, high = game.bounds, *game.utility_range

    def window_bounds(state, alpha):
        least, most = plain(state)
        if least > alpha:
            return alpha + 1, high
        return (low, alpha) if most <= alpha else (low, high)

    game = replace(game, bounds=None, window_bounds=window_bounds)
    knowing, ignorant = (Engine(game, table_mb=1, remoteness=False, bounds=known) for known in (True, False))
    nodes = []
    for state in random_states(game, 30, range(8)):
        found, other = knowing.prove(state), ignorant.prove(state)
        assert found.proven and found.value == other.value == values[state]
        nodes.append((found.nodes, other.nodes))
    assert any(asked != unasked for asked, unasked in nodes)


def test_proof_number_search_answers_as_minimax():
    solved = [(game, solve(game, game.initial)) for game in (knowing_tictactoe(), fuzz_game(3))]
    for game, values in [board(4, 4, 4), *solved]:
        for switches in ({}, {"bounds": False, "sufficient_actions": False, "symmetries": False}):
            engine = Engine(game, table_mb=1, **switches)
            for state in random_states(game, 12, range(2, 9)):
                for goal in {values[state], values[state] + 1, 1, 0}:
                    found = engine.decide(state, goal)
                    assert found.proven and found.bound == ("lower" if values[state] >= goal else "upper")
                    mover_succeeds = (values[state] >= goal) == (game.to_move(state) == MAX)
                    if mover_succeeds:
                        assert (values[game.result(state, found.action)] >= goal) == (values[state] >= goal)
