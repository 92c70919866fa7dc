"""The numbers of an EVAL, kept apart from its code, so that `zermelo tune` can look for better ones.

A game that has ``weights`` has an ``evaluate(state, weights)``. The `Game` binds the two, so that everybody else calls
``game.evaluate(state)``.
"""

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any, Final, TypeAlias

Weights: TypeAlias = tuple[Any, ...]
"""A NamedTuple of ints, or of tuples of ints."""
_UNBOUND: Final = "unbound"
"""The attribute of a bound EVAL that holds the function that takes weights."""


def bound(evaluate: Callable[..., int], weights: Weights) -> Callable[[Any], int]:
    """Return EVAL with these weights; if it is bound to other ones, they are replaced."""
    function = unbound(evaluate)

    def evaluate_state(state: Any) -> int:
        return function(state, weights)

    setattr(evaluate_state, _UNBOUND, function)
    return evaluate_state


def unbound(evaluate: Callable[..., int]) -> Callable[..., int]:
    """Return the EVAL that takes weights, where ``evaluate`` is one that is bound; else ``evaluate``."""
    function: Callable[..., int] = getattr(evaluate, _UNBOUND, evaluate)
    return function


def fault_of_weights(weights: object, evaluate: Callable[..., int] | None) -> str:
    """Return what is wrong with a game's weights, and what would be right; empty if nothing is wrong."""
    if not (isinstance(weights, tuple) and weights and all(type(number) is int for number in numbers_of(weights))):
        return f"weights {weights!r}; they must be a NamedTuple of ints, or of tuples of ints"
    if evaluate is None:
        return "weights and no evaluate; weights are the second argument of evaluate(state, weights)"
    try:
        signature(unbound(evaluate)).bind(None, weights)
    except (TypeError, ValueError):
        return "weights, and an evaluate that does not take them; it must be evaluate(state, weights)"
    return ""


def numbers_of(weights: object) -> Iterator[Any]:
    """Yield the numbers of weights from left to right."""
    if isinstance(weights, tuple):
        for part in weights:
            yield from numbers_of(part)
    else:
        yield weights


def with_numbers(weights: Weights, numbers: Sequence[int]) -> Weights:
    """Return weights of the same form with other numbers."""
    remaining = iter(numbers)

    def rebuilt(part: Any) -> Any:
        if not isinstance(part, tuple):
            return int(next(remaining))
        parts = [rebuilt(one) for one in part]
        return type(part)(*parts) if hasattr(part, "_fields") else tuple(parts)

    found: Weights = rebuilt(weights)
    return found
