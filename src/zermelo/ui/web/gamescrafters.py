"""Solved positions in the shape of GamesCrafters' Universal Web API: from a table, from the whole game, or proofs."""

import asyncio
from math import inf
from typing import Any, Final

from zermelo.game import MAX, Game, State
from zermelo.ui.web import schemas
from zermelo.ui.web.analysis import MoveValue
from zermelo.ui.web.desk import Desk
from zermelo.ui.web.judging import sign

UNKNOWN: Final = -100
"""GamesCrafters' number for a remoteness that is finite and unknown."""
ENDLESS: Final = -200
"""GamesCrafters' number for the remoteness of endless play."""


async def solve(desk: Desk, state: State, seconds: float) -> schemas.SolvedPosition | None:
    """Return a position and its moves with proven values, and remoteness if known; None if a proof is missing."""
    game, loop = desk.game, asyncio.get_running_loop()
    whole = await desk.outcomes(state)
    if whole is None:
        await desk.prepare()
    deadline = loop.time() + seconds

    async def proven(state: State) -> MoveValue | None:
        if game.is_terminal(state):
            return MoveValue(None, game.utility(state), 0)
        if whole is not None:
            return MoveValue(None, *whole[state])
        left = deadline - loop.time()
        answer = await desk.analyse(state, left) if left > 0 else None
        if answer is None or not answer.proven:
            return None
        has_no_end = answer.source == "table" and answer.remoteness is None
        return MoveValue(None, answer.value, ENDLESS if has_no_end else answer.remoteness)

    here = await proven(state)
    if here is None:
        return None
    player, moves = game.to_move(state), []
    for action in game.legal_actions(state):
        child = game.result(state, action)
        worth = await proven(child)
        if worth is None:
            return None
        moves.append((action, child, worth))
    return _solved(game, state, here, player, moves)


def _solved(
    game: Game, state: State, here: MoveValue, player: int, moves: list[tuple[Any, State, MoveValue]]
) -> schemas.SolvedPosition:
    counts = game.outcomes == "margin"

    def remoteness(worth: MoveValue) -> int:
        return UNKNOWN if worth.remoteness is None else worth.remoteness

    def rank(move: tuple[Any, State, MoveValue]) -> tuple[int, float]:
        gain, far = player * move[2].value, remoteness(move[2])
        return -(gain if counts else sign(gain)), inf if far < 0 else -far if gain < 0 else far

    moves = sorted(moves, key=rank)
    first: dict[int, int] = {}
    for _, _, worth in moves:
        first.setdefault(sign(worth.value), remoteness(worth))

    def behind(worth: MoveValue) -> int:
        ends = remoteness(worth), first[sign(worth.value)]
        return abs(ends[0] - ends[1]) if min(ends) >= 0 else 0

    return schemas.SolvedPosition(
        position=game.show_state(state),
        positionValue=_value(player * here.value, here.remoteness),
        remoteness=remoteness(here),
        winby=player * here.value if counts else None,
        value_of=_name(player),
        moves=[
            schemas.SolvedMove(
                move=game.show_action(state, action),
                moveValue=_value(player * worth.value, worth.remoteness),
                deltaRemoteness=behind(worth),
                position=game.show_state(child),
                positionValue=_value(game.to_move(child) * worth.value, worth.remoteness),
                remoteness=remoteness(worth),
                winby=game.to_move(child) * worth.value if counts else None,
                value_of=_name(game.to_move(child)),
            )
            for action, child, worth in moves
        ],
    )


def _name(player: int) -> schemas.Side:
    return "MAX" if player == MAX else "MIN"


def _value(gain: int, remoteness: int | None) -> schemas.Value:
    if remoteness == ENDLESS:
        return "draw"
    return "win" if gain > 0 else "lose" if gain < 0 else "tie"
