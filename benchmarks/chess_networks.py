"""What a network that corrects EVAL of chess is worth: the engine with one against the engine with another, or none.

    python benchmarks/chess_networks.py src/zermelo/games/chess_network.json none --nodes 2000 2200

Each side has so many nodes for a move, so other work on the machine does not matter. Give them in the ratio of the
speeds, which ``--speed`` prints, and the sides take equally long.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from results import Sheet, add_save
from zermelo import Engine, Game
from zermelo.games import chess
from zermelo.games.chess_evaluation import sum_of_terms
from zermelo.games.chess_network import correction, read_network
from zermelo.games.chess_weights import WEIGHTS
from zermelo.lab import play_match
from zermelo.lab.adjudication import Adjudication
from zermelo.lab.competitors import PlayerCompetitor
from zermelo.lab.openings import random_openings
from zermelo.play import make_player

NONE: Final = "none"
RULES: Final = Adjudication(resign=600, resign_moves=3, draw=15, draw_moves=5, draw_after=80, plies=240)
TIMED: Final = 60_000
"""Nodes of a search whose speed is measured."""


def with_network(file: str) -> Game:
    """Chess in which EVAL is corrected by the network of a file, or by none.

    Raises
    ------
    SystemExit
        The file holds no network of as many units.
    """
    terms = sum_of_terms(WEIGHTS, 8)
    if file == NONE:
        return replace(chess(), evaluate=terms)
    try:
        correct = correction(read_network(Path(file)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"{file} holds no network as chess has it now: {error}.") from error
    return replace(chess(), evaluate=lambda state: terms(state) + correct(state))


def nanoseconds(games: list[Game]) -> list[float]:
    """The processor time of a node with each network: the least of several searches of some openings, taken in turn."""
    engines, starts = [Engine(game) for game in games], random_openings(games[0], 4, plies=12, seed=1, balanced=False)
    least = [[float("inf")] * len(starts) for _ in engines]
    for _ in range(10):
        for number, engine in enumerate(engines):
            for place, opening in enumerate(starts):
                engine.clear()
                began = time.process_time()
                found = engine.search(games[0].replay(opening), nodes=TIMED)
                least[number][place] = min(least[number][place], (time.process_time() - began) / found.nodes)
    return [1e9 * sum(times) / len(times) for times in least]


def main() -> None:
    """Play a match, or measure speeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", help="a file with a network, or none")
    parser.add_argument("other", help="its opponent's")
    parser.add_argument("--nodes", type=int, nargs=2, default=[2000, 2000], help="for each move of either side")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", action="store_true", help="print how long a node takes, and play no games")
    add_save(parser)
    asked = parser.parse_args()
    names, games = [asked.one, asked.other], [with_network(asked.one), with_network(asked.other)]
    if asked.speed:
        for name, took in zip(names, nanoseconds(games), strict=True):
            print(f"{name}: {took:,.0f} ns a node")
        return
    sides = [
        lambda game=game, nodes=nodes: PlayerCompetitor(make_player(f"engine:nodes={nodes},table_mb=8", game))
        for game, nodes in zip(games, asked.nodes, strict=True)
    ]
    found = play_match(games[0], *sides, games=asked.games, seed=asked.seed, threads=asked.threads, adjudication=RULES)
    sheet = Sheet("chess_network", {"network": "", "nodes a move": "", "games": ",", "won, drawn, lost": "", "Elo": ""})
    sheet.row(
        " against ".join(Path(name).stem for name in names),
        " and ".join(f"{nodes:,}" for nodes in asked.nodes),
        len(found.games),
        f"{found.wins}, {found.draws}, {found.losses}",
        f"{found.elo.elo:+.0f} ± {found.elo.half_width:.0f}",
    )
    sheet.save(asked.save, merge=True)


if __name__ == "__main__":
    main()
