"""Rules, states and words compiled against the same interpreted."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

from fuzz import fuzz_game
from knowing import knowing_tictactoe
from loops import loop_game
from zermelo import MAX, MIN, Engine, Game, bits
from zermelo.compiled import compiled, flatten, kernel, load_state, perft, word64
from zermelo.compiled.cache import subkernel
from zermelo.compiled.helpers import register
from zermelo.compiled.rules import key
from zermelo.compiled.states import words_of
from zermelo.errors import NotCompilable
from zermelo.games import connect, minicheckers, mnk
from zermelo.textbook.perft import perft as slow_perft
from zermelo.words import TWO_WORDS, Wide

bit, lowest, popcount = TWO_WORDS.bit, TWO_WORDS.lowest, TWO_WORDS.popcount
for function in TWO_WORDS:
    register(function)


class Pits(NamedTuple):
    player: int
    pits: tuple[int, int, int]


def sow(game_size=3):
    """Take one seed from a pit or two from the last: a state that holds a tuple of ints."""

    def to_move(state):
        return state.player

    def actions(state):
        for pit in range(game_size):
            if state.pits[pit] > 0:
                yield pit

    def result(state, action):
        taken = 2 if action == game_size - 1 and state.pits[action] > 1 else 1
        return Pits(-state.player, bits.put(state.pits, action, state.pits[action] - taken))

    def is_terminal(state):
        return sum_of(state.pits) == 0

    def sum_of(pits):
        total = 0
        for pit in pits:
            total += pit
        return total

    def utility(state):
        return -state.player

    return Game(
        name="sow",
        initial=Pits(MAX, (2, 3, 4)),
        utility_range=(-1, 1),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
    )


@pytest.mark.parametrize(
    "game, depth",
    [(connect(), 6), (connect(4, 5, 3), 7), (mnk(3, 3, 3), 9), (minicheckers(), 6), (fuzz_game(5), 6), (sow(), 9)],
    ids=lambda value: repr(value),
)
def test_perft_agrees_with_the_interpreted_twin(game, depth):
    for plies in range(depth + 1):
        assert perft(game, game.initial, plies) == slow_perft(game, game.initial, plies)


@kernel
def all_words(game, words, out):
    state = load_state(game, words)
    out[0] = bits.popcount(words[0])
    out[1] = bits.lowest(words[0])
    out[2] = bits.lowest_index(words[0])
    out[3] = bits.shift_left(words[0], words[1] & 63)
    out[4] = bits.shift_right(words[0], words[1] & 63)
    out[5] = bits.complement(words[0])
    out[6] = word64.mix(words[0])
    out[7] = word64.multiply(words[0], words[1])
    out[8] = word64.shift_up(words[0], words[1] & 63)
    out[9] = word64.shift_down(words[0], words[1] & 63)
    return key(game, state)


def test_words_mean_the_same_compiled():
    chooser, game = random.Random(0), compiled(connect())
    edges = [1, 1 << 62, 1 << 63, bits.ALL, 0x8000000000000001]
    for word in edges + [chooser.getrandbits(64) for _ in range(200)]:
        other = chooser.getrandbits(64)
        out, words = np.zeros(10, np.int64), np.array([word64.signed(word), word64.signed(other)])
        all_words(game, words, out)
        distance = other & 63
        expected = [
            bits.popcount(word),
            bits.lowest(word),
            bits.lowest_index(word),
            bits.shift_left(word, distance),
            bits.shift_right(word, distance),
            bits.complement(word),
            word64.mix(word64.signed(word)),
            word64.multiply(word, other),
            word64.shift_up(word, distance),
            word64.shift_down(word, distance),
        ]
        assert [number & bits.ALL for number in out.tolist()] == [number & bits.ALL for number in expected]


@kernel
def all_boards(game, words, out):
    state = load_state(game, words)
    one, other, distance = Wide(words[0], words[1]), Wide(words[2], words[3]), words[4]
    found = (
        one & other,
        one | other,
        one ^ other,
        one & ~other,
        one << distance,
        one >> distance,
        one + other,
        one - other,
        lowest(one),
        bit(min(distance, 125)),
        bits.runs(one, (distance,)),
        bits.completions(one, 3, distance),
        Wide(popcount(one), popcount(bits.runs(one, (distance,)))),
        Wide(int(one == other), int(one != other)),
    )
    for place, board in enumerate(found):
        out[2 * place], out[2 * place + 1] = board
    return key(game, state)


def test_boards_of_two_words_mean_the_same_compiled():
    """Tests of `zermelo.words` compare the interpreted operators with those of Python's long ints."""
    chooser, game = random.Random(0), compiled(connect())
    boards = [0, 1, 1 << 62, 1 << 63, (1 << 63) - 1, (1 << 126) - 1, *(chooser.getrandbits(126) for _ in range(100))]
    for board in boards:
        other, distance = chooser.choice(boards), chooser.choice((0, 1, 7, 62, 63, 64, 125, 126))
        words = [*TWO_WORDS.of(board), *TWO_WORDS.of(other), distance]
        out, expected = np.zeros(28, np.int64), [0] * 28
        all_boards(game, np.array(words), out)
        all_boards.py_func(game, words, expected)
        assert out.tolist() == expected


