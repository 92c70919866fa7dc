"""Types of operations on ints, each of which is found once.

Numba asks what type an operation such as ``+`` has whenever it meets one. It then tries all of its rules for sums, even
those for arrays, texts and dates, until one fits. The code of games consists of such operations, and nearly all of them
are on ints of the same few types. So the answer is remembered.
"""

from functools import cache
from typing import Any, Final

from numba import types
from numba.core.types.functions import BaseFunction

_PLAIN: Final = (types.Integer, types.Boolean, types.IntegerLiteral, types.BooleanLiteral)
_MODULES: Final = frozenset(("_operator", "builtins"))
_find: Final = BaseFunction.get_call_type


def call_type(function: BaseFunction, context: Any, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
    """Return the signature of a call. It replaces `BaseFunction.get_call_type` and returns the same."""
    if kws or not _is_builtin(function) or not all(isinstance(one, _PLAIN) for one in args):
        return _find(function, context, args, kws)
    return _find_once(function, context, args)


@cache
def _find_once(function: BaseFunction, context: Any, args: tuple[types.Type, ...]) -> Any:
    """Return the signature of an operation on ints.

    If somebody adds a rule to a function, Numba makes a new object for it, of which nothing is remembered.
    """
    return _find(function, context, args, {})


def _is_builtin(function: BaseFunction) -> bool:
    """Return whether Numba's function stands for one that comes with Python.

    Others may be helpers of a game. What is remembered is kept for good, and the game would be, too.
    """
    return getattr(function.typing_key, "__module__", None) in _MODULES
