"""Kalah(m, n): sow seeds around the board, your own store included; the player with more seeds in store wins.

Variant: G. Irving, J. Donkers and J. Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000. ``m`` is the number of pits
in a row (``pits``), ``n`` the number of seeds in each at the start (``seeds``).

- A move sows the seeds of one pit into the next pits and the player's own store, and skips the opponent's store.
- If the last seed falls into the own store, the same player moves again.
- If the last seed falls into an own pit that was empty, that seed and the seeds in the opposite pit go to the own
  store. If the opposite pit is empty, the single seed goes to the store only with ``empty_capture``.
- The game ends when a row is empty after a move. The seeds left in the other row go to the store of its owner.

The value is South's store less North's. An action is the number of a pit; `zermelo.games.sowing` explains the numbers
and the bits.
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


def kalah(
    pits: Annotated[int, range(1, MOST_PITS + 1)] = 6,
    seeds: Annotated[int, range(1, 64)] = 4,
    empty_capture: bool = True,
) -> Game:
    """Kalah: sow into your store, move again or capture; the player with more seeds in store wins."""
    parameters = checked(kalah, pits=pits, seeds=seeds, empty_capture=empty_capture)
    initial = opening(pits, seeds)
    all_seeds = 2 * pits * seeds
    around = 2 * pits + 1
    store = BITS * pits
    row = (1 << store) - 1
    pictures = Pictures(pits)

    def actions(state: State) -> Iterator[int]:
        mine = state.south if state.player == MAX else state.north
        for pit in range(pits):
            if held(mine, pit):
                yield pit

    def result(state: State, action: int) -> State:
        mine, theirs = (state.south, state.north) if state.player == MAX else (state.north, state.south)
        sown = held(mine, action)
        mine -= sown << BITS * action
        laps, rest = sown // around, sown % around
        mine += laps * ones(pits + 1)
        theirs += laps * ones(pits)
        here = min(rest, pits - action)
        there = min(rest - here, pits)
        mine += (ones(here) << BITS * (action + 1)) + ones(rest - here - there)
        theirs += ones(there)
        last = (action + rest) % around
        if last < pits and held(mine, last) == 1:
            opposite = BITS * (pits - 1 - last)
            captured = held(theirs, pits - 1 - last)
            if empty_capture or captured:
                theirs -= captured << opposite
                mine += (captured + 1 << store) - (1 << BITS * last)
        player = state.player if last == pits else -state.player
        if state.player == MAX:
            return State(mine, theirs, player)
        return State(theirs, mine, player)

    def is_terminal(state: State) -> bool:
        return state.south & row == 0 or state.north & row == 0

    def evaluate(state: State) -> int:
        """Return South's store less North's."""
        return held(state.south, pits) - held(state.north, pits)

    def bounds(state: State) -> tuple[int, int]:
        """Seeds in a store stay there, so each player gets at least those."""
        return 2 * held(state.south, pits) - all_seeds, all_seeds - 2 * held(state.north, pits)

    def order(state: State, action: int) -> int:
        """Moves that store most first, where another turn counts as two seeds; then the pits nearest to the store."""
        child = result(state, action)
        gain = state.player * (evaluate(child) - evaluate(state))
        return 16 * (gain + (2 if child.player == state.player else 0)) + action

    def tier(state: State) -> int:
        """Count the seeds in the stores, which never decreases."""
        return held(state.south, pits) + held(state.north, pits)

    def board(state: State) -> Board:
        return pictures.board(state, [] if is_terminal(state) else actions(state))

    return Game(
        name="kalah",
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
