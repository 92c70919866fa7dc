"""What the switches for play gain in a game, in matches at equal processor time.

    python benchmarks/play_switches.py othello reductions,malus,follow_ups,countermoves
    python benchmarks/play_switches.py breakthrough reductions,malus,order_from=10 --eval learned
    python benchmarks/play_switches.py breakthrough reductions,malus,order_from=10 --eval breakthrough.eval --keep

One engine plays with the switches that are named, the other with all switches as they are by default, whatever the
game's own ones are. ``--keep`` writes the switches into the file of the evaluation, and engines that load it use them.

Other work on the machine does not matter. The second engine has so many nodes for each move, and the first as many as
take equally long. How many that are comes from the processor times of both in the games so far. Each pair of games has
an opening of its own, and every game begins with empty tables.
"""

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from results import Sheet, add_save
from zermelo import Engine, Game
from zermelo.engine.switches import Switches
from zermelo.errors import ZermeloError
from zermelo.game import State
from zermelo.lab.openings import random_openings
from zermelo.lab.pentanomial import elo
from zermelo.learn import Evaluation, read_evaluation
from zermelo.learn.evaluation import SHIPPED
from zermelo.ui.loading import read_game

PLIES: Final = 6
"""The length of an opening."""
MOST_PLIES: Final = 200
"""A game that is not over after so many plies is a draw."""
OCCURRENCES: Final = 3
"""So is one in which a position has come for this time."""
SETTLED: Final = 10
"""Moves of either engine after which their times are compared."""
MOST_FACTOR: Final = 2.0
"""The first engine has at most so many times the nodes of the second, and at least the reciprocal of that."""


@dataclass
class Player:
    """An engine, and what it has done so far."""

    engine: Engine
    moves: int = 0
    nodes: int = 0
    depths: int = 0
    seconds: float = 0.0
    """Of processor time."""

    def choose(self, state: State, nodes: int) -> int:
        """Return the action that a search of so many nodes finds best."""
        started = time.process_time()
        found = self.engine.search(state, nodes=nodes)
        self.seconds += time.process_time() - started
        self.moves, self.nodes = self.moves + 1, self.nodes + found.nodes
        self.depths += found.depth or 0
        assert found.action is not None, "states of a game that is not over have actions"
        return int(found.action)


def read_switches(text: str) -> dict[str, int]:
    """Return the switches that are named: ``name`` turns one on, ``name=number`` sets one."""
    pairs = [one.partition("=") for one in text.split(",") if one]
    unknown = [name for name, _, _ in pairs if name not in Switches._fields]
    if unknown:
        raise SystemExit(f"There is no switch {unknown[0]!r}; there are {', '.join(Switches._fields)}.")
    try:
        return {name: int(number or 1) for name, _, number in pairs}
    except ValueError:
        raise SystemExit(
            f"The switches {text!r} must be names, or names with whole numbers as in futility=100."
        ) from None


def play(game: Game, players: Mapping[int, Player], first: Player, start: State, nodes: int) -> float:
    """Return the points of ``first``, one of the players of MAX and of MIN, in a game from ``start``."""
    second = next(player for player in players.values() if player is not first)
    state, seen = start, dict.fromkeys([start], 1)
    for player in players.values():
        player.engine.clear()
    for _ in range(MOST_PLIES):
        if game.is_terminal(state):
            side = next(side for side, player in players.items() if player is first)
            won = side * game.utility(state)
            return 0.5 + ((won > 0) - (won < 0)) / 2
        player, factor = players[game.to_move(state)], 1.0
        if player is first and min(first.moves, second.moves) > SETTLED:
            factor = (second.seconds / second.nodes) / (first.seconds / first.nodes)
            factor = min(MOST_FACTOR, max(1 / MOST_FACTOR, factor))
        state = game.result(state, player.choose(state, int(nodes * factor)))
        seen[state] = seen.get(state, 0) + 1
        if seen[state] == OCCURRENCES:
            break
    return 0.5


def main() -> None:
    """Read the command line, play, and print a row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a name, or a file such as my_game.py")
    parser.add_argument("switches", help="such as reductions,malus,futility=100")
    parser.add_argument("-p", "--parameter", action="append", metavar="NAME=VALUE", help="of the game")
    parser.add_argument("--eval", help="a file of a learned evaluation, or learned; else EVAL")
    parser.add_argument("--keep", action="store_true", help="write the switches into this file")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    add_save(parser)
    asked = parser.parse_args()
    if asked.keep and asked.eval in (None, SHIPPED):
        parser.error("--keep needs the file of an evaluation, as in --eval my_game.eval.")
    game, switches = read_game(asked.game, asked.parameter), read_switches(asked.switches)
    learned: Evaluation | None = None if asked.eval is None else read_evaluation(asked.eval, game)
    bare, named = replace(game, switches={}), replace(game, switches=switches)
    plain = None if learned is None else replace(learned, switches={})
    one = Player(Engine(named, evaluation=plain, table_mb=16))
    other = Player(Engine(bare, evaluation=plain, table_mb=16))
    for player in (one, other):  # compile
        player.engine.search(nodes=1)
    counts, won, drawn, lost = [0, 0, 0, 0, 0], 0, 0, 0
    for line in random_openings(game, asked.pairs, PLIES, asked.seed, balanced=False):
        start = game.replay(line)
        points = [
            play(game, players, one, start, asked.nodes) for players in ({1: one, -1: other}, {1: other, -1: one})
        ]
        won, drawn, lost = won + points.count(1), drawn + points.count(0.5), lost + points.count(0)
        counts[round(2 * sum(points))] += 1
    columns = {"game and switches": "", "won": ",", "drawn": ",", "lost": ",", "Elo": ""}
    columns |= {"depth": ".1f", "depth without": ".1f"}
    sheet, found = Sheet("play_switches", columns), elo(counts)
    evaluation = "its own EVAL" if learned is None else "learned evaluation"
    name = " ".join([game.name, *(asked.parameter or ())])
    sheet.row(
        f"{name}, {evaluation}: {asked.switches.replace(',', ', ')}", won, drawn, lost,
        f"{found.elo:+.0f} ± {found.half_width:.0f}", one.depths / one.moves, other.depths / other.moves,
    )  # fmt: skip
    if asked.keep and learned is not None:
        replace(learned, switches=switches).save(asked.eval)
    sheet.save(asked.save, merge=True)


if __name__ == "__main__":
    try:
        main()
    except ZermeloError as error:
        raise SystemExit(str(error)) from None
