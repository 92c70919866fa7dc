"""Monte Carlo tree search: the tree of the slow twin, what it proves, its limits, and its memory."""

import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from fuzz import fuzz_game
from knowing import knowing_tictactoe
from loops import history_game
from reference import MonteCarloTree, history_outcome, random_states, random_words, solve
from zermelo import Engine
from zermelo.engine.network import static_score
from zermelo.engine.tree.pool import NODE
from zermelo.engine.tree.results import TreeResult
from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.errors import BadParameter, TerminalState
from zermelo.game import MAX, Game, State
from zermelo.games import mnk, tictactoe
from zermelo.learn import Evaluation, Training


@pytest.fixture(scope="module")
def game() -> Game:
    return tictactoe()


@njit
def score_for(game, state, side, job):
    return static_score(game, state, side, job)


def agrees(
    game: Game,
    state: State,
    playouts: int,
    before: tuple[State, ...] = (),
    learned: Evaluation | None = None,
    **options: float,
) -> TreeResult:
    """Search, compare every number at the root with the slow twin's, and return the result.

    The twin has an EVAL that asks the evaluation that was ``learned``, if any.
    """
    options = {"minimax": 0.0, **options}
    search = TreeSearch(game, table_mb=0.3, evaluation=learned, **options)
    found = search.search(state, playouts=playouts, before=before)
    seed = int(options.pop("seed", 0))
    typical, room = float(search._trees[0]["typical"]), len(search._nodes[0])
    if learned is not None:
        rules, team = game, Engine(game, evaluation=learned)._team

        def asked(one: State) -> int:
            side = rules.to_move(one)
            return side * int(score_for(team.game, one, side, team.first))

        game = replace(game, evaluate=asked)
    twin = MonteCarloTree(game, state, random_words(seed, 0), before, typical=typical, room=room, **options)  # type: ignore[arg-type]
    twin.search(playouts)
    children = twin.root.children
    assert found.visits == {child.action: child.visits for child in children}
    assert found.bounds == {child.action: (child.low, child.high) for child in children}
    for child in children:
        if child.visits:
            mean = twin.reward(child.low) if twin.is_decided(child) else child.total / child.visits
            assert found.means[child.action] == mean
    assert (found.nodes, found.proven) == (twin.root.visits, twin.is_decided(twin.root))
    return found


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "exploration": st.floats(0.1, 3),
        "rave": st.booleans(),
        "minimax": st.floats(0, 1),
        "prior": st.floats(0, 20),
        "growth": st.integers(0, 5),
        "sufficient": st.booleans(),
        "plies": st.integers(1, 8),
        "seed": st.integers(0, 100),
    },
)


@settings(max_examples=60)
@given(st.integers(0, 10**6), OPTIONS, st.integers(1, 120), st.sampled_from(["wdl", "margin"]))
def test_random_games_grow_the_tree_of_the_twin_and_what_is_proven_is_true(seed, options, playouts, outcomes):
    game = replace(fuzz_game(seed), outcomes=outcomes)
    found = agrees(game, game.initial, playouts, **options)
    values = solve(game, game.initial)
    for action, (low, high) in found.bounds.items():
        assert low <= values[game.result(game.initial, action)] <= high
    if found.proven:
        value = values[game.initial]
        assert {"exact": value == found.value, "lower": 0 < found.value <= value, "upper": value <= found.value < 0}[
            found.bound
        ]
        best = values[game.result(game.initial, found.action)]
        assert best == value if outcomes == "margin" else (best > 0) - (best < 0) == (value > 0) - (value < 0)


@settings(max_examples=40)
@given(st.integers(0, 10**6), OPTIONS.filter(lambda options: not {"minimax", "prior"} & options.keys()))
def test_positions_that_come_back_end_the_game(seed, options):
    game = history_game(seed)
    first = game.initial
    second = next(game.result(first, action) for action in game.actions(first))
    if game.is_terminal(second) or second == first:
        return
    found = agrees(game, second, 300, (first,), **options)
    value, _ = history_outcome(game, second, (first,))
    if found.proven:
        assert (value > 0) - (value < 0) == (found.value > 0) - (found.value < 0)
        assert found.bound != "exact" or found.value == value


