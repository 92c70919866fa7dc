"""Finding positions of a game, breadth first and by random play, with the actions that lead to each."""

import random
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Final

from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.game import State

MOST: Final = 150_000
"""The most positions to keep, which take about a hundred megabytes; random play may double their number."""
LEAST: Final = 50
"""The fewest positions to expand, however little time there is."""
LONGEST: Final = 3_000
"""Plies after which a random game counts as one that never ends."""
PLAYOUTS: Final = 2_000
"""The most random games."""


@dataclass
class Playout:
    """One random game."""

    positions: list[Position]
    """The positions, from the start to the last one."""
    ending: str
    """How the game ended: ``end``, ``repetition``, ``too long``, or ``cut`` if the time was up or the rules failed."""


@dataclass
class Exploration:
    """The positions and random games that an audit has seen."""

    positions: dict[State, Position] = field(default_factory=dict)
    complete: bool = False
    """Whether every reachable state is among the positions and was expanded."""
    playouts: list[Playout] = field(default_factory=list)
    """The random games."""


class Explorer:
    """Finds positions of a game; it expands each position once.

    Raises
    ------
    Unanswered
        The initial state cannot be hashed, so nothing can be explored.
    """

    def __init__(self, inspector: Inspector, seed: int) -> None:
        self.inspector = inspector
        self.found = Exploration()
        self._random = random.Random(seed)
        self.root = Position(inspector.game.initial)
        self._keep(self.root)

    def breadth_first(self, until: float) -> None:
        """Expand positions, the nearest to the start first, until a time of the clock or until there are `MOST`."""
        waiting = deque([self.root])
        whole, clock, expanded = True, self.inspector.clock, 0
        while waiting and (clock.now() < until or expanded < LEAST) and len(self.found.positions) < MOST:
            position = waiting.popleft()
            expanded += 1
            try:
                self.expand(position)
            except Unanswered:
                whole = False
                continue
            waiting.extend(child for child in position.children if child.parent is position and child.terminal is None)
        self.found.complete = whole and not waiting

    def play_randomly(self, until: float) -> None:
        """Play random games from the start, until a time of the clock or until there are `PLAYOUTS`."""
        self.found.playouts.append(self._playout(inf))  # the first game goes to its end, however long that takes
        while (
            self.inspector.clock.now() < until
            and len(self.found.playouts) < PLAYOUTS
            and len(self.found.positions) < 2 * MOST
        ):
            if self.root.terminal is None:  # the rules fail at the start, and would fail in every game
                return
            self.found.playouts.append(self._playout(until))

    def _playout(self, until: float) -> Playout:
        """Play a random game, until a time of the clock at the latest, and return it."""
        position, game = self.root, self.inspector.game
        line, met = [position], {game.position_of(position.state)}
        with suppress(Unanswered):
            while len(line) < LONGEST and self.inspector.clock.now() < until:
                self.expand(position)
                if position.terminal:
                    return Playout(line, "end")
                if not position.children:
                    return Playout(line, "cut")
                position = self._random.choice(position.children)
                line.append(position)
                if game.position_of(position.state) in met:
                    return Playout(line, "repetition")
                met.add(game.position_of(position.state))
            return Playout(line, "too long" if len(line) >= LONGEST else "cut")
        return Playout(line, "cut")

    def expand(self, position: Position) -> None:
        """Expand a position: find out whether the game is over there, and find its actions and children.

        Raises
        ------
        Unanswered
            A function of the game failed.
        """
        if position.terminal is not None:
            return
        ask = self.inspector.ask
        terminal = bool(ask(position, "is_terminal", position.state))
        legal = [] if terminal else ask(position, "actions", position.state)
        results = ((action, ask(position, "result", position.state, action)) for action in legal)
        position.children = [self._keep(Position(state, position, action)) for action, state in results]
        position.terminal, position.legal = terminal, legal

    def _keep(self, position: Position) -> Position:
        """Return the known position of the same state; if there is none, keep this position and return it.

        Raises
        ------
        Unanswered
            The state cannot be hashed.
        """
        try:
            return self.found.positions.setdefault(position.state, position)
        except Exception as error:
            sentence = f"The state is a {type(position.state).__name__}, which cannot be hashed: {error}."
            advice = "Make the state a NamedTuple of ints and tuples; lists, dicts and sets cannot be kept in a table."
            self.inspector.find("unhashable", position, sentence, advice)
            raise Unanswered from None
