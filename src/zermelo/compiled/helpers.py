"""Plain Python helpers, registered with Numba without a decorator in their file.

The functions of a game refer to others through the cells they close over and the globals they name.
The walk below finds them all, and lets compiled code call them.
"""

import contextlib
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba.extending import register_jitable

from zermelo.compiled.link_late import PART
from zermelo.compiled.numba_names import foreign_overloads
from zermelo.compiled.overloads import IMPLEMENTATIONS
from zermelo.errors import Indescribable
from zermelo.references import references

_registered: set[Callable[..., Any]] = set()


def register(function: Callable[..., Any]) -> None:
    """Let compiled code call ``function`` and every plain Python function that it refers to."""
    if not isinstance(function, FunctionType) or function in _registered or function in IMPLEMENTATIONS:
        return
    if _is_numeric(function) or foreign_overloads(function):
        return
    _registered.add(function)
    register_jitable(**PART)(function)
    with contextlib.suppress(Indescribable):  # then it is not kept on disk; whether it compiles is another question
        for _, value in references(function):
            register(value)


def _is_numeric(function: FunctionType) -> bool:
    """Whether Numba itself knows the function, or does not."""
    return function.__module__.partition(".")[0] in ("numba", "numpy", "math", "operator", "builtins")
