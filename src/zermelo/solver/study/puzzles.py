"""Puzzles from a table: positions in which exactly one of several moves keeps the win or the draw.

The difficulty of a puzzle is, in this order:

depth       how many plies a search without the table must look ahead to find the move and stay with it: the engine
            searches 1, 2, 3 … plies deep, and the least depth counts from which on it never prefers another move
remoteness  the number of plies to the end
moves       the number of moves to choose from
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.engine import Engine
from zermelo.errors import BadParameter, TableError
from zermelo.game import Action, Game, State
from zermelo.result import SearchResult
from zermelo.solver.model.outcome_codes import plies_of
from zermelo.solver.study.only_moves import only_moves
from zermelo.solver.table.scan import sample, with_neighbours
from zermelo.solver.table.table import Table

LOOKED_AT: Final = 100_000
"""How many stored positions are searched for puzzles, unless told otherwise."""
DEPTHS: Final = 8
"""The greatest depth of the search, in plies."""
CANDIDATES: Final = 6
"""Positions whose depth is measured for each puzzle that is wanted."""
TABLE_MB: Final = 1
"""The size of the search's transposition table, in MiB."""
MOST: Final = 10_000
"""The most puzzles that one call can return."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one saving move, and how hard it is to find."""

    state: State
    action: Action
    """The only move."""
    value: int
    remoteness: int | None
    moves: int
    """How many legal moves there are."""
    depth: int | None
    """The depth at which a search finds the move and stays with it; None if it does not within `DEPTHS` plies."""
    line: list[Action]
    """Best play, which begins with the only move."""

    @property
    def difficulty(self) -> tuple[float, float, int]:
        """The sort key: greater is harder."""
        far = float("inf")
        return (
            far if self.depth is None else self.depth,
            far if self.remoteness is None else self.remoteness,
            self.moves,
        )


def puzzles(table: Table, count: int, seed: int = 0, looked_at: int | None = LOOKED_AT) -> list[Puzzle]:
    """Return puzzles from a table, from easy to hard, spread over the difficulties of the positions drawn.

    Parameters
    ----------
    count
        How many puzzles; the result may have fewer.
    seed
        Seed of the random choice.
    looked_at
        How many stored positions to search for puzzles; all if None.

    Raises
    ------
    BadParameter
        ``count`` is less than 1 or more than `MOST`.
    TableError
        No position looked at is a puzzle, or a file of the table is damaged.
    """
    if not 1 <= count <= MOST:
        raise BadParameter(f"The number of puzzles is {count}; it must be at least 1 and at most {MOST:,}.")
    keys, at_once = _candidates(table, CANDIDATES * count, seed, looked_at)
    if len(keys) == 0 and at_once:
        raise TableError(
            f"{at_once:,} stored positions of {table.place} that were looked at have exactly one saving move of "
            "several, but it ends the game at once in each of them, so none is a puzzle."
        )
    if len(keys) == 0:
        raise TableError(f"No position of {table.place} that was looked at has exactly one saving move of several.")
    engine = Engine(table.game, table_mb=TABLE_MB)
    judged = sorted((_puzzle(table, engine, int(key)) for key in keys), key=lambda puzzle: puzzle.difficulty)
    chosen = np.unique(np.linspace(0, len(judged) - 1, count).round().astype(int))
    return [judged[number] for number in chosen]


def _candidates(table: Table, count: int, seed: int, looked_at: int | None) -> tuple[NDArray[np.int64], int]:
    """Draw positions with one saving move, evenly over remoteness; leave out those where it ends the game at once.

    Returns
    -------
    numpy.ndarray
        Shape (n,), at most ``count``: the keys of the positions.
    int
        How many positions were left out.
    """
    kept, plies, at_once = [], [], 0
    for _, keys, codes in sample(table, looked_at, seed):
        remoteness = plies_of(codes, table.game.utility_range)
        done = 0
        for found in with_neighbours(table, keys):
            place = slice(done, done + len(found.keys))
            only = only_moves(found, codes[place], table.game)
            chosen = only & (remoteness[place] != 1)
            at_once += int(only.sum() - chosen.sum())
            kept.append(found.keys[chosen])
            plies.append(remoteness[place][chosen])
            done += len(found.keys)
    every, far = np.concatenate(kept), np.concatenate(plies)
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(every))
    every, far = every[order], far[order]
    # Take the first of each remoteness, then the second of each, and so on, since long puzzles are rare.
    turn = np.empty(len(every), dtype=np.int64)
    for remoteness in np.unique(far):
        same = np.flatnonzero(far == remoteness)
        turn[same] = np.arange(len(same))
    return every[np.lexsort((far, turn))][:count], at_once


def _puzzle(table: Table, engine: Engine, key: int) -> Puzzle:
    """Return the puzzle of a position, with its depth measured."""
    state = table.state(key)
    game, entry = table.game, table[state]
    action = table.action(state)  # the only move, since it keeps the result
    return Puzzle(
        state,
        action,
        entry.value,
        entry.remoteness,
        len(game.legal_actions(state)),
        settling_depth(engine, state, action),
        table.line(state),
    )


def settling_depth(engine: Engine, state: State, action: Action, depths: int = DEPTHS) -> int | None:
    """Return the least depth from which on a search chooses ``action``; None if it does not at the greatest depth."""
    engine.clear()
    chosen: list[SearchResult] = []
    last = engine.search(state, depth=depths, progress=chosen.append)
    settled = None
    for result in [*chosen, last]:
        if result.action != action:
            settled = None
        elif settled is None:
            settled = result.depth
    return settled


def result_kept(game: Game, value: int, mover: int) -> str:
    """Return what the only move does, as a verb: wins, draws, loses, or keeps a margin."""
    if value == 0:
        return "draws"
    if game.outcomes == "margin":
        return f"keeps {value}"
    return "wins" if value * mover > 0 else "loses"
