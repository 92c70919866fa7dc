"""A playout: a game from a position to its end in which every legal action is as probable as any other.

Positions that come back do not end a playout, since to look for them would cost more than to play on. So a playout of a
game that need not end is stopped after a number of plies.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.clock import is_past
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import fill_actions, fill_sufficient_actions, is_terminal, result, to_move, utility
from zermelo.compiled.states import load_state
from zermelo.engine.tree.chance import advance, below, seeded
from zermelo.game import MAX, Action, Player, State

MOST_ACTIONS: Final = 1 << 12
"""The most legal actions that a state may have."""
ENDED: Final = 0
UNFINISHED: Final = 1
TOO_WIDE: Final = 2
"""How a playout ends: by the rules, after its last ply, or at a state with too many actions."""

_SELDOM: Final = 15
"""A thread looks at the clock before one of so many playouts, and one."""
COUNTS: Final = ("games", "plies", "wins", "draws", "losses", "unfinished", "longest")
"""What is counted of many playouts; wins and losses are those of MAX."""
PLAYOUTS: Final = np.dtype(
    [(name, "i8") for name in ("stop", "deadline", "status", *COUNTS)] + [("actions", "i8", (MOST_ACTIONS,))]
)
"""The workspace of one thread that counts playouts."""


@subkernel
def noted(action: Action, side: Player) -> int:
    """Return an int that stands for an action of a player."""
    return action * 2 + (side == MAX)


@subkernel
def play_out(
    game: CompiledGame,
    state: State,
    word: int,
    limit: int,
    actions: NDArray[np.int64],
    played: NDArray[np.int64],
    room: int,
    sufficient: int,
) -> tuple[State, int, int, int]:
    """Play random actions from ``state`` until the game is over, at most ``limit`` of them.

    Parameters
    ----------
    word
        The random number so far; see `zermelo.engine.tree.chance`.
    actions
        Room for the legal actions of a state, of shape (MOST_ACTIONS,).
    played, room
        The first so many actions are written to ``played``, as `noted` makes them.
    sufficient
        1 to choose only among the game's `sufficient_actions`, if it has some.

    Returns
    -------
    tuple
        The last state; how the playout ended; its plies; the random number that was used last.
    """
    for ply in range(limit):
        if is_terminal(game, state):
            return state, ENDED, ply, word
        if sufficient:
            count = fill_sufficient_actions(game, state, actions, 0, len(actions))
        else:
            count = fill_actions(game, state, actions, 0, len(actions))
        if count > len(actions):
            return state, TOO_WIDE, ply, word
        word = advance(word)
        action = actions[below(count, word)]
        if ply < room:
            played[ply] = noted(action, to_move(game, state))
        state = result(game, state, action)
    return state, ENDED if is_terminal(game, state) else UNFINISHED, limit, word


@kernel
def count_games(
    game: CompiledGame,
    words: NDArray[np.int64],
    seed: int,
    first: int,
    step: int,
    last: int,
    limit: int,
    job: np.record,
) -> None:
    """Play the games of the numbers ``first``, ``first + step`` and so on, less than ``last``, and count their ends.

    A game's moves follow from the seed and from its number alone.
    """
    start = load_state(game, words)
    for number in range(first, last, step):
        if job.games & _SELDOM == 0 and is_past(job.deadline):
            job.stop = 1
        if job.stop:
            return
        state, end, plies, _ = play_out(game, start, seeded(seed, number), limit, job.actions, job.actions, 0, 0)
        if end == TOO_WIDE:
            job.status = TOO_WIDE
            return
        job.games += 1
        job.plies += plies
        job.longest = max(job.longest, plies)
        if end == UNFINISHED:
            job.unfinished += 1
        else:
            value = utility(game, state)
            job.wins += value > 0
            job.draws += value == 0
            job.losses += value < 0
