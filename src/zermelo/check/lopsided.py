"""Statistics that look like a mistake: a player who never moves, never wins, or loses after every last move.

No single position is wrong in such a game, and the game may be meant that way, so most findings are notes.
"""

from collections.abc import Mapping
from itertools import islice
from typing import Final

from zermelo.check.explore import Exploration
from zermelo.check.inspector import Inspector, Position
from zermelo.check.values import AGREES
from zermelo.game import MAX, MIN

ENOUGH: Final = 40
"""The fewest positions, ends or random games from which to conclude anything."""
_MOST: Final = 4_000
"""The most positions to look at."""
_NAMES: Final = {MAX: "MAX", MIN: "MIN"}


def check_turns(inspector: Inspector, seen: Exploration) -> None:
    """Check that each player is to move in some position."""
    on_turn = [p for p in islice(seen.positions.values(), _MOST) if p.terminal is False]
    movers = {inspector.ask(position, "to_move", position.state) for position in on_turn}
    if len(on_turn) < ENOUGH and not any(position.ply > 1 for position in on_turn):
        return
    for player in (MAX, MIN):
        if player not in movers and -player in movers:
            sentence = f"{_NAMES[player]} is never to move, in none of {len(on_turn):,} positions."
            advice = "Let result hand the turn to the other player, and let to_move read it off the state."
            inspector.find("turn", on_turn[-1], sentence, advice, "warning")


def check_winners(inspector: Inspector, seen: Exploration) -> None:
    """Check that not all terminal states have the same utility, and that both players can win."""
    ends = list(islice((p for p in seen.positions.values() if p.terminal), _MOST))
    values = [inspector.ask(position, "utility", position.state) for position in ends]
    if len(ends) < ENOUGH:
        return
    if len(set(values)) == 1:
        parents = [position.parent for position in ends if position.parent is not None]
        both = len({inspector.ask(parent, "to_move", parent.state) for parent in parents}) == 2
        sentence = f"The utility is {values[0]} in each of {len(ends):,} ends, " + (
            "whoever made the last move." if both else "and the same player always made the last move."
        )
        advice = "If both can win, utility is wrong somewhere: it is for MAX, whoever is to move."
        inspector.find("utility alike", None, sentence, advice, "warning" if both else "note")
        return
    for player in (MAX, MIN):
        won, lost = (sum(value * side > 0 for value in values) for side in (player, -player))
        if not won and lost:
            sentence = f"{_NAMES[player]} wins in none of {len(ends):,} ends, {_NAMES[-player]} in {lost:,}."
            advice = "If both can win, utility is wrong somewhere: it is for MAX, whoever is to move."
            inspector.find("one winner", None, sentence, advice, "note")


def check_last_mover(inspector: Inspector, seen: Exploration, agreement: Mapping[int, float]) -> None:
    """Check that the player who made the last move does not always lose; if so, a sign may be wrong.

    ``agreement`` is `values.Prover.agreement`. If it shows that EVAL agrees with proven values, the signs are right,
    and there is nothing to check.
    """
    if agreement and min(agreement.values()) > AGREES:
        return
    decided = []
    for playout in seen.playouts:
        if playout.ending == "end" and len(playout.positions) > 1:
            before, end = playout.positions[-2:]
            value = inspector.ask(end, "utility", end.state)
            if value:
                decided.append((end, inspector.ask(before, "to_move", before.state) * value > 0))
    if len(decided) >= ENOUGH and not any(won for _, won in decided):
        sentence = f"Whoever made the last move lost, in each of {len(decided):,} random games that somebody won."
        advice = "That is so in misere games; in all others utility or to_move has the wrong sign."
        inspector.find("last mover", min((end for end, _ in decided), key=_ply), sentence, advice, "note")


def check_over(inspector: Inspector, seen: Exploration) -> None:
    """Check that nobody loses who still has actions, in a game where a player without actions loses."""
    stuck, others = 0, []
    for position in islice((p for p in seen.positions.values() if p.terminal), _MOST):
        lost = inspector.ask(position, "utility", position.state) * inspector.ask(position, "to_move", position.state)
        actions = inspector.peek("actions", position.state)  # actions need not answer where the game is over
        if not actions and lost >= 0:  # in this game, a player without actions does not lose
            return
        stuck += not actions
        if actions and lost < 0:
            others.append(position)
    if others and stuck >= ENOUGH // 4 and stuck >= len(others) // 10:
        shown = min(others, key=_ply)
        sentence = (
            f"The player to move has lost and has actions, as in {len(others):,} ends; in {stuck:,} others he has lost "
            "and has none."
        )
        advice = "If only having no action ends the game, is_terminal is wrong here; else all is well."
        inspector.find("over with actions", shown, sentence, advice, "note")


def _ply(position: Position) -> int:
    return position.ply


CHECKS: Final = (check_turns, check_winners, check_over)
