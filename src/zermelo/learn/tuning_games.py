"""Games that the engine plays against itself or against another version of itself, to tune an EVAL."""

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from zermelo.engine import Engine
from zermelo.game import MAX, Game, State
from zermelo.result import SearchResult
from zermelo.weights import Weights

OPENING: Final = (2, 8)
"""The least and the most random plies of an opening."""
PLIES: Final = 400
"""A longer game is a draw."""
TABLE_MB: Final = 2
"""Memory of an engine's tables; it is emptied before each game, so that a game depends on its seed alone."""
_TRIED: Final = 50
"""An opening is looked for so many times."""


class Tuned(NamedTuple):
    """A player with certain weights."""

    engine: Engine
    """Of the weighed game (`zermelo.learn.weighing`)."""
    weights: Weights
    nodes: int
    """The nodes of each search."""

    def search(self, state: State, path: Sequence[State]) -> SearchResult:
        """Search a state, which came after the states of ``path``."""
        before = [(earlier, self.weights) for earlier in path]
        return self.engine.search((state, self.weights), nodes=self.nodes, before=before)


class Position(NamedTuple):
    """A position of a game."""

    state: State
    score: int
    """What the search thought of it, for MAX."""
    result: float
    """What became of it: 1 if MAX won, 0.5 for a draw, 0 if MIN won; in games of margins a number between these."""


def opening(game: Game, chooser: random.Random) -> State:
    """Return a position after a few random plies in which the game is not over."""
    most = OPENING[1]
    for _ in range(_TRIED):
        state: State = game.initial
        for _ in range(chooser.randint(min(most, OPENING[0]), most)):
            if game.is_terminal(state):
                break
            state = game.result(state, chooser.choice(game.legal_actions(state)))
        if not game.is_terminal(state):
            return state
        most = max(1, most - 1)
    return game.initial


def positions_of(game: Game, player: Tuned, seed: str, most: float) -> list[Position]:
    """Play a game, and return the positions in which EVAL is to be trusted.

    They are not proven, the player to move faces no threat (`Game.urgent`), and the search chose no action after which
    EVAL cannot be trusted yet (`Game.noisy_actions`).

    Parameters
    ----------
    game
        The game itself, in which weights are no part of a state.
    player
        Plays both sides.
    seed
        Of the opening.
    most
        The utility that counts as a whole win; wins that are worth more do not count more.
    """
    told: list[tuple[State, int]] = []
    player.engine.clear()
    state, path = opening(game, random.Random(seed)), list[State]()
    while (value := ended(game, state, path)) is None:
        found = player.search(state, path)
        if not found.proven and is_quiet(game, state, found.action):
            told.append((state, int(found.value)))
        path.append(state)
        state = game.result(state, found.action)
    result = 0.5 + max(-1.0, min(1.0, value / most)) / 2
    return [Position(state, score, result) for state, score in told]


def is_quiet(game: Game, state: State, action: int) -> bool:
    """Return whether EVAL of a state, in which an action is best, is to be trusted."""
    if game.urgent is not None and game.urgent(state):
        return False
    return game.noisy_actions is None or action not in set(game.noisy_actions(state))


def ended(game: Game, state: State, path: list[State]) -> int | None:
    """Return the value for MAX if the game is over; None if it goes on."""
    if game.is_terminal(state):
        return game.utility(state)
    if game.repetition is not None:
        position = game.position_of(state)
        if any(game.position_of(earlier) == position for earlier in path):
            return game.repetition(state) if callable(game.repetition) else game.endless_value
    return 0 if len(path) >= PLIES else None


def points(game: Game, one: Tuned, other: Tuned, seed: str) -> Iterator[float]:
    """Play two games from one opening, with sides exchanged; yield the first player's points: 1, 0.5 or 0."""
    for side in (MAX, -MAX):
        one.engine.clear()
        other.engine.clear()
        state, path = opening(game, random.Random(seed)), list[State]()
        while (value := ended(game, state, path)) is None:
            mover = one if game.to_move(state) == side else other
            action = mover.search(state, path).action
            path.append(state)
            state = game.result(state, action)
        yield 0.5 + ((side * value > 0) - (side * value < 0)) / 2
