"""Linking the parts of a kernel late. A *part* is a function that only compiled code calls.

Numba optimises every function and makes machine code from it. It does so for a part alone, and again for each function
that the part is linked into, up to the kernel. This module leaves a part as unoptimised LLVM code until it is linked
into a kernel. The part is then optimised once, together with the kernel. That halves the time to compile.
"""

import ctypes
from functools import cache
from typing import Any, Final, NoReturn

from llvmlite import ir
from llvmlite.binding import get_process_triple, parse_assembly
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder


def _pointing(name: str, target: str) -> ir.Module:
    """Return a module whose variable ``name`` holds the address of the function ``target``."""
    module, byte = ir.Module(), ir.IntType(8).as_pointer()
    module.triple = get_process_triple()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), []), name=target)
    variable = ir.GlobalVariable(module, byte, name=name)
    variable.initializer = function.bitcast(byte)
    variable.linkage = "linkonce_odr"
    variable.global_constant = True
    return module


@cache
def _refusal() -> "ctypes._FuncPointer":
    """Return the C function that runs if Python calls a part: it raises an error. The function is kept for ever."""

    def refuse(_self: int, _arguments: int, _names: int) -> NoReturn:
        raise TypeError("A part of a kernel can be called by compiled code only.")

    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return kind(refuse)


class _WithoutAddresses:
    """Numba's code generator, except that it looks nothing up by address, since parts have no addresses."""

    def __init__(self, codegen: JITCPUCodegen) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing, since only code that calls back into Python needs an environment."""


class PartLibrary(JITCodeLibrary):
    """Code that is linked into other code and never runs by itself."""

    @property
    def codegen(self) -> JITCPUCodegen | _WithoutAddresses:
        """Numba's code generator, without the look-up by address."""
        return _WithoutAddresses(super().codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of `_refusal`, since a part has no machine code of its own."""
        return ctypes.cast(_refusal(), ctypes.c_void_p).value or 0

    def _optimize_final_module(self) -> None:
        """Do not optimise; only define the variables through which functions call each other.

        While a function is being compiled, Numba calls it through a variable that holds its address. This method links
        in a module that defines that variable.
        """
        module = self._final_module
        defined = {function.name for function in module.functions if not function.is_declaration}
        for name in [variable.name for variable in module.global_variables]:
            target = name.removeprefix(RuntimeLinker.PREFIX)
            if target != name and target in defined:
                module.link_in(parse_assembly(str(_pointing(name, target))))

    def _finalize_final_module(self) -> None:
        """Mark the library as finished, without making machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(CompilerBase):
    """Numba's usual passes, except that their result goes into a `PartLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """Choose the library, and return the usual passes."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


PART: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""Options of `numba.jit` for a part: it cannot be called from Python or C, and has no machine code of its own."""
