"""Long games, games without end, rules that break the contract, and what a search refuses."""

from dataclasses import replace
from math import inf

import pytest

from zermelo import MAX, MIN, Game
from zermelo.errors import BadGame, BadParameter, TerminalState
from zermelo.games import checkers, connect, minicheckers, nine_mens_morris, oware, tictactoe
from zermelo.result import SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision, timed_decision
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.path import minimax_max
from zermelo.textbook.sound import sound_search
from zermelo.textbook.systems import ALGORITHMS, ESTIMATING, Settings, System, guarantee


def countdown(plies):
    """One line of play, so many plies long; MAX wins."""
    return Game(
        name="countdown",
        initial=plies,
        utility_range=(-1, 1),
        to_move=lambda state: MAX if state % 2 == 0 else MIN,
        actions=lambda state: (1,),
        result=lambda state, action: state - action,
        is_terminal=lambda state: state == 0,
        utility=lambda state: 1,
        evaluate=lambda state: 0,
    )


SEARCHES = {
    "minimax": lambda game: minimax_search(game, game.initial, {}),
    "alpha-beta": lambda game: alpha_beta_search(game, game.initial, -inf, inf, {}),
    "heuristic": lambda game: alpha_beta_heuristic_search(game, game.initial, -inf, inf, 0, {}),
    "sound": lambda game: sound_search(game, game.initial, -inf, inf, {}),
    "path": lambda game: minimax_max(game, game.initial, 0, -inf, inf, 10**6, 1),
    "decision": lambda game: alpha_beta_decision(game, game.initial, 10**6),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_long_games_do_not_hit_the_recursion_limit(search):
    assert search(countdown(20_000)).value == 1


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_endless_games_are_told(search, monkeypatch):
    from zermelo.textbook import recursion

    monkeypatch.setattr(recursion, "MAX_PLIES", 3000)
    endless = replace(countdown(1), is_terminal=lambda state: False)
    with pytest.raises(BadGame, match="went on for about 3,000 plies"):
        search(endless)


@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "path"])
def test_a_state_without_actions_must_be_terminal(name):
    stuck = replace(countdown(5), actions=lambda state: () if state == 3 else (1,))
    with pytest.raises(BadGame, match=r"yields no action in 3, which is not terminal"):
        SEARCHES[name](stuck)


def test_path_rates_a_state_without_actions():
    stuck = replace(countdown(6), actions=lambda state: () if state == 3 else (1,), evaluate=lambda state: 5)
    assert SEARCHES["path"](stuck) == (5, (1, 1, 1), 5)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_finished_game_is_not_searched(algorithm):
    game = tictactoe()
    with pytest.raises(TerminalState, match="game is over"):
        System(game, algorithm).search(game.from_text("XXX|OO.|..."))


@pytest.mark.parametrize("algorithm", ESTIMATING)
def test_estimates_need_eval(algorithm):
    game = replace(tictactoe(), evaluate=None)
    with pytest.raises(BadParameter, match="has no evaluate function"):
        System(game, algorithm).search(game.initial)


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_searches_to_the_end_need_positions_that_do_not_come_back(algorithm):
    for game in (oware(), checkers(), nine_mens_morris()):
        with pytest.raises(BadParameter, match=f"{algorithm}, which searches every line to its end, would go round"):
            System(game, algorithm)
    assert System(oware(), "heuristic", Settings(depth=3)).search(oware().initial).stopped_by == "depth"


def test_settings_out_of_range():
    with pytest.raises(BadParameter, match="The depth is 0; it must be a whole number, 1 or more"):
        Settings(depth=0)
    with pytest.raises(BadParameter, match="The width is -1"):
        Settings(width=-1)
    with pytest.raises(BadParameter, match="more than 0"):
        Settings(seconds=float("nan"))
    with pytest.raises(BadParameter, match="more than 0"):
        timed_decision(tictactoe(), tictactoe().initial, 0)
    with pytest.raises(BadParameter, match="The depth is 0"):
        alpha_beta_decision(tictactoe(), tictactoe().initial, 0)
    with pytest.raises(BadParameter, match="There is no algorithm 'negamax'"):
        System(tictactoe(), "negamax")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_results_are_in_the_view_of_max_and_count_everything(algorithm):
    game = connect(3, 4, 3)
    state = game.replay([1])  # MIN to move, and MAX wins
    result = System(game, algorithm, Settings(depth=20, width=9, seconds=60)).search(state)
    assert result.value == 13333
    assert result.proven
    assert guarantee(game, result) == "first"
    assert result.prunings == result.prunings_max + result.prunings_min
    assert (result.prunings > 0) == (algorithm != "minimax")
    assert 0 < result.leaves < result.nodes
    assert 0 < result.max_depth <= 11
    assert game.result(state, result.action) in [game.result(state, action) for action in game.actions(state)]
    record = result.to_dict()
    assert record["principal_variation"][0] == record["action"] == result.action
    assert set(record) >= {"value", "nodes", "leaves", "prunings", "max_depth", "table_states", "seconds"}
    assert str(result.value) in str(result)
    assert "<table>" in result._repr_html_()


def test_a_limited_search_promises_nothing():
    game = connect(4, 4, 4)
    for algorithm in ESTIMATING:
        result = System(game, algorithm, Settings(depth=3, width=2)).search(game.initial)
        assert not result.proven
        assert guarantee(game, result) is None
        assert result.stopped_by == "depth"
    # Wide enough to the end of the game, but not every move was looked at.
    narrow = System(connect(2, 3, 3), "path", Settings(depth=20, width=1)).search(connect(2, 3, 3).initial)
    assert not narrow.proven


def test_the_fixed_depth_search_has_its_own_counts():
    game = minicheckers()
    fixed = System(game, "decision", Settings(depth=5)).search(game.initial)
    deepening = System(game, "timed", Settings(depth=5, seconds=60)).search(game.initial)
    alone = SearchCounts()
    info = alpha_beta_decision(game, game.initial, 5, alone)
    assert (fixed.nodes, fixed.prunings_max, fixed.prunings_min) == (536, alone.prunings_max, alone.prunings_min)
    assert (fixed.value, fixed.action, fixed.depth, fixed.max_depth) == (*info, 5, 5)
    counts = SearchCounts()
    for depth in range(1, 6):
        alpha_beta_decision(game, game.initial, depth, counts)
    assert deepening.nodes == counts.nodes == 775


def test_the_games_own_cutoff_is_asked_as_well():
    game = replace(connect(4, 4, 4), is_cutoff=lambda state, depth: state.stones.bit_count() >= 2)
    result = System(game, "heuristic", Settings(depth=9)).search(game.initial)
    assert result.max_depth == 2


def test_the_table_of_minimax_is_kept_and_others_are_cleared():
    game = tictactoe()
    keeps = System(game, "minimax")
    keeps.search(game.initial)
    assert keeps.search(game.replay([4])).nodes == 1
    clears = System(game, "heuristic", Settings(depth=2))
    clears.search(game.initial)
    clears.search(game.replay([4]))
    assert game.initial not in clears.table
