"""Generators of actions, rewritten as functions that fill an array or count, give what the generators give."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.compiled.game import compiled
from zermelo.compiled.listing import counting, filling
from zermelo.compiled.perft import WIDTH_BITS, perft
from zermelo.errors import BadParameter
from zermelo.games import nim
from zermelo.registry import factories

STEP = 3


def multiples(limit: int) -> Iterator[int]:
    """Loops, conditions, an early end and a global."""
    for number in range(0, 1000, STEP):
        if number > limit:
            return
        if number % 2:
            yield number
        else:
            yield number + 1


def closing_over(factor: int) -> Callable[[int], Iterator[int]]:
    def scaled(limit: int) -> Iterator[int]:
        number = 0
        while number < limit:
            yield number * factor
            number += 1

    return scaled


@settings(max_examples=50)
@given(limit=st.integers(0, 60), room=st.integers(0, 30), start=st.integers(0, 5))
@pytest.mark.parametrize("generator", [multiples, closing_over(7)])
def test_a_rewritten_generator_gives_the_same_items(generator, limit, room, start):
    wanted = list(generator(limit))
    items = np.full(40, -1)
    end = filling(generator)(limit, items, start, start + room)
    assert end == start + min(len(wanted), room + 1)
    assert list(items[start : start + room]) == (wanted + [-1] * room)[:room]
    assert counting(generator)(limit) == len(wanted)


@pytest.mark.parametrize(
    "function",
    [
        lambda state: (state, state + 1),
        lambda state: iter(range(state)),
        max,
        [1, 2].__iter__,
    ],
)
def test_what_is_no_generator_stays_as_it_is(function):
    assert filling(function) is None
    assert counting(function) is None


def test_a_generator_that_receives_or_delegates_stays_as_it_is():
    def delegating(state):
        yield from (1, 2)

    def receiving(state):
        got = yield 1
        yield got

    assert filling(delegating) is None
    assert filling(receiving) is None


def test_messages_of_the_compiler_name_the_line_of_the_generator():
    code = filling(multiples).__code__
    lines = {line for _, _, line in code.co_lines() if line}
    first = multiples.__code__.co_firstlineno
    assert code.co_filename == __file__
    assert lines <= set(range(first, first + 11))


def test_the_actions_of_every_game_of_the_shelf_are_rewritten():
    for name, factory in factories().items():
        assert compiled(factory()).fillings["actions"] is not None, name


def test_perft_counts_actions_that_are_no_generator():
    game = nim()
    generator = game.actions
    listed = replace(game, actions=lambda state: generator(state))
    assert compiled(listed).fillings["actions"] is None
    assert perft(listed, listed.initial, 3) == perft(game, game.initial, 3)


def test_perft_refuses_a_state_with_too_many_actions():
    def actions(state):
        for number in range(1 + (1 << WIDTH_BITS) * 2):
            yield number % 2

    game = nim()
    many = replace(game, actions=actions, result=lambda state, action: state, is_terminal=lambda state: False)
    with pytest.raises(BadParameter, match=r"more than 4,096 actions"):
        perft(many, many.initial, 2)
