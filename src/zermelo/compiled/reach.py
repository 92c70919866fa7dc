"""All code that a kernel can reach, as text. A hash of that text names its machine code on disk.

Machine code is made from bytecode, so the text contains bytecode, without comments and docstrings. Where compiled code
runs another body than Python does, the text describes that body and the function that chooses it.
"""

import dis
import hashlib
import platform
import sys
from functools import cache, lru_cache
from types import CodeType, FunctionType
from typing import Final

import llvmlite
import numba
import numpy
from numba.core import config
from numba.core.registry import cpu_target

from zermelo.compiled.numba_names import foreign_overloads
from zermelo.compiled.overloads import IMPLEMENTATIONS
from zermelo.fingerprint import Description

_FLAGS: Final = (
    "OPT", "BOUNDSCHECK", "DEBUG_JIT", "DEBUGINFO_DEFAULT", "EXTEND_VARIABLE_LIFETIMES", "ENABLE_AVX",
    "LOOP_VECTORIZE", "SLP_VECTORIZE", "USING_SVML", "DISABLE_INTEL_SVML", "LLVM_REFPRUNE_PASS",
    "LLVM_REFPRUNE_FLAGS", "USE_LEGACY_TYPE_SYSTEM", "NRT_STATS",
)  # fmt: skip
"""Settings of Numba that change the machine code."""

_GAMES: Final = "zermelo.compiled.game"
"""The module whose classes need no description: they appear only in annotations, and games have fingerprints."""


def digest(*things: object) -> str:
    """Return a hash, in 16 hexadecimal digits, of all code that ``things`` reach.

    Parameters
    ----------
    things
        Functions, constants, or nests of them.

    Raises
    ------
    Indescribable
        The code depends on something that cannot be written down.
    """
    return hashlib.sha256("\n".join([environment(), Reach().whole(things)]).encode()).hexdigest()[:16]


def environment() -> str:
    """Return, as text, what else determines the machine code: versions, the processor, and settings."""
    versions = (numba.__version__, llvmlite.__version__, numpy.__version__, platform.python_version())
    flags = [(name, getattr(config, name, None)) for name in _FLAGS]
    return repr((versions, sys.implementation.cache_tag, sys.byteorder, _processor(), flags))


@cache
def _processor() -> str:
    """Return the target, name and features of the processor, as Numba describes them."""
    return repr(cpu_target.target_context.codegen().magic_tuple())


class Reach(Description):
    """The description of a kernel: what compiled code reaches."""

    def code_text(self, code: CodeType) -> str:
        """Return the bytecode of a function as text."""
        return bytecode_text(code)

    def object_text(self, thing: object) -> str:
        """Describe an object; for a function with an overload, describe what compiled code runs in its place."""
        if isinstance(thing, FunctionType):
            if thing in IMPLEMENTATIONS:
                return self._parts("overload", IMPLEMENTATIONS[thing])
            foreign = foreign_overloads(thing)
            if foreign:
                return self._parts("overloads", foreign)
        if isinstance(thing, type) and thing.__module__ == _GAMES:
            return f"class:{thing.__name__}"
        return super().object_text(thing)


@lru_cache(maxsize=1 << 12)
def bytecode_text(code: CodeType) -> str:
    """Return the instructions of a function as text, without line numbers."""
    steps = [f"{step.opname} {_argument(step.argval)}" for step in dis.get_instructions(code)]
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_varnames)
    return f"{code.co_name}{shape}{code.co_exceptiontable.hex()}[{';'.join(steps)}]"


def _argument(value: object) -> str:
    if isinstance(value, CodeType):
        return bytecode_text(value)
    if isinstance(value, frozenset):
        return repr(sorted(map(repr, value)))
    return repr(value)
