"""Every system agrees with its slow twin: on all positions of small games, and on random graphs."""

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzz
import reference
from zermelo.game import MAX
from zermelo.games import connect, minicheckers, tictactoe
from zermelo.result import SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision, timed_decision
from zermelo.textbook.heuristic import alpha_beta_heuristic, alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax, minimax_search
from zermelo.textbook.path import minimax_max, minimax_min
from zermelo.textbook.rules import depth_limit
from zermelo.textbook.sound import sound_search

SEEDS = st.integers(0, 10_000)
SMALL_BOARDS = [(rows, columns, run) for rows in range(1, 4) for columns in range(1, 5) for run in (2, 3, 4)]


def first_best(game, state, values):
    """The action that a search which takes the first of equals must choose."""
    return None if game.is_terminal(state) else reference.best_actions(game, state, values)[0]


@pytest.mark.parametrize("game", [tictactoe(), connect(3, 4, 3), connect(4, 3, 3)], ids=repr)
def test_minimax_table_holds_every_value_and_the_first_best_action(game):
    values = reference.solve(game, game.initial)
    table = {}
    minimax_search(game, game.initial, table)
    assert table == {state: (value, first_best(game, state, values)) for state, value in values.items()}


@given(SEEDS)
def test_minimax_on_random_graphs(seed):
    game = fuzz.fuzz_game(seed)
    values = reference.solve(game, game.initial)
    table = {}
    assert minimax(game, game.initial, table) == reference.minimax_value(game, game.initial)
    assert {state: info.value for state, info in table.items()} == values


def check_sound_from(game, state, values):
    """A sound search from a root has its value, a best action, and no entry that claims too much."""
    table = {}
    info = sound_search(game, state, -inf, inf, table)
    assert info.value == values[state]
    assert info.action == first_best(game, state, values)
    for below, entry in table.items():
        true = values[below]
        assert {"exact": entry.value == true, "lower": entry.value <= true, "upper": entry.value >= true}[entry.bound]
        if entry.bound == "exact" and entry.action is not None:
            assert values[game.result(below, entry.action)] == true


@pytest.mark.parametrize("board", SMALL_BOARDS, ids=str)
def test_sound_from_every_position_of_small_boards(board):
    game = connect(*board)
    values = reference.solve(game, game.initial)
    for state in values:
        check_sound_from(game, state, values)


@pytest.mark.slow
@pytest.mark.parametrize("board", [(4, columns, run) for columns in range(1, 5) for run in (2, 3, 4)], ids=str)
def test_sound_from_positions_up_to_4x4(board):
    """From every position of a board; from every fourth of a board that has more than 20,000 of them."""
    game = connect(*board)
    values = reference.solve(game, game.initial)
    for state in list(values)[:: 4 if len(values) > 20_000 else 1]:
        info = sound_search(game, state, -inf, inf, {})
        assert (info.value, info.action) == (values[state], first_best(game, state, values))


@given(SEEDS)
def test_sound_on_random_graphs(seed):
    game = fuzz.fuzz_game(seed)
    values = reference.solve(game, game.initial)
    for state in values:
        check_sound_from(game, state, values)


@given(SEEDS, st.integers(-35, 35), st.integers(1, 40))
def test_sound_within_any_window(seed, alpha, width):
    game = fuzz.fuzz_game(seed)
    true = reference.minimax_value(game, game.initial)
    info = sound_search(game, game.initial, alpha, alpha + width, {})
    if alpha < true < alpha + width:
        assert (info.value, info.bound) == (true, "exact")
    elif true >= alpha + width:
        assert alpha + width <= info.value <= true
    else:
        assert true <= info.value <= alpha


@given(SEEDS, st.integers(1, 7))
def test_sound_with_cutoff(seed, limit):
    game = fuzz.fuzz_game(seed)
    cutoff = depth_limit(limit)
    counts = SearchCounts()
    info = sound_search(game, game.initial, -inf, inf, {}, cutoff, counts)
    assert info.value == reference.cut_off_value(game, game.initial, cutoff)
    assert counts.max_depth <= limit


