"""The parameters of factories: read off their signatures, and checked.

A factory is a function that makes a `zermelo.game.Game`; its parameters are ints and bools, such as ``rows``.
"""

import inspect
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import SupportsIndex, get_args, get_type_hints

from zermelo.errors import BadGame, BadParameter


@dataclass(frozen=True)
class ParameterInfo:
    """One parameter of a factory: its name, type, default and, for ints, the allowed range."""

    name: str
    kind: type
    default: int
    allowed: range | None

    def check(self, value: object) -> int:
        """Return ``value`` if it is allowed, else raise `BadParameter`."""
        kind = bool if self.kind is bool else int
        if type(value) is not kind or not (self.allowed is None or value in self.allowed):
            raise BadParameter(f"The parameter {self.name} is {value!r}; {self.rule}.")
        return kind(value)

    def parse(self, value: object) -> int:
        """Read and check ``value``: a text, a number or a truth value; raise `BadParameter` if it is wrong."""
        if not isinstance(value, str):
            if self.kind is int and isinstance(value, SupportsIndex) and not isinstance(value, bool):
                value = operator.index(value)
            return self.check(value)
        words = {"true": True, "yes": True, "false": False, "no": False}
        if self.kind is bool and value.lower() in words:
            return words[value.lower()]
        try:
            return self.check(int(value) if self.kind is int else value)
        except ValueError:
            raise BadParameter(f"The parameter {self.name} is {value!r}; {self.rule}.") from None

    @property
    def rule(self) -> str:
        """What would be right, as the end of a sentence."""
        if self.kind is bool:
            return "it must be true or false"
        if self.allowed is None:
            return "it must be a whole number"
        return f"it must be a whole number from {self.allowed.start} to {self.allowed[-1]}"


def parameters_of(factory: Callable[..., object]) -> Iterator[ParameterInfo]:
    """The parameters of a factory, read off its signature.

    A range is an annotation: ``rows: Annotated[int, range(1, 10)] = 6``.

    Raises
    ------
    BadGame
        It is not a function, or an annotation names something that does not exist.
    """
    try:
        hints = get_type_hints(factory, include_extras=True)
        signature = inspect.signature(factory)
    except Exception as error:
        name = getattr(factory, "__name__", repr(factory))
        raise BadGame(f"The parameters of {name} cannot be read: {type(error).__name__}: {error}.") from error
    for name, parameter in signature.parameters.items():
        kind, *extras = get_args(hints.get(name)) or (hints.get(name, int),)
        allowed = next((extra for extra in extras if isinstance(extra, range)), None)
        default = 0 if parameter.default is parameter.empty else parameter.default
        yield ParameterInfo(name, kind, default, allowed)


def checked(factory: Callable[..., object], **values: int) -> dict[str, int]:
    """The parameters of a game, each within the range that its factory's signature allows.

    A factory calls it first, so that a wrong parameter gets the same sentence from Python
    as from the command line.

    Raises
    ------
    BadParameter
        One of the values has the wrong type or is out of range.
    """
    return {info.name: info.check(values[info.name]) for info in parameters_of(factory)}
