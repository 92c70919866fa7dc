"""Compiled code borrows the arrays that Python passes to it: it does not count references to them.

Numba counts the references to each array. A function that takes an array adds one with an atomic instruction, and
subtracts it when it returns. None of this is needed in a kernel that makes no arrays: all of its arrays belong to the
caller, who keeps them until the kernel returns.

So parts and kernels call two functions with other names than Numba's. When a kernel is linked, the two are defined:
they do nothing, or count as usual if the kernel makes or returns anything that is counted. The wrapper of a kernel,
which turns the arguments of Python into those of compiled code, counts as usual.
"""

from collections.abc import Iterable
from typing import Final

from llvmlite import ir
from llvmlite.binding import ModuleRef, get_process_triple, parse_assembly

_COUNTERS: Final = {"NRT_incref": "zermelo_incref", "NRT_decref": "zermelo_decref"}
"""Numba's functions that count, and what parts and kernels call in their place."""
_OF_WRAPPERS: Final = frozenset(
    {"NRT_adapt_ndarray_from_python", "NRT_MemInfo_call_dtor", "NRT_MemInfo_data_fast", "NRT_Free"}
)
"""The other functions of Numba's runtime that a wrapper needs to take arrays from Python, and to give them back."""
_WRAPPER: Final = "_ZN7cpython"
"""How the name of a wrapper begins."""


def borrow(module: ModuleRef) -> None:
    """Let the code of a module call the other functions to count, unless it is a wrapper."""
    if any(function.name.startswith(_WRAPPER) and not function.is_declaration for function in module.functions):
        return
    for function in list(module.functions):
        if function.name in _COUNTERS:
            function.name = _COUNTERS[function.name]


def define_counters(module: ModuleRef, others: Iterable[ModuleRef]) -> None:
    """Define the functions by which a module counts.

    Parameters
    ----------
    module
        A kernel with its parts and its wrapper.
    others
        The modules that will be linked in later.
    """
    named = {function.name for one in (module, *others) for function in one.functions}
    runtime = {name for name in named if name.startswith("NRT_")}
    module.link_in(parse_assembly(str(_counters(counting=not runtime <= _COUNTERS.keys() | _OF_WRAPPERS))))


def define_usual_counters(module: ModuleRef) -> None:
    """Define the functions by which a module counts as Numba's."""
    module.link_in(parse_assembly(str(_counters(counting=True))))


def _counters(*, counting: bool) -> ir.Module:
    """Return a module that defines the functions; they do nothing unless ``counting`` is true."""
    module, byte = ir.Module(), ir.IntType(8).as_pointer()
    module.triple = get_process_triple()
    kind = ir.FunctionType(ir.VoidType(), [byte])
    for usual, other in _COUNTERS.items():
        function = ir.Function(module, kind, name=other)
        function.linkage = "linkonce_odr"
        function.attributes.add("alwaysinline")
        builder = ir.IRBuilder(function.append_basic_block())
        if counting:
            builder.call(ir.Function(module, kind, name=usual), function.args)
        builder.ret_void()
    return module
