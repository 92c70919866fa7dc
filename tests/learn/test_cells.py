"""What the program finds out about the cells of games, and how it reads them."""

from math import atanh
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

from positions import random_moves
from reference import learned_value
from zermelo.board import Board, Cell, Piece
from zermelo.compiled.game import compiled
from zermelo.compiled.seen import seen_words
from zermelo.engine.network import SETS, UNIT, WEIGHTS, WHOLE, read_cells, squashed, sum_of
from zermelo.game import MAX, Game, State
from zermelo.games import (
    breakthrough,
    checkers,
    chess,
    clobber,
    connect,
    dots_and_boxes,
    draughts,
    hex,
    kalah,
    mnk,
    nim,
    nine_mens_morris,
    othello,
    oware,
)
from zermelo.learn import Evaluation
from zermelo.learn.cells import Count
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import Shape, choose_tuples, make_plan


class Flagged(NamedTuple):
    """A heap in the lower seven bits, and a flag in the next one."""

    heap: int
    player: int


class Heaps(NamedTuple):
    """Three heaps, in four bits each."""

    heaps: int
    player: int


@njit
def value_and_sum(plan, words, view, weights, symbols):
    """Parts of kernels are called by compiled code only."""
    read_cells(plan, words, view, symbols)
    total = sum_of(plan, symbols, view, weights)
    return squashed(plan, total), total


SHAPE = Shape(length=4, entries=1 << 8, lookups=24)
SHELF = (
    breakthrough(4, 6), checkers(), chess(), clobber(5, 4), connect(5, 4), dots_and_boxes(2, 2), hex(5), kalah(), mnk(),
    nim(), nine_mens_morris(), othello(6), oware(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("game", "cells", "symbols", "symmetries", "swapped"),
    [
        (othello(), 64, 4, 7, True),
        (connect(), 42, 4, 1, False),
        (breakthrough(), 64, 3, 1, True),
        (checkers(), 32, 5, 0, True),
        (draughts(), 50, 5, 0, True),
        (hex(5), 25, 3, 1, True),
        (mnk(), 9, 3, 7, False),
    ],
)
def test_squares_their_contents_and_symmetries_are_found(
    game: Game, cells: int, symbols: int, symmetries: int, swapped: bool
) -> None:
    found = find_cells(game)
    assert found.symbols == (symbols,) * cells
    assert len(found.symmetries) == symmetries
    assert (found.swapped is not None) == swapped
    assert None not in found.places


def test_ints_with_few_values_are_cells_and_players_and_counters_are_none() -> None:
    assert [count.symbols for count in find_cells(nim()).counts] == [2, 4, 6, 8]
    chessmen = find_cells(chess())
    assert (len(chessmen.groups[0].words), len(chessmen.groups[0].bits), chessmen.counts) == (8, 64, ())
    men_in_hand = find_cells(nine_mens_morris()).counts
    assert [count.symbols for count in men_in_hand] == [10, 10]


@pytest.mark.parametrize("game", [kalah(), oware(), kalah(pits=4, seeds=3)], ids=repr)
def test_numbers_packed_into_ints_are_cells_where_the_picture_shows_them(game: Game) -> None:
    pits = game.parameters["pits"]
    found = find_cells(game)
    assert found.groups == ()
    assert [(count.word, count.shift) for count in found.counts] == [
        (word, 7 * pit) for word in range(2) for pit in range(pits + 1)
    ]
    assert all(count.bits >= 7 for count in found.counts)
    assert found.swapped is not None
    assert found.swapped.cells == (*range(pits + 1, 2 * pits + 2), *range(pits + 1))
    assert found.symmetries == ()  # the way round matters
    assert None not in found.places


def test_a_number_beside_a_flag_keeps_to_its_own_bits() -> None:
    def board(state: State) -> Board:
        return Board((Cell(0, 0),), (Piece(0, MAX, "seeds", state.heap & 127),), {})

    heaps = Game(
        name="flagged heap",
        initial=Flagged(127, MAX),
        to_move=lambda state: state.player,
        actions=lambda state: [taken for taken in (1, 5, 9) if taken <= state.heap & 127],
        result=lambda state, taken: Flagged((state.heap ^ 128) - taken, -state.player),
        is_terminal=lambda state: state.heap & 127 == 0,
        utility_range=(-1, 1),
        utility=lambda state: -state.player,
        board=board,
    )
    found = find_cells(heaps)
    assert found.counts == (Count(word=0, low=0, symbols=128, shift=0, bits=7),)
    assert [group.bits for group in found.groups] == [(7,)]


def test_a_symmetry_moves_numbers_as_it_moves_squares() -> None:
    def board(state: Heaps) -> Board:
        cells = tuple(Cell(place, 0) for place in range(3))
        return Board(cells, tuple(Piece(place, MAX, "seeds", state.heaps >> 4 * place & 15) for place in range(3)), {})

    def actions(state: Heaps) -> list[int]:
        return [place for place in range(3) if state.heaps >> 4 * place & 15]

    def game(first: int) -> Game:
        return Game(
            name="three heaps",
            initial=Heaps(0x777, MAX),
            to_move=lambda state: state.player,
            actions=actions,
            result=lambda state, place: Heaps(state.heaps - (1 << 4 * place), -state.player),
            is_terminal=lambda state: state.heaps == 0 or state.heaps & 15 == first,
            utility_range=(-1, 1),
            utility=lambda state: -state.player,
            board=board,
        )

    assert find_cells(game(16)).symmetries == ((2, 1, 0),)
    assert find_cells(game(2)).symmetries == ()


def with_random_weights(game: Game) -> Evaluation:
    """An evaluation that nobody has learned."""
    cells = find_cells(game)
    tuples = tuple(tuple(images) for images in choose_tuples(cells, SHAPE, 1))
    plan = make_plan(cells, tuples, 100)
    weights = np.random.default_rng(1).integers(-900, 900, int(plan[SETS] * plan[WEIGHTS]), dtype=np.int16)
    return Evaluation(repr(game), game.fingerprint, cells, tuples, 100, weights)


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.name)
def test_kernels_read_a_state_as_its_slow_twin_does_for_both_players(game: Game) -> None:
    evaluation = with_random_weights(game)
    plan, symbols, players = evaluation.plan, np.zeros(512, dtype=np.int64), set()
    for seed in range(4):
        for state, _ in random_moves(game, seed):
            side = game.to_move(state)
            players.add(side)
            words = seen_words(compiled(game, evaluation.open_words), state)
            view = 0 if side == MAX else 1
            value, total = value_and_sum(plan, words, view, evaluation.weights, symbols)
            expected = learned_value(evaluation, game, state)
            assert abs(expected) == 1 or total == pytest.approx(atanh(expected) * UNIT, rel=1e-6, abs=0.01)
            assert value / WHOLE == pytest.approx(expected, abs=1e-3)
    assert len(players) == 2


def test_tuples_look_at_every_cell_and_hold_their_images() -> None:
    cells = find_cells(othello(6))
    tuples = choose_tuples(cells, Shape(length=5, entries=1 << 10, lookups=64), 3)
    assert {cell for images in tuples for image in images for cell in image} == set(range(36))
    for images in tuples:
        moved = {tuple(sorted(sources[cell] for cell in images[0])) for sources in cells.symmetries}
        assert moved <= {tuple(sorted(image)) for image in images}
        assert len(images[0]) <= 5
    assert tuples == choose_tuples(cells, Shape(length=5, entries=1 << 10, lookups=64), 3)
