"""The functions of a game, as kernels call them: ``actions(game, state)``.

Each is a plain Python function with an overload for compiled code. The overload calls the game's own function, so the
machine code of a search is the same as if the rules were written into the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numba import types
from numpy.typing import NDArray

from zermelo.compiled.game import CompiledGame, GameType
from zermelo.compiled.helpers import register
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import Body, overload
from zermelo.compiled.states import conform, words_of
from zermelo.compiled.word64 import mix, signed
from zermelo.game import Action, Player, State


def to_move(game: CompiledGame, state: State) -> Player:
    """Return the player to move: MAX or MIN."""
    return game.to_move(state)


def actions(game: CompiledGame, state: State) -> Iterator[Action]:
    """Yield the legal actions of a state that is not terminal."""
    return iter(game.actions(state))


def sufficient_actions(game: CompiledGame, state: State) -> Iterator[Action]:
    """Yield legal actions, at least one of which keeps the state's value; by default all legal actions."""
    return iter(game.sufficient_actions(state))


def noisy_actions(game: CompiledGame, state: State) -> Iterator[Action]:
    """Yield the legal actions after which `evaluate` is not reliable yet; by default none."""
    return iter(game.noisy_actions(state))


def count_actions(game: CompiledGame, state: State) -> int:
    """Return the number of legal actions of a state that is not terminal."""
    return _count(game.actions(state))


def fill_actions(game: CompiledGame, state: State, items: NDArray[np.int64], place: int, end: int) -> int:
    """Write the actions that `actions` yields to ``items[place:end]``.

    Returns
    -------
    int
        The first place that was not filled; ``end + 1`` if there are more actions than places.
    """
    return _fill(game.actions(state), items, place, end)


def fill_sufficient_actions(game: CompiledGame, state: State, items: NDArray[np.int64], place: int, end: int) -> int:
    """As `fill_actions`, with the actions that `sufficient_actions` yields."""
    return _fill(game.sufficient_actions(state), items, place, end)


def fill_noisy_actions(game: CompiledGame, state: State, items: NDArray[np.int64], place: int, end: int) -> int:
    """As `fill_actions`, with the actions that `noisy_actions` yields."""
    return _fill(game.noisy_actions(state), items, place, end)


def _count(actions: Iterable[Action]) -> int:
    """Return the number of actions."""
    count = 0
    for _ in actions:
        count += 1
    return count


def _fill(actions: Iterable[Action], items: NDArray[np.int64], place: int, end: int) -> int:
    """Write actions to ``items[place:end]``; see `fill_actions`."""
    for action in actions:
        if place == end:
            return end + 1
        items[place] = action
        place += 1
    return place


def result(game: CompiledGame, state: State, action: Action) -> State:
    """Return the state after ``action``."""
    return game.result(state, int(action))


def is_terminal(game: CompiledGame, state: State) -> bool:
    """Return whether the game is over."""
    return game.is_terminal(state)


def utility(game: CompiledGame, state: State) -> int:
    """Return the value of a terminal state, for MAX."""
    return game.utility(state)


def evaluate(game: CompiledGame, state: State) -> int:
    """Return the static evaluation, for MAX, of a state that is not terminal.

    By default it is 0, or the bound of `utility_range` nearest to 0 if the range does not contain 0.
    """
    return game.evaluate(state)


def order(game: CompiledGame, state: State, action: Action) -> int:
    """Return a hint: a search tries actions with higher hints first. By default it is 0."""
    return game.order(state, int(action))


def proof_order(game: CompiledGame, state: State, action: Action) -> int:
    """Return a hint for proofs: they try actions with higher hints first. By default it is that of `order`."""
    return game.proof_order(state, int(action))


def gain(game: CompiledGame, state: State, action: Action) -> int:
    """Return what an exchange that begins with ``action`` wins, in EVAL's units; negative if it loses."""
    return game.gain(state, int(action))


def null_state(game: CompiledGame, state: State) -> State:
    """Return the state after the player to move has passed, or ``state`` itself where that tells nothing."""
    return game.null_state(state)


def urgent(game: CompiledGame, state: State) -> bool:
    """Return whether the player to move faces a threat such as check; by default False."""
    return game.urgent(state)


