"""Checks that every game must pass at each position: of its five functions, of EVAL, and of states as plain values."""

import copy
from typing import Any

from zermelo.check.answers import item_fault
from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.game import MAX, MIN, State


def check_to_move(inspector: Inspector, position: Position) -> None:
    """Check that TO-MOVE gives MAX or MIN. Where the game is over it may give anything, but must not fail."""
    player = inspector.ask(position, "to_move", position.state)
    if not position.terminal and (player not in (MAX, MIN) or isinstance(player, float)):
        advice = "It must be MAX (+1) or MIN (-1) wherever the game is not over: a game here has two players."
        inspector.find("to_move", position, f"to_move gives {player!r}.", advice)


def check_initial(inspector: Inspector, position: Position) -> None:
    """Check that the initial state holds no object of a wrong type, such as a number of NumPy.

    Raises
    ------
    Unanswered
        It holds one.
    """
    wrong = item_fault("initial holds", position.state)
    if wrong is not None:
        inspector.find("initial", position, *wrong)
        raise Unanswered


def check_actions(inspector: Inspector, position: Position) -> None:
    """Check that a position that is not terminal has actions, that each is hashable, and that none is given twice."""
    if position.terminal is not False:
        return
    if not position.legal:
        sentence = "The game is not over here, and there are no actions."
        advice = "Let is_terminal say True here, or let actions yield a pass."
        inspector.find("no actions", position, sentence, advice)
    try:
        once = set(position.legal)
    except TypeError:
        sentence = f"An action is a {type(position.legal[0]).__name__}, which cannot be hashed."
        inspector.find("unhashable action", position, sentence, "Let actions yield ints.")
        return
    if len(once) < len(position.legal):
        twice = next(action for action in position.legal if position.legal.count(action) > 1)
        sentence = f"actions yields {twice!r} more than once."
        inspector.find("duplicate actions", position, sentence, "Let actions yield each action once.")


def check_utility(inspector: Inspector, position: Position) -> None:
    """Check that UTILITY of a terminal state is an int within ``utility_range``."""
    if not position.terminal:
        return
    utility = inspector.ask(position, "utility", position.state)
    low, high = inspector.game.utility_range
    if not isinstance(utility, int):
        sentence = f"The game is over here, and utility gives {utility!r}, which is no int."
        inspector.find("utility", position, sentence, "Let utility return an int in every terminal state.")
    elif not low <= utility <= high:
        sentence = f"utility gives {utility}, and utility_range is ({low}, {high})."
        inspector.find("utility_range", position, sentence, "Widen utility_range, or correct utility.")


def check_plies_to_end(inspector: Inspector, position: Position) -> None:
    """Check what ``plies_to_end`` says where the game is over, and one ply before."""
    game = inspector.game
    if game.plies_to_end is None or position.terminal is None:
        return
    ends = [position] if position.terminal else [child for child in position.children if game.is_terminal(child.state)]
    plies = 0 if position.terminal else 1
    for end in ends:
        utility = game.utility(end.state)
        found = inspector.ask(position, "plies_to_end", position.state, utility)
        if found not in (None, plies):
            sentence = f"plies_to_end gives {found!r} for the utility {utility}, and the game ends after {plies} plies."
            advice = "Let it return the number of plies, or None where the utility does not tell."
            inspector.find("plies_to_end", position, sentence, advice)
            return


def check_evaluate(inspector: Inspector, position: Position) -> None:
    """Check that EVAL of a state that is not terminal is an int, and in a margin game within ``utility_range``."""
    game = inspector.game
    if game.evaluate is None or position.terminal is not False:
        return
    estimate = inspector.ask(position, "evaluate", position.state)
    if not isinstance(estimate, int):
        sentence = f"evaluate gives {estimate!r}, which is no int."
        inspector.find("evaluate", position, sentence, "Let evaluate return an int; // divides without a rest.")
        return
    low, high = game.utility_range
    if game.outcomes == "margin" and not low <= estimate <= high:
        sentence = f"evaluate gives {estimate}, outside of utility_range ({low}, {high})."
        inspector.find("evaluate range", position, sentence, "Keep EVAL inside the range: scale it, or clamp it.")


def check_features(inspector: Inspector, position: Position) -> None:
    """Check that the features of a state that is not terminal are a tuple of as many ints as at the start."""
    game = inspector.game
    if game.features is None or position.terminal is not False:
        return
    found = inspector.ask(position, "features", position.state)
    if not isinstance(found, tuple) or not all(isinstance(one, int) for one in found):
        sentence = f"features gives {found!r}, which is no tuple of ints."
        inspector.find("features", position, sentence, "Let features return a tuple of small ints.")
    elif inspector.ask(position, "features", position.state) != found:
        _differs(inspector, position, "features")
    elif len(found) != len(first := inspector.ask(position, "features", game.initial)):
        sentence = f"features gives {len(found)} ints, and {len(first)} at the start."
        inspector.find("features", position, sentence, "Let features always return as many ints.")


