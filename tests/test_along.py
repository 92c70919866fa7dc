"""`bits.along` finds the union of all directions: interpreted, compiled, on boards of one word and of two."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numba.core import config

from zermelo import Engine, make_game
from zermelo.bits import ALL, along, complement, completions, shift_left, shift_right, where
from zermelo.compiled.helpers import register
from zermelo.errors import NotCompilable
from zermelo.words import HALF_ALL, Wide

boards = st.integers(0, ALL)
halves = st.integers(0, HALF_ALL)
DIRECTIONS = ((1, 0x7E7E7E7E7E7E7E7E), (7, -1), (8, 3), (9, 1 << 62), (63, 5))
STEPS = ((1,), (7,), (8,))


def everything(one, other, step, within):
    """Every operation that lanes know."""
    lines = shift_left(one, step) & within | shift_right(other, step + 0) ^ (one + other)
    lines ^= complement(shift_right(one, 2 * step - step)) & (one - within * 3)
    lines |= where(one & within, 6 & ~other)
    lines &= 1 ^ (within | shift_left(other, 2))
    return lines ^ where(5 & shift_left(1, step), other)


def moved(one, step):
    """Python's own shifts, where no bit leaves the word; ``>>`` keeps the sign."""
    return one >> step | (one >> step) << step


def completing(board, step):
    return completions(board, 4, step)


def union(one, other):
    return along(everything, DIRECTIONS, one, other)


def union_of_moved(one):
    return along(moved, STEPS, one)


def union_of_completions(board):
    return along(completing, STEPS, board)


for function in (union, union_of_moved, union_of_completions):
    register(function)


@njit
def compiled_union(one, other):
    return union(one, other)


@njit
def compiled_union_of_moved(one):
    return union_of_moved(one)


@njit
def compiled_union_of_completions(board):
    return union_of_completions(board)


def signed(word):
    return word - (1 << 64) if word >> 63 else word


@given(boards, boards)
def test_compiled_code_looks_in_all_directions_at_once_and_finds_the_same(one, other):
    expected = 0
    for step, within in DIRECTIONS:
        expected |= everything(one, other, step, within)
    assert union(one, other) & ALL == expected & ALL
    assert compiled_union(signed(one), signed(other)) & ALL == expected & ALL


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_the_shifts_of_ints_are_those_of_lanes(number):
    assert compiled_union_of_moved(number) == union_of_moved(number)


@given(halves, halves)
def test_boards_of_two_words_go_in_one_direction_after_the_other(low, high):
    board = Wide(low, high)
    expected = completions(board, 4, 1) | completions(board, 4, 7) | completions(board, 4, 8)
    assert union_of_completions(board) == expected
    assert compiled_union_of_completions(board) == expected


@given(halves)
def test_boards_of_one_word_may_be_any_sets(board):
    assert compiled_union_of_completions(board) & ALL == union_of_completions(board) & ALL


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="the compiler is off")
def test_all_directions_need_no_loop():
    compiled_union.compile("int64(int64, int64)")
    assert re.search(r"<\d x i64>", next(iter(compiled_union.inspect_llvm().values())))


@given(boards, boards)
def test_where_keeps_a_board_or_nothing(test, board):
    assert where(test, board) == (board if test else 0)
    assert where(Wide(test >> 1, 0), Wide(1, 2)) == (Wide(1, 2) if test >> 1 else Wide(0, 0))


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="the compiler is off")
def test_a_function_that_branches_is_refused_with_advice(tmp_path):
    file = tmp_path / "branching.py"
    file.write_text(BRANCHING, encoding="utf-8")
    with pytest.raises(NotCompilable, match="compute without a branch") as refusal:
        Engine(make_game(str(file))).search(depth=2)
    assert "\n" not in str(refusal.value)


BRANCHING = """
from typing import NamedTuple
from zermelo import Game
from zermelo.bits import along

class State(NamedTuple):
    board: int
    player: int

def step_in(board, step):
    if board & 1:
        return board << step
    return 0

def actions(state):
    yield 1

def game() -> Game:
    return Game(
        name="branching",
        initial=State(1, 1),
        utility_range=(-1, 1),
        to_move=lambda state: state.player,
        actions=actions,
        result=lambda state, action: State(along(step_in, ((1,), (2,)), state.board) & 15, -state.player),
        is_terminal=lambda state: state.board & 8 != 0 or state.board == 0,
        utility=lambda state: 0,
    )
"""
