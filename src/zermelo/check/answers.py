"""The type of answer that each function of a game must give, and the probable reason if it gives another type."""

from collections.abc import Iterable
from typing import Final

LISTS: Final = frozenset({"actions", "sufficient_actions", "noisy_actions", "symmetries"})
"""The functions that yield their items or return a list of them."""
_NEVER_NONE: Final = frozenset(
    {"result", "is_terminal", "utility", "evaluate", "draw", "order", "gain", "null_state", "urgent", "key", "bounds"}
    | {"proof_order", "window_bounds", "swap", "tier", "board"}
    | {"is_stopped", "position", "plies_left", "to_text", "from_text", "format_action", "pack", "unpack"}
)
"""The functions that must not return None."""


def fault(name: str, answer: object, asked: str = "") -> tuple[str, str] | None:
    """Return what is wrong with the type of an answer, and what to change; None if the type is right.

    Parameters
    ----------
    name
        The name of the function.
    answer
        What the function returned. `item_fault` checks the items of a list.
    asked
        The words that follow the answer in the sentence, such as ``" for the action 3"``.
    """
    if name in LISTS and not isinstance(answer, Iterable):
        lacks = "; a yield or a return is probably missing" if answer is None else ""
        return f"{name} gives {answer!r}{lacks}.", f"Let {name} yield its items one by one, or return a list of them."
    if answer is None and name in _NEVER_NONE:
        advice = f"Let every way through {name} end with a return."
        return f"{name} gives None{asked}; a return is probably missing.", advice
    if name == "is_terminal" and not isinstance(answer, int) and not _is_numpy(answer):
        return f"is_terminal gives {answer!r}.", "It must return True or False."
    return None if name in LISTS else item_fault(f"{name} gives", answer, asked)


def item_fault(begins: str, item: object, asked: str = "") -> tuple[str, str] | None:
    """Return what is wrong with the type of an item, and what to change; None if the type is right.

    Parameters
    ----------
    begins
        The first words of the sentence, such as ``"actions gives"``.
    item
        An item of a list, or an answer that is not a list.
    asked
        As in `fault`.
    """
    if isinstance(item, tuple):
        return next(filter(None, (item_fault(begins, part, asked) for part in item)), None)
    if _is_numpy(item):
        kind = {"bool": "bool(...)", "bool_": "bool(...)", "ndarray": "tuple(map(int, ...))"}.get(
            type(item).__name__, "int(...)"
        )
        advice = f"Write {kind} around it: states, actions and answers are made of Python's own numbers."
        return f"{begins} {item!r}{asked}, which is NumPy's and not Python's.", advice
    if hasattr(item, "gi_frame"):
        return f"{begins} a generator{asked}.", "Write tuple(...) around it, or build a tuple in a loop."
    return None


def _is_numpy(thing: object) -> bool:
    return type(thing).__module__ == "numpy"
