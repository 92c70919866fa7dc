"""Checks of a game's own functions against proven values of small endings.

An *ending* is the set of all states that can follow a state. Its values are proven by every line of play.
"""

from contextlib import suppress
from statistics import StatisticsError, correlation
from typing import Final

from zermelo.check.explore import Exploration
from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.check.knowledge import windows
from zermelo.game import MAX, MIN, State

LARGEST: Final = 1_500
"""The most states of an ending."""
_ENOUGH: Final = 20
"""The fewest positions with MAX to move, and the fewest with MIN to move, by which to judge EVAL."""
AGREES: Final = 0.35
"""EVAL agrees with proven values if its correlation with them is more than this."""
_CONTRADICTS: Final = -0.35
"""EVAL contradicts proven values if its correlation is less. For zermelo's games it is between -0.25 and 1."""


class Prover:
    """Proves values of endings, and keeps them."""

    def __init__(self, inspector: Inspector) -> None:
        self.inspector = inspector
        self.values: dict[State, int] = {}
        self.agreement: dict[int, float] = {}
        """The correlation of EVAL with proven values, for each player to move; empty if EVAL was not judged."""

    def value(self, position: Position, state: State | None = None, largest: int = LARGEST) -> int | None:
        """Return the value of a state for MAX; None if its ending is too large, or has states on a loop.

        Parameters
        ----------
        position
            The position to name in findings.
        state
            The state to prove; the position's own if None.
        largest
            The most states of the ending.

        Raises
        ------
        Unanswered
            The rules failed in the ending.
        """
        state = position.state if state is None else state
        if state not in self.values:
            ending = self._ending(position, state, largest)
            if ending is None or not self._settle(position, ending):
                return None
        return self.values.get(state)

    def _ending(self, position: Position, state: State, largest: int) -> dict[State, list[State]] | None:
        """Return an ending's states that are neither terminal nor proven, each with its children; None if too many."""
        ask = self.inspector.ask
        found: dict[State, list[State]] = {}
        waiting = [position if state == position.state else Position(state, position, "?")]
        while waiting:
            one = waiting.pop()
            if one.state in found or one.state in self.values:
                continue
            if len(found) == largest:
                return None
            if ask(one, "is_terminal", one.state):
                self.values[one.state] = self._utility(one)
                continue
            moves = [(action, ask(one, "result", one.state, action)) for action in ask(one, "actions", one.state)]
            found[one.state] = [child for _, child in moves]
            waiting.extend(Position(child, one, action) for action, child in moves)
        return found

    def _utility(self, position: Position) -> int:
        """Return the utility of a terminal position, or raise `Unanswered` if it is not an int."""
        utility = self.inspector.ask(position, "utility", position.state)
        if not isinstance(utility, int):
            raise Unanswered
        return utility

    def _settle(self, position: Position, ending: dict[State, list[State]]) -> bool:
        """Compute values from the end backwards; return whether all states got one, which states on a loop do not."""
        parents: dict[State, list[State]] = {}
        open_children: dict[State, int] = {}
        for state, children in ending.items():
            unknown = {child for child in children if child not in self.values}
            open_children[state] = len(unknown)
            for child in unknown:
                parents.setdefault(child, []).append(state)
        ready = [state for state, many in open_children.items() if not many and ending[state]]
        settled = 0
        while ready:
            state = ready.pop()
            settled += 1
            values = [self.values[child] for child in ending[state]]
            mover = self.inspector.ask(position, "to_move", state)
            self.values[state] = max(values) if mover == MAX else min(values)
            for parent in parents.get(state, ()):
                open_children[parent] -= 1
                if not open_children[parent]:
                    ready.append(parent)
        return settled == len(ending)


def prove_endings(prover: Prover, seen: Exploration, until: float) -> list[Position]:
    """Prove endings of random games until a time of the clock; return the proven positions that are not terminal.

    It follows each game back from its end until an ending is too large. It takes by turns one of the longest games and
    the next of all games, since on a board that fills up only long games have small endings.
    """
    proven: dict[int, Position] = {}
    lines = [playout.positions for playout in seen.playouts if playout.ending == "end"]
    longest = sorted(lines, key=len, reverse=True)
    for line in (line for pair in zip(longest, lines, strict=True) for line in pair):
        for position in line[-2::-1]:
            if prover.inspector.clock.now() > until:
                return list(proven.values())
            value = None
            with suppress(Unanswered):
                value = prover.value(position)
            if value is None:
                break
            proven[id(position)] = position
    return list(proven.values())


def check_values(prover: Prover, proven: list[Position], until: float) -> None:
    """Check what a game tells of its states against proven values, until a time of the clock."""
    for position in proven:
        if prover.inspector.clock.now() > until:
            return
        for check in (_check_bounds, _check_window_bounds, _check_sufficient, _check_symmetric, _check_swapped):
            with suppress(Unanswered):
                check(prover, position, prover.values[position.state])


