"""Random games with loops: a graph of places drawn from a seed; play that comes back is a draw.

A state carries its seed, so that one compiled game stands for all graphs. A player may move several times in a row.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fuzz import mix
from zermelo.game import MAX, MIN, Game

PLACES = 20


class Place(NamedTuple):
    seed: int
    place: int


def noise(state: Place, salt: int) -> int:
    return mix(state.seed, 0, state.place, salt)


def to_move(state: Place) -> int:
    return MAX if noise(state, 1) & 1 else MIN


def is_terminal(state: Place) -> bool:
    return state.place > 0 and noise(state, 2) % 5 == 0


def actions(state: Place) -> Iterator[int]:
    for action in range(1 + noise(state, 3) % 4):
        yield action


def result(state: Place, action: int) -> Place:
    return Place(state.seed, noise(state, 4 + action) % PLACES)


def utility(state: Place) -> int:
    return noise(state, 20) % 5 - 2


def key(state: Place) -> int:
    return state.seed * PLACES + state.place


def loop_game(seed: int) -> Game:
    """The random game with loops of a seed."""
    return Game(
        name="loops",
        parameters={"seed": seed},
        initial=Place(seed, 0),
        utility_range=(-2, 2),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        key=key,
        repetition="draw",
    )