@pytest.mark.parametrize("options", [{}, {"rave": True}, {"minimax": 0.4, "prior": 5.0}])
def test_tictactoe_grows_the_tree_of_the_twin(game: Game, options: dict[str, float]):
    agrees(game, game.initial, 1500, **options)


@pytest.mark.parametrize("options", [{"minimax": 0.4}, {"minimax": 0.0, "prior": 5.0}, {"minimax": 0.7, "prior": 2.0}])
def test_a_learned_evaluation_takes_the_place_of_eval(game: Game, options: dict[str, float]):
    learned = Training(game).run(games=300, steps=1)
    found = agrees(game, game.replay("b2"), 300, learned=learned, **options)
    assert found.visits != TreeSearch(game, **options).search(game.replay("b2"), playouts=300).visits
    assert found.visits == Engine(game, evaluation=learned).mcts(game.replay("b2"), playouts=300, **options).visits


def test_a_learned_evaluation_has_the_usual_weight_in_a_game_without_eval():
    game = replace(tictactoe(), evaluate=None)
    learned = Training(game).run(games=300, steps=1)
    assert TreeSearch(game).options.minimax == 0 and TreeSearch(game, evaluation=learned).options.minimax == 0.4
    with pytest.raises(BadParameter, match="other rules"):
        TreeSearch(mnk(4, 4, 4), evaluation=learned)


@pytest.mark.parametrize("options", [{}, {"sufficient": False, "growth": 2}])
def test_bounds_and_sufficient_actions_are_used(options: dict[str, float]):
    game = knowing_tictactoe()
    for state in (game.initial, game.replay("a1")):
        agrees(game, state, 400, **options)


def test_it_proves_won_lost_and_drawn_positions(game: Game):
    values = solve(game, game.initial)
    for state in random_states(game, 40, range(4, 8)):
        found = TreeSearch(game, table_mb=1).search(state, playouts=5000)
        assert found.proven and (found.value, found.bound) == (values[state], "exact")
        assert values[game.result(state, found.action)] == values[state]
        assert found.stopped_by == "finished" and found.nodes < 5000


def test_the_first_move_of_tictactoe_is_right(game: Game):
    found = TreeSearch(game).search(game.replay("b2"), playouts=3000)
    assert found.action in (0, 2, 6, 8) and found.bound == "estimate" and found.stopped_by == "nodes"
    assert sum(found.visits.values()) == found.nodes == 3000
    assert "an estimate from random games" in str(found) and f"{found.visits[found.action]:,}" in str(found)
    assert found.to_dict()["visits"][str(found.action)] == found.visits[found.action]


def test_full_memory_stops_the_growth_and_not_the_search(game: Game):
    search = TreeSearch(game, table_mb=0.001)
    found = search.search(playouts=30_000)
    assert found.table_states <= len(search._nodes[0]) < 4200 and NODE.itemsize == 64
    assert found.nodes == 30_000 and len(found.principal_variation) > 2


def test_a_tree_is_kept_below_the_moves_that_are_played(game: Game):
    search = TreeSearch(game)
    first = search.search(playouts=2000)
    state = game.result(game.initial, first.action)
    reply = game.legal_actions(state)[0]
    again = search.search(game.result(state, reply), playouts=100)
    fresh = TreeSearch(game).search(game.result(state, reply), playouts=100)
    assert sum(again.visits.values()) > sum(fresh.visits.values()) == 100
    assert again.table_states > fresh.table_states
    search.clear()
    anew = search.search(playouts=2000)
    assert (anew.visits, anew.means, anew.bounds) == (first.visits, first.means, first.bounds)


