"""Games that one process plays and another one learns from, compiled.

The learner has other weights by then. So what the network thinks of a position is asked anew, and a game travels as its
actions, with what nobody can tell without playing it: which actions were chosen at random, and what the network of the
player thought of the best results.
"""

from math import tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import result, to_move
from zermelo.compiled.states import load_state
from zermelo.engine.network import Plan, forget_states, look
from zermelo.game import MAX, State
from zermelo.learn.self_play import PLIES, Course, Desk, Floats, Learner, count, improve, play


class Examples(NamedTuple):
    """Games, one after the other. All arrays but the first have an entry for each position."""

    plies: NDArray[np.int64]
    """Of shape (games,): how long each game was."""
    actions: NDArray[np.int64]
    """What was played."""
    greedy: NDArray[np.int8]
    """1 where that was what the network liked best, and 0 where it was chosen at random."""
    bests: NDArray[np.float64]
    """What the network thought of the best result, for the player to move."""

    def whole(self) -> "Examples":
        """Return the games that were written, in arrays of their size."""
        positions = int(self.plies.sum())
        actions, greedy, bests = self.actions[:positions], self.greedy[:positions], self.bests[:positions]
        return Examples(self.plies, actions.copy(), greedy.copy(), bests.copy())


def make_examples(games: int) -> Examples:
    """Return room for so many games; only what is written takes memory."""
    positions = games * PLIES
    return Examples(
        plies=np.zeros(games, dtype=np.int64),
        actions=np.empty(positions, dtype=np.int64),
        greedy=np.empty(positions, dtype=np.int8),
        bests=np.empty(positions),
    )


@kernel
def play_examples(
    game: CompiledGame,
    words: NDArray[np.int64],
    plan: Plan,
    weights: Floats,
    course: Course,
    desk: Desk,
    examples: Examples,
) -> None:
    """Fill ``examples`` with games from the state in ``words``; nothing is learned."""
    start, first = load_state(game, words), 0
    for number in range(len(examples.plies)):
        plies = play(game, start, plan, weights, course, desk)
        examples.plies[number] = plies
        for ply in range(plies):
            examples.actions[first + ply] = desk.turns[ply, 2]
            examples.greedy[first + ply] = desk.turns[ply, 1]
            examples.bests[first + ply] = desk.thoughts[ply, 1]
        first += plies


@kernel
def learn_examples(
    game: CompiledGame, words: NDArray[np.int64], learner: Learner, course: Course, desk: Desk, examples: Examples
) -> None:
    """Learn from the games in ``examples``, which began with the state in ``words``."""
    start, first = load_state(game, words), 0
    for plies in examples.plies:
        if desk.control[0]:
            return
        recall(game, start, learner, desk, examples, first, plies)
        improve(learner, course, desk, plies)
        count(learner, desk, plies)
        first += plies


@subkernel
def recall(
    game: CompiledGame, state: State, learner: Learner, desk: Desk, examples: Examples, first: int, plies: int
) -> None:
    """Go through a game, and note what `zermelo.learn.self_play.play` notes, with the present weights."""
    forget_states(desk)
    for ply in range(plies):
        side = to_move(game, state)
        desk.thoughts[ply, 0] = tanh(look(game, learner.plan, learner.weights, state, side, desk))
        desk.indices[ply] = desk.places[0 if side == MAX else 1]
        desk.thoughts[ply, 1] = examples.bests[first + ply]
        desk.turns[ply, 0], desk.turns[ply, 1] = side, examples.greedy[first + ply]
        state = result(game, state, examples.actions[first + ply])
