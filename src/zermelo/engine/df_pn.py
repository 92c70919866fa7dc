"""Depth-first proof-number search: does MAX get at least so much?

df-pn (Nagai 2002). Each node has two numbers: how many leaves must at least be decided in favour of the player to
move to prove the node for them, ``win``, and how many against them to refute it, ``loss``. The search goes where the
fewest are missing, so it finds narrow forced lines, however deep, that a search by depth would find last.
Thresholds are widened by a quarter, so that it does not jump between two branches (Pawlewicz and Lew 2007).

Only for games in which no state comes back.
"""

from typing import Any, Final

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import (
    actions,
    bounds,
    is_terminal,
    key,
    result,
    sufficient_actions,
    to_move,
    utility,
    utility_range,
)
from zermelo.compiled.states import load_state
from zermelo.compiled.table_probe import PLIES, UNSOLVED, solved_outcome
from zermelo.compiled.word64 import mix, shift_down, words_at
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.nodes import canonical, enter
from zermelo.game import MAX, Action, Player, State

NEVER: Final = (1 << 30) - 1
"""The number of leaves that would have to be decided where nothing can help."""
_NUMBER: Final = (1 << 31) - 1
UNDECIDED: Final = -1


@kernel
def decide_root(game: CompiledGame, words: Any, goal: int, job: Job) -> int:
    """1 if the state in ``words`` is worth at least ``goal`` to MAX, 0 if less, UNDECIDED if stopped.

    The place among the actions of one that decides it for the player to move is left in job.root_action.
    """
    state = load_state(game, words)
    job.root_action = -1
    side = to_move(game, state)
    limit = NEVER + job.bottom
    win, loss = develop(game, state, key(game, state), goal, limit, limit, job.bottom, job.bottom, job)
    if job.status != RUNNING or (win > 0 and loss > 0):
        return UNDECIDED
    return int((win == 0) == (side == MAX))


@subkernel
def develop(
    game: CompiledGame,
    state: State,
    name: int,
    goal: int,
    win_limit: int,
    loss_limit: int,
    ply: int,
    base: int,
    job: Job,
) -> tuple[int, int]:
    """Search below ``state`` until one of its numbers reaches its limit; both, for the player to move."""
    # 1. Count the node; stop if told to.
    if not enter(ply, base, job):
        return 1, 1
    side = to_move(game, state)

    # 2. Put the children on the stack, each with the numbers that the rules or the table give it.
    count = line_up(game, state, side, goal, base, job)

    while True:
        # 3. One proven child proves a node, all refuted ones refute it: the least ``win``, the sum of ``loss``.
        win, second, loss, chosen = NEVER, NEVER, 0, base
        for place in range(base, base + count):
            child_win, child_loss = job.ranks[place] >> 31, job.ranks[place] & _NUMBER
            loss = min(NEVER, loss + child_loss)
            if child_win < win:
                second, win, chosen = win, child_win, place
            elif child_win < second:
                second = child_win
        if win >= win_limit or loss >= loss_limit or win == 0 or loss == 0:
            break

        # 4. Develop the child with the least to prove, until it has more to prove than the second or the limits allow.
        child = canonical(game, result(game, state, job.actions[chosen]), job)
        child_win_limit = min(win_limit, second + second // 4 + 1)
        child_loss_limit = min(NEVER, loss_limit - loss + (job.ranks[chosen] & _NUMBER))
        if to_move(game, child) == side:
            child_win, child_loss = develop(
                game, child, job.names[chosen], goal, child_win_limit, child_loss_limit, ply + 1, base + count, job
            )
        else:
            child_loss, child_win = develop(
                game, child, job.names[chosen], goal, child_loss_limit, child_win_limit, ply + 1, base + count, job
            )
        if job.status != RUNNING:
            return 1, 1
        job.ranks[chosen] = child_win << 31 | child_loss

    # 5. Remember both numbers.
    store_numbers(name, win, loss, job)
    if ply == 0:
        job.root_action = chosen - base
    return win, loss


@subkernel
def line_up(game: CompiledGame, state: State, side: Player, goal: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, with their children's names and numbers; how many there are."""
    count = 0
    if job.sufficient_actions:
        for action in sufficient_actions(game, state):
            put_up(game, state, action, side, goal, base + count, job)
            count += 1
    else:
        for action in actions(game, state):
            put_up(game, state, action, side, goal, base + count, job)
            count += 1
    return count


@subkernel
def put_up(game: CompiledGame, state: State, action: Action, side: Player, goal: int, place: int, job: Job) -> None:
    """Put one action on the stack."""
    child = canonical(game, result(game, state, action), job)
    job.actions[place] = action
    job.names[place] = key(game, child)
    if is_terminal(game, child):
        job.leaves += 1
        low = high = utility(game, child)
    elif job.bounds:
        low, high = bounds(game, child)
    else:
        low, high = utility_range(game)
    if job.solved_tables and low < goal <= high:
        known = solved_outcome(game, child, job.solved_address, job.solved_tables)
        if known != UNSOLVED:
            low = high = known // PLIES
    if low >= goal or high < goal:
        decided_for = MAX if low >= goal else -MAX
        win, loss = (0, NEVER) if side == decided_for else (NEVER, 0)
    else:
        win, loss = numbers_of(job.names[place], job)
        if to_move(game, child) != side:
            win, loss = loss, win
    job.ranks[place] = win << 31 | loss


@subkernel
def _place(name: int, job: Job) -> int:
    return 2 * shift_down(mix(name), 62 - job.search_bits)


@subkernel
def _words(job: Job) -> Any:
    return words_at(job.search_address, 8 << job.search_bits)


@subkernel
def numbers_of(name: int, job: Job) -> tuple[int, int]:
    """The numbers of a state, for its player to move; 1 and 1 if nothing is known.

    An entry is ``name ^ data, data`` with ``data = win << 31 | loss``.
    """
    words, place = _words(job), _place(name, job)
    data = words[place + 1]
    if data != 0 and words[place] ^ data == name:
        return data >> 31, data & _NUMBER
    return 1, 1


@subkernel
def store_numbers(name: int, win: int, loss: int, job: Job) -> None:
    """Remember the numbers of a state, in place of what stood there."""
    words, place = _words(job), _place(name, job)
    data = win << 31 | loss
    job.table_states += words[place + 1] == 0
    words[place] = name ^ data
    words[place + 1] = data
