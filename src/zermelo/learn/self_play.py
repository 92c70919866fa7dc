"""Learning from games against itself, compiled: temporal differences for an n-tuple network.

The network tells how good a position is for the player to move, as the hyperbolic tangent of a sum of weights. Both
players choose the action whose result it thinks best, and now and then one at random. After a game, what the network
thought of each position is moved towards what it thought of the best result, and towards what came of that later:
TD(lambda) (Sutton 1988). What came of a random action tells nothing about the positions before it.

How far a weight moves depends on whether its changes agreed so far: temporal coherence (Beal and Smith 1999; Bagheri,
Thill et al. 2014 for n-tuples). A weight whose changes cancel each other out hardly moves any more.
"""

from math import tanh
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_actions, is_terminal, result, to_move, utility
from zermelo.compiled.states import load_state
from zermelo.compiled.word64 import mix, shift_down
from zermelo.engine.job import MOST_CELLS, MOST_WORDS
from zermelo.engine.network import SETS, TUPLES, WEIGHTS, Plan, forget_states, look
from zermelo.game import MAX, Player, State

Floats = NDArray[np.float32]
MOST_ACTIONS: Final = 1 << 12
AVERAGED: Final = 64
"""After so many games of the first thread, the weights are averaged."""
FAVOUR: Final = 3.0
"""How much later weights count more in the average."""
PLIES: Final = 1000
"""A longer game is a draw."""


class Learner(NamedTuple):
    """What is learned. The first four arrays have an entry for each weight."""

    plan: Plan
    weights: Floats
    sums: Floats
    """Of all changes that were asked for."""
    sizes: Floats
    """Of the absolute values of these."""
    means: Floats
    """The weights on average over time, where later ones count more; these are what is learned."""
    averaged: NDArray[np.int64]
    """Of shape (1,): how often the weights were averaged."""


class Desk(NamedTuple):
    """The workspace of one thread."""

    words: NDArray[np.int64]
    """Of shape (2, words): the states that the network saw last with MAX and with MIN to move."""
    symbols: NDArray[np.int64]
    """Of shape (2, cells): what their cells show."""
    places: NDArray[np.int64]
    """Of shape (2, tuples): the places of their weights."""
    totals: NDArray[np.float64]
    """Of shape (2,): the sums of these weights."""
    known: NDArray[np.int64]
    """Of shape (2,): whether the network has seen such a state."""
    actions: NDArray[np.int64]
    indices: NDArray[np.int64]
    """Of shape (plies, tuples): the weights of each position of a game."""
    thoughts: NDArray[np.float64]
    """Of shape (plies, 2): what the network thought of each position, and of its best result."""
    turns: NDArray[np.int64]
    """Of shape (plies, 3): who was to move, whether the best action was chosen, and which action was chosen."""
    chance: NDArray[np.int64]
    """Of shape (2,): a hash of the seed, and how many random numbers there were."""
    control: NDArray[np.int64]
    """1 to stop after the present game; games and plies so far; whether this thread averages the weights."""


class Course(NamedTuple):
    """How to learn."""

    rate: float
    """How far a weight moves whose changes agree."""
    least: float
    """The share of this that a weight moves at least, however much its changes contradict each other."""
    decay: float
    """The lambda of TD(lambda)."""
    explore: float
    """The share of actions that are chosen at random, on average: in each game it is another one, up to twice this."""
    win: float
    """What a utility is divided by, so that the best one is 1."""


def make_learner(plan: Plan) -> Learner:
    """Return a learner that knows nothing."""
    weights, sums, sizes, means = np.zeros((4, int(plan[SETS] * plan[WEIGHTS])), dtype=np.float32)
    return Learner(plan, weights, sums, sizes, means, np.zeros(1, dtype=np.int64))