def test_kept_trees_stay_whole(game: Game):
    """After a move, each kept node has the numbers that it had before."""
    search = TreeSearch(game)
    search.search(playouts=3000)
    nodes = search._nodes[0]

    def copied(node: int, depth: int) -> tuple[object, ...]:
        first, many = int(nodes[node]["first"]), int(nodes[node]["children"])
        own = tuple(nodes[node][name].item() for name in ("action", "visits", "total", "low", "high"))
        return (*own, *(copied(child, depth + 1) for child in range(first, first + many)))

    first = int(nodes[0]["first"])
    child = max(range(first, first + 9), key=lambda one: int(nodes[one]["visits"]))
    before, action = copied(child, 0), int(nodes[child]["action"])
    search._begin(game.result(game.initial, action), (), 1)
    assert copied(0, 0) == before


def test_a_tree_is_not_kept_if_other_positions_stood_before():
    game = history_game(3)
    search = TreeSearch(game)
    found = search.search(playouts=50)
    state = game.result(game.initial, found.action)
    if not game.is_terminal(state) and state != game.initial:
        search._begin(state, [], 10)
        assert search._trees[0]["used"] == 0


def test_threads_add_up_and_are_reproducible(game: Game):
    one, two = (TreeSearch(game, threads=2, seed=5).search(playouts=1001) for _ in range(2))
    assert one.nodes == 1001 == sum(one.visits.values())
    assert (one.visits, one.means) == (two.visits, two.means)
    assert one.visits != TreeSearch(game, threads=2, seed=6).search(playouts=1001).visits
    lost = game.replay("a1 b1 a2 b2")
    assert TreeSearch(game, threads=2).search(lost).proven


def test_time_and_stop_end_a_search(game: Game):
    search = TreeSearch(game)
    search.prepare()
    found = search.search(seconds=0.1)
    assert found.stopped_by == "time" and 0.1 <= found.seconds < 0.3
    timer = threading.Timer(0.1, search.stop)
    timer.start()
    assert search.search(seconds=60).stopped_by == "interrupted"


def test_control_c_ends_a_search_with_what_it_has(game: Game, monkeypatch: pytest.MonkeyPatch):
    import zermelo.engine.runner as runner

    def interrupt(news: object, deadline: object) -> object:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "_next", interrupt)
    found = TreeSearch(game).search(seconds=60)
    assert found.stopped_by == "interrupted" and found.nodes >= 1 and found.action in range(9)


def test_bad_input(game: Game):
    for wrong in (
        {"exploration": -1}, {"minimax": 2}, {"prior": -1}, {"plies": 0}, {"plies": 10**6}, {"seed": -1},
        {"threads": 0}, {"table_mb": 0}, {"depth": 3},
    ):  # fmt: skip
        with pytest.raises(BadParameter):
            TreeSearch(game, **wrong)
    with pytest.raises(BadParameter, match="the game 'history' has none"):
        TreeSearch(history_game(0), minimax=0.5)
    for limits in ({"seconds": 0}, {"playouts": 0}, {"playouts": 1.5}):
        with pytest.raises(BadParameter):
            TreeSearch(game).search(**limits)
    with pytest.raises(TerminalState):
        TreeSearch(game).search(game.replay("a1 b1 a2 b2 a3"))


def test_values_are_those_of_max(game: Game):
    lost = game.replay("a1 b1 a2 b2 c1")  # MIN wins with b3
    found = TreeSearch(game).search(lost, playouts=1000)
    assert game.to_move(lost) != MAX and found.value == -1000 and game.show_action(lost, found.action) == "b3"


def test_an_engine_keeps_its_tree_until_the_options_change(game: Game):
    engine = Engine(game)
    first = engine.mcts(playouts=500, seed=3)
    assert first.visits == TreeSearch(game, seed=3).search(playouts=500).visits
    assert sum(engine.mcts(playouts=500, seed=3).visits.values()) == 1000
    assert sum(engine.mcts(playouts=500, seed=4).visits.values()) == 500
    engine.clear()
    assert engine.mcts(playouts=500, seed=3).visits == first.visits
    assert engine.mcts(game.replay("b2"), seconds=0.1).stopped_by == "time"
