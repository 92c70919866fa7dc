"""Small games, solved with the rules as they stand: quicker than to compile them."""

from typing import Final

from zermelo.game import MAX, Game, State

MOST: Final = 20_000
"""The most positions of a game that counts as small."""
Outcome = tuple[int, int]
"""A value for MAX, and the plies to the end."""


def outcomes(game: Game, start: State, most: int = MOST) -> dict[State, Outcome] | None:
    """Return the outcome of every position after ``start``; None if there are more than ``most``, or if any can return.

    At equal value, the player whom the value favours hurries and the other delays; at 0 the player to move hurries.
    """
    if game.repetition is not None:
        return None
    found, order = {start}, [start]
    for state in order:
        for child in successors(game, state):
            if child not in found:
                found.add(child)
                order.append(child)
        if len(order) > most:
            return None
    known: dict[State, Outcome] = {}
    waiting = [start]
    while waiting:
        state = waiting[-1]
        children = successors(game, state)
        open_ones = [child for child in children if child not in known]
        if open_ones:
            waiting += open_ones
            continue
        known[state] = best(game, state, [known[child] for child in children])
        waiting.pop()
    return known


def successors(game: Game, state: State) -> list[State]:
    """Return the positions after each legal action."""
    if game.is_terminal(state):
        return []
    return [game.result(state, action) for action in game.legal_actions(state)]


def best(game: Game, state: State, children: list[Outcome]) -> Outcome:
    """Return a position's outcome, given those of its successors."""
    if not children:
        return game.utility(state), 0
    player = game.to_move(state)
    value = max(children, key=lambda child: child[0] * player)[0]
    lengths = [length for other, length in children if other == value]
    hurries = value == 0 or (value > 0) == (player == MAX)
    return value, 1 + (min(lengths) if hurries else max(lengths))
