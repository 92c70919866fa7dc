"""How much the moves of players lose, as a judge sees it, in positions from recorded games.

    zermelo match chess engine program:stockfish --clock 2+0.02 --games 40 --pgn games.pgn
    python benchmarks/move_losses.py games.pgn engine:nodes=20000 engine:nodes=20000,null_move=off
    python benchmarks/move_losses.py games.pgn "program[Use NNUE=false]:stockfish" --nodes 20000

Games between two versions of an engine do not show what both of them overlook. Here every player is asked for a move in
the same positions, in which the judge, another program, sees no side far ahead. A move's loss is what the judge thinks
of the position before it, less what it thinks of the position after it, both for the player who moves. The differences
to the first player are those in each position, so they are told more exactly than the losses. A judge likes programs
that think as it does: compare players of one kind only.
"""

import argparse
import random
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from results import Sheet, add_save
from zermelo import make_game
from zermelo.errors import ZermeloError
from zermelo.game import Game, State
from zermelo.lab.competitors import make_competitor
from zermelo.play.pgn import read_pgn
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Competitor

SKIPPED: Final = 8
"""The first plies of a game, which may have been chosen at random."""
LEAST_ACTIONS: Final = 4
"""Positions with fewer actions ask for no choice."""
EVEN: Final = 300
"""The judge's score of a position is at most so far from 0, in its own units."""
MOST_SCORE: Final = 1_000
"""Scores are cut off there, forced wins among them."""
MOST_LOSS: Final = 300
LEAST_LOSS: Final = -50
"""Losses are cut off there; the judge sees a negative loss where the move shows it more than it saw before."""
BLUNDER: Final = 100
"""Moves that lose at least so much are counted."""


class Judge:
    """Scores of positions, each asked for once."""

    def __init__(self, game: Game, program: Competitor, nodes: int) -> None:
        self.game, self.program, self.nodes = game, program, nodes
        self.known: dict[State, int] = {}

    def score(self, state: State) -> int:
        """Return the score of a state for the player to move; an even one if the judge says nothing."""
        game = self.game
        if state not in self.known:
            if game.is_terminal(state):
                found = int(np.sign(game.utility(state)) * game.to_move(state)) * MOST_SCORE
            else:
                self.program.new_game(0)
                found = self.program.choose([state], [], Go(nodes=self.nodes)).score or 0
            self.known[state] = max(-MOST_SCORE, min(MOST_SCORE, found))
        return self.known[state]

    def loss(self, state: State, child: State) -> int:
        """Return what the action from a state to its child loses."""
        same = self.game.to_move(child) == self.game.to_move(state)
        lost = self.score(state) - (self.score(child) if same else -self.score(child))
        return max(LEAST_LOSS, min(MOST_LOSS, lost))


def some_positions(game: Game, file: Path, judge: Judge, many: int, seed: int) -> list[State]:
    """Return positions of recorded games, chosen at random among those in which the judge sees no side far ahead."""
    found: list[State] = []
    for start, actions in read_pgn(game, file):
        state = start
        for ply, action in enumerate(actions):
            if ply >= SKIPPED and len(game.legal_actions(state)) >= LEAST_ACTIONS:
                found.append(state)
            state = game.result(state, action)
    random.Random(seed).shuffle(found)
    chosen: list[State] = []
    for state in found:
        if len(chosen) == many:
            break
        if abs(judge.score(state)) <= EVEN:
            chosen.append(state)
    return chosen


def losses(game: Game, player: Competitor, positions: Sequence[State], go: Go, judge: Judge) -> NDArray[np.float64]:
    """Return what the player's move loses in each position; it forgets all of the position before."""
    found = []
    for number, state in enumerate(positions):
        player.new_game(number)
        action = player.choose([state], [], go).action
        found.append(judge.loss(state, game.result(state, action)))
    return np.array(found, dtype=float)


def interval(numbers: NDArray[np.float64]) -> str:
    """Return a mean with its interval of 95 %."""
    return f"{numbers.mean():.1f} ± {1.96 * numbers.std() / sqrt(len(numbers)):.1f}"


def main() -> None:
    """Read the command line, and print a row for each player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="games in PGN")
    parser.add_argument("players", nargs="+", help="as in zermelo match")
    parser.add_argument("--positions", type=int, default=1_500)
    parser.add_argument("--seconds", type=float, help="for each move; else the players' own limits, or --nodes")
    parser.add_argument("--nodes", type=int, help="for each move")
    parser.add_argument("--judge", default="program[Threads=1,Hash=16]:stockfish")
    parser.add_argument("--judge-nodes", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=0)
    add_save(parser)
    asked = parser.parse_args()
    if asked.positions < 2:
        parser.error(f"There must be at least 2 positions, not {asked.positions}.")
    game = make_game("chess")
    go = Go(move_time=None if asked.seconds is None else round(1000 * asked.seconds), nodes=asked.nodes)
    program = make_competitor(asked.judge, game)
    try:
        judge = Judge(game, program, asked.judge_nodes)
        positions = some_positions(game, asked.file, judge, asked.positions, asked.seed)
        if len(positions) < 2:
            raise SystemExit(f"{asked.file} holds only {len(positions)} positions in which no side is far ahead.")
        columns = {"player": "", "positions": ",", "loss a move": "", "blunders": ",", "difference to the first": ""}
        sheet, first = Sheet("move_losses", columns), None
        for description in asked.players:
            player = make_competitor(description, game)
            try:
                found = losses(game, player, positions, go, judge)
            finally:
                player.close()
            first = found if first is None else first
            difference = "" if first is found else interval(found - first)
            sheet.row(f"`{description}`", len(found), interval(found), int((found >= BLUNDER).sum()), difference)
        sheet.save(asked.save)
    finally:
        program.close()


if __name__ == "__main__":
    try:
        main()
    except ZermeloError as error:
        raise SystemExit(str(error)) from None
