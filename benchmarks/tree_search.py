"""Tree search, or the engine, against OpenSpiel's MCTS in C++, at equal time: random openings, sides exchanged.

    python benchmarks/tree_search.py [--games connect hex] [--pairs 10] [--seconds 0.1] [--even]
        [--engine] [--evaluation FILE] [--longer 50] [--options rave=1]

OpenSpiel's bot (UCT with its usual constant 2, one random game a simulation, proven values backed up) is limited by
simulations and not by time. So both sides may make as many as their last move would have made in the given seconds of
the processor, and the engine as many nodes; the table shows what they took. Each side has one thread. The time is that
of an action of OpenSpiel's: where a move of ours is several of them, its bot has the time for each.

A game is over when it is by either rules; `openspiel_games` says where these differ. With several times after
``--seconds``, each game is played with each of them, and the table is one of its own.

Some random openings are lost for one side, whoever plays it, so a perfect player, too, wins only one of their two
games. With ``--even``, the laboratory chooses openings that a small search cannot prove, and the more even half of
these. With ``--evaluation``, our side uses what `zermelo learn` has written for the game, with OpenSpiel's rules.
With ``--longer``, our side has so many times as long for a move, which shows how many of the games can be won at all.
"""

import argparse
import time
from dataclasses import dataclass
from typing import Any, Final

import pyspiel

from openspiel_games import GAMES, Pair
from results import Sheet, add_save
from zermelo import Engine
from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.errors import ZermeloError
from zermelo.game import MAX, Game, State
from zermelo.lab.openings import random_openings
from zermelo.learn import read_evaluation

OPENING: Final = 4
"""Random plies at the beginning of each pair of games."""
UCT: Final = 2.0
TABLE_MB: Final = 64
"""Memory of our tree in MiB, as usual."""


@dataclass
class Side:
    """What one side has used in all games."""

    simulations: int = 0
    moves: int = 0
    seconds: float = 0.0
    speed: float = 1000.0
    """Simulations a second, in the last move that was not proven at once."""
    asked: int = 2
    """Simulations that the last move was allowed."""
    first: float | None = None
    """The speed in the first move of the last game, which tells more of the next game's than that of its last move."""

    def begin(self) -> None:
        """Begin a game."""
        self.speed, self.first = self.first or self.speed, None

    def limit(self, seconds: float) -> int:
        """Return how many simulations the next move may make."""
        self.asked = max(2, int(self.speed * seconds))
        return self.asked

    def add(self, simulations: int, seconds: float) -> None:
        """Count a move."""
        if 2 * simulations >= self.asked:  # a proof that ends a search at once tells no speed
            self.speed = max(50.0, simulations / max(seconds, 1e-4))
            self.first = self.first or self.speed
        self.simulations, self.moves, self.seconds = (
            self.simulations + simulations,
            self.moves + 1,
            self.seconds + seconds,
        )

    def __str__(self) -> str:
        many = max(1, self.moves)
        return f"{self.simulations / many:,.0f} in {self.seconds / many:.3f} s"


