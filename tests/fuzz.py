"""Random games: graphs drawn from a seed, with shared positions, double moves and ties, but no loops.

A state carries its seed, so that one game stands for all graphs; its edges and values are a hash of
seed and node. Nodes lie in layers, and an edge leads to the next layer or the one after.
"""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game import MAX, MIN, Game

WIDTH = 5
LAYERS = 6
BRANCHES = 3
VALUES = 3


class Node(NamedTuple):
    seed: int
    layer: int
    place: int


def mix(seed: int, layer: int, place: int, salt: int) -> int:
    """A small hash that looks random; all intermediate values stay below 2**62."""
    word = (seed * 7919 + layer * 104729 + place * 1299709 + salt * 15485863) & 0x7FFFFFFF
    for _ in range(3):
        word = (word * 48271 + 11) & 0x7FFFFFFF
        word ^= word >> 15
    return word


def to_move(state: Node) -> int:
    return MAX if mix(state.seed, state.layer, state.place, 1) & 1 else MIN


def is_terminal(state: Node) -> bool:
    return state.layer >= LAYERS or (state.layer > 0 and mix(state.seed, state.layer, state.place, 2) % 8 == 0)


def actions(state: Node) -> Iterator[int]:
    for action in range(1 + mix(state.seed, state.layer, state.place, 3) % BRANCHES):
        yield action


def result(state: Node, action: int) -> Node:
    word = mix(state.seed, state.layer, state.place, 4 + action)
    return Node(state.seed, state.layer + 1 + word % 5 // 4, (word >> 8) % WIDTH)


def utility(state: Node) -> int:
    return 10 * (mix(state.seed, state.layer, state.place, 20) % (2 * VALUES + 1) - VALUES)


def evaluate(state: Node) -> int:
    return mix(state.seed, state.layer, state.place, 21) % 19 - 9


def fuzz_game(seed: int) -> Game:
    """The random game of a seed."""
    return Game(
        name="fuzz",
        parameters={"seed": seed},
        initial=Node(seed, 0, 0),
        utility_range=(-10 * VALUES, 10 * VALUES),
        outcomes="wdl",
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
    )
