"""Searches that ask solved tables."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo import MAX, MIN, Engine, Game, Table, solve
from zermelo.games import checkers, connect, kalah
from zermelo.solver.solve import solve_timed


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Every position after 1, 1, 1 of connect on 4x4: the board before that is not in it."""
    game = connect(4, 4)
    return solve_timed(game, tmp_path_factory.mktemp("tables") / "part", starts=[game.replay([1, 1, 1])])[0]


def test_a_search_stops_at_what_a_table_knows(table: Table) -> None:
    game = connect(4, 4)
    plain, knowing = Engine(game).prove(), Engine(game, tables=[table]).prove()
    assert (plain.value, plain.proven) == (knowing.value, knowing.proven)
    assert knowing.nodes < plain.nodes


@pytest.mark.parametrize("switches", [{}, {"remoteness": False}, {"bounds": False, "symmetries": False}], ids=str)
def test_values_stay_the_same(table: Table, switches: dict[str, bool]) -> None:
    game = connect(4, 4)
    plain, knowing = Engine(game, **switches), Engine(game, tables=[table], **switches)
    for actions in ([], [1], [1, 1], [0, 1], [1, 2]):
        state = game.replay(actions)
        assert knowing.search(state).value == plain.search(state).value
        assert knowing.prove(state).value == plain.prove(state).value
        assert knowing.search(state).remoteness == plain.search(state).remoteness
    goal = plain.prove().value
    assert knowing.decide(goal).bound == plain.decide(goal).bound


def test_a_known_position_needs_no_search(table: Table) -> None:
    game = connect(4, 4)
    state = game.replay([1, 1, 1, 0, 2])
    found = Engine(game, tables=[table]).prove(state)
    assert found.nodes == 0 and found.proven
    assert (found.value, found.remoteness) == (table[state].value, table[state].remoteness)
    assert list(found.best_actions or ()) == table.best_actions(state)
    assert found.principal_variation == tuple(table.line(state))


def test_margins(tmp_path: Path) -> None:
    game = kalah(3, 2)
    engine = Engine(game, tables=[solve(game, tmp_path / "table")], tables_mb=0.001)
    plain = Engine(game)
    for actions in ([], [0], [1], [2], [0, 1], [1, 0, 2]):
        state = game.replay(actions)
        assert engine.prove(state).value == plain.prove(state).value


@pytest.fixture(scope="module")
def two_kings_against_one(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Table, list[Any]]:
    """Checkers, its table of two kings against one, and some positions of it that are won for one of the players."""
    game, chooser = checkers(), random.Random(0)
    assert game.placements is not None
    starts = list(game.placements("KKk"))
    table = solve(game, tmp_path_factory.mktemp("tables") / "kings", starts=starts)
    chosen = chooser.sample(starts, 200)
    return game, table, [state for state in chosen if not game.is_terminal(state) and table[state].value]


def test_an_engine_that_answered_many_questions_tells_the_remoteness_of_the_table(
    two_kings_against_one: tuple[Game, Table, list[Any]],
) -> None:
    """What an engine keeps of one search must not shorten the wins of the next."""
    game, table, decided = two_kings_against_one
    engine, proven = Engine(game, table_mb=1, reductions=False), 0
    for state in decided:
        found = engine.search(state, nodes=100_000)
        if found.proven:
            proven += 1
            assert (found.value, found.remoteness) == (table[state].value, table[state].remoteness), state
    assert proven > 50


def test_a_search_that_leaves_out_plies_never_tells_a_win_quicker_than_the_table(
    two_kings_against_one: tuple[Game, Table, list[Any]],
) -> None:
    """Checkers' own switches search late actions less deep, so a win may be longer than need be, but not shorter."""
    game, table, decided = two_kings_against_one
    engine, proven, equal = Engine(game, table_mb=1), 0, 0
    assert engine.switches.reductions
    for state in decided:
        found = engine.search(state, nodes=100_000)
        if found.proven:
            proven += 1
            plies = found.ends_within if found.remoteness is None else found.remoteness
            quickest = table[state].remoteness
            assert plies is not None and quickest is not None
            assert found.value == table[state].value, state
            assert plies >= quickest, state
            equal += plies == quickest
    assert proven > 50 and equal > proven // 2


class Lane(NamedTuple):
    lane: int
    """0 at the start, else 1 or 2."""
    left: int
    """Plies to the end; at the start, from the beginning of the first lane."""


def two_lanes(first: int) -> Game:
    """MAX chooses between two lanes that both win for MAX, after ``first`` and after six plies; that is all."""

    def to_move(state: Lane) -> int:
        return MAX if state.lane == 0 or state.left & 1 == 0 else MIN

    def actions(state: Lane) -> Iterator[int]:
        for lane in range(1, 3 if state.lane == 0 else 2):
            yield lane

    def result(state: Lane, action: int) -> Lane:
        if state.lane > 0:
            return Lane(state.lane, state.left - 1)
        return Lane(1, state.left) if action == 1 else Lane(2, 5)

    def is_terminal(state: Lane) -> bool:
        return state.lane > 0 and state.left == 0

    def utility(state: Lane) -> int:
        return 1

    return Game(
        name="lanes",
        initial=Lane(0, first - 1),
        utility_range=(-1, 1),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
    )


@pytest.mark.parametrize("ahead", [1, 3])
def test_a_win_that_a_table_knows_is_not_the_quickest_before_quicker_ones_are_excluded(
    ahead: int, tmp_path: Path
) -> None:
    game = two_lanes(6 + ahead)
    table = solve(game, tmp_path / "table", starts=[game.result(game.initial, 1)])
    found = Engine(game, tables=[table], table_mb=1).search()
    assert (found.value, found.remoteness, found.action, found.depth) == (1, 6, 2, 6)
