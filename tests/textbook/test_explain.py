"""The tree of a search is the search: same value, same counts, same windows; and where two searches part."""

import json
from dataclasses import asdict, replace
from math import inf

import pytest

from fuzz import fuzz_game
from zermelo.errors import BadParameter, TerminalState
from zermelo.game import MAX, Game
from zermelo.games import connect, kalah, minicheckers, mnk, nim
from zermelo.result import SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision, timed_decision
from zermelo.textbook.explain import Recipe, SearchTree, count_nodes, deepened, explain
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.path import best_successors, minimax_max
from zermelo.textbook.rules import depth_limit
from zermelo.textbook.sound import sound_search
from zermelo.textbook.variants import cut_at

BOARD = connect(3, 3, 3)
GAMES = [BOARD, connect(4, 3, 3), nim(1, 2, 3, 0), mnk(3, 2, 2)]


def check(tree: SearchTree, counts: SearchCounts, value: int, action: object) -> None:
    """Check that a tree holds what the algorithm itself found and counted."""
    assert (tree.value, tree.action, tree.complete) == (value, action, True)
    assert asdict(tree.counts) == asdict(counts)
    assert len(tree.nodes) == counts.nodes
    assert sum(node.source in ("terminal", "cutoff") for node in tree.nodes) == counts.leaves
    assert sum(node.source == "table" for node in tree.nodes) == counts.table_hits
    assert sum(node.pruned for node in tree.nodes if node.player == MAX) == counts.prunings_max
    assert sum(node.pruned for node in tree.nodes if node.player != MAX) == counts.prunings_min
    assert max(node.ply for node in tree.nodes) == counts.max_depth


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_whole_games(game: Game) -> None:
    start = game.initial
    counts = SearchCounts()
    check(explain(game, recipe=Recipe("minimax")), counts, *minimax_search(game, start, {}, counts))
    counts = SearchCounts()
    handout = alpha_beta_search(game, start, -inf, inf, {}, counts)
    check(explain(game, recipe=Recipe(handout=True)), counts, *handout)
    counts = SearchCounts()
    sound = sound_search(game, start, -inf, inf, {}, counts=counts)
    check(explain(game, recipe=Recipe()), counts, sound.value, sound.action)


@pytest.mark.parametrize("game", [connect(), kalah(), minicheckers()], ids=repr)
def test_searches_to_a_depth(game: Game) -> None:
    for depth in (1, 2, 3):
        cut = depth_limit(depth)
        counts = SearchCounts()
        handout = alpha_beta_heuristic_search(game, game.initial, -inf, inf, 0, {}, cut, counts)
        check(explain(game, recipe=Recipe(handout=True, depth=depth)), counts, *handout)
        counts = SearchCounts()
        sound = sound_search(game, game.initial, -inf, inf, {}, cut, counts)
        check(explain(game, recipe=Recipe(depth=depth)), counts, sound.value, sound.action)
        counts = SearchCounts()
        decision = alpha_beta_decision(game, game.initial, depth, counts)
        check(explain(game, recipe=Recipe("decision", depth=depth)), counts, *decision)
        assert explain(game, recipe=Recipe("minimax", depth=depth)).value == sound.value


@pytest.mark.parametrize(
    "recipe", [Recipe(), Recipe(handout=True), Recipe(depth=4), Recipe("decision", depth=4)], ids=str
)
def test_windows_stand_as_the_next_child_meets_them(recipe: Recipe) -> None:
    tree = explain(BOARD, recipe=recipe)
    seen = 0
    for before, after in zip(tree.events, tree.events[1:], strict=False):
        if before.kind == "return" and after.kind == "enter":
            child = tree.nodes[after.node]
            assert child.parent == before.node
            assert (child.alpha, child.beta) == (before.alpha, before.beta)
            seen += 1
    assert seen > 10


def test_events_nest() -> None:
    tree = explain(BOARD)
    path: list[int] = []
    for event in tree.events:
        if event.kind == "enter":
            assert tree.nodes[event.node].parent == (path[-1] if path else None)
            path.append(event.node)
        assert path[-1] == event.node
        if event.kind == "leave":
            path.pop()
    assert not path


