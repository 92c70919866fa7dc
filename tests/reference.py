"""Slow and obvious twins of the clever things: what every search and solver must agree with.

Nothing here has a table, a window or an order of its own.
"""

from collections.abc import Callable, Iterator

from zermelo.game import MAX, Action, Game, State


def minimax_value(game: Game, state: State) -> int:
    """The value of a state by the definition alone."""
    if game.is_terminal(state):
        return game.utility(state)
    values = [minimax_value(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def solve(game: Game, start: State) -> dict[State, int]:
    """The value of every state that can be reached from ``start``, in a game without loops."""
    values: dict[State, int] = {}

    def value(state: State) -> int:
        if state not in values:
            if game.is_terminal(state):
                values[state] = game.utility(state)
            else:
                below = [value(game.result(state, action)) for action in game.actions(state)]
                values[state] = max(below) if game.to_move(state) == MAX else min(below)
        return values[state]

    value(start)
    return values


def best_actions(game: Game, state: State, values: dict[State, int]) -> list[Action]:
    """Every action that keeps the value of a state, in the handout's order."""
    return [action for action in game.actions(state) if values[game.result(state, action)] == values[state]]


def cut_off_value(game: Game, state: State, is_cutoff: Callable[[State, int], bool], depth: int = 0) -> int:
    """The value of a state where IS-CUTOFF stops the search and EVAL rates; depth counts up."""
    if game.is_terminal(state):
        return game.utility(state)
    if is_cutoff(state, depth):
        assert game.evaluate is not None
        return game.evaluate(state)
    values = [cut_off_value(game, game.result(state, a), is_cutoff, depth + 1) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def narrow_value(game: Game, state: State, depth: int, width: int) -> int:
    """The value of a state looking at the ``width`` moves of each position that EVAL or UTILITY likes best."""
    assert game.evaluate is not None

    def rating(state: State) -> int:
        return game.utility(state) if game.is_terminal(state) else game.evaluate(state)  # type: ignore[misc]

    if game.is_terminal(state) or depth == 0:
        return rating(state)
    player = game.to_move(state)
    children = [game.result(state, action) for action in game.actions(state)]
    children = sorted(children, key=lambda child: -player * rating(child))[:width]
    values = [narrow_value(game, child, depth - 1, width) for child in children]
    return max(values) if player == MAX else min(values)


def reachable(game: Game, start: State) -> set[State]:
    """Every state that play can come to."""
    found, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                if child not in found:
                    found.add(child)
                    waiting.append(child)
    return found


def lines(game: Game, state: State) -> Iterator[list[Action]]:
    """Every game that can be played from a state, as actions."""
    if game.is_terminal(state):
        yield []
        return
    for action in game.actions(state):
        for rest in lines(game, game.result(state, action)):
            yield [action, *rest]


def line_winner(text: str, run: int) -> str | None:
    """Which of X and O has a line: look along every line of a picture, cell by cell."""
    lines = text.split("|")
    height, width = len(lines), len(lines[0])
    for piece in "XO":
        for row in range(height):
            for column in range(width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + i * down, column + i * right) for i in range(run)]
                    if all(0 <= r < height and 0 <= c < width and lines[r][c] == piece for r, c in cells):
                        return piece
    return None