def make_desk(plan: Plan, seed: int) -> Desk:
    """Return the workspace of a thread with that seed."""
    return Desk(
        words=np.zeros((2, MOST_WORDS), dtype=np.int64),
        symbols=np.zeros((2, MOST_CELLS), dtype=np.int64),
        places=np.zeros((2, int(plan[TUPLES])), dtype=np.int64),
        totals=np.zeros(2),
        known=np.zeros(2, dtype=np.int64),
        actions=np.zeros(MOST_ACTIONS, dtype=np.int64),
        indices=np.zeros((PLIES, int(plan[TUPLES])), dtype=np.int64),
        thoughts=np.zeros((PLIES, 2)),
        turns=np.zeros((PLIES, 3), dtype=np.int64),
        chance=make_chance(seed),
        control=np.zeros(4, dtype=np.int64),
    )


def make_chance(seed: int) -> NDArray[np.int64]:
    """Return where the random numbers of a seed begin: a hash of it, and how many there were."""
    return np.array([mix(seed + 1), 0], dtype=np.int64)


@subkernel
def random_number(chance: NDArray[np.int64]) -> float:
    """A random number of at least 0 and less than 1; ``chance`` holds a hash of the seed, and how many there were."""
    chance[1] += 1
    return shift_down(mix(mix(chance[1]) ^ chance[0]), 11) / 9007199254740992.0


@subkernel
def outcome(game: CompiledGame, state: State, win: float) -> float:
    """What a terminal state is worth to MAX, from -1 to 1."""
    return min(max(utility(game, state) / win, -1.0), 1.0)


@subkernel
def worth(game: CompiledGame, plan: Plan, weights: Floats, win: float, state: State, side: Player, desk: Desk) -> float:
    """What a state is worth to ``side``: its outcome if it is terminal, else what the network thinks of it."""
    if is_terminal(game, state):
        return side * outcome(game, state, win)
    mover = to_move(game, state)
    thought = tanh(look(game, plan, weights, state, mover, desk))
    return thought if mover == side else -thought


@subkernel
def choose(
    game: CompiledGame, plan: Plan, weights: Floats, win: float, state: State, side: Player, desk: Desk
) -> tuple[int, int, float]:
    """How many actions there are, the place of the best one, and what its result is worth to ``side``."""
    count = fill_actions(game, state, desk.actions, 0, MOST_ACTIONS)
    best, place = -2.0, 0
    for at in range(min(count, MOST_ACTIONS)):
        thought = worth(game, plan, weights, win, result(game, state, desk.actions[at]), side, desk)
        thought += 1e-6 * random_number(desk.chance)
        if thought > best:
            best, place = thought, at
    return count, place, best


@kernel
def learn_games(
    game: CompiledGame, words: NDArray[np.int64], learner: Learner, course: Course, desk: Desk, games: int
) -> None:
    """Play so many games from the state in ``words``, and learn from each."""
    start = load_state(game, words)
    for _ in range(games):
        if desk.control[0]:
            return
        plies = play(game, start, learner.plan, learner.weights, course, desk)
        improve(learner, course, desk, plies)
        count(learner, desk, plies)


@subkernel
def count(learner: Learner, desk: Desk, plies: int) -> None:
    """Count a game that was learned from; now and then, the first thread averages the weights."""
    desk.control[1] += 1
    desk.control[2] += plies
    if desk.control[3] and desk.control[1] % AVERAGED == 0:
        average(learner)


@subkernel
def average(learner: Learner) -> None:
    """Let the means follow the weights: the mean after n steps counts mostly the last quarter of them.

    Learning never comes to rest, and the means are better than what it happens to end with: polynomial-decay averaging
    (Shamir and Zhang 2013).
    """
    learner.averaged[0] += 1
    share = np.float32((FAVOUR + 1.0) / (learner.averaged[0] + FAVOUR))
    for place in range(len(learner.means)):
        learner.means[place] += share * (learner.weights[place] - learner.means[place])