@given(SEEDS, st.integers(1, 7))
def test_decision_equals_the_depth_limited_value(seed, limit):
    game = fuzz.fuzz_game(seed)
    cutoff = depth_limit(limit)
    info = alpha_beta_decision(game, game.initial, limit)
    assert info.value == reference.cut_off_value(game, game.initial, cutoff)
    child = game.result(game.initial, info.action)
    assert reference.cut_off_value(game, child, cutoff, 1) == info.value


@given(SEEDS, st.integers(1, 5), st.integers(1, 3))
def test_path_equals_the_narrow_value(seed, depth, width):
    game = fuzz.fuzz_game(seed)
    player = game.to_move(game.initial)
    counts = SearchCounts()
    found = minimax_max(game, game.initial, 0, -inf, inf, depth, width, counts=counts)
    assert player * found.value == reference.narrow_value(game, game.initial, depth, width)
    assert found.situation == game.result(game.initial, found.path[0])
    # The path leads to a position that is worth what was promised.
    end = game.replay(found.path)
    assert found.value == player * (game.utility(end) if game.is_terminal(end) else game.evaluate(end))
    # The minimizing method is the maximizing one seen from the other side.
    other = minimax_min(game, game.initial, 0, -inf, inf, depth, width)
    assert (-other.value, other.path, other.situation) == (found.value, found.path, found.situation)


@given(SEEDS, st.integers(-35, 35), st.integers(1, 40), st.integers(0, 5), st.integers(1, 4))
def test_path_is_what_the_handout_says_on_every_window(seed, alpha, size, depth, width):
    game = fuzz.fuzz_game(seed)
    player = game.to_move(game.initial)
    for window in ((alpha, alpha + size), (-inf, alpha), (alpha, inf), (-inf, inf)):
        for search, side, max_ in ((minimax_max, player, True), (minimax_min, -player, False)):
            found = search(game, game.initial, 0, *window, depth, width)
            value, path, situation = reference.two_methods(
                game, game.initial, 0, window, (depth, width), side, max_=max_
            )
            assert found == (value, tuple(path), situation)


@given(SEEDS, st.integers(-35, 35), st.integers(1, 40))
def test_path_is_right_within_the_window_and_a_bound_outside(seed, alpha, width):
    game = fuzz.fuzz_game(seed)
    true = game.to_move(game.initial) * reference.narrow_value(game, game.initial, 4, 9)
    found = minimax_max(game, game.initial, 0, alpha, alpha + width, 4, 9)
    if true <= alpha:
        assert found == (alpha, (), None)  # no move is better
    elif true < alpha + width:
        assert found.value == true
    else:
        assert alpha + width <= found.value <= true
    assert bool(found.path) == (true > alpha)


def test_path_returns_a_rating_outside_the_window_as_it_is():
    """One ply ahead MAX has 1000, which lies above the window."""
    game = tictactoe()
    state = game.from_text("XX.|OO.|...")
    assert minimax_max(game, state, 0, -5, 5, 1, 9).value == 1000
    assert minimax_max(game, game.replay([2], state), 0, -5, 5, 1, 9, player=MAX) == (1000, (), None)


def test_path_rates_a_position_without_successors():
    game = tictactoe()
    won = game.from_text("XXX|OO.|...")
    assert minimax_max(game, won, 0, -inf, inf, 3, 9, player=MAX) == (1000, (), None)
    assert minimax_max(game, won, 0, -inf, inf, 3, 9, player=-MAX) == (-1000, (), None)


def test_path_takes_the_best_moves_first_by_order_where_the_game_has_one():
    from dataclasses import replace

    game = replace(tictactoe(), order=lambda state, action: action)
    assert minimax_max(game, game.initial, 0, -inf, inf, 1, 1).path == (8,)
    centre_first = minimax_max(tictactoe(), tictactoe().initial, 0, -inf, inf, 1, 1)
    assert centre_first.path == (4,)


