"""Puzzles out of a solved table: positions in which exactly one of several moves keeps the win or the draw.

How hard a puzzle is, is measured by looking, in this order:

depth       plies that a plain search has to look ahead before it settles on the move: the engine is asked at
            1, 2, 3 … plies, and counts from the depth on at which it never again prefers another move
remoteness  plies to the end
moves       how many moves there are to choose from
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from zermelo.engine import Engine
from zermelo.errors import BadParameter, TableError
from zermelo.game import Action, Game, State
from zermelo.result import SearchResult
from zermelo.solver.model.outcome_codes import plies_of
from zermelo.solver.study.scan import only_moves, sample, with_neighbours
from zermelo.solver.table.table import Table

LOOKED_AT: Final = 100_000
"""Positions that puzzles are drawn from."""
DEPTHS: Final = 8
"""How many plies the search looks at most."""
CANDIDATES: Final = 6
"""Positions that are judged for each puzzle asked for."""
TABLE_MB: Final = 1
MOST: Final = 10_000
"""Puzzles that can be asked for."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one saving move, and how hard it is to find."""

    state: State
    action: Action
    """The only move."""
    value: int
    remoteness: int | None
    moves: int
    """How many there are."""
    depth: int | None
    """Plies that a search has to look to settle on the move; None if those that it looked were too few."""
    line: list[Action]
    """Best play, the only move first."""

    @property
    def difficulty(self) -> tuple[float, float, int]:
        """To be compared: more is harder."""
        far = float("inf")
        return (
            far if self.depth is None else self.depth,
            far if self.remoteness is None else self.remoteness,
            self.moves,
        )


def puzzles(table: Table, count: int, seed: int = 0, looked_at: int | None = LOOKED_AT) -> list[Puzzle]:
    """Puzzles of a table, from easy to hard: spread over the difficulties of what was drawn.

    Parameters
    ----------
    count
        How many; there may be fewer.
    seed
        Of what is drawn.
    looked_at
        How many stored positions are searched for them; all if None.

    Raises
    ------
    BadParameter
        ``count`` is not positive, or too large.
    TableError
        None of the positions looked at has one saving move that does not end the game, or a file of the table is
        damaged.
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


def _candidates(table: Table, count: int, seed: int, looked_at: int | None) -> tuple[Any, int]:
    """Keys of positions with one saving move that does not end the game at once, drawn evenly over remoteness.

    Returned with them is in how many it does end it.
    """
    kept, plies, at_once = [], [], 0
    for _, keys, words in sample(table, looked_at, seed):
        remoteness = plies_of(words, table.game.utility_range)
        done = 0
        for found in with_neighbours(table, keys):
            place = slice(done, done + len(found.keys))
            only = only_moves(found, words[place], table.game)
            chosen = only & (remoteness[place] != 1)
            at_once += int(only.sum() - chosen.sum())
            kept.append(found.keys[chosen])
            plies.append(remoteness[place][chosen])
            done += len(found.keys)
    every, far = np.concatenate(kept), np.concatenate(plies)
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(every))
    every, far = every[order], far[order]
    # The first of each remoteness, then the second of each, and so on: long puzzles are rare.
    turn = np.empty(len(every), dtype=np.int64)
    for remoteness in np.unique(far):
        same = np.flatnonzero(far == remoteness)
        turn[same] = np.arange(len(same))
    return every[np.lexsort((far, turn))][:count], at_once


def _puzzle(table: Table, engine: Engine, key: int) -> Puzzle:
    state = table.state(key)
    game, entry = table.game, table[state]
    action = table.action(state)  # where only one keeps the result, it is that one
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
    """The least depth from which on a search chooses ``action``; None if at the last it still does not."""
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
    """What the only move does."""
    if value == 0:
        return "draws"
    if game.outcomes == "margin":
        return f"keeps {value}"
    return "wins" if value * mover > 0 else "loses"
