"""Plain Python helpers, registered with Numba without a decorator in their file.

The functions of a game call other functions, which they close over or name as globals. `register` finds them all and
lets compiled code call them.
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
"""What is registered already. Numba keeps registered functions for ever, so this set need not let them go either."""


def register(function: Callable[..., object]) -> None:
    """Let compiled code call ``function`` and every plain Python function that it refers to."""
    if not isinstance(function, FunctionType) or function in _registered or function in IMPLEMENTATIONS:
        return
    if _is_numeric(function) or foreign_overloads(function):
        return
    _registered.add(function)
    register_jitable(**PART)(function)
    with contextlib.suppress(Indescribable):  # such code is not kept on disk, but it may compile
        for _, value in references(function):
            register(value)


def _is_numeric(function: FunctionType) -> bool:
    """Whether Numba and not zermelo decides if the function compiles: it is one of NumPy, math and the like."""
    return function.__module__.partition(".")[0] in ("numba", "numpy", "math", "operator", "builtins")