def test_a_pruning_says_what_it_left_out() -> None:
    tree = explain(BOARD, recipe=Recipe(depth=4, table=False))
    pruned = [node for node in tree.nodes if node.pruned]
    assert pruned
    for node in pruned:
        assert node.value is not None
        assert node.low is not None
        assert node.high is not None
        assert node.low >= node.high
        searched = [tree.nodes[child].action for child in node.children]
        assert [*searched, *node.unsearched] == BOARD.legal_actions(node.state)


def test_without_a_table_every_path_is_a_node() -> None:
    tree = explain(BOARD, recipe=Recipe("minimax", depth=3, table=False))
    assert tree.by_ply() == [1, 3, 9, 27]
    assert {node.source for node in tree.nodes if node.ply == 3} == {"cutoff"}


@pytest.mark.parametrize("depth", [None, 3, 5])
def test_best_first_keeps_the_value_and_visits_less(depth: int | None) -> None:
    usual = explain(BOARD, recipe=Recipe(depth=depth))
    best = explain(BOARD, recipe=Recipe(depth=depth, order="best-first"))
    assert best.value == usual.value
    assert len(best.nodes) < len(usual.nodes)


def test_a_limit_of_nodes_breaks_off_and_says_so() -> None:
    tree = explain(connect(), nodes=100)
    assert (tree.complete, tree.value, len(tree.nodes)) == (False, None, 100)
    assert tree.nodes[0].source is None
    assert count_nodes(BOARD, BOARD.initial, Recipe(), 408) is None
    assert count_nodes(BOARD, BOARD.initial, Recipe(), 409) == 409


@pytest.mark.parametrize("recipe", [Recipe("minimax"), Recipe(), Recipe(handout=True), Recipe(depth=5)], ids=repr)
def test_an_answer_of_the_table_names_the_node_that_stored_it(recipe: Recipe) -> None:
    tree = explain(connect(4, 3, 3), recipe=recipe)
    hits = [node for node in tree.nodes if node.source == "table"]
    assert hits
    left = {event.node: time for time, event in enumerate(tree.events) if event.kind == "leave"}
    for node in hits:
        assert node.stored is not None
        storer = tree.nodes[node.stored]
        assert (storer.state, storer.value) == (node.state, node.value)
        assert storer.source != "table"
        assert left[storer.number] < left[node.number]


def test_iterative_deepening_is_one_tree_for_each_depth() -> None:
    trees = deepened(BOARD, None, Recipe("decision", depth=20))
    whole = timed_decision(BOARD, BOARD.initial, 60.0)
    assert [tree.recipe.depth for tree in trees] == list(range(1, whole.depth + 1))
    assert (trees[-1].value, trees[-1].action) == (whole.value, whole.action)
    assert sum(tree.counts.nodes for tree in trees) == whole.nodes
    assert [len(tree.nodes) for tree in deepened(BOARD, None, Recipe("decision", depth=20), 10)] == [4, 6]
    with pytest.raises(BadParameter, match="needs a depth"):
        deepened(BOARD, None, Recipe("minimax"))


def test_a_search_that_is_stopped_says_so() -> None:
    calls = iter(range(100))
    tree = explain(BOARD, recipe=Recipe(depth=6), is_stopped=lambda: next(calls) == 20)
    assert (len(tree.nodes), tree.complete) == (20, False)
    assert count_nodes(BOARD, BOARD.initial, Recipe(depth=6), 10_000, lambda: True) is None


@pytest.mark.parametrize("seed", range(40))
def test_any_game_graph(seed: int) -> None:
    game = fuzz_game(seed)
    value = minimax_search(game, game.initial, {}).value
    for recipe in (Recipe(), Recipe(order="best-first"), Recipe(table=False)):
        assert explain(game, recipe=recipe).value == value


def test_json_holds_it_all() -> None:
    tree = explain(BOARD, recipe=Recipe(depth=3))
    record = json.loads(json.dumps(tree.to_dict(), allow_nan=False))
    assert record["format"] == "zermelo tree 1"
    assert (record["value"], len(record["nodes"]), len(record["events"])) == (2, len(tree.nodes), len(tree.events))
    assert record["counts"]["nodes"] == len(record["nodes"])
    assert (record["nodes"][0]["alpha"], record["nodes"][0]["player"]) == ("-inf", "MAX")


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"method": "magic"}, {"order": "worst"}, {"depth": 0}, {"method": "decision"}):
        with pytest.raises(BadParameter, match=r"\.$"):
            Recipe(**wrong)
    with pytest.raises(TerminalState):
        explain(BOARD, BOARD.replay([0, 1, 0, 1, 0]))
    with pytest.raises(BadParameter):
        explain(BOARD, nodes=0)


