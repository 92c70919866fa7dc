"""Which cells decide a game: rows of three, four and five are found from the rules alone."""

import importlib
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from zermelo.game import Action, Game, State
from zermelo.games import breakthrough, checkers, connect, hex, kalah, mnk, othello, pentago
from zermelo.learn.cells import Cells
from zermelo.learn.deciding import _Search, find_deciding
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape, choose_tuples, images
from zermelo.learn.prospects import find_prospects, usual_shape
from zermelo.learn.training import Training

PENTAGO = importlib.import_module("zermelo.games.pentago")


def found(game: Game, seed: int = 0) -> tuple[Cells, Shape, list[tuple[int, ...]]]:
    """The cells of a game, the usual shape of its network, and the sets of cells that decide."""
    cells = find_cells(game, seed)
    shape = usual_shape(find_prospects(game, seed), cells)
    return cells, shape, find_deciding(game, cells, shape, seed)


def everywhere(cells: Cells, deciding: list[tuple[int, ...]]) -> set[frozenset[int]]:
    """These sets and all their images."""
    return {frozenset(image) for one in deciding for image in images(cells, one)}


def lines(width: int, height: int, run: int) -> set[frozenset[tuple[int, int]]]:
    """The places of all straight lines of so many squares."""
    squares = {(x, y) for x in range(width) for y in range(height)}
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    every = [[(x + k * dx, y + k * dy) for k in range(run)] for x, y in squares for dx, dy in steps]
    return {frozenset(line) for line in every if squares.issuperset(line)}


@pytest.mark.parametrize(("width", "height", "run"), [(3, 3, 3), (4, 4, 4), (7, 6, 5)])
def test_rows_of_mnk_are_found(width: int, height: int, run: int) -> None:
    cells, _, deciding = found(mnk(width, height, run))
    left, top = (min(place[axis] for place in cells.places if place) for axis in (0, 1))
    places = [(round(place[0] - left), round(place[1] - top)) for place in cells.places if place]
    rows = {frozenset(places[cell] for cell in one) for one in everywhere(cells, deciding)}
    assert lines(width, height, run) <= rows
    assert all(any(line <= row for line in lines(width, height, run)) for row in rows)


def test_fives_of_pentago_are_found_and_what_a_turn_makes_a_five() -> None:
    cells, _, deciding = found(pentago())
    fives = set(PENTAGO.FIVES)
    before = fives | {PENTAGO.turned(five, turn) for five in fives for turn in range(8)}
    assert everywhere(cells, deciding) == {frozenset(bit for bit in range(36) if one >> bit & 1) for one in before}


def test_in_connect_three_in_a_row_and_the_fourth_square_are_found() -> None:
    """What a row needs besides is the square below the fourth, which must not be empty."""
    cells, _, deciding = found(connect(rows=4, columns=5))
    fours = lines(5, 4, 4)
    left, top = (min(place[axis] for place in cells.places if place) for axis in (0, 1))
    places = [(round(place[0] - left), round(place[1] - top)) for place in cells.places if place]
    assert deciding
    for one in deciding:
        squares = {places[cell] for cell in one}
        assert any(len(four & squares) >= 3 for four in fours)


@pytest.mark.parametrize("game", [breakthrough(), checkers(), kalah(), othello()], ids=repr)
def test_other_games_are_not_decided_by_a_few_cells(game: Game) -> None:
    assert found(game)[2] == []


def test_the_same_seed_finds_the_same() -> None:
    assert found(mnk(4, 4, 3), 5)[2] == found(mnk(4, 4, 3), 5)[2]


def test_rules_may_refuse_positions_that_cannot_arise() -> None:
    """With four stones more of one player, say; the rows are found all the same."""
    game, refused = mnk(4, 4, 3), list[State]()

    def actions(state: State) -> list[Action]:
        count = Counter(game.to_text(state))
        if abs(count["X"] - count["O"]) > 1:
            refused.append(state)
            raise ValueError("This position cannot arise.")
        return list(game.actions(state))

    cells = find_cells(game)
    strict = find_deciding(replace(game, actions=actions), cells, Shape(length=6), 0)
    assert refused
    assert everywhere(cells, strict) >= everywhere(cells, find_deciding(game, cells, Shape(length=6), 0))


def test_an_action_that_decides_nothing_needs_no_cells() -> None:
    game = mnk(4, 4, 3)
    search = _Search(game, find_cells(game), Shape(length=6), random.Random(0))
    assert search.needed(game.initial, 0) is None


def test_every_set_is_inside_a_tuple() -> None:
    cells, shape, deciding = found(pentago())
    tuples = [set(image) for same in choose_tuples(cells, shape, 0, deciding) for image in same]
    assert all(any(one <= image for image in tuples) for one in everywhere(cells, deciding))
    assert shape.lookups <= len(tuples) < shape.lookups + 8
    assert {len(image) for image in tuples} == {shape.length}


def test_overlapping_sets_share_a_tuple() -> None:
    """The two fives in a row of six are in one tuple, so they need hardly more than half as many tuples as sets."""
    cells, shape, deciding = found(pentago())
    sets = everywhere(cells, deciding)
    chosen, left, used = choose_tuples(cells, shape, 0, deciding), set(sets), 0
    for same in chosen:  # those for the sets come first
        if not left:
            break
        left = {one for one in left if not any(one <= set(image) for image in same)}
        used += len(same)
    assert not left
    assert used <= 0.6 * len(sets)


def test_too_many_sets_are_left_out() -> None:
    """Paths across the board of hex are more than tuples, so the tuples are those without them."""
    cells = find_cells(hex(5))
    shape = Shape(length=5, entries=1 << 10, lookups=24)
    many = list(combinations(range(10), 4))
    assert choose_tuples(cells, shape, 0, many) == choose_tuples(cells, shape, 0)
    few = many[:1]
    assert choose_tuples(cells, shape, 0, few) != choose_tuples(cells, shape, 0)


def test_training_uses_them_unless_the_game_is_quick() -> None:
    tuples = [set(image) for same in Training(pentago()).tuples for image in same]
    cells, _, deciding = found(pentago())
    assert all(any(one <= image for image in tuples) for one in everywhere(cells, deciding))
    quick = mnk(4, 4, 4)
    cells, shape, deciding = found(quick)
    assert deciding and Training(quick).tuples == choose_tuples(cells, shape, 0)


def test_rules_are_not_asked_for_actions_where_the_game_is_over() -> None:
    game = mnk(3, 3)

    def actions(state: State) -> list[Action]:
        assert not game.is_terminal(state)
        return list(game.actions(state))

    assert find_deciding(replace(game, actions=actions), find_cells(game), Shape(length=6), 0)