def bounds(game: CompiledGame, state: State) -> tuple[int, int]:
    """Return a lower and an upper bound of a state's value, for MAX; by default `utility_range`."""
    return game.bounds(state)


def window_bounds(game: CompiledGame, state: State, alpha: int) -> tuple[int, int]:
    """Return bounds, for MAX, that tell whether a state's value is more than ``alpha``; by default `utility_range`."""
    return game.utility_range if game.window_bounds is None else game.window_bounds(state, alpha)


def symmetries(game: CompiledGame, state: State) -> Iterator[State]:
    """Yield other states that are the same by symmetry; by default none."""
    return iter(game.symmetries(state))


def repetition(game: CompiledGame, state: State) -> int:
    """Return the value, for MAX, of a state that has come back."""
    return game.repetition(state)


def tier(game: CompiledGame, state: State) -> int:
    """Return the tier of a state, a number that no move lowers; by default 0."""
    return game.tier(state)


def is_stopped(game: CompiledGame, state: State) -> bool:
    """Return whether the game is over although there may be moves left; by default False."""
    return game.is_stopped(state)


def position(game: CompiledGame, state: State) -> State:
    """Return the state without its counters; by default the state."""
    return state if game.position is None else game.position(state)


def plies_left(game: CompiledGame, state: State) -> int:
    """Return a number of plies before whose end no counter ends the game; by default 0."""
    return game.plies_left(state)


def has_counters(game: CompiledGame) -> bool:
    """Return whether states hold counters that positions leave out; it is known when the kernel is compiled."""
    return game.has_counters


def can_repeat(game: CompiledGame) -> bool:
    """Return whether a state can come back; it is known when the kernel is compiled."""
    return game.can_repeat


def path_dependent(game: CompiledGame) -> bool:
    """Return whether the states of one cycle may differ in `repetition`; it is known when the kernel is compiled."""
    return game.path_dependent


def has_proof_order(game: CompiledGame) -> bool:
    """Return whether the game tells proofs which actions to try first; it is known when the kernel is compiled."""
    return game.has_proof_order


def has_gain(game: CompiledGame) -> bool:
    """Return whether the game has a `gain` of its own; it is known when the kernel is compiled."""
    return game.has_gain


def has_null_state(game: CompiledGame) -> bool:
    """Return whether the game has a `null_state`; it is known when the kernel is compiled."""
    return game.has_null_state


def has_urgent(game: CompiledGame) -> bool:
    """Return whether the game has an `urgent` of its own; it is known when the kernel is compiled."""
    return game.has_urgent


def has_window_bounds(game: CompiledGame) -> bool:
    """Return whether the game has `window_bounds` of its own; it is known when the kernel is compiled."""
    return game.has_window_bounds


def has_previews(game: CompiledGame) -> bool:
    """Return whether the game's switches turn on `previews`; it is known when the kernel is compiled."""
    return game.has_previews


def utility_range(game: CompiledGame) -> tuple[int, int]:
    """Return the least and the greatest utility; they are known when the kernel is compiled."""
    return game.utility_range


def key(game: CompiledGame, state: State) -> int:
    """Return the key of a state: the game's own, or a hash of all ints of the state if the game has none.

    Two states have the same hash with probability 2**-64. Among a billion stored states, the probability that any two
    have the same hash is 3 per cent.
    """
    return signed(game.key(state)) if game.key is not None else hash_words(words_of(game, state))


def position_key(game: CompiledGame, state: State) -> int:
    """Return the key of a state's position, by which a state that comes back is recognised.

    It is the state's own key in games without counters; else a hash, as in `key`.
    """
    return key(game, state) if game.position is None else hash_words(words_of(game, position(game, state)))


def hash_words(words: tuple[int, ...]) -> int:
    """Return a hash of several ints; a single int is its own hash."""
    mixed = words[0]
    for word in words[1:]:
        mixed = mix(mixed) ^ word
    return mixed


def _of_state(name: str) -> Callable[[GameType, types.Type], Body]:
    """Return an overload that calls the game's own function of a state in place of the top-level one."""

    def choose(game: GameType, state: types.Type) -> Body:
        function = getattr(game.rules, name)
        return lambda game, state: function(state)

    return choose


