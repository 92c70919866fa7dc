"""The handouts' own searches, against the numbers that were published with them."""

from math import inf

import pytest

import facts
from zermelo.games import connect, tictactoe
from zermelo.result import SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.minimax import minimax, minimax_search
from zermelo.textbook.systems import Settings, System, guarantee


@pytest.mark.parametrize(
    "row", facts.rows("connect_tables.tsv"), ids=lambda row: "{part} {rows}x{columns}x{run}".format(**row)
)
def test_table_sizes_prunings_and_values(row):
    game = connect(int(row["rows"]), int(row["columns"]), int(row["run"]))
    algorithm = "minimax" if row["part"] == "A" else "alpha-beta"
    result = System(game, algorithm, Settings(handout=True)).search(game.initial)
    assert result.table_states == int(row["table_states"])
    assert result.prunings == int(row["prunings"] or 0)
    if row["start_value"]:
        assert result.value == int(row["start_value"])
    assert guarantee(game, result, handout=True) == {"tie": "draw", "first": "first"}[row["result"]]


def test_every_entry_of_the_table_of_3x3():
    game = connect(3, 3, 3)
    table = {}
    minimax_search(game, game.initial, table)
    published = facts.rows("connect_table_3x3_run3.tsv")
    assert len(published) == len(table) == 694
    for row in published:
        info = table[game.from_text(row["board_top_row_first"])]
        assert info.value == int(row["value"])
        assert str(info.action) == (row["action"] or "None")


@pytest.mark.slow
def test_the_largest_table_of_the_handout():
    game = connect(5, 4, 4)
    table, counts = {}, SearchCounts()
    assert minimax(game, game.initial, table, counts) == 0
    assert len(table) == counts.table_states == 1_706_255


def test_counts_of_tictactoe():
    game = tictactoe()
    table, counts = {}, SearchCounts()
    info = minimax_search(game, game.initial, table, counts)
    assert info == (0, 0)
    assert len(table) == 5_478
    # Every edge of the graph is one visit, and the root another.
    edges = sum(len(game.legal_actions(state)) for state in table)
    assert counts.nodes == edges + 1
    assert counts.table_hits == counts.nodes - len(table)
    assert counts.leaves == sum(game.is_terminal(state) for state in table) == 958
    assert counts.max_depth == 9
    assert counts.prunings == 0


def replies(game, human_side, moves):
    """Play the handout's own alpha-beta from its table against given replies: values shown, re-searches, last state."""
    system = System(game, "alpha-beta", Settings(handout=True))
    system.search(game.initial)
    state, values, again, moves = game.initial, [], 0, list(moves)
    while not game.is_terminal(state):
        result = system.look_up(state)
        if result is None:
            again += 1
            result = system.search(state)
        values.append(result.value)
        action = moves.pop(0) if game.to_move(state) == human_side else result.action
        state = game.play(state, action)
    assert not moves
    return values, again, state


def test_published_game_on_4x5():
    game = connect(4, 5, 3)
    values, again, state = replies(game, -1, [2, 1, 4, 3])
    assert set(values) == {22222}
    assert again == 3
    assert game.utility(state) == 22222


def test_published_game_on_4x4():
    game = connect(4, 4, 4)
    values, again, state = replies(game, -1, [3, 0, 2, 3, 3, 1, 2])
    assert values[-1] == 10666
    assert again == 4
    assert game.utility(state) == 10666


def test_an_alpha_beta_window_at_the_true_value_prunes_at_once():
    game = connect(3, 3, 3)
    counts = SearchCounts()
    info = alpha_beta_search(game, game.initial, -inf, -1, {}, counts)
    assert info.value >= 0
    assert counts.prunings_max >= 1
