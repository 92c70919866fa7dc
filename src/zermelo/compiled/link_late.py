"""Compiling the parts of a kernel: functions that only compiled code calls.

Numba makes finished machine code of every function, and so compiles a part once by itself and again within each
function that it is linked into, at every level up to the kernel. A part that is left as it was lowered is
optimised once, in the kernel that it ends up in: the whole compiles in half the time.
"""

import ctypes
from functools import cache
from typing import Any, Final, NoReturn

from llvmlite import ir
from llvmlite.binding import get_process_triple, parse_assembly
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder


def _pointing(name: str, target: str) -> ir.Module:
    """A module in which the variable ``name`` holds the address of the function ``target``."""
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
    """A function of C that raises, kept for ever: what calls a part from Python comes here."""

    def refuse(_self: int, _arguments: int, _names: int) -> NoReturn:
        raise TypeError("A part of a kernel can be called by compiled code only.")

    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    return kind(refuse)


class _WithoutAddresses:
    """Numba's code generator, to which parts are no place in memory."""

    def __init__(self, codegen: JITCPUCodegen) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Parts have no environment: it is for code that speaks with Python."""


class PartLibrary(JITCodeLibrary):
    """Code to be linked into other code, never run by itself."""

    @property
    def codegen(self) -> JITCPUCodegen | _WithoutAddresses:
        """Numba's, for all but what needs an address."""
        return _WithoutAddresses(super().codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Where to go in place of machine code that is not there."""
        return ctypes.cast(_refusal(), ctypes.c_void_p).value or 0

    def _optimize_final_module(self) -> None:
        """Whatever this is linked into is optimised; here functions that call each other find each other.

        Numba calls a function that is still being compiled through a variable, to be filled in with an address.
        """
        module = self._final_module
        defined = {function.name for function in module.functions if not function.is_declaration}
        for name in [variable.name for variable in module.global_variables]:
            target = name.removeprefix(RuntimeLinker.PREFIX)
            if target != name and target in defined:
                module.link_in(parse_assembly(str(_pointing(name, target))))

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class PartCompiler(CompilerBase):
    """Numba's usual passes, but for the library that the code is lowered into."""

    def define_pipelines(self) -> list[Any]:
        """Choose the library; the usual passes."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


PART: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""Options of `numba.jit` for a part: no ways in from Python and C, no machine code of its own."""
