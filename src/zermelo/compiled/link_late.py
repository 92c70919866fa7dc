"""Linking the parts of a kernel late. A *part* is a function that only compiled code calls.

Numba optimises every function and makes machine code from it. It does so for a part alone, and again for each function
that the part is linked into, up to the kernel. This module leaves a part as unoptimised LLVM code until it is linked
into a kernel. The part is then optimised once, together with the kernel. That halves the time to compile.
"""

import ctypes
from functools import cache
from typing import Any, Final, NoReturn

from llvmlite import ir
from llvmlite.binding import Linkage, ModuleRef, get_process_triple, parse_assembly
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder

from zermelo.compiled.borrowing import borrow, define_counters, define_usual_counters
from zermelo.compiled.passes import without_reports


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
    """Code that is linked into other code and never runs by itself.

    It holds its own functions alone. Numba would also link in all that they call, level by level, and so each part as
    often as there are levels above it.
    """

    _shared_module: ModuleRef | None

    @property
    def codegen(self) -> JITCPUCodegen | _WithoutAddresses:
        """Numba's code generator, without the look-up by address."""
        return _WithoutAddresses(super().codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of `_refusal`, since a part has no machine code of its own."""
        return ctypes.cast(_refusal(), ctypes.c_void_p).value or 0

    def add_llvm_module(self, ll_module: ModuleRef) -> None:
        """Take over the code of the part."""
        borrow(ll_module)
        super().add_llvm_module(ll_module)

    def finalize(self) -> None:
        """Mark the library as finished, without optimising it, linking anything in or making machine code."""
        self._raise_if_finalized()
        _collect_inits(self)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: ModuleRef) -> None:
        """Do nothing but state the layout of data, since the kernel's functions are optimised together."""
        ll_module.data_layout = self.codegen._data_layout

    def link_into(self, module: ModuleRef) -> None:
        """Link the part's own functions into a module, which may drop those that nothing calls."""
        names = [function.name for function in self._final_module.functions if not function.is_declaration]
        module.link_in(self._final_module, preserve=True)
        for name in names:
            module.get_function(name).linkage = "linkonce_odr"

    def _get_module_for_linking(self) -> ModuleRef:
        """Return a module with all that the part calls, for code that is no kernel of ours."""
        if self._shared_module is None:
            module = self._final_module.clone()
            for library in link_parts(self, module):
                module.link_in(library._get_module_for_linking(), preserve=True)
            define_usual_counters(module)
            for function in list(module.functions):
                if not function.is_declaration:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel, into which each of its parts is linked once."""

    _linking_libraries: list[JITCodeLibrary]

    def add_llvm_module(self, ll_module: ModuleRef) -> None:
        """Take over code: that of the kernel, or that of its wrapper."""
        borrow(ll_module)
        super().add_llvm_module(ll_module)

    def finalize(self) -> None:
        """Link in the parts; then optimise the whole and make machine code of it."""
        _collect_inits(self)
        self._linking_libraries = link_parts(self, self._final_module)
        others = (library._get_module_for_linking() for library in self._linking_libraries)
        define_counters(self._final_module, others)
        _keep_inside(self._final_module)
        super().finalize()


def _keep_inside(module: ModuleRef) -> None:
    """Say that nothing outside of a kernel calls its parts.

    Then the optimiser may pass arguments in registers, leave out those that a part does not use, and forget errors
    that a part never reports. Otherwise each call of a part copies a whole state to the stack.

    LLVM's loader must not learn the names of such parts, so they are ``private`` and not ``internal``. It keeps one
    list of names for all loaded code. Other code that calls the same part would be bound to the part of the kernel,
    which takes its arguments from other registers.
    """
    for function in module.functions:
        if function.linkage == Linkage.linkonce_odr:
            function.linkage = "private"


def _collect_inits(library: JITCodeLibrary) -> None:
    """Take over what the libraries that a library needs must run when they are loaded; Numba 0.61 has no such thing."""
    if hasattr(library, "_reload_init"):
        for needed in library._linking_libraries:
            library._reload_init.update(needed._reload_init)


def link_parts(library: JITCodeLibrary, module: ModuleRef) -> list[JITCodeLibrary]:
    """Link every part that a library needs into a module; return the other libraries that it and the parts need.

    While a function is being compiled, Numba calls it through a variable that holds its address. Such variables are
    defined here, too.
    """
    seen, others, waiting = {library}, [], list(library._linking_libraries)
    while waiting:
        needed = waiting.pop()
        if needed in seen:
            continue
        seen.add(needed)
        if isinstance(needed, PartLibrary):
            needed.link_into(module)
            waiting.extend(needed._linking_libraries)
        else:
            others.append(needed)
    defined = {function.name for function in module.functions if not function.is_declaration}
    for name in [variable.name for variable in module.global_variables]:
        target = name.removeprefix(RuntimeLinker.PREFIX)
        if target != name and target in defined:
            module.link_in(parse_assembly(str(_pointing(name, target))))
    return others


class _Compiler(CompilerBase):
    """Numba's usual passes, except that their result goes into a library of another class."""

    library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[Any]:
        """Choose the library, and return the usual passes."""
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return [without_reports(DefaultPassBuilder.define_nopython_pipeline(self.state))]


class PartCompiler(_Compiler):
    """The compiler of parts."""

    library = PartLibrary


class KernelCompiler(_Compiler):
    """The compiler of kernels."""

    library = KernelLibrary


PART: Final[dict[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""Options of `numba.jit` for a part: it cannot be called from Python or C, and has no machine code of its own."""
