"""Searching and asking EVAL with any weights, without compiling anew for each of them.

Machine code of a game contains its weights as constants. Here the weights are a part of the state: a state of the
*weighed* game is a pair, of a state and of weights, and no action changes the weights.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.apart import call_apart
from zermelo.compiled.cache import kernel
from zermelo.compiled.explain import explained
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import evaluate
from zermelo.compiled.states import load_state
from zermelo.game import Action, Game, State
from zermelo.weights import Weights, unbound

Ints = NDArray[np.int64]
Asking = Callable[[Ints], NDArray[np.float64]]
"""From weights, of shape (numbers,), to EVAL of each position."""
Pair: TypeAlias = tuple[State, Weights]


def weighed(game: Game) -> Game:
    """Return the game whose states carry the weights of EVAL, with all knowledge that a search for play uses."""
    assert game.evaluate is not None
    assert game.weights is not None
    return Game(
        name=game.name,
        initial=(game.initial, game.weights),
        utility_range=game.utility_range,
        outcomes=game.outcomes,
        to_move=_of_state(game.to_move),
        actions=_listing(game.actions),
        result=_moving(game.result),
        is_terminal=_of_state(game.is_terminal),
        utility=_of_state(game.utility),
        evaluate=_evaluating(unbound(game.evaluate)),
        order=_of_action(game.order) if game.order else None,
        proof_order=_of_action(game.proof_order) if game.proof_order else None,
        key=_of_state(game.key) if game.key else None,
        sufficient_actions=_listing(game.sufficient_actions) if game.sufficient_actions else None,
        noisy_actions=_listing(game.noisy_actions) if game.noisy_actions else None,
        gain=_of_action(game.gain) if game.gain else None,
        null_state=_changing(game.null_state) if game.null_state else None,
        urgent=_of_state(game.urgent) if game.urgent else None,
        bounds=_of_state(game.bounds) if game.bounds else None,
        window_bounds=_of_window(game.window_bounds) if game.window_bounds else None,
        is_stopped=_of_state(game.is_stopped) if game.is_stopped else None,
        position=_changing(game.position) if game.position else None,
        plies_left=_of_state(game.plies_left) if game.plies_left else None,
        repetition=_of_state(game.repetition) if callable(game.repetition) else game.repetition,
        endless_value=game.endless_value,
        cycles_agree=game.cycles_agree,
        switches=game.switches,
    )


def _of_state(function: Callable[[State], Any]) -> Callable[[Pair], Any]:
    """Return a function of a pair that asks about the state."""

    def ask(pair: Pair) -> Any:
        return function(pair[0])

    return ask


def _of_action(function: Callable[[State, Action], Any]) -> Callable[[Pair, Action], Any]:
    """Return a function of a pair and an action that asks about the state and the action."""

    def ask(pair: Pair, action: Action) -> Any:
        return function(pair[0], action)

    return ask


def _of_window(function: Callable[[State, int], Any]) -> Callable[[Pair, int], Any]:
    """Return a function of a pair and an alpha that asks about the state and the alpha."""

    def ask(pair: Pair, alpha: int) -> Any:
        return function(pair[0], alpha)

    return ask


def _listing(function: Callable[[State], Any]) -> Callable[[Pair], Iterator[Action]]:
    """Return a function of a pair that yields actions of the state."""

    def list_actions(pair: Pair) -> Iterator[Action]:
        for action in function(pair[0]):
            yield action

    return list_actions


def _moving(function: Callable[[State, Action], State]) -> Callable[[Pair, Action], Pair]:
    """Return the result of an action in a pair."""

    def move(pair: Pair, action: Action) -> Pair:
        return function(pair[0], action), pair[1]

    return move


def _changing(function: Callable[[State], State]) -> Callable[[Pair], Pair]:
    """Return a function that changes the state of a pair."""

    def change(pair: Pair) -> Pair:
        return function(pair[0]), pair[1]

    return change


def _evaluating(function: Callable[[State, Weights], int]) -> Callable[[Pair], int]:
    """Return EVAL of a pair."""

    def evaluate_pair(pair: Pair) -> int:
        return function(pair[0], pair[1])

    return evaluate_pair


def asking(rules: CompiledGame, states: Ints) -> Asking:
    """Return a function that tells EVAL of these states with any weights.

    Parameters
    ----------
    rules
        A weighed game, compiled.
    states
        The ints of states, without weights, of shape (states, ints of a state).

    Raises
    ------
    NotCompilable
        EVAL cannot become machine code.
    """

    def ask(numbers: Ints) -> NDArray[np.float64]:
        found = np.zeros(len(states), dtype=np.int64)
        with explained(rules):
            call_apart(evaluate_rows, rules, states, numbers, found)
        return found.astype(float)

    return ask


@kernel
def evaluate_rows(game: CompiledGame, rows: Ints, numbers: Ints, found: Ints) -> None:
    """Write EVAL of each state with the weights ``numbers`` to ``found``."""
    size = rows.shape[1]
    words = np.empty(size + len(numbers), dtype=np.int64)
    words[size:] = numbers
    for row in range(len(rows)):
        words[:size] = rows[row]
        found[row] = evaluate(game, load_state(game, words))