def true_value(game: Game, state: object, depth: int) -> int:
    """The result of a minimax without a window, this many plies ahead."""
    cut = cut_at(game, state, depth)
    return minimax_search(cut, cut.initial, {}).value


def check_bounds(tree: SearchTree, game: Game, depth: int) -> set[str | None]:
    """That every value is what it is marked as; the marks that were met at nodes of which all was not known."""
    for node in tree.nodes:
        true = true_value(game, node.state, depth - node.ply)
        assert node.value is not None
        assert {"exact": node.value == true, "lower": node.value <= true, "upper": node.value >= true}[node.bound or ""]
    return {node.bound for node in tree.nodes if node.source == "children"}


@pytest.mark.parametrize("game", [BOARD, minicheckers(), fuzz_game(3), nim(1, 2, 3, 0)], ids=repr)
def test_values_of_a_window_are_marked_as_bounds(game: Game) -> None:
    depth = 4
    decided = explain(game, recipe=Recipe("decision", depth=depth))
    assert check_bounds(decided, game, depth) >= {"exact"}
    for width in (1, 2, 5):
        tree = explain(game, recipe=Recipe("path", depth=depth, width=width))
        successors = best_successors(game, width, SearchCounts())
        narrow = replace(game, actions=lambda state, successors=successors: [one for one, _ in successors(state)])
        assert check_bounds(tree, narrow, depth) >= {"exact"}
        kept = {node.number: len(node.children) + len(node.unsearched) for node in tree.nodes if node.children}
        for number, count in kept.items():
            node = tree.nodes[number]
            assert count == min(width, len(game.legal_actions(node.state)))
            assert count + len(node.dropped) == len(game.legal_actions(node.state))


def test_all_kinds_of_bounds_are_met() -> None:
    assert check_bounds(explain(connect(), recipe=Recipe("decision", depth=4)), connect(), 4) == {
        "exact",
        "lower",
        "upper",
    }
    for recipe in (Recipe("path", depth=4), Recipe(handout=True, depth=4)):
        tree = explain(connect(), recipe=recipe)
        assert {node.bound for node in tree.nodes if node.source == "children"} == {"exact", "lower", "upper"}


def test_the_handouts_table_answers_with_what_it_stored() -> None:
    tree = explain(BOARD, recipe=Recipe(handout=True))
    stored: dict[object, str | None] = {}
    answers = 0
    for node in sorted(
        tree.nodes, key=lambda node: max(e for e, event in enumerate(tree.events) if event.node == node.number)
    ):
        if node.source == "table":
            assert node.bound == stored[node.state]
            answers += node.bound == "upper" or node.bound == "lower"
        elif not node.pruned:
            stored.setdefault(node.state, node.bound)
    assert answers, "the handout's flaw: bounds that are taken for exact values"


@pytest.mark.parametrize("first", [(), (0,)], ids=["MAX", "MIN"])
def test_the_path_method_is_recorded_as_it_searched(first: tuple[int, ...]) -> None:
    game, state = connect(), connect().replay(first)
    for depth, width in ((1, 5), (3, 2), (4, 5)):
        counts = SearchCounts()
        found = minimax_max(game, state, 0, -inf, inf, depth, width, counts=counts)
        tree = explain(game, state, Recipe("path", depth=depth, width=width))
        check(tree, counts, game.to_move(state) * int(found.value), found.path[0])


@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        ({"method": "path"}, r"The method path needs a depth, at which it stops\."),
        (
            {"method": "path", "depth": 2, "width": 0},
            r"The width is 0; it must be a whole number of moves, 1 or more\.",
        ),
        (
            {"method": "path", "depth": 2, "order": "best-first"},
            r"The method path tries the best moves first by its own rule; leave the order out\.",
        ),
    ],
)
def test_what_does_not_go_with_the_path_method(recipe: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadParameter, match=f"^{sentence}$"):
        Recipe(**recipe)  # type: ignore[arg-type]
