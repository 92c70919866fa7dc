"""Learning from games against a fixed opponent, compiled.

The opponent is an evaluation that looks one ply ahead. It does not change, so the network learns what its positions are
worth against this opponent. That beats it more often than what is learned in games against itself, and may be worth
less against others (Szubert, Jaskowski and Krawiec 2013).
"""

from math import tanh
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import is_terminal, result, to_move
from zermelo.compiled.states import load_state
from zermelo.engine.network import Plan, forget_states, look
from zermelo.game import MAX, Player, State
from zermelo.learn.self_play import (
    PLIES,
    Course,
    Desk,
    Floats,
    Learner,
    choose,
    count,
    improve,
    random_number,
    worth,
)

ERRS: Final = 0.1
"""The share of actions that the opponent chooses at random, so that games differ."""


class Opponent(NamedTuple):
    """An evaluation to play against."""

    plan: Plan
    weights: Floats


@kernel
def learn_against(
    game: CompiledGame,
    words: NDArray[np.int64],
    learner: Learner,
    course: Course,
    desk: Desk,
    opponent: Opponent,
    its_desk: Desk,
    games: int,
) -> None:
    """Play so many games against the opponent from the state in ``words``, and learn from each.

    ``its_desk`` is a workspace for the opponent's plan, and has the random numbers of ``desk``.
    """
    start = load_state(game, words)
    for _ in range(games):
        if desk.control[0]:
            return
        side = MAX if random_number(desk.chance) < 0.5 else -MAX
        plies = play_against(game, start, learner, course, desk, opponent, its_desk, side)
        improve(learner, course, desk, plies)
        count(learner, desk, plies)


@subkernel
def play_against(
    game: CompiledGame,
    state: State,
    learner: Learner,
    course: Course,
    desk: Desk,
    opponent: Opponent,
    its_desk: Desk,
    mine: Player,
) -> int:
    """Play a game as the player ``mine``, and note what the network thinks of each position; how many plies it had.

    What comes of the opponent's action counts, whether or not the network likes it, and also where it was random: the
    opponent will do the same again.
    """
    forget_states(desk)
    forget_states(its_desk)
    explore = 2.0 * course.explore * random_number(desk.chance)
    for ply in range(PLIES):
        side = to_move(game, state)
        desk.thoughts[ply, 0] = tanh(look(game, learner.plan, learner.weights, state, side, desk))
        desk.indices[ply] = desk.places[0 if side == MAX else 1]
        if side == mine:
            legal, place, thought = choose(game, learner.plan, learner.weights, course.win, state, side, desk)
            certain = random_number(desk.chance) >= explore
            if not certain:
                place = int(random_number(desk.chance) * legal)
            state = result(game, state, desk.actions[place])
        else:
            legal, place, _ = choose(game, opponent.plan, opponent.weights, course.win, state, side, its_desk)
            certain = True
            if random_number(desk.chance) < ERRS:
                place = int(random_number(desk.chance) * legal)
            state = result(game, state, its_desk.actions[place])
            thought = worth(game, learner.plan, learner.weights, course.win, state, side, desk)
        desk.thoughts[ply, 1] = thought
        desk.turns[ply, 0], desk.turns[ply, 1] = side, int(certain)
        if is_terminal(game, state):
            return ply + 1
    desk.thoughts[PLIES - 1, 1] = 0.0
    return PLIES