def _check_bounds(prover: Prover, position: Position, value: int) -> None:
    """Check that the proven value lies within BOUNDS."""
    if prover.inspector.game.bounds is None:
        return
    low, high = prover.inspector.ask(position, "bounds", position.state)
    if not low <= value <= high:
        sentence = f"bounds gives ({low}, {high}), and the value here is {value}."
        advice = "Let bounds give only what is proven, from MAX's point of view; when in doubt utility_range."
        prover.inspector.find("bounds", position, sentence, advice)


def _check_window_bounds(prover: Prover, position: Position, value: int) -> None:
    """Check that the proven value lies within WINDOW-BOUNDS, whatever the window."""
    game = prover.inspector.game
    if game.window_bounds is None:
        return
    for alpha in windows(game):
        low, high = prover.inspector.ask(position, "window_bounds", position.state, alpha)
        if not low <= value <= high:
            sentence = f"window_bounds gives ({low}, {high}) for alpha {alpha}, and the value here is {value}."
            advice = "Let window_bounds give only what is proven, from MAX's point of view, alpha included."
            prover.inspector.find("window_bounds", position, sentence, advice)
            return


def _check_sufficient(prover: Prover, position: Position, value: int) -> None:
    """Check that a sufficient action keeps the proven value."""
    game, ask = prover.inspector.game, prover.inspector.ask
    if game.sufficient_actions is None:
        return
    some = ask(position, "sufficient_actions", position.state)
    values = [prover.value(position, ask(position, "result", position.state, action)) for action in some]
    if values and value not in values and None not in values:
        best = [a for a, c in zip(position.legal, position.children, strict=False) if prover.values[c.state] == value]
        sentence = f"The value here is {value}, by {best}; sufficient_actions yields only {some}."
        advice = "Let sufficient_actions leave out an action only where another one is proven to be as good."
        prover.inspector.find("sufficient_actions", position, sentence, advice)


def _check_symmetric(prover: Prover, position: Position, value: int) -> None:
    """Check that symmetric states have the proven value, too."""
    if prover.inspector.game.symmetries is None:
        return
    for other in prover.inspector.ask(position, "symmetries", position.state)[:8]:
        its = prover.value(position, other)
        if its is not None and its != value:
            sentence = f"The value here is {value}; symmetries yields {other!r}, whose value is {its}."
            advice = "Let symmetries yield only states that play exactly alike; turn or mirror every field."
            prover.inspector.find("symmetries", position, sentence, advice)


def _check_swapped(prover: Prover, position: Position, value: int) -> None:
    """Check that SWAP negates the proven value."""
    if prover.inspector.game.swap is None:
        return
    other = prover.inspector.ask(position, "swap", position.state)
    its = prover.value(position, other)
    if its is not None and its != -value:
        sentence = f"The value here is {value}; with colours exchanged, {other!r}, it is {its}."
        advice = "Let swap exchange the players and all that is theirs, so that every value is negated."
        prover.inspector.find("swap", position, sentence, advice)


def check_view(prover: Prover, proven: list[Position]) -> None:
    """Check that EVAL is from MAX's point of view: it must not contradict proven values, whoever is to move."""
    game, ask = prover.inspector.game, prover.inspector.ask
    if game.evaluate is None:
        return
    agreement = {}
    for player in (MAX, MIN):
        mine = [position for position in proven if ask(position, "to_move", position.state) == player]
        values = [prover.values[position.state] for position in mine]
        signs = [(value > 0) - (value < 0) for value in values] if game.outcomes == "wdl" else values
        estimates = [ask(position, "evaluate", position.state) for position in mine]
        if len(mine) < _ENOUGH:
            return
        try:
            agreement[player] = correlation(estimates, signs)
        except StatisticsError:  # all items are equal, so there is no correlation
            return
    prover.agreement = agreement
    advice = "EVAL must be from MAX's point of view: large where MAX stands well, whoever is to move."
    said = f"EVAL agrees with proven values by {agreement[MAX]:+.2f} with MAX to move, {agreement[MIN]:+.2f} with MIN"
    first = min(proven, key=lambda position: position.ply)
    if max(agreement.values()) > AGREES and min(agreement.values()) < _CONTRADICTS:
        sentence = f"{said}, on a scale from -1 to 1: it seems to be from the mover's point of view."
        prover.inspector.find("evaluate view", first, sentence, advice)
    elif max(agreement.values()) < _CONTRADICTS:
        sentence = f"{said}, on a scale from -1 to 1: it seems to be from MIN's point of view."
        prover.inspector.find("evaluate view", first, sentence, advice, "warning")
