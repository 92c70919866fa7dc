"""What a learned evaluation sees of a state."""

from collections.abc import Iterable

from numba import types

from zermelo.compiled.game import CompiledGame, GameType
from zermelo.compiled.helpers import register
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.rules import actions, result
from zermelo.compiled.states import flattened_features, word_of, words_of
from zermelo.game import State


def seen_words(game: CompiledGame, state: State) -> tuple[int, ...]:
    """Return what a learned evaluation sees of a state that is not terminal.

    These are the flat form of ``state``, its features if the game has any, and its open squares if the evaluation asks
    for them (`CompiledGame.open_words`).
    """
    words = words_of(game, state)
    if game.features is not None:
        words += tuple(map(word_of, game.features(state)))
    return (*words, open_squares(game, state)) if game.open_words else words


def open_words(game: CompiledGame) -> tuple[int, ...]:
    """Return the numbers of the ints of a state by which squares are open; they are known when a kernel is compiled."""
    return game.open_words


def open_squares(game: CompiledGame, state: State) -> int:
    """Return the open squares: those that are empty, and that the player to move can fill with his next action.

    A square is empty if none of the ints `CompiledGame.open_words` has its bit.
    """
    filled = 0
    for action in actions(game, state):
        filled |= taken(words_of(game, result(game, state, action)), open_words(game))
    return filled & ~taken(words_of(game, state), open_words(game))


def taken(words: tuple[int, ...], chosen: Iterable[int]) -> int:
    """Return the bits that any of the chosen words has."""
    found = 0
    for number in chosen:
        found |= words[number]
    return found


register(taken)
register(open_squares)


@overload(seen_words, strict=False, jit_options=PART)
def _seen_words(game: GameType, state: types.Type) -> Body:
    features, sees_open_squares = game.rules.features, bool(game.rules.open_words)
    if features is None:
        if sees_open_squares:
            return lambda game, state: (*words_of(game, state), open_squares(game, state))
        return lambda game, state: words_of(game, state)
    if sees_open_squares:
        return lambda game, state: (
            words_of(game, state) + flattened_features(features(state)) + (open_squares(game, state),)
        )
    return lambda game, state: words_of(game, state) + flattened_features(features(state))


@overload(open_words, strict=False, jit_options=PART)
def _open_words(game: GameType) -> Body:
    numbers = game.rules.open_words
    return lambda game: numbers