@settings(max_examples=50)
@given(SEEDS, st.integers(1, 7))
def test_the_handout_of_the_heuristic_search(seed, limit):
    """Its value can be wrong where an entry is read back as exact; without transpositions it cannot."""
    game = fuzz.fuzz_game(seed)
    cutoff = depth_limit(limit)
    counts, table = SearchCounts(), NoTable()
    info = alpha_beta_heuristic_search(game, game.initial, -inf, inf, 0, table, cutoff, counts)
    assert info.value == reference.cut_off_value(game, game.initial, cutoff)
    bare = alpha_beta_heuristic(game, game.initial, is_cutoff=depth_limit(limit, root=1), table=NoTable())
    assert bare == info.value
    assert counts.table_hits == 0
    assert counts.max_depth <= limit


class NoTable(dict):
    """A table that forgets."""

    def __setitem__(self, state, info):
        pass


def test_the_heuristic_search_counts_depth_up_from_the_root():
    game = tictactoe()
    seen = []

    def is_cutoff(state, depth):
        seen.append((depth, state.stones.bit_count()))
        return depth >= 2

    alpha_beta_heuristic_search(game, game.initial, -inf, inf, 0, {}, is_cutoff)
    assert all(depth == stones for depth, stones in seen)
    assert {depth for depth, _ in seen} == {0, 1, 2}
    seen.clear()
    alpha_beta_heuristic(game, game.initial, -inf, inf, is_cutoff=is_cutoff)
    assert {depth for depth, _ in seen} == {1, 2}


def test_a_depth_limit_looks_as_far_ahead_as_it_says():
    game, counts = tictactoe(), SearchCounts()
    alpha_beta_heuristic_search(game, game.initial, -inf, inf, 0, {}, depth_limit(4), counts)
    assert counts.max_depth == 4
    for limit, ahead in ((depth_limit(4, root=1), 4), (depth_limit(4), 3), (lambda state, depth: depth >= 4, 3)):
        counts = SearchCounts()
        alpha_beta_heuristic(game, game.initial, is_cutoff=limit, counts=counts)
        assert counts.max_depth == ahead


def test_the_handout_equals_minimax_without_transpositions_on_tictactoe():
    game = tictactoe()
    values = reference.solve(game, game.initial)
    for state in list(values)[::7]:
        info = alpha_beta_search(game, state, -inf, inf, NoTable())
        assert (info.value, info.action) == (values[state], first_best(game, state, values))


@pytest.mark.parametrize("seed", range(5))
def test_timed_goes_on_to_the_proof(seed):
    game = fuzz.fuzz_game(seed)
    result = timed_decision(game, game.initial, seconds=60)
    assert result.proven
    assert result.stopped_by == "finished"
    assert result.value == reference.minimax_value(game, game.initial)


def test_timed_uses_the_last_whole_depth():
    game = minicheckers()
    result = timed_decision(game, game.initial, seconds=0.2)
    assert result.stopped_by == "time"
    assert not result.proven
    again = alpha_beta_decision(game, game.initial, result.depth)
    assert (result.value, result.action) == again
    assert result.nodes > sum_of_nodes(game, result.depth)


def sum_of_nodes(game, depth):
    counts = SearchCounts()
    for limit in range(1, depth + 1):
        alpha_beta_decision(game, game.initial, limit, counts)
    return counts.nodes


def test_timed_searches_one_ply_however_short_the_time():
    game = connect()
    result = timed_decision(game, game.initial, seconds=1e-9)
    assert result.depth == 1
    assert result.action == alpha_beta_decision(game, game.initial, 1).action


def test_timed_stops_at_a_depth_limit():
    result = timed_decision(minicheckers(), minicheckers().initial, seconds=60, max_depth=3)
    assert (result.depth, result.stopped_by, result.max_depth) == (3, "depth", 3)


def test_timed_stops_when_a_win_is_certain():
    game = minicheckers()
    state = game.from_text("......|......|...o..|..x...|......|x..... x")
    result = timed_decision(game, state, seconds=60)
    assert (result.value, result.proven, result.depth) == (1000, True, 1)