class Bot:
    """OpenSpiel's tree search, which takes about so many seconds a move."""

    def __init__(self, game: Any, seconds: float, seed: int) -> None:
        self.game, self.seconds, self.seed = game, seconds, seed
        self.used = Side()

    def choose(self, state: Any) -> int:
        """Return the action to play."""
        limit = self.used.limit(self.seconds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        policy: Any = pyspiel.ChildSelectionPolicy.UCT
        bot = pyspiel.MCTSBot(self.game, evaluator, UCT, limit, 1000, True, self.seed, False, policy)
        self.seed += 1
        start = time.process_time()
        root = bot.mcts_search(state)
        took = time.process_time() - start
        self.used.add(root.explore_count, took)
        return int(root.best_child().action)


class Player:
    """Our player: tree search with the given options, or the engine."""

    def __init__(self, game: Game, options: argparse.Namespace) -> None:
        given = {key: float(value) for key, _, value in (part.partition("=") for part in options.options)}
        learned = read_evaluation(options.evaluation, game) if options.evaluation else None
        self.engine = Engine(game, evaluation=learned) if options.engine else None
        self.tree = None if options.engine else TreeSearch(game, 1, TABLE_MB, learned, **given)
        if self.engine is not None:
            self.engine.search(nodes=1)
        if self.tree is not None:
            self.tree.prepare()

    def clear(self, seed: int) -> None:
        """Forget the game before."""
        if self.engine is not None:
            self.engine.clear()
        if self.tree is not None:
            self.tree.clear(seed)

    def search(self, states: list[State], limit: int) -> Any:
        """Return what it finds about the last of some states with so many simulations or nodes."""
        if self.engine is not None:
            return self.engine.search(states[-1], nodes=limit, before=states[:-1])
        assert self.tree is not None
        return self.tree.search(states[-1], playouts=limit, before=states[:-1])


def play(name: str, seconds: float, options: argparse.Namespace, sheet: Sheet) -> None:
    """Play the pairs of games of one game with so much time for a move, and print a row."""
    peer = GAMES[name]
    game = peer.make()
    player, bot, used = Player(game, options), Bot(pyspiel.load_game(peer.name), seconds, 1), Side()
    counts = {1.0: 0, 0.0: 0, -1.0: 0}
    openings = random_openings(game, options.pairs, OPENING, balanced=options.even)
    for number in range(2 * len(openings)):
        pair = Pair(game, peer)
        for action in openings[number // 2]:
            pair.play(action)
        ours = MAX if number % 2 else -MAX
        player.clear(number)
        used.begin()
        bot.used.begin()
        while not pair.is_over():
            if game.to_move(pair.state) == ours:
                start = time.process_time()
                found = player.search(pair.states, used.limit(seconds * options.longer))
                used.add(found.nodes, time.process_time() - start)
                pair.play(found.action)
            else:
                pair.step(bot.choose(pair.other))
        counts[pair.value() * ours] += 1
    score = (counts[1.0] + counts[0.0] / 2) / (2 * len(openings))
    title = f"{name}, learned" if options.evaluation else name
    title = title if len(options.seconds) == 1 else f"{title}, {seconds} s"
    title = title if options.longer == 1 else f"{title}, {options.longer:g} times as long"
    sheet.row(title, counts[1.0], counts[0.0], counts[-1.0], f"{100 * score:.0f} %", str(used), str(bot.used))


def main() -> None:
    """Print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=sorted(GAMES), default=sorted(GAMES), metavar="GAME")
    parser.add_argument("--pairs", type=int, default=10, help="pairs of games, sides exchanged")
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1], help="for each move")
    parser.add_argument("--engine", action="store_true", help="play with the engine")
    parser.add_argument("--evaluation", metavar="FILE", help="what was learned about the one game")
    parser.add_argument("--even", action="store_true", help="play openings that are about even")
    parser.add_argument("--longer", type=float, default=1.0, help="how many times as long a move of ours takes")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=NUMBER", help="of our tree search")
    add_save(parser)
    options = parser.parse_args()
    if options.evaluation and len(options.games) != 1:
        parser.error("--evaluation needs one game")
    counts = dict.fromkeys(("won", "drawn", "lost"), ",")
    work = "nodes a move" if options.engine else "simulations a move"
    others = dict.fromkeys(("score", work, "OpenSpiel's"), "")
    title = "mcts_seconds" if len(options.seconds) > 1 else "engine_and_mcts" if options.engine else "tree_search"
    title += "_even" if options.even else ""
    sheet = Sheet(title, {"game": ""} | counts | others)
    for name in options.games:
        for seconds in options.seconds:
            try:
                play(name, seconds, options, sheet)
            except ZermeloError as error:
                raise SystemExit(str(error)) from None
    sheet.save(options.save, merge=len(options.seconds) == 1 and options.games != sorted(GAMES))


if __name__ == "__main__":
    main()
