"""Quiet positions from games that the engine plays against itself in chess, with what the search thought of them.

One move in 25 is chosen at random, so that positions with much more material on one side occur as well, as they do in a
search. Several processes may play, with seeds of their own. `tune_chess_network.py` learns from the positions.

    python benchmarks/chess_self_play.py positions-1.npz --positions 4000000 --seed 1
"""

import argparse
import time
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo import Engine
from zermelo.bits import popcount
from zermelo.compiled.apart import apart
from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.rules import fill_actions, is_terminal, position_key, result, to_move, urgent
from zermelo.compiled.states import flatten, load_state
from zermelo.compiled.word64 import mix, shift_down
from zermelo.engine.deepening import NO_GUESS, aspire
from zermelo.engine.earlier import note_earlier
from zermelo.engine.job import RUNNING, SCALE, Job, restart
from zermelo.engine.line import action_at
from zermelo.game import State
from zermelo.games import chess

OPENING: Final = (4, 12)
"""The least and the most random plies of an opening."""
UNEVEN: Final = 700
"""Most games do not begin with a position that the search thinks so uneven."""
CLEAR: Final = 2_500
"""A game ends when the search thinks that one side is so far ahead, or knows who wins."""
PLIES: Final = 300
RANDOM: Final = 0.04
"""The share of moves that are chosen at random."""
DEEPEST: Final = 60
PART: Final = 50_000
"""So many positions are played between two lines of progress."""
MEN: Final = 7
"""Words that are kept of a position: white, black, pawns, knights, diagonal and straight sliders, the player."""


@subkernel
def chance(dice: NDArray[np.int64]) -> float:
    """A random number of at least 0 and less than 1; ``dice`` holds a seed and a count."""
    dice[1] += 1
    return shift_down(mix(mix(dice[1]) ^ dice[0]), 11) / 9007199254740992.0


@subkernel
def best_of(game: CompiledGame, state: State, job: Job) -> tuple[int, int, int]:
    """Search until the nodes are used up; the value for the player to move, what is proven of it, and the action."""
    key = position_key(game, state)
    score, proven, best = NO_GUESS, 0, -1
    for depth in range(1, DEEPEST):
        job.better_action = -1
        found, sure = aspire(game, state, key, depth, score, job)
        if job.status != RUNNING:
            if job.better_action >= 0:
                score, best = job.better_score, job.better_action
            break
        score, proven, best = found, sure, job.root_action
        job.previous_action = best
        if proven:
            break
    return (score + SCALE // 2) // SCALE, proven, action_at(game, state, best, job) if best >= 0 else -1


@subkernel
def renew(nodes: int, job: Job) -> None:
    """Make the workspace ready for the next search, as `zermelo.engine.job.restart` does."""
    job.nodes = job.stop = job.status = 0
    job.node_limit = nodes
    job.previous_action = -1
    for ply in range(len(job.killer_actions)):
        if ply > 0 and job.killer_actions[ply, 0] == -1:
            break
        job.killer_actions[ply, 0] = job.killer_actions[ply, 1] = -1
    for side in range(2):
        for place in range(job.history_counts.shape[1]):
            job.history_counts[side, place] >>= 3


@subkernel
def random_result(game: CompiledGame, state: State, actions: NDArray[np.int64], dice: NDArray[np.int64]) -> State:
    """The state after a random action."""
    count = fill_actions(game, state, actions, 0, len(actions))
    return result(game, state, actions[int(chance(dice) * count)])


@kernel
def play(
    game: CompiledGame,
    start: NDArray[np.int64],
    nodes: int,
    found: NDArray[np.int64],
    path: NDArray[np.int64],
    actions: NDArray[np.int64],
    dice: NDArray[np.int64],
    job: Job,
) -> int:
    """Play games until ``found``, of shape (positions, MEN + 1), is full; how many games there were.

    A row holds the words of a quiet position, and what the search thought of it, for the player to move. ``path`` has
    the states of a game, of shape (PLIES, words).
    """
    first, at, games = load_state(game, start), 0, 0
    while at < len(found):
        state, over = first, False
        for _ in range(OPENING[0] + int(chance(dice) * (OPENING[1] + 1 - OPENING[0]))):
            over = over or is_terminal(game, state)
            state = state if over else random_result(game, state, actions, dice)
        for ply in range(PLIES):
            if at == len(found) or is_terminal(game, state):
                break
            rows = min(ply, state.halfmove_clock)
            note_earlier(game, path[ply - rows : ply], job)
            write_words(game, state, path[ply])
            if repeats(game, state, path, ply, rows):
                break
            renew(nodes, job)
            value, proven, action = best_of(game, state, job)
            if proven or abs(value) >= CLEAR or (ply == 0 and abs(value) > UNEVEN and chance(dice) < 0.9):
                break
            child = result(game, state, action)
            if not urgent(game, state) and is_quiet(state, child):
                found[at, :6] = path[ply, :6]
                found[at, 6] = to_move(game, state)
                found[at, 7] = value
                at += 1
            state = random_result(game, state, actions, dice) if chance(dice) < RANDOM else child
        games += 1
    return games


@subkernel
def write_words(game: CompiledGame, state: State, words: NDArray[np.int64]) -> None:
    """Write a state of chess as `flatten` does."""
    words[0], words[1], words[2], words[3] = state.white, state.black, state.pawns, state.knights
    words[4], words[5], words[6] = state.diagonal_sliders, state.straight_sliders, state.castling
    words[7], words[8], words[9] = state.en_passant, state.player, state.halfmove_clock


@subkernel
def repeats(game: CompiledGame, state: State, path: NDArray[np.int64], ply: int, rows: int) -> bool:
    """Whether the position of ``state`` is among the last ``rows`` before it."""
    key = position_key(game, state)
    for row in range(ply - rows, ply):
        if position_key(game, load_state(game, path[row])) == key:
            return True
    return False


@subkernel
def is_quiet(state: State, child: State) -> bool:
    """Whether no man is taken and no pawn promotes between two states."""
    men, after = popcount(state.white | state.black), popcount(child.white | child.black)
    return men == after and popcount(state.pawns) == popcount(child.pawns)


def collect(file: Path, positions: int, nodes: int, seed: int) -> None:
    """Play games, and write their quiet positions with what the search thought of each."""
    game = chess()
    engine, rules = Engine(game, table_mb=8), compiled(game)
    engine.search(game.initial, nodes=nodes)
    team = engine._team  # the kernel runs the engine's own search, without Python between two moves
    start = flatten(game.initial)
    path, actions = np.zeros((PLIES, len(start)), dtype=np.int64), np.zeros(1 << 12, dtype=np.int64)
    dice = np.array([seed, 0], dtype=np.int64)
    parts: list[NDArray[np.int64]] = []
    began, games = time.monotonic(), 0
    restart(team.first, nodes)
    while PART * len(parts) < positions:
        found = np.zeros((PART, MEN + 1), dtype=np.int64)
        games += apart(lambda found=found: play(rules, start, nodes, found, path, actions, dice, team.first))  # type: ignore[misc]
        parts.append(found)
        minutes = (time.monotonic() - began) / 60
        print(f"{PART * len(parts):,} positions of {games:,} games, {minutes:.1f} minutes", flush=True)
        np.savez_compressed(file, positions=np.concatenate(parts))


def main() -> None:
    """Collect as many positions as were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=4_000_000)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    collect(asked.file, asked.positions, asked.nodes, asked.seed)


if __name__ == "__main__":
    main()