for _function in (
    to_move,
    actions,
    sufficient_actions,
    noisy_actions,
    is_terminal,
    utility,
    evaluate,
    urgent,
    bounds,
    symmetries,
    repetition,
    tier,
    is_stopped,
    plies_left,
):
    overload(_function, strict=False, jit_options=PART)(_of_state(_function.__name__))


def _filling(name: str) -> Callable[[GameType, types.Type, types.Type, types.Type, types.Type], Body]:
    """Return an overload that calls the generator of that name as a function that fills an array."""

    def choose(game: GameType, state: types.Type, items: types.Type, place: types.Type, end: types.Type) -> Body:
        function, filling = getattr(game.rules, name), game.rules.fillings[name]
        if filling is not None:
            return lambda game, state, items, place, end: filling(state, items, place, end)

        return lambda game, state, items, place, end: _fill(function(state), items, place, end)

    return choose


overload(fill_actions, strict=False, jit_options=PART)(_filling("actions"))
overload(fill_sufficient_actions, strict=False, jit_options=PART)(_filling("sufficient_actions"))
overload(fill_noisy_actions, strict=False, jit_options=PART)(_filling("noisy_actions"))
register(_count)
register(_fill)


@overload(count_actions, strict=False, jit_options=PART)
def _count_actions(game: GameType, state: types.Type) -> Body:
    function, counting = game.rules.actions, game.rules.countings["actions"]
    if counting is not None:
        return lambda game, state: counting(state)

    return lambda game, state: _count(function(state))


@overload(result, strict=False, jit_options=PART)
def _result(game: GameType, state: types.Type, action: types.Type) -> Body:
    function = game.rules.result
    return lambda game, state, action: conform(game, function(state, action))


def _of_action(name: str) -> Callable[..., Body]:
    """Return what chooses the body of the function ``name`` of a state and an action, which returns an int."""

    def choose(game: GameType, state: types.Type, action: types.Type) -> Body:
        function = getattr(game.rules, name)
        return lambda game, state, action: function(state, action)

    return choose


for _hint in (order, proof_order, gain):
    overload(_hint, strict=False, jit_options=PART)(_of_action(_hint.__name__))


@overload(window_bounds, strict=False, jit_options=PART)
def _window_bounds(game: GameType, state: types.Type, alpha: types.Type) -> Body:
    function, known = game.rules.window_bounds, game.rules.utility_range
    if function is None:
        return lambda game, state, alpha: known
    return lambda game, state, alpha: function(state, alpha)


@overload(null_state, strict=False, jit_options=PART)
def _null_state(game: GameType, state: types.Type) -> Body:
    function = game.rules.null_state
    return lambda game, state: conform(game, function(state))


@overload(key, strict=False, jit_options=PART)
def _key(game: GameType, state: types.Type) -> Body:
    function = game.rules.key
    if function is None:
        return lambda game, state: hash_words(words_of(game, state))
    return lambda game, state: function(state)


@overload(position, strict=False, jit_options=PART)
def _position(game: GameType, state: types.Type) -> Body:
    function = game.rules.position
    if function is None:
        return lambda game, state: state
    return lambda game, state: conform(game, function(state))


@overload(position_key, strict=False, jit_options=PART)
def _position_key(game: GameType, state: types.Type) -> Body:
    if game.rules.position is None:
        return lambda game, state: key(game, state)
    return lambda game, state: hash_words(words_of(game, position(game, state)))


@overload(hash_words, strict=False, jit_options=PART)
def _hash_words(words: types.Type) -> Body:
    def body(words: tuple[int, ...]) -> int:
        mixed = words[0]
        for number in range(1, len(words)):
            mixed = mix(mixed) ^ words[number]
        return mixed

    return body


def _of_game(name: str) -> Callable[[GameType], Body]:
    """Return an overload that returns what is known of the game when a kernel is compiled."""

    def choose(game: GameType) -> Body:
        known = getattr(game.rules, name)
        return lambda game: known

    return choose


for _known in (
    can_repeat,
    has_counters,
    path_dependent,
    has_proof_order,
    has_gain,
    has_null_state,
    has_urgent,
    has_window_bounds,
    has_previews,
    utility_range,
):
    overload(_known, strict=False, jit_options=PART)(_of_game(_known.__name__))
