"""Rules that are written once for boards of one word and of two: the same on small boards, by sight on large ones.

Each game's own tests compare its moves on large boards with a look at the picture.
"""

import random
from dataclasses import replace

import pytest

import conforming
import reference
from zermelo import Engine, textbook
from zermelo.compiled import perft
from zermelo.games import clobber, domineering, konane
from zermelo.games.clobber import rules as clobber_rules
from zermelo.games.domineering import rules as domineering_rules
from zermelo.games.konane import rules as konane_rules
from zermelo.testing import conformance
from zermelo.words import TWO_WORDS, Wide

RULES = {"clobber": clobber_rules, "domineering": domineering_rules, "konane": konane_rules}
TINY = [clobber(3, 3), clobber(5, 2), clobber(1, 7), domineering(4, 3), domineering(3, 3), domineering(1, 5)]
TINY += [konane(2), konane(3)]
SMALL = [clobber(8, 8), clobber(16, 4), clobber(3, 21), clobber(26, 2), domineering(8, 8), domineering(5, 12)]
SMALL += [domineering(21, 3), konane(4), konane(5), konane(7), konane(8)]
LARGE = [clobber(10, 10), clobber(26, 3), clobber(5, 25), clobber(11, 6), domineering(10, 10), domineering(26, 3)]
LARGE += [domineering(11, 11), domineering(5, 13), konane(9), konane(10), konane(11)]


def in_two_words(game):
    """The same board with the rules of two words, which one word could hold."""
    return replace(RULES[game.name](TWO_WORDS, *game.parameters.values()), parameters=game.parameters)


def widened(state):
    """A state whose boards are in two words; the last field is the player."""
    return type(state)(*map(TWO_WORDS.of, state[:-1]), state.player)


def agree(small, large, state):
    """Check that both games say the same of a state of the first one."""
    other = widened(state)
    assert all(isinstance(board, Wide) for board in other[:-1])
    assert large.to_text(other) == small.to_text(state)
    assert large.from_text(small.to_text(state)) == other
    assert large.draw(other) == small.draw(state) and large.board(other) == small.board(state)
    assert large.to_move(other) == small.to_move(state) and large.tier(other) == small.tier(state)
    assert list(large.symmetries(other)) == [widened(image) for image in small.symmetries(state)]
    assert (large.swap is None) == (small.swap is None)
    if small.swap is not None:
        assert large.swap(other) == widened(small.swap(state))
    assert large.is_terminal(other) == small.is_terminal(state)
    assert large.utility(other) == small.utility(state)
    assert large.evaluate(other) == small.evaluate(state)
    if small.key is not None:
        assert large.key(other) == small.key(state)
    legal = small.legal_actions(state)
    assert large.legal_actions(other) == legal
    assert [large.order(other, action) for action in legal] == [small.order(state, action) for action in legal]
    assert [large.show_action(other, action) for action in legal] == [
        small.show_action(state, action) for action in legal
    ]
    for action in legal:
        assert large.result(other, action) == widened(small.result(state, action))


@pytest.mark.parametrize("small", TINY, ids=repr)
def test_every_position_of_tiny_boards_as_in_one_word(small):
    large = in_two_words(small)
    assert large.initial == widened(small.initial)
    for state in reference.reachable(small, small.initial):
        agree(small, large, state)


@pytest.mark.parametrize("small", SMALL, ids=repr)
def test_random_games_as_in_one_word(small):
    large, chooser = in_two_words(small), random.Random(1)
    for _ in range(2):
        state = small.initial
        while not small.is_terminal(state):
            agree(small, large, state)
            state = small.result(state, chooser.choice(small.legal_actions(state)))
        agree(small, large, state)


@pytest.mark.parametrize("game", LARGE, ids=repr)
def test_random_games_on_large_boards(game):
    assert all(isinstance(board, Wide) for board in game.initial[:-1]) and game.key is None
    conforming.play(game, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("game", [clobber(10, 10), domineering(10, 10), konane(10)], ids=repr)
def test_large_boards_compile_and_keep_the_contract(game):
    """The audit compares the compiled rules with the interpreted ones."""
    conformance(game, seconds=0.8)
    state = reference.random_states(game, 1, range(20, 40))[0]
    assert perft(game, game.initial, 2) == textbook.perft(game, game.initial, 2)
    assert perft(game, state, 2) == textbook.perft(game, state, 2)


@pytest.mark.slow
def test_an_engine_proves_endings_of_large_boards():
    game = clobber(10, 10)
    engine, chooser = Engine(game, table_mb=1), random.Random(3)
    for _ in range(5):
        states = [game.initial]
        while not game.is_terminal(states[-1]):
            states.append(game.result(states[-1], chooser.choice(game.legal_actions(states[-1]))))
        state = states[-6]
        assert engine.prove(state).value == reference.solve(game, state)[state]
