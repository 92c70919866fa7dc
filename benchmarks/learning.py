"""How strong a learned evaluation is, by protocols of the literature and of our own.

``connect`` plays games of Connect Four, moving first, against a perfect player that delays its loss and chooses at
random among equal actions. The learned player looks one ply ahead: it takes a win, avoids what loses at once, and else
chooses the result that the evaluation likes best. With ``--seconds``, it searches for so long instead. The perfect
player asks proofs of the engine.

``othello`` plays the "Othello League" (Lucas and Runarsson 2006): against the standard weighted piece counter, both
looking one ply ahead and playing one action in ten at random; each plays as many games with either colour.

``counter`` writes the weighted piece counter as an evaluation, to learn against: the record in the League was evolved
against it (Jaskowski 2014).

``zero`` writes an evaluation of any game that thinks nothing of every position, as an opponent for matches.

``courses`` learns a game twice, for the same time: as quick games are learned, and as the others are. The first plays
2,000 games against the second, both looking one ply ahead, after four random plies. It writes both into a folder, as
``quick.eval`` and ``other.eval``, for matches with search.

    zermelo learn connect --minutes 10 --out connect.eval
    python benchmarks/learning.py connect connect.eval --games 500
    python benchmarks/learning.py connect connect.eval --games 500 --seconds 0.05
    zermelo learn othello --minutes 10 --out othello.eval
    python benchmarks/learning.py othello othello.eval --games 1000
    python benchmarks/learning.py counter counter.eval
    zermelo learn othello --against counter.eval --minutes 10 --out league.eval
    python benchmarks/learning.py othello league.eval --games 1000
    python benchmarks/learning.py zero zero.eval --game hex -p size=7
    python benchmarks/learning.py courses folder --game konane --minutes 1
"""

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from zermelo import Engine
from zermelo.compiled.apart import apart
from zermelo.compiled.states import flatten
from zermelo.engine.network import SETS, TUPLES, WEIGHTS
from zermelo.errors import ZermeloError
from zermelo.game import Action, Game, State
from zermelo.games import connect, othello
from zermelo.learn import Evaluation, Training, ask, read_evaluation
from zermelo.learn.finding import find_cells
from zermelo.learn.prospects import Prospects, find_prospects, usual_course, usual_shape
from zermelo.learn.self_play import make_desk, play_match
from zermelo.learn.training import OPENINGS
from zermelo.ui.loading import read_game

Chooser = Callable[[State], Action]
RANDOM: Final = 0.1
"""The share of random actions in the Othello League."""
COURSE_GAMES: Final = 2_000
"""Games that two courses of learning play."""
QUARTER: Final = (
    (1.0, -0.25, 0.1, 0.05),
    (-0.25, -0.25, 0.01, 0.01),
    (0.1, 0.01, 0.05, 0.02),
    (0.05, 0.01, 0.02, 0.01),
)
"""The upper left quarter of the standard weights of the squares (Yoshioka, Ishii and Ito 1999)."""

COUNTED: Final = 1_000
"""A weight of 1 of the counter, in units of an evaluation's weights; all its weights become ints without a rest."""


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


def searching(game: Game, evaluation: Evaluation, seconds: float) -> Chooser:
    """Return a player that searches with the evaluation, so many seconds a move."""
    engine = Engine(game, evaluation=evaluation)
    engine.search(nodes=1)  # compile, which is no part of a move's time

    def choose(state: State) -> Action:
        chosen = engine.search(state, seconds=seconds).action
        assert chosen is not None, "states of a game that is not over have actions"
        return chosen

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


