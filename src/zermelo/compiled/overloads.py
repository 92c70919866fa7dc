"""Registering overloads with Numba, writing intrinsics of two values, and the types of overloads and intrinsics.

An *overload* of a Python function chooses the body that compiled code runs in its place. An *intrinsic* is a function
that writes LLVM instructions. The module remembers all overloads, since the description of a kernel includes them.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numba.extending
from llvmlite import ir
from numba import types
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

__all__ = [
    "IMPLEMENTATIONS",
    "BaseContext",
    "Body",
    "Intrinsic",
    "Lowering",
    "Signature",
    "TypingContext",
    "binary",
    "overload",
    "overload_operators",
]

IMPLEMENTATIONS: Final[dict[Body, list[tuple[Chooser, dict[str, object]]]]] = {}
"""For each function of the package that has overloads: the functions that choose its body, and Numba's options."""


def overload(function: Body, **options: object) -> Callable[[Chooser], Chooser]:
    """Register an overload, as `numba.extending.overload` does, and remember it in `IMPLEMENTATIONS`."""

    def register(implementation: Chooser) -> Chooser:
        IMPLEMENTATIONS.setdefault(function, []).append((implementation, options))
        numba.extending.overload(function, **options)(implementation)
        return implementation

    return register


def overload_operators(
    operators: Sequence[Body], body: Body, fits: Callable[[types.Type, types.Type], bool], **options: object
) -> None:
    """Let compiled code run ``body`` for operations on values whose types ``fits`` accepts."""
    for operator in operators:
        overload(operator, **options)(lambda one, other: body if fits(one, other) else None)


def binary(
    emit: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value], kind: types.Type | None = None
) -> Callable[..., Any]:
    """Return an intrinsic of two values of type ``kind``, whose result is another; ``emit`` writes its instruction.

    None stands for the type of the first value.
    """

    @numba.extending.intrinsic
    def instruction(_typing: TypingContext, one: types.Type, _other: types.Type) -> Intrinsic:
        def generate(
            _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            return emit(builder, *arguments)

        both = kind or one
        return both(both, both), generate

    return instruction
