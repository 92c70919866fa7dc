"""How strong a learned evaluation is, by three protocols of the literature.

``connect`` plays games of Connect Four, moving first, against a perfect player that delays its loss and chooses at
random among equal actions. The learned player looks one ply ahead: it takes a win, avoids what loses at once, and else
chooses the result that the evaluation likes best. The perfect player asks proofs of the engine.

``othello`` plays the "Othello League" (Lucas and Runarsson 2006): against the standard weighted piece counter, both
looking one ply ahead and playing one action in ten at random; each plays as many games with either colour.

``zero`` writes an evaluation of any game that thinks nothing of every position, as an opponent for matches.

    zermelo learn connect --minutes 10 --out connect.eval
    python benchmarks/learning.py connect connect.eval --games 500
    zermelo learn othello --minutes 10 --out othello.eval
    python benchmarks/learning.py othello othello.eval --games 1000
    python benchmarks/learning.py zero zero.eval --game clobber
"""

import argparse
import random
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from zermelo import Engine, make_game
from zermelo.engine.network import SETS, WEIGHTS
from zermelo.game import Action, Game, State
from zermelo.games import connect, othello
from zermelo.learn import Evaluation, Training, ask, read_evaluation

Chooser = Callable[[State], Action]
RANDOM: Final = 0.1
"""The share of random actions in the Othello League."""
QUARTER: Final = (
    (1.0, -0.25, 0.1, 0.05),
    (-0.25, -0.25, 0.01, 0.01),
    (0.1, 0.01, 0.05, 0.02),
    (0.05, 0.01, 0.02, 0.01),
)
"""The upper left quarter of the standard weights of the squares (Yoshioka, Ishii and Ito 1999)."""


class Perfect:
    """A perfect player of Connect Four; it delays its losses."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance = game, chance
        self.engine = Engine(game, table_mb=512)
        self.values: dict[State, int] = {}

    def __call__(self, state: State) -> Action:
        """Choose among the actions that keep the value, which tells in connect how soon the game ends."""
        legal = self.game.legal_actions(state)
        children = [self.game.result(state, action) for action in legal]
        new = [child for child in children if child not in self.values]
        if new:
            self.values.update(zip(new, map(int, self.engine.prove_many(new)), strict=True))
        side = self.game.to_move(state)
        likings = [side * self.values[child] for child in children]
        return self.chance.choice([one for one, liking in zip(legal, likings, strict=True) if liking == max(likings)])


def learned(game: Game, evaluation: Evaluation, chance: random.Random, careful: bool) -> Chooser:
    """Return a player that looks one ply ahead; if ``careful``, it sees losses in one as well."""

    def choose(state: State) -> Action:
        side, legal = game.to_move(state), game.legal_actions(state)
        children = [game.result(state, action) for action in legal]
        likings = np.zeros(len(legal))
        thought_of = []
        for place, child in enumerate(children):
            if game.is_terminal(child):
                likings[place] = 2 * np.sign(side * game.utility(child))
            elif careful and loses_at_once(game, child, side):
                likings[place] = -2
            else:
                thought_of.append(place)
        if thought_of:
            likings[thought_of] = side * ask(evaluation, game, [children[place] for place in thought_of])
        return chance.choice([one for one, liking in zip(legal, likings, strict=True) if liking == likings.max()])

    return choose


def loses_at_once(game: Game, state: State, side: int) -> bool:
    """Return whether the opponent of ``side``, who is to move, has an action that wins at once."""
    after = [game.result(state, action) for action in game.legal_actions(state)]
    return any(game.is_terminal(one) and side * game.utility(one) < 0 for one in after)


def weighted(game: Game, chance: random.Random) -> Chooser:
    """Return the standard weighted piece counter of Othello, looking one ply ahead."""
    weights = [QUARTER[min(row, 7 - row)][min(column, 7 - column)] for row in range(8) for column in range(8)]

    def worth(discs: int) -> float:
        return sum(weight for square, weight in enumerate(weights) if discs >> square & 1)

    def liking(state: State, side: int) -> float:
        value = worth(state.mover) - worth(state.other)
        return value if state.player == side else -value

    def choose(state: State) -> Action:
        side, legal = game.to_move(state), game.legal_actions(state)
        likings = [liking(game.result(state, action), side) for action in legal]
        return chance.choice([one for one, value in zip(legal, likings, strict=True) if value == max(likings)])

    return choose


def play(game: Game, players: Sequence[Chooser], chance: random.Random, explore: float) -> int:
    """Return the sign of the result of a game, for MAX, whose player is the first."""
    state = game.initial
    while not game.is_terminal(state):
        legal = game.legal_actions(state)
        player = players[0] if game.to_move(state) > 0 else players[1]
        state = game.result(state, chance.choice(legal) if chance.random() < explore else player(state))
    value = game.utility(state)
    return (value > 0) - (value < 0)


def report(name: str, results: Sequence[int]) -> None:
    """Print the games won, drawn and lost, and the share of points with its interval of 95 %."""
    points = np.array(results) / 2 + 0.5
    error = 1.96 * points.std() / sqrt(len(points))
    won, drawn, lost = (results.count(one) for one in (1, 0, -1))
    print(f"{name}: {won} won, {drawn} drawn, {lost} lost ({won / len(points):.1%} won)")
    print(f"points {points.mean():.1%} ± {error:.1%}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protocol", choices=("connect", "othello", "zero"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--game", default="connect", help="for zero")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    if given.protocol == "zero":
        training = Training(make_game(given.game))
        plan = training.learner.plan
        empty = np.zeros(int(plan[SETS] * plan[WEIGHTS]), dtype=np.int16)
        Evaluation(**{**vars(training.evaluation()), "weights": empty}).save(given.file)
    elif given.protocol == "connect":
        game = connect()
        mine = learned(game, read_evaluation(given.file, game), chance, careful=True)
        perfect = Perfect(game, chance)
        report(
            "against a perfect player, moving first",
            [play(game, (mine, perfect), chance, 0) for _ in range(given.games)],
        )
    else:
        game = othello()
        mine, its = learned(game, read_evaluation(given.file, game), chance, careful=False), weighted(game, chance)
        as_black = [play(game, (mine, its), chance, RANDOM) for _ in range(given.games // 2)]
        results = as_black + [-play(game, (its, mine), chance, RANDOM) for _ in range(given.games - len(as_black))]
        report("against the weighted piece counter", results)


if __name__ == "__main__":
    main()
