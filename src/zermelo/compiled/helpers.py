"""Registering plain Python functions with Numba, so that they need no decorator.

The functions of a game call *helpers*: other functions, which they close over or name as globals. `register` finds all
helpers of a function, and lets compiled code call them.
"""

import contextlib
from collections.abc import Callable
from types import FunctionType

from numba.extending import register_jitable

from zermelo.compiled.link_late import PART
from zermelo.compiled.numba_names import foreign_overloads
from zermelo.compiled.overloads import IMPLEMENTATIONS
from zermelo.errors import Indescribable
from zermelo.references import references

_registered: set[Callable[..., object]] = set()
"""The functions that are registered already. Numba keeps them for ever, so this set may do so, too."""


def register(function: Callable[..., object]) -> None:
    """Let compiled code call ``function`` and every plain Python function that it refers to."""
    if not isinstance(function, FunctionType) or function in _registered or function in IMPLEMENTATIONS:
        return
    if _is_numeric(function) or foreign_overloads(function):
        return
    _registered.add(function)
    register_jitable(**PART)(function)
    with contextlib.suppress(Indescribable):  # it may compile, but its code is not kept on disk
        for _, value in references(function):
            register(value)


def _is_numeric(function: FunctionType) -> bool:
    """Return whether a function belongs to a library that Numba itself supports, such as NumPy or math."""
    return function.__module__.partition(".")[0] in ("numba", "numpy", "math", "operator", "builtins")