@subkernel
def play(game: CompiledGame, state: State, plan: Plan, weights: Floats, course: Course, desk: Desk) -> int:
    """Play a game, and note what the network thinks of each position; how many plies it had."""
    forget_states(desk)
    explore = 2.0 * course.explore * random_number(desk.chance)
    for ply in range(PLIES):
        side = to_move(game, state)
        desk.thoughts[ply, 0] = tanh(look(game, plan, weights, state, side, desk))
        # Assigning the whole row would make a copy of it, and a kernel that makes arrays counts references.
        for number in range(plan[TUPLES]):
            desk.indices[ply, number] = desk.places[0 if side == MAX else 1, number]
        legal, place, best = choose(game, plan, weights, course.win, state, side, desk)
        greedy = random_number(desk.chance) >= explore
        if not greedy:
            place = int(random_number(desk.chance) * legal)
        action = desk.actions[place]
        desk.thoughts[ply, 1] = best
        desk.turns[ply, 0], desk.turns[ply, 1], desk.turns[ply, 2] = side, int(greedy), action
        state = result(game, state, action)
        if is_terminal(game, state):
            return ply + 1
    desk.thoughts[PLIES - 1, 1] = 0.0
    return PLIES


@subkernel
def improve(learner: Learner, course: Course, desk: Desk, plies: int) -> None:
    """Move the network's thoughts of all positions of a game towards their targets, the last position's first."""
    tuples = learner.plan[TUPLES]
    later, later_side = 0.0, 0
    for ply in range(plies - 1, -1, -1):
        side, target = desk.turns[ply, 0], desk.thoughts[ply, 1]
        if later_side and desk.turns[ply, 1]:
            target += course.decay * (later * (1.0 if side == later_side else -1.0) - target)
        later, later_side = target, side
        error = target - desk.thoughts[ply, 0]
        for number in range(tuples):
            index = desk.indices[ply, number]
            size = learner.sizes[index]
            # Another thread may have changed the sum and not yet the size, so that their quotient is far above 1.
            rate = min(max(abs(learner.sums[index]) / size, course.least), 1.0) if size > 0 else 1.0
            learner.sums[index] += error
            learner.sizes[index] += abs(error)
            learner.weights[index] += course.rate * rate * error / tuples


@kernel
def play_match(
    game: CompiledGame,
    words: NDArray[np.int64],
    plans: tuple[Plan, Plan],
    weights: tuple[Floats, Floats],
    openings: int,
    explore: float,
    win: float,
    desk: Desk,
    games: int,
) -> tuple[int, int, int]:
    """Let two networks play; how many games the first one won, drew and lost.

    Every opening of that many random plies is played twice, with sides exchanged. Both choose the action whose result
    they think best, and a share ``explore`` of them at random.
    """
    start = load_state(game, words)
    won = drawn = lost = 0
    for number in range(games):
        state, over, first = start, False, MAX if number & 1 == 0 else -MAX
        if number & 1 == 0:
            memory = desk.chance[1]
        else:
            desk.chance[1] = memory
        for _ in range(openings):
            if not over:
                count = fill_actions(game, state, desk.actions, 0, MOST_ACTIONS)
                state = result(game, state, desk.actions[int(random_number(desk.chance) * count)])
                over = is_terminal(game, state)
        for _ in range(PLIES):
            if over:
                break
            side = to_move(game, state)
            forget_states(desk)
            if side == first:
                count, place, _ = choose(game, plans[0], weights[0], win, state, side, desk)
            else:
                count, place, _ = choose(game, plans[1], weights[1], win, state, side, desk)
            if random_number(desk.chance) < explore:
                place = int(random_number(desk.chance) * count)
            state = result(game, state, desk.actions[place])
            over = is_terminal(game, state)
        value = first * utility(game, state) if over else 0
        won, drawn, lost = won + (value > 0), drawn + (value == 0), lost + (value < 0)
    return won, drawn, lost
