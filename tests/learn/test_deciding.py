"""Which cells decide a game: rows of three, four and five are found from the rules alone."""

import importlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from zermelo.game import Action, Game
from zermelo.games import breakthrough, checkers, connect, hex, kalah, mnk, othello, pentago
from zermelo.learn.cells import Cells
from zermelo.learn.deciding import find_deciding
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


def test_rules_that_refuse_impossible_positions_do_no_harm() -> None:
    """They refuse those with two stones more of one player; then less is found, and no error."""
    game = mnk(3, 3)

    def actions(state: tuple[int, int]) -> Iterator[Action]:
        of_max = sum(game.board(state).pieces[k].owner for k in range(len(game.board(state).pieces)))  # type: ignore[misc]
        if of_max not in (0, 1):
            raise ValueError("impossible")
        return iter(list(game.actions(state)))

    strict = replace(game, actions=actions)
    assert isinstance(find_deciding(strict, find_cells(game), Shape(length=6), 0), list)


def test_every_set_is_inside_a_tuple() -> None:
    cells, shape, deciding = found(pentago())
    tuples = [set(image) for same in choose_tuples(cells, shape, 0, deciding) for image in same]
    assert all(any(one <= image for image in tuples) for one in everywhere(cells, deciding))
    assert shape.lookups <= len(tuples) < shape.lookups + 8
    assert {len(image) for image in tuples} == {shape.length}


def test_overlapping_sets_share_a_tuple() -> None:
    """The two fives in a row of six are in one tuple, so there are half as many tuples as sets."""
    cells, shape, deciding = found(pentago())
    sets = everywhere(cells, deciding)
    first = choose_tuples(cells, replace(shape, lookups=80), 0, deciding)
    holding = [image for same in first for image in same if any(one <= set(image) for one in sets)]
    assert len(holding) <= 0.6 * len(sets)


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
