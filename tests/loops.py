"""Random games with loops: a graph of places drawn from a seed; what play that comes back is worth depends on the game.

A state carries its seed, so that one compiled game stands for all graphs. A player may move several times in a row.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fuzz import mix
from zermelo.game import MAX, MIN, Game

PLACES = 20
FIFTH = 4
FEW = 9
THIRD = 3
MIRRORED = 6
LIMIT = 4


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


def tiered_result(state: Place, action: int) -> Place:
    """The same, but never to an earlier fifth of the places."""
    start = tier(state) * FIFTH
    return Place(state.seed, start + noise(state, 4 + action) % (PLACES - start))


def tier(state: Place) -> int:
    return state.place // FIFTH


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


def endless_game(seed: int, worth: int) -> Game:
    """The random game of a seed in which repetition has this value."""
    return replace(loop_game(seed), name="endless", endless_value=worth)


def repetition(state: Place) -> int:
    """Give each place a value of its own, so that it matters which place of a cycle is reached again first."""
    return noise(state, 30) % 5 - 2


def history_result(state: Place, action: int) -> Place:
    return Place(state.seed, noise(state, 4 + action) % FEW)


def third(state: Place) -> int:
    return state.place // THIRD


def history_tiered_result(state: Place, action: int) -> Place:
    """The same, but never to an earlier third of the places."""
    start = third(state) * THIRD
    return Place(state.seed, start + noise(state, 4 + action) % (FEW - start))


def history_game(seed: int) -> Game:
    """A random game of few places in which values depend on the moves before."""
    return replace(loop_game(seed), name="history", result=history_result, repetition=repetition)


def history_tiered_game(seed: int) -> Game:
    """The same with tiers, which say where the moves before no longer matter."""
    return replace(history_game(seed), name="history tiered", result=history_tiered_result, tier=third)


def short_tiered_game(seed: int) -> Game:
    """A random game of few places, with tiers, in which every repetition is a draw."""
    return replace(history_tiered_game(seed), name="short tiered", repetition="draw")


class Mirrored(NamedTuple):
    seed: int
    place: int
    side: int


def mirrored_result(state: Mirrored, action: int) -> Mirrored:
    turned = noise(state, 40 + action) & 1
    return Mirrored(state.seed, noise(state, 4 + action) % MIRRORED, state.side ^ turned)


def mirror_images(state: Mirrored) -> Iterator[Mirrored]:
    yield Mirrored(state.seed, state.place, 1 - state.side)


def mirrored_key(state: Mirrored) -> int:
    return 2 * key(state) + state.side


def mirrored_game(seed: int) -> Game:
    """A random game of few places, each with two symmetric sides, in which every repetition is a draw."""
    return replace(
        history_game(seed),
        name="mirrored",
        repetition="draw",
        initial=Mirrored(seed, 0, 0),
        result=mirrored_result,
        key=mirrored_key,
        symmetries=mirror_images,
    )


class Counted(NamedTuple):
    seed: int
    place: int
    counter: int
    """Moves since the tier last rose."""


def counted_result(state: Counted, action: int) -> Counted:
    after = tiered_result(Place(state.seed, state.place), action)
    return Counted(state.seed, after.place, 0 if tier(after) > tier(state) else state.counter + 1)


def is_over_limit(state: Counted) -> bool:
    return state.counter >= LIMIT


def counted_is_terminal(state: Counted) -> bool:
    return is_over_limit(state) or is_terminal(state)


def counted_utility(state: Counted) -> int:
    return utility(state) if is_terminal(state) else 0


def uncounted(state: Counted) -> Counted:
    return Counted(state.seed, state.place, 0)


def counted_game(seed: int) -> Game:
    """A random game with tiers that is a draw after some moves within a tier, or when a place is reached again."""
    return replace(
        tiered_game(seed),
        name="counted",
        initial=Counted(seed, 0, 0),
        result=counted_result,
        is_terminal=counted_is_terminal,
        utility=counted_utility,
        is_stopped=is_over_limit,
        position=uncounted,
        key=None,
    )


def tiered_game(seed: int) -> Game:
    """The random game of a seed whose loops do not leave a tier."""
    return replace(loop_game(seed), name="tiered", result=tiered_result, tier=tier)