def check_cutoff(inspector: Inspector, position: Position) -> None:
    """Check that IS-CUTOFF answers, at a depth equal to the position's distance from the start."""
    if inspector.game.is_cutoff is not None and position.terminal is False:
        inspector.ask(position, "is_cutoff", position.state, position.ply)


def check_same_answers(inspector: Inspector, position: Position) -> None:
    """Check that functions give the same answers when called again, and that states with the same fields are equal."""
    if position.terminal is None:
        return
    ask, state = inspector.ask, position.state
    if bool(ask(position, "is_terminal", state)) != position.terminal:
        _differs(inspector, position, "is_terminal")
    if ask(position, "to_move", state) != ask(position, "to_move", state):
        _differs(inspector, position, "to_move")
    if position.terminal:
        if ask(position, "utility", state) != ask(position, "utility", state):
            _differs(inspector, position, "utility")
        return
    once, twice = ask(position, "actions", state), ask(position, "actions", state)
    if once != position.legal or twice != once:  # two calls in a row show answers that alternate
        _differs(inspector, position, "actions")
    if inspector.game.evaluate and ask(position, "evaluate", state) != ask(position, "evaluate", state):
        _differs(inspector, position, "evaluate")
    for action, child in zip(position.legal, position.children, strict=True):
        again = ask(position, "result", state, action)
        if again != child.state or hash(again) != hash(child.state):
            _unequal(inspector, position, again, child.state)
            return


def _unequal(inspector: Inspector, position: Position, first: State, second: State) -> None:
    """Report that two results of the same action are not equal: their class has no equality, or they differ."""
    kind: Any = type(first)  # for mypy, a class's own comparison has another type than object's
    by_identity = kind.__eq__ is object.__eq__ or kind.__hash__ is object.__hash__
    if kind is type(second) and (by_identity or first == second):
        sentence = f"Two states of class {type(first).__name__} that hold the same are not equal, or hash differently."
        advice = "Make the state a NamedTuple, or give its class __eq__ and __hash__ by what it holds."
        inspector.find("equality", position, sentence, advice)
    else:
        _differs(inspector, position, "result")


def _differs(inspector: Inspector, position: Position, name: str) -> None:
    """Report a function that gives two answers about the same state."""
    sentence = f"{name}, asked twice about the same state, gives two answers."
    advice = f"Let {name} depend on its arguments alone: no chance, no clock, no variables that it changes."
    inspector.find("determinism", position, sentence, advice)


def check_unchanged(inspector: Inspector, position: Position) -> None:
    """Check that no function changes the state that it is given."""
    state = position.state
    if _is_plain(state):
        return
    before = inspector.guard(position, "copying the state", lambda: copy.deepcopy(state))
    for name in ("is_terminal", "to_move", "actions", "evaluate", "draw"):
        if getattr(inspector.game, name) is None or (name in ("actions", "evaluate") and position.terminal):
            continue
        inspector.ask(position, name, state)
        if _holds(state) != _holds(before):
            _changed(inspector, position, name)
            return
    for action in [] if inspector.game.is_terminal(state) else inspector.ask(position, "actions", state):
        inspector.ask(position, "result", state, action)
        if _holds(state) != _holds(before):
            _changed(inspector, position, "result")
            return


def _changed(inspector: Inspector, position: Position, name: str) -> None:
    """Report a function that changes the state that it is given."""
    sentence = f"{name} changes the state that it is given."
    advice = f"Let {name} work on a copy; a NamedTuple cannot be changed, so that the mistake cannot be made."
    inspector.find("changed in place", position, sentence, advice)


def _is_plain(state: State) -> bool:
    """Return whether a state consists only of objects that cannot be changed."""
    if isinstance(state, tuple):
        return all(map(_is_plain, state))
    return isinstance(state, int | str | bytes | None)


def _holds(thing: object) -> object:
    """Return all that an object holds, in a form that compares by value."""
    if isinstance(thing, dict):
        return {key: _holds(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [_holds(item) for item in thing]
    return (type(thing), _holds(vars(thing))) if hasattr(thing, "__dict__") else thing


CHECKS = (
    check_unchanged,
    check_to_move,
    check_actions,
    check_utility,
    check_plies_to_end,
    check_evaluate,
    check_features,
    check_cutoff,
    check_same_answers,
)
