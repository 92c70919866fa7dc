"""Sequences of moves as text: on a command line, in a link, in a file of positions."""

from zermelo.errors import IllegalAction
from zermelo.game import Action, Game, State
from zermelo.notation import split_moves
from zermelo.play.match import Match


def read_moves(game: Game, text: str, state: State | None = None) -> list[Action]:
    """Return the actions that ``3,3,4`` or ``3 3 4`` means, from ``state`` or from the start.

    Raises
    ------
    IllegalAction
        One of them is not legal where it is made; the message says which one.
    """
    state, actions = game.initial if state is None else state, []
    for number, move in enumerate(split_moves(text), start=1):
        try:
            action = game.read_action(state, move)
        except IllegalAction as error:
            raise IllegalAction(f"Move {number}: {error}") from None
        actions.append(action)
        state = game.result(state, action)
    return actions


def write_moves(match: Match, count: int | None = None) -> str:
    """Return the first ``count`` moves of a match, or all of them, as text that `read_moves` reads.

    They are as people write them, or numbers, where what people write has commas or spaces.
    """
    shown = match.moves()[:count]
    if any(set(" ,") & set(move) for move in shown):
        shown = [str(action) for action in match.actions[:count]]
    return ",".join(shown)
