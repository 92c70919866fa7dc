"""Depth-first proof-number search: does MAX get at least so much?

df-pn (Nagai 2002). Each node has two numbers, for its player to move (Nagai's phi and delta). The proof number is how
many leaves must at least be decided in that player's favour to prove the node; the disproof number is how many must be
decided against that player to disprove it. The search goes where the fewest are missing, so it finds narrow forced
lines, however deep, that a search by depth would find last. Thresholds are widened by a quarter, so that it does not
jump between two branches (Pawlewicz and Lew 2007).

Only for games in which no state comes back.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.cache import kernel, subkernel
from zermelo.compiled.game import CompiledGame
from zermelo.compiled.rules import bounds, is_terminal, key, result, to_move, utility, utility_range
from zermelo.compiled.states import load_state
from zermelo.compiled.table_probe import PLIES, UNSOLVED, solved_outcome
from zermelo.compiled.word64 import mix, shift_down, words_at
from zermelo.engine.job import RUNNING, Job
from zermelo.engine.nodes import canonical, enter, list_actions
from zermelo.game import MAX, Player, State

NEVER: Final = (1 << 30) - 1
"""The proof number of what cannot be proven, and the disproof number of what cannot be disproven."""
_NUMBER: Final = (1 << 31) - 1
UNDECIDED: Final = -1


@kernel
def decide_root(game: CompiledGame, words: NDArray[np.int64], goal: int, job: Job) -> int:
    """1 if the state in ``words`` is worth at least ``goal`` to MAX, 0 if less, UNDECIDED if stopped.

    If an action decides it for the player to move, its index is left in job.root_action.
    """
    state = load_state(game, words)
    job.root_action = -1
    side = to_move(game, state)
    limit = NEVER + job.bottom
    proof, disproof = mid(game, state, key(game, state), goal, limit, limit, job.bottom, job.bottom, job)
    if job.status != RUNNING or (proof > 0 and disproof > 0):
        return UNDECIDED
    return int((proof == 0) == (side == MAX))


@subkernel
def mid(
    game: CompiledGame,
    state: State,
    state_key: int,
    goal: int,
    proof_limit: int,
    disproof_limit: int,
    ply: int,
    base: int,
    job: Job,
) -> tuple[int, int]:
    """Search below ``state`` until its proof or disproof number reaches its limit; returns both.

    This is Nagai's MID, multiple iterative deepening.
    """
    # 1. Count the node; stop if told to.
    if not enter(ply, base, job):
        return 1, 1
    side = to_move(game, state)

    # 2. Put the children on the stack, each with the numbers that the rules or the table give it.
    count = push_children(game, state, side, goal, base, job)

    while True:
        # 3. One proven child proves a node, and only all disproven children disprove it: its proof number is the least
        #    of theirs, its disproof number the sum of theirs.
        proof, second, disproof, chosen = NEVER, NEVER, 0, base
        for place in range(base, base + count):
            child_proof, child_disproof = job.ranks[place] >> 31, job.ranks[place] & _NUMBER
            disproof = min(NEVER, disproof + child_disproof)
            if child_proof < proof:
                second, proof, chosen = proof, child_proof, place
            elif child_proof < second:
                second = child_proof
        if proof >= proof_limit or disproof >= disproof_limit or proof == 0 or disproof == 0:
            break

        # 4. Search the child of the least proof number until that exceeds the second least, or the limits are reached.
        child, child_key = canonical(game, result(game, state, job.actions[chosen]), job), job.keys[chosen]
        child_proof_limit = min(proof_limit, second + second // 4 + 1)
        child_disproof_limit = min(NEVER, disproof_limit - disproof + (job.ranks[chosen] & _NUMBER))
        if to_move(game, child) == side:
            child_proof, child_disproof = mid(
                game, child, child_key, goal, child_proof_limit, child_disproof_limit, ply + 1, base + count, job
            )
        else:
            child_disproof, child_proof = mid(
                game, child, child_key, goal, child_disproof_limit, child_proof_limit, ply + 1, base + count, job
            )
        if job.status != RUNNING:
            return 1, 1
        job.ranks[chosen] = child_proof << 31 | child_disproof

    # 5. Remember both numbers.
    store_numbers(state_key, proof, disproof, job)
    if ply == 0:
        job.root_action = chosen - base
    return proof, disproof


@subkernel
def push_children(game: CompiledGame, state: State, side: Player, goal: int, base: int, job: Job) -> int:
    """Put the actions on the stack above ``base``, with their children's keys and numbers; how many there are."""
    count = list_actions(game, state, base, job)
    for place in range(base, base + count):
        set_numbers(game, state, side, goal, place, job)
    return count


@subkernel
def set_numbers(game: CompiledGame, state: State, side: Player, goal: int, place: int, job: Job) -> None:
    """Give the action at that place of the stack its child's key and numbers."""
    child = canonical(game, result(game, state, job.actions[place]), job)
    job.keys[place] = key(game, child)
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
        proof, disproof = (0, NEVER) if side == decided_for else (NEVER, 0)
    else:
        proof, disproof = numbers_of(job.keys[place], job)
        if to_move(game, child) != side:
            proof, disproof = disproof, proof
    job.ranks[place] = proof << 31 | disproof


@subkernel
def _place(key: int, job: Job) -> int:
    return 2 * shift_down(mix(key), 62 - job.search_bits)


@subkernel
def _words(job: Job) -> NDArray[np.int64]:
    return words_at(job.search_address, 8 << job.search_bits)


@subkernel
def numbers_of(key: int, job: Job) -> tuple[int, int]:
    """The proof and disproof number of a state, for its player to move; 1 and 1 if nothing is known.

    An entry is ``key ^ data, data`` with ``data = proof << 31 | disproof``.
    """
    words, place = _words(job), _place(key, job)
    data = words[place + 1]
    if data != 0 and words[place] ^ data == key:
        return data >> 31, data & _NUMBER
    return 1, 1


@subkernel
def store_numbers(key: int, proof: int, disproof: int, job: Job) -> None:
    """Remember the numbers of a state, in place of what stood there."""
    words, place = _words(job), _place(key, job)
    data = proof << 31 | disproof
    job.table_states += words[place + 1] == 0
    words[place] = key ^ data
    words[place + 1] = data
