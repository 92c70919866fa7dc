"""Actions as text: what people type, read among the legal actions of a state."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from zermelo.errors import IllegalAction

if TYPE_CHECKING:
    from zermelo.game import Action, Game, State

MOST_NAMED: Final = 40
"""The most legal actions that a message names."""


def read_action(game: "Game", state: "State", text: str) -> "Action":
    """The legal action that ``text`` means; see `Game.read_action`."""
    text = text.strip()
    legal = game.legal_actions(state)
    if (certain := _written_so(game, state, text, legal)) is not None:
        return certain
    shown = [game.show_action(state, action) for action in legal]
    found = [action for action, name in zip(legal, shown, strict=True) if name == text]
    found = found or _parsed(game, state, text, legal)
    if not found and not _has_numbers_of_its_own(legal, shown):
        found = [action for action in legal if str(action) == text]
    if len(found) > 1:
        means = " or ".join(repr(action) for action in found)
        raise IllegalAction(f"{text!r} may mean {means} here; give the action itself.")
    if not found:
        raise IllegalAction(f"{text!r} is not a legal action here; {named(game, state, legal)}.")
    return found[0]


def named(game: "Game", state: "State", legal: "Sequence[Action]") -> str:
    """The legal actions, or the first of them if they are many, as the end of a sentence."""
    if not legal:
        return "the game is over"
    shown = [game.show_action(state, action) for action in legal[:MOST_NAMED]]
    more = f" and {len(legal) - MOST_NAMED} more" if len(legal) > MOST_NAMED else ""
    return f"legal are {', '.join(shown)}{more}"


def split_moves(moves: "Iterable[Action | str] | str") -> "list[Action | str]":
    """Moves one by one; in a text commas or spaces separate them."""
    return list(moves.replace(",", " ").split() if isinstance(moves, str) else moves)


def _written_so(game: "Game", state: "State", text: str, legal: "Sequence[Action]") -> "Action | None":
    """The legal action that ``parse_action`` reads from a text, if it is written just so: then no other names matter.

    Writing down all moves of a position of chess takes six times as long as reading one. The auditor finds actions that
    are written alike.
    """
    if game.parse_action is None:
        return None
    try:
        action = game.parse_action(state, text)
    except Exception:  # a mistake of the game's; it matters only if no action is written like this
        return None
    return action if action in legal and game.show_action(state, action) == text else None


def _parsed(game: "Game", state: "State", text: str, legal: "Sequence[Action]") -> "list[Action]":
    """The legal action that ``parse_action`` reads from a text, if any."""
    if game.parse_action is None:
        return []
    try:
        action = game.parse_action(state, text)
    except ValueError as error:
        if str(error).startswith(f"{text!r} may mean "):
            raise IllegalAction(f"{error}.") from None
        return []
    return [action] if action in legal else []


def _has_numbers_of_its_own(legal: Sequence[Any], shown: Sequence[str]) -> bool:
    """Whether an action is written as a whole number that is not the action."""
    return any(
        name != str(action) and name.removeprefix("-").isdecimal() for action, name in zip(legal, shown, strict=True)
    )
