"""The clock that searches keep their limits of time by, for Python and for compiled code.

Compiled code reads the clock itself. Otherwise another thread would have to stop it, and where many threads share few
processors, that thread gets a processor late.
"""

import time
from collections.abc import Sequence
from typing import Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compiled.helpers import register
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import BaseContext, Body, Intrinsic, Signature, TypingContext, overload

_MONOTONIC: Final[int | None] = getattr(time, "CLOCK_MONOTONIC", None)
"""The number of the system's clock that is never set back; None on a system without POSIX clocks."""
KERNELS_READ_IT: Final = _MONOTONIC is not None
"""Whether compiled code can read the clock; if not, no deadline is ever past there."""


def is_past(deadline: int) -> bool:
    """Return whether a moment, in nanoseconds of `now`, has come; 0 is no moment, and never comes."""
    return 0 < deadline <= now()


def now() -> int:
    """Return the moment in nanoseconds, as an int64."""
    return time.monotonic_ns() if _MONOTONIC is None else time.clock_gettime_ns(_MONOTONIC)


@intrinsic
def _now(_typing: TypingContext) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, _arguments: Sequence[ir.Value]
    ) -> ir.Value:
        word, number = ir.IntType(64), ir.IntType(32)
        if _MONOTONIC is None:
            return ir.Constant(word, 0)
        pair = ir.ArrayType(word, 2)  # seconds and nanoseconds: the `timespec` of a system of 64 bits
        kind = ir.FunctionType(number, [number, pair.as_pointer()])
        known = builder.module.globals.get("clock_gettime")
        function = known or ir.Function(builder.module, kind, name="clock_gettime")
        with builder.goto_entry_block():
            room = builder.alloca(pair)
        builder.call(function, [number(_MONOTONIC), room])
        moment = builder.load(room)
        seconds, rest = builder.extract_value(moment, 0), builder.extract_value(moment, 1)
        return builder.add(builder.mul(seconds, word(1_000_000_000)), rest)

    return types.int64(), generate


@overload(now, inline="never", strict=False, jit_options=PART)
def _compiled_now() -> Body:
    return lambda: _now()


register(is_past)