def counter(game: Game) -> Evaluation:
    """Return the standard weighted piece counter as an evaluation: tuples of one square each."""
    training = Training(game)
    group, squares = training.cells.groups[0], training.cells.bits
    mover, other = 1, 2  # of a symbol's code: the bits of the words that hold the discs
    weights = []
    for _, bit in squares:
        row, column = min(bit // 8, 7 - bit // 8), min(bit % 8, 7 - bit % 8)
        worth = round(COUNTED * QUARTER[row][column])
        weights += [worth * (bool(code & mover) - bool(code & other)) for code in group.codes]
    single = tuple(((cell,),) for cell in range(len(squares)))
    return replace(training.evaluation(), tuples=single, weights=np.array(weights, dtype=np.int16), how={})


def play(game: Game, players: Sequence[Chooser], chance: random.Random, explore: float) -> int:
    """Return the sign of the result of a game, for MAX, whose player is the first."""
    state = game.initial
    while not game.is_terminal(state):
        legal = game.legal_actions(state)
        player = players[0] if game.to_move(state) > 0 else players[1]
        state = game.result(state, chance.choice(legal) if chance.random() < explore else player(state))
    value = game.utility(state)
    return (value > 0) - (value < 0)


def compare_courses(game: Game, folder: Path, minutes: float, threads: int, seed: int) -> None:
    """Learn the game as quick games are learned, and as others are; the first plays against the second."""
    folder.mkdir(parents=True, exist_ok=True)
    trainings = []
    for name, quick in (("quick", True), ("other", False)):
        prospects = find_prospects(game, seed)._replace(quick=quick)
        training = learn_as(game, prospects, minutes, threads, seed)
        training.evaluation().save(folder / f"{name}.eval")
        print(f"{name}: {training.games:,} games, {training.plies:,} plies", flush=True)
        trainings.append(training)
    learners = [training.learner for training in trainings]
    plans, weights = (learners[0].plan, learners[1].plan), (learners[0].means, learners[1].means)
    desk, rules = make_desk(max(plans, key=lambda plan: int(plan[TUPLES])), seed), trainings[0].rules
    start, win = flatten(game.initial), trainings[0].course.win
    won, drawn, lost = apart(lambda: play_match(rules, start, plans, weights, OPENINGS, 0.0, win, desk, COURSE_GAMES))
    report("as quick games, against as others", [1] * won + [0] * drawn + [-1] * lost)


def learn_as(game: Game, prospects: Prospects, minutes: float, threads: int, seed: int) -> Training:
    """Learn a game for some minutes, with the network and the course that suit what random games told."""
    shape, course = usual_shape(prospects, find_cells(game, seed)), usual_course(prospects)
    training = Training(game, threads=threads, seed=seed, shape=shape, course=course)
    training.run(seconds=60 * minutes)
    return training


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
    parser.add_argument("protocol", choices=("connect", "othello", "counter", "zero", "courses"))
    parser.add_argument("file", type=Path, help="the evaluation; for courses, the folder of the evaluations")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--game", default="connect", help="for zero and courses: a name, or a file such as my_game.py")
    parser.add_argument("-p", "--parameter", action="append", metavar="NAME=VALUE", help="of this game")
    parser.add_argument("--minutes", type=float, default=1.0, help="for courses: how long to learn each")
    parser.add_argument("--threads", type=int, default=2, help="for courses")
    parser.add_argument("--seconds", type=float, help="for connect: how long the learned player searches for a move")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    if given.protocol == "counter":
        counter(othello()).save(given.file)
    elif given.protocol == "zero":
        training = Training(read_game(given.game, given.parameter))
        plan = training.learner.plan
        empty = np.zeros(int(plan[SETS] * plan[WEIGHTS]), dtype=np.int16)
        Evaluation(**{**vars(training.evaluation()), "weights": empty}).save(given.file)
    elif given.protocol == "courses":
        if given.file.is_file():
            parser.error(f"courses writes into a folder, and {given.file} is a file.")
        compare_courses(read_game(given.game, given.parameter), given.file, given.minutes, given.threads, given.seed)
    elif given.protocol == "connect":
        game = connect()
        evaluation = read_evaluation(given.file, game)
        if given.seconds is None:
            mine = learned(game, evaluation, chance, careful=True)
        else:
            mine = searching(game, evaluation, given.seconds)
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
    try:
        main()
    except ZermeloError as error:
        raise SystemExit(str(error)) from None
