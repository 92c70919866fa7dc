"""Oware: sow seeds around the board, capture twos and threes on the opponent's side.

Sowing skips the pit it began from. If the last seed makes two or three in an opponent's pit, these are captured,
and so are twos and threes in an unbroken row before it. The value is South's seeds less North's at the end.
Seeds are played to the end, even when one side has more than half of them. The variants differ in three points:

grand_slam
    A move that would capture everything the opponent has: 0, it captures nothing; 1, it is not allowed;
    2, it captures everything.
must_feed
    A player whose opponent has no seeds left to play must give some, if any move does.
split_cycle
    When a position comes back the game is over, and its seeds are split evenly; else each keeps those of the own row.

Who cannot move ends the game: each player keeps the seeds of the own row.

The default is Abapa as tournaments play it (joansala.com/auale/rules/en; Oware Society, "Abapa rules"): 0, feeding,
own rows kept; the tournament game stops once somebody has more than half, which changes the margin and not the
winner. J. Romein and H. Bal ("Solving Awari with Parallel Retrograde Analysis", IEEE Computer 36(10), 2003)
solved a variant in which a grand slam captures. An action is the number of a pit; see `zermelo.games.sowing` for
the numbers and the bits.
"""

from collections.abc import Iterator
from typing import Annotated

from zermelo.board import Board
from zermelo.game import MAX, Game, checked
from zermelo.games.sowing import (
    BITS,
    MOST_PITS,
    Pictures,
    State,
    format_action,
    held,
    namer,
    ones,
    opening,
    parse_action,
    reader,
    swap,
    to_move,
    unnamer,
    utility,
)

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
        """Both rows after a move, and 1 if its captures are a grand slam, which is not carried out unless it may be."""
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
        """Whether the pit with that number may be played."""
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
        """The difference of the stores."""
        return held(state.south, pits) - held(state.north, pits)

    def repetition(state: State) -> int:
        """What a position is worth that has come back."""
        return evaluate(state) if split_cycle else utility(state)

    def bounds(state: State) -> tuple[int, int]:
        """What is in a store stays there."""
        return 2 * held(state.south, pits) - all_seeds, all_seeds - 2 * held(state.north, pits)

    def order(state: State, action: int) -> int:
        """Captures, then the pits nearest to the opponent."""
        child = result(state, action)
        return 16 * state.player * (evaluate(child) - evaluate(state)) + action

    def tier(state: State) -> int:
        """The seeds in the stores, and which are whose: within a tier, a split cycle is worth the same everywhere."""
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
        key=namer(pits, all_seeds),
        pack=namer(pits, all_seeds),
        unpack=unnamer(pits, all_seeds),
        swap=swap,
        draw=pictures.draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=pictures.to_text,
        from_text=reader(pits, all_seeds),
        board=board,
    )
