"""Quiet positions from games of the engine against itself in chess: what the search thought, and how the game ended.

One move in 100 is chosen at random, so that positions with much more material on one side occur as well, as they do in
a search. Neither later thoughts nor the end of the game say anything about the positions before such a move. So a game
falls into *courses*, in which no move is random. Several processes may play, with seeds of their own. `tune_chess.py`
and `tune_chess_network.py` learn from the positions.

The games are played in machine code, because a search of 400 nodes takes less time than Python does between two moves.

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
from zermelo.compiled.rules import fill_actions, is_terminal, position_key, result, to_move, urgent, utility
from zermelo.compiled.states import flatten, load_state, words_of
from zermelo.compiled.word64 import mix
from zermelo.engine.deepening import NO_GUESS, search_on
from zermelo.engine.earlier import note_earlier, stood_before
from zermelo.engine.job import MAX_PLY, RUNNING, SCALE, Job, restart
from zermelo.engine.line import action_at
from zermelo.files import whole
from zermelo.game import State
from zermelo.games import chess
from zermelo.learn.self_play import random_number

OPENING: Final = (4, 12)
"""The least and the most random plies of an opening."""
UNEVEN: Final = 700
"""Most games do not begin with a position that the search thinks so uneven."""
CLEAR: Final = 2_500
"""A game ends when the search thinks that one side is so far ahead, or knows who wins."""
PLIES: Final = 300
RANDOM: Final = 0.01
"""The share of moves that are chosen at random."""
UNKNOWN: Final = 2
"""Stands for the result of a game in which a random move followed, or that was not played to its end."""
LEAST_NODES: Final = 300
"""With fewer, a search may end before it has looked at every move once, and knows no value."""
PART: Final = 250_000
"""So many positions are played between two lines of progress."""


@subkernel
def best_of(game: CompiledGame, state: State, line: NDArray[np.int64], job: Job) -> tuple[int, int, int]:
    """Search until the nodes are used up; the value for the player to move, what is proven of it, and the action."""
    line[0] = -1
    _, score, proven, _ = search_on(game, state, 1, MAX_PLY, NO_GUESS, 0, line, job)
    action = line[0]
    if job.status != RUNNING and job.better_action >= 0:
        score, action = job.better_score, action_at(game, state, job.better_action, job)
    return (score + SCALE // 2) // SCALE, proven, action


@subkernel
def renew(nodes: int, job: Job) -> None:
    """Make the workspace ready for the next search, as `zermelo.engine.job.restart` does."""
    job.nodes = job.stop = job.status = 0
    job.node_limit = nodes
    job.previous_action = job.better_action = -1
    for ply in range(len(job.killer_actions)):
        if ply > 0 and job.killer_actions[ply, 0] == -1:
            break
        job.killer_actions[ply, 0] = job.killer_actions[ply, 1] = -1
    for side in range(2):
        for place in range(job.history_counts.shape[1]):
            job.history_counts[side, place] >>= 3


@subkernel
def random_result(game: CompiledGame, state: State, actions: NDArray[np.int64], chance: NDArray[np.int64]) -> State:
    """The state after a random action."""
    count = fill_actions(game, state, actions, 0, len(actions))
    return result(game, state, actions[int(random_number(chance) * count)])


@kernel
def play(
    game: CompiledGame,
    start: NDArray[np.int64],
    nodes: int,
    found: NDArray[np.int64],
    path: NDArray[np.int64],
    line: NDArray[np.int64],
    actions: NDArray[np.int64],
    chance: NDArray[np.int64],
    job: Job,
) -> int:
    """Play games until ``found``, of shape (positions, words + 3), is full; how many games there were.

    A row holds the words of a quiet position, what the search thought of it, the game's result, which is 1, 0, -1 or
    `UNKNOWN`, and the number of its course. Thoughts and results are for the player to move. ``path`` has room for the
    states of a game, of shape (PLIES, words), and ``line`` for a principal variation.
    """
    first, at, games, course = load_state(game, start), 0, 0, 0
    while at < len(found):
        state, over, since, winner = first, False, at, UNKNOWN
        course += 1
        for _ in range(OPENING[0] + int(random_number(chance) * (OPENING[1] + 1 - OPENING[0]))):
            over = over or is_terminal(game, state)
            state = state if over else random_result(game, state, actions, chance)
        for ply in range(PLIES):
            if is_terminal(game, state):
                winner = sign(utility(game, state))
                break
            if at == len(found):
                break
            rows = min(ply, state.halfmove_clock)
            note_earlier(game, path[ply - rows : ply], job)
            if stood_before(position_key(game, state), job):
                winner = 0
                break
            for place, word in enumerate(words_of(game, state)):
                path[ply, place] = word
            renew(nodes, job)
            value, proven, action = best_of(game, state, line, job)
            if proven or abs(value) >= CLEAR:
                winner = sign(value) * to_move(game, state)
            if winner != UNKNOWN or (ply == 0 and abs(value) > UNEVEN and random_number(chance) < 0.9):
                break
            child = result(game, state, action)
            if not urgent(game, state) and is_quiet(state, child):
                found[at, :-3], found[at, -3], found[at, -2] = path[ply], value, to_move(game, state)
                found[at, -1] = course
                at += 1
            if random_number(chance) < RANDOM:
                settle(found[since:at, -2], UNKNOWN)
                child, since, course = random_result(game, state, actions, chance), at, course + 1
            state = child
        settle(found[since:at, -2], winner)
        games += 1
    return games


@subkernel
def settle(results: NDArray[np.int64], winner: int) -> None:
    """Turn players, of whom ``results`` holds who was to move, into results for them.

    ``winner`` is a player, 0 for a draw, or `UNKNOWN`.
    """
    for row in range(len(results)):
        results[row] = UNKNOWN if winner == UNKNOWN else winner * results[row]


@subkernel
def sign(value: int) -> int:
    """1, 0 or -1: who is ahead."""
    return int(value > 0) - int(value < 0)


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
    line, chance = np.zeros(MAX_PLY, dtype=np.int64), np.array([mix(seed + 1), 0], dtype=np.int64)
    parts: list[NDArray[np.int64]] = []
    began, games = time.monotonic(), 0
    restart(team.first, nodes)
    while PART * len(parts) < positions:
        found = np.zeros((PART, len(start) + 3), dtype=np.int64)
        games += apart(lambda found=found: play(rules, start, nodes, found, path, line, actions, chance, team.first))  # type: ignore[misc]
        parts.append(found)
        minutes = (time.monotonic() - began) / 60
        print(f"{PART * len(parts):,} positions of {games:,} games, {minutes:.1f} minutes", flush=True)
        with whole(file) as written:
            np.savez_compressed(written, positions=np.concatenate(parts))


def main() -> None:
    """Collect as many positions as were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=4_000_000)
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.nodes < LEAST_NODES:
        parser.error(f"A search needs at least {LEAST_NODES} nodes to look at every move, not {asked.nodes}.")
    if asked.positions < 1:
        parser.error(f"There must be at least one position, not {asked.positions}.")
    collect(asked.file, asked.positions, asked.nodes, asked.seed)


if __name__ == "__main__":
    main()
