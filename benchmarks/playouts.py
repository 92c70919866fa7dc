"""Random games a second, one thread: every game of the shelf, beside OpenSpiel and beside published figures.

    python benchmarks/playouts.py [--games hex chess] [--seconds 2] [--repeat 3]

Each figure is the median of several runs, and counts seconds of the processor. OpenSpiel, if it is installed
(``pip install open_spiel``), plays the same game in the same process: its C++ evaluator plays fifty random games at
each of two nodes, from the initial position. Games that have another variant there are left out.

The published figures are those of R. Miernik et al., "Regular Games" (2025, arXiv:2511.10593), on other hardware. The
same game may have other rules for its end there, chess above all.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from results import Sheet, add_save
from zermelo import factories
from zermelo.engine.tree.playouts import count_playouts
from zermelo.game import Game
from zermelo.games import clobber, hex, mnk

try:
    import pyspiel
except ImportError:
    pyspiel = None

PUBLISHED: Final = {
    "connect": "RG 1,297,176; RBG 914,514; Ludii 55,858",
    "othello": "RG 28,445; RBG 19,838; Ludii 1,497",
    "breakthrough": "RG 82,135; RBG 50,977; Ludii 3,365",
    "chess": "RG 1,572; RBG 995; Ludii 113",
    "pentago": "RG 43,875; RBG 22,553",
    "hex": "Ludii 7,987",
    "gomoku": "Ludii 8,575",
}
"""Random games a second of other systems."""
PEERS: Final = {
    "breakthrough": "breakthrough",
    "chess": "chess",
    "clobber8": "clobber(rows=8,columns=8)",
    "connect": "connect_four",
    "gomoku": "mnk(m=15,n=15,k=5)",
    "hex": "hex(board_size=11)",
    "nine_mens_morris": "nine_mens_morris",
    "othello": "othello",
    "oware": "oware",
    "pentago": "pentago",
    "tictactoe": "tic_tac_toe",
}
"""Games that OpenSpiel has, too, by their names there."""
EXTRA: Final[dict[str, Callable[[], Game]]] = {
    "gomoku": lambda: mnk(15, 15, 5),
    "hex": lambda: hex(11),
    "clobber8": lambda: clobber(8, 8),
}
"""Boards beside the usual ones."""
NODES: Final = 2
ROLLOUTS: Final = 50


def ours(game: Game) -> Callable[[float], float]:
    """Random games a second of the processor."""
    count_playouts(game, games=1)  # compiles

    def measure(seconds: float) -> float:
        start = time.process_time()
        found = count_playouts(game, seconds=seconds)
        return found.playouts / (time.process_time() - start)

    return measure


def theirs(name: str) -> Callable[[float], float]:
    """Random games a second of OpenSpiel's evaluator."""
    game = pyspiel.load_game(name)
    policy: Any = pyspiel.ChildSelectionPolicy.UCT
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, NODES, 100, False, 1, False, policy)
    state = game.new_initial_state()

    def measure(seconds: float) -> float:
        start, played = time.process_time(), 0
        while time.process_time() - start < seconds:
            bot.mcts_search(state)
            played += NODES * ROLLOUTS
        return played / (time.process_time() - start)

    return measure


def main() -> None:
    """Print a markdown table."""
    games = {**factories(), **EXTRA}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=sorted(games), default=sorted(games), metavar="GAME")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run")
    parser.add_argument("--repeat", type=int, default=3)
    add_save(parser)
    options = parser.parse_args()
    columns = {"game": "", "playouts a second": ",", "plies": ",", "OpenSpiel": ",", "ratio": ",.1f", "published": ""}
    sheet = Sheet("playouts", columns)
    for name in options.games:
        game = games[name]()
        contenders = {"ours": ours(game)}
        if pyspiel is not None and name in PEERS:
            contenders["theirs"] = theirs(PEERS[name])
        runs = [{who: run(options.seconds) for who, run in contenders.items()} for _ in range(options.repeat)]
        speed = {who: statistics.median(run[who] for run in runs) for who in contenders}
        plies = count_playouts(game, games=1000).plies_per_playout
        beside: list[Any] = ["-", "-"]
        if "theirs" in speed:
            beside = [round(speed["theirs"]), speed["ours"] / speed["theirs"]]
        sheet.row(name, round(speed["ours"]), round(plies), *beside, PUBLISHED.get(name, "-"))
    sheet.save(options.save, merge=options.games != sorted(games))


if __name__ == "__main__":
    main()
