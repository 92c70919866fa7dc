"""Registering overloads with Numba, and the types of overloads and intrinsics.

An *overload* of a Python function chooses the body that compiled code runs in its place. An *intrinsic* is a function
that writes LLVM instructions. The module remembers all overloads, since the description of a kernel includes them.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numba.extending
from llvmlite import ir
from numba.core.base import BaseContext
from numba.core.typing import Context as TypingContext
from numba.core.typing.templates import Signature

Body: TypeAlias = Callable[..., object]
"""The result of an overload: the Python function that is compiled in place of another one."""
Chooser: TypeAlias = Callable[..., Body | None]
"""An overload: it takes the types of the arguments and returns a body, or None if it has none for these types."""
Lowering: TypeAlias = Callable[[BaseContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]
"""The part of an intrinsic that writes LLVM instructions."""
Intrinsic: TypeAlias = tuple[Signature, Lowering]
"""The result of an intrinsic for arguments of given types: its signature, and what writes its instructions."""

__all__ = ["IMPLEMENTATIONS", "BaseContext", "Body", "Intrinsic", "Lowering", "Signature", "TypingContext", "overload"]

IMPLEMENTATIONS: Final[dict[Body, tuple[Chooser, dict[str, object]]]] = {}
"""For each function of the package that has an overload: the function that chooses its body, and Numba's options."""


def overload(function: Body, **options: object) -> Callable[[Chooser], Chooser]:
    """Register an overload, as `numba.extending.overload` does, and remember it in `IMPLEMENTATIONS`."""

    def register(implementation: Chooser) -> Chooser:
        IMPLEMENTATIONS[function] = implementation, options
        numba.extending.overload(function, **options)(implementation)
        return implementation

    return register