def test_mixing_loses_nothing():
    assert len({word64.mix(word) for word in range(-5000, 5000)}) == 10000


def test_states_survive_flattening():
    for game in (sow(), minicheckers(), knowing_tictactoe(), loop_game(3)):
        assert load_state(compiled(game), flatten(game.initial)) == game.initial
        assert list(words_of(compiled(game), game.initial)) == flatten(game.initial).tolist()


def test_games_of_the_same_code_share_it_and_others_do_not():
    assert compiled(fuzz_game(1)).code == compiled(fuzz_game(2)).code
    assert compiled(connect(4, 4)).code == compiled(connect(4, 4)).code
    assert compiled(connect(4, 4)).code != compiled(connect(4, 5)).code


class Board(NamedTuple):
    player: int
    left: int


def countdown(**changes):
    """Take one or two of ten; whoever takes the last wins."""
    rules = {
        "to_move": lambda state: state.player,
        "actions": lambda state: range(1, min(2, state.left) + 1),
        "result": lambda state, action: Board(-state.player, state.left - action),
        "is_terminal": lambda state: state.left == 0,
        "utility": lambda state: -state.player,
    }
    return Game(name="countdown", initial=Board(MIN, 10), utility_range=(-1, 1), **(rules | changes))


def test_lambdas_and_ranges_compile():
    game = countdown()
    assert perft(game, game.initial, 5) == slow_perft(game, game.initial, 5)


def listing_result(state, action):
    moved = {}
    moved[0] = state.left - action
    return Board(-state.player, sum(moved))


def test_what_cannot_be_compiled_is_named_with_its_line():
    game = countdown(result=listing_result)
    line = listing_result.__code__.co_firstlineno + 3
    with pytest.raises(NotCompilable, match=rf"(?s)listing_result.*test_rules.py, line {line}.*Instead.*textbook"):
        perft(game, game.initial, 3)
    assert slow_perft(game, game.initial, 1) == 2


def delegating_actions(state):
    yield from range(1, min(2, state.left) + 1)


def test_python_that_the_compiler_does_not_read_is_named_with_its_function():
    game = countdown(actions=delegating_actions)
    line = delegating_actions.__code__.co_firstlineno
    with pytest.raises(NotCompilable, match=rf"delegating_actions .*test_rules.py, line {line}.*yield in a loop"):
        perft(game, game.initial, 3)
    with pytest.raises(NotCompilable, match="yield in a loop"):
        Engine(game).search(game.initial, depth=1)


def test_a_state_that_changes_its_shape_is_refused():
    game = countdown(result=lambda state, action: (-state.player, (state.left, action)))
    with pytest.raises(NotCompilable):
        perft(game, game.initial, 3)


def test_states_that_no_machine_code_can_hold_are_refused():
    from dataclasses import replace

    with pytest.raises(NotCompilable, match="field left is of type list"):
        compiled(replace(countdown(), initial=Board(MAX, [1])))
    with pytest.raises(NotCompilable, match=r"2\*\*20"):
        compiled(replace(countdown(), utility_range=(-1, 1 << 21)))


@subkernel
def even(number):
    return True if number == 0 else odd(number - 1)


@subkernel
def odd(number):
    return False if number == 0 else even(number - 1)


@njit
def parity_of(number):
    return even(number)


def test_parts_that_call_each_other_find_each_other():
    assert parity_of(30) and not parity_of(31)
