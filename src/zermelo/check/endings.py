"""Checks of whether play ends: positions that come back, random games that do not end, and the size of wins."""

from itertools import islice
from typing import Final

from zermelo.check.explore import LONGEST, Exploration
from zermelo.check.inspector import Inspector, Position
from zermelo.game import State

_LOOKED_AT: Final = 40_000
"""The number of positions, in the order in which they were found, among which to look for loops."""
_GAMES: Final = 40
"""The fewest random games from which to conclude that no position comes back."""


def check_ends(inspector: Inspector, seen: Exploration) -> None:
    """Check that a game declares ``repetition`` if its positions can come back, and only then."""
    game = inspector.game
    low, high = game.utility_range
    if not low <= game.endless_value <= high:
        sentence = f"endless_value is {game.endless_value}, outside of utility_range ({low}, {high})."
        inspector.find("endless_value", None, sentence, "Choose a value within the range.")
    come_back = [playout.positions[-1] for playout in seen.playouts if playout.ending == "repetition"]
    come_back += looping(seen)[:1]
    if game.repetition is not None:
        if not come_back:
            _needless(inspector, seen)
        _check_cycles(inspector, seen)
        return
    if come_back:
        shortest = min(come_back, key=lambda position: position.ply)
        sentence = "This position can come back, so the game may never end, and repetition is not declared."
        advice = 'Give the game repetition="draw" or a function of the state, or let every move change it for good.'
        inspector.find("repetition", shortest, sentence, advice)
        return
    endless = next((playout for playout in seen.playouts if playout.ending == "too long"), None)
    if endless is not None:
        sentence = f"A random game went on for {LONGEST:,} plies without a position that came back."
        advice = "Let the state hold only what decides how the game can go on, or let the rules end it."
        inspector.find("too long", endless.positions[0], sentence, advice, "warning")


def _needless(inspector: Inspector, seen: Exploration) -> None:
    """Report a game that declares ``repetition`` although no position seems to come back."""
    advice = "Leave repetition out where no position can come back: proofs then need a fraction of the nodes."
    ended = sum(playout.ending == "end" for playout in seen.playouts)
    if seen.complete and len(seen.positions) <= _LOOKED_AT:
        sentence = f"repetition is given, and none of the {len(seen.positions):,} positions can come back."
        inspector.find("needless repetition", None, sentence, advice, "warning")
    elif ended >= _GAMES:
        sentence = f"repetition is given, and no position came back in {ended:,} random games."
        inspector.find("needless repetition", None, sentence, advice, "note")


def _check_cycles(inspector: Inspector, seen: Exploration) -> None:
    """Check that a game that promises ``cycles_agree`` has one value of repetition on each cycle."""
    game = inspector.game
    if not game.cycles_agree or not callable(game.repetition):
        return
    for playout in seen.playouts:
        if playout.ending == "repetition":
            last = playout.positions[-1]
            first = next(number for number, each in enumerate(playout.positions) if each.state == last.state)
            worths = {game.repetition(each.state) for each in playout.positions[first:]}
            if len(worths) > 1:
                sentence = f"cycles_agree is promised, but on one cycle repetition is {min(worths)} and {max(worths)}."
                inspector.find("cycles_agree", last, sentence, "Leave cycles_agree out.")
                return


def looping(seen: Exploration) -> list[Position]:
    """Return the positions that lie on a loop, or between two loops, the nearest to the start first.

    In most games there are none.
    """
    children: dict[State, set[State]] = {}
    arriving: dict[State, int] = {}
    for state, position in islice(seen.positions.items(), _LOOKED_AT):
        children[state] = {child.state for child in position.children}
        for child in children[state]:
            arriving[child] = arriving.get(child, 0) + 1
    free = [state for state in children if state not in arriving]
    while free:
        for child in children.pop(free.pop(), ()):
            arriving[child] -= 1
            if not arriving[child]:
                free.append(child)
    # The positions that are left lie on a loop or after one. Now remove those that lead to no loop.
    on_loop = _trimmed(children)
    return sorted((seen.positions[state] for state in on_loop), key=lambda position: position.ply)


def _trimmed(children: dict[State, set[State]]) -> set[State]:
    """Return the states from which play can go on for ever within ``children``."""
    parents: dict[State, list[State]] = {}
    going_on: dict[State, int] = {}
    for state, below in children.items():
        inside = [child for child in below if child in children]
        going_on[state] = len(inside)
        for child in inside:
            parents.setdefault(child, []).append(state)
    dead = [state for state, many in going_on.items() if not many]
    left = set(children)
    while dead:
        state = dead.pop()
        left.discard(state)
        for parent in parents.get(state, ()):
            going_on[parent] -= 1
            if not going_on[parent]:
                dead.append(parent)
    return left


def check_evaluations(inspector: Inspector, checked: list[Position]) -> None:
    """Check that no static evaluation is as large as the utility of a win, in a game of wins, draws and losses."""
    game = inspector.game
    if game.outcomes != "wdl" or game.evaluate is None:
        return
    wins = [(abs(game.utility(p.state)), p) for p in checked if p.terminal and game.utility(p.state)]
    if not wins:
        return
    least = min(size for size, _ in wins)
    for position in checked:
        if position.terminal is False:
            estimate = inspector.ask(position, "evaluate", position.state)
            if abs(estimate) >= least:
                sentence = f"evaluate gives {estimate}, and the utility of a win can be as small as {least}."
                advice = 'Scale EVAL down or utilities up, or declare outcomes="margin" if the number is what counts.'
                inspector.find("evaluate range", position, sentence, advice)
