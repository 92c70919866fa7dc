"""Registering with Numba what compiled code runs in place of a Python function, and the types of what is registered.

What is registered is remembered, since the description of a kernel needs it.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numba.extending
from llvmlite import ir
from numba.core.base import BaseContext
from numba.core.typing import Context as TypingContext
from numba.core.typing.templates import Signature

Body: TypeAlias = Callable[..., object]
"""What an overload chooses: the Python function whose compiled code is run."""
Lowering: TypeAlias = Callable[[BaseContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]
"""The part of an intrinsic that writes LLVM instructions."""
Intrinsic: TypeAlias = tuple[Signature, Lowering]
"""What an intrinsic is for arguments of given types."""

__all__ = ["IMPLEMENTATIONS", "BaseContext", "Body", "Intrinsic", "Lowering", "Signature", "TypingContext", "overload"]

IMPLEMENTATIONS: Final[dict[Body, tuple[Callable[..., Body], dict[str, object]]]] = {}
"""For each function of the package that has an overload: what chooses its body, and Numba's options."""


def overload(function: Body, **options: object) -> Callable[[Callable[..., Body]], Callable[..., Body]]:
    """`numba.extending.overload`, remembered."""

    def register(implementation: Callable[..., Body]) -> Callable[..., Body]:
        IMPLEMENTATIONS[function] = implementation, options
        numba.extending.overload(function, **options)(implementation)
        return implementation

    return register
