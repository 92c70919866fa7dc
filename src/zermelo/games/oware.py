"""Oware: sow seeds around the board, capture twos and threes on the opponent's side.

Sowing skips the pit where it began. If the last seed makes two or three in an opponent's pit, the player captures
these, and also the twos and threes in an unbroken line of pits before it. The game ends when the player to move has no
legal move; each player then keeps the seeds in the own row. The value is South's seeds less North's. The game goes on
even when one player has more than half of the seeds. Variants differ in three rules:

grand_slam
    What happens to a move that would capture all seeds in the opponent's row: 0, it captures nothing; 1, it is not
    allowed; 2, it captures them.
must_feed
    If the opponent's row is empty, only moves that put a seed into it are legal.
split_cycle
    A game also ends when a position comes back. True: the players share the seeds on the board evenly; False: each
    keeps those in the own row.

The defaults are the Abapa rules of tournaments (joansala.com/auale/rules/en; Oware Society, "Abapa rules"):
``grand_slam`` 0, ``must_feed``, own rows kept. A tournament game stops once a player has more than half of the seeds,
which changes the margin and not the winner. J. Romein and H. Bal ("Solving Awari with Parallel Retrograde Analysis",
IEEE Computer 36(10), 2003) solved a variant in which a grand slam captures.

An action is the number of a pit; `zermelo.games.sowing` explains the numbers and the bits.
"""

from collections.abc import Iterator
from typing import Annotated

from zermelo.board import Board
from zermelo.game import MAX, Game
from zermelo.games.sowing import (
    BITS,
    MOST_PITS,
    Pictures,
    State,
    format_action,
    held,
    make_from_text,
    make_key,
    make_unpack,
    ones,
    opening,
    parse_action,
    swap,
    to_move,
    utility,
)
from zermelo.parameters import checked

NO_CAPTURE, NOT_ALLOWED, CAPTURES_ALL = range(3)
"""The values of ``grand_slam``."""


def oware(
    pits: Annotated[int, range(2, MOST_PITS + 1)] = 6,
    seeds: Annotated[int, range(1, 64)] = 4,
    grand_slam: Annotated[int, range(3)] = NO_CAPTURE,
    must_feed: bool = True,
    split_cycle: bool = False,
) -> Game:
    """Oware (awari): sow, capture twos and threes, leave the opponent something to play."""
    parameters = checked(
        oware, pits=pits, seeds=seeds, grand_slam=grand_slam, must_feed=must_feed, split_cycle=split_cycle
    )
    initial = opening(pits, seeds)
    all_seeds = 2 * pits * seeds
    around = 2 * pits - 1
    store = BITS * pits
    row = (1 << store) - 1
    pictures = Pictures(pits)

    def after(mine: int, theirs: int, action: int) -> tuple[int, int, int]:
        """Return both rows after a move, and 1 if it is a grand slam, else 0.

        A grand slam captures only if ``grand_slam`` is `CAPTURES_ALL`.
        """
        sown = held(mine, action)
        laps, rest = sown // around, sown % around
        here = min(rest, pits - 1 - action)
        there = min(rest - here, pits)
        mine += laps * (ones(pits) - (1 << BITS * action)) - (sown << BITS * action)
        mine += (ones(here) << BITS * (action + 1)) + ones(rest - here - there)
        theirs += laps * ones(pits) + ones(there)
        last = (action + rest) % (2 * pits)
        if rest == 0:
            last = (action + around) % (2 * pits)  # whole laps end just before the pit they began from
        left, captured = theirs, 0
        pit = last - pits
        while pit >= 0 and 2 <= held(left, pit) <= 3:
            captured += held(left, pit)
            left -= held(left, pit) << BITS * pit
            pit -= 1
        slam = 1 if captured and left & row == 0 else 0
        if slam and grand_slam != CAPTURES_ALL:
            return mine, theirs, slam
        return mine + (captured << store), left, slam

    def allowed(mine: int, theirs: int, action: int) -> bool:
        """Return whether the player may sow from a pit."""
        if held(mine, action) == 0:
            return False
        if must_feed and theirs & row == 0 and action + held(mine, action) < pits:
            return False
        if grand_slam == NOT_ALLOWED:
            _, _, slam = after(mine, theirs, action)
            return slam == 0
        return True

    def actions(state: State) -> Iterator[int]:
        mine, theirs = (state.south, state.north) if state.player == MAX else (state.north, state.south)
        for pit in range(pits):
            if allowed(mine, theirs, pit):
                yield pit

    def result(state: State, action: int) -> State:
        if state.player == MAX:
            south, north, _ = after(state.south, state.north, action)
        else:
            north, south, _ = after(state.north, state.south, action)
        return State(south, north, -state.player)

    def is_terminal(state: State) -> bool:
        mine, theirs = (state.south, state.north) if state.player == MAX else (state.north, state.south)
        for pit in range(pits):
            if allowed(mine, theirs, pit):
                return False
        return True

    def evaluate(state: State) -> int:
        """Return South's store less North's."""
        return held(state.south, pits) - held(state.north, pits)

    def repetition(state: State) -> int:
        """Return the value of a position that has come back."""
        return evaluate(state) if split_cycle else utility(state)

    def bounds(state: State) -> tuple[int, int]:
        """Seeds in a store stay there, so each player gets at least those."""
        return 2 * held(state.south, pits) - all_seeds, all_seeds - 2 * held(state.north, pits)

    def order(state: State, action: int) -> int:
        """Captures first, then the pits nearest to the opponent."""
        child = result(state, action)
        return 16 * state.player * (evaluate(child) - evaluate(state)) + action

    def tier(state: State) -> int:
        """Combine the seeds in both stores with those in South's.

        All positions of a tier then have the same margin, and so the same value in a cycle that is split.
        """
        stored = held(state.south, pits)
        return (stored + held(state.north, pits)) * (all_seeds + 1) + stored

    def board(state: State) -> Board:
        return pictures.board(state, actions(state))

    return Game(
        name="oware",
        parameters=parameters,
        initial=initial,
        utility_range=(-all_seeds, all_seeds),
        outcomes="margin",
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        repetition=repetition,
        cycles_agree=split_cycle,
        bounds=bounds,
        order=order,
        tier=tier,
        key=make_key(pits, all_seeds),
        pack=make_key(pits, all_seeds),
        unpack=make_unpack(pits, all_seeds),
        swap=swap,
        draw=pictures.draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=pictures.to_text,
        from_text=make_from_text(pits, all_seeds),
        board=board,
        sides=("South", "North"),
    )
