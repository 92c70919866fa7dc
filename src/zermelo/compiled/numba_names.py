"""The private names of Numba that zermelo relies on, in one place.

Any version of Numba may rename them, so this module looks all of them up when it is imported. If one is missing, it
raises an error, before Numba makes machine code that would be linked wrongly or never be found again.
"""

import itertools
import os
from collections.abc import Callable
from importlib import import_module
from threading import Lock
from typing import Any, Final

import numba

from zermelo.errors import NotCompilable

TESTED: Final = "from 0.61 to 0.68"
"""The versions of Numba with which zermelo is tested, in words."""
_NAMES: Final = (
    "bytecode:FunctionIdentity._unique_ids",
    "bytecode:FunctionIdentity.from_function",
    "caching:CompileResultCacheImpl.rebuild",
    "caching:CompileResultCacheImpl.reduce",
    "caching:_Cache",
    "codegen:JITCodeLibrary._finalize_dynamic_globals",
    "codegen:JITCodeLibrary._get_module_for_linking",
    "codegen:JITCodeLibrary._optimize_functions",
    "codegen:JITCodeLibrary._raise_if_finalized",
    "codegen:JITCodeLibrary.add_llvm_module",
    "codegen:JITCodeLibrary.codegen",
    "codegen:JITCodeLibrary.enable_object_caching",
    "codegen:JITCodeLibrary.finalize",
    "codegen:JITCodeLibrary.get_pointer_to_function",
    "codegen:JITCPUCodegen.magic_tuple",
    "codegen:JITCPUCodegen.set_env",
    "codegen:CodeLibrary.has_dynamic_globals",
    "codegen:RuntimeLinker.PREFIX",
    "compiler:CompilerBase.define_pipelines",
    "compiler:DefaultPassBuilder.define_nopython_pipeline",
    "compiler_lock:global_compiler_lock",
    "compiler_machinery:PassManager._runPass",
    "config:DISABLE_JIT",
    "dispatcher:Dispatcher.compile",
    "event:broadcast",
    "postproc:PostProcessor.run",
    "postproc:VariableLifetime",
    "registry:cpu_target.target_context",
    "registry:cpu_target.typing_context",
    "serialize:dumps",
    "transforms:canonicalize_cfg",
    "types.functions:BaseFunction.get_call_type",
    "typing.templates:builtin_registry.globals",
)


def _find(name: str) -> Any:
    """Return the object that a name within ``numba.core`` stands for.

    Raises
    ------
    NotCompilable
        This version of Numba does not have the name.
    """
    module, _, path = name.partition(":")
    try:
        found = import_module(f"numba.core.{module}")
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        raise NotCompilable(
            f"zermelo cannot compile with Numba {numba.__version__}, which has no numba.core.{module}.{path}; "
            f"install a version {TESTED}."
        ) from None
    return found


for _name in _NAMES:
    _find(_name)

FunctionIdentity: Final = _find("bytecode:FunctionIdentity")
UNRESOLVED: Final = str(_find("codegen:RuntimeLinker.PREFIX"))
"""The prefix of functions that Numba calls through a pointer, as in a recursion between two types."""


def name_apart() -> None:
    """Give the functions that this process compiles names that no other process uses.

    Numba numbers functions from 1 in every process, and links machine code by names that contain these numbers. If a
    process loaded code that two other processes made, it could link the code of one to the functions of the other.

    Raises
    ------
    NotCompilable
        This version of Numba numbers functions in another way.
    """
    start = int.from_bytes(os.urandom(6), "big") + 1
    FunctionIdentity._unique_ids = itertools.count(start)
    if FunctionIdentity.from_function(name_apart).unique_id != start:
        raise NotCompilable(
            f"zermelo cannot compile with Numba {numba.__version__}, which numbers functions in a way of its own; "
            f"install a version {TESTED}."
        )


class _Registered:
    """What is registered with Numba, by the function that it stands for. Numba's own list is searched only once."""

    def __init__(self) -> None:
        self._list: list[tuple[object, Any]] = _find("typing.templates:builtin_registry.globals")
        self._by_identity: dict[int, list[Any]] = {}
        self._known = 0
        self._lock = Lock()

    def kinds_of(self, function: Callable[..., Any]) -> list[Any]:
        """Return the kinds of types that are registered for a function."""
        with self._lock:
            for value, kind in self._list[self._known :]:  # the list keeps the values, so their identities stay theirs
                self._by_identity.setdefault(id(value), []).append(kind)
                self._known += 1
            return self._by_identity.get(id(function), [])


_registered: Final = _Registered()


def foreign_overloads(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the overloads of a plain function that are registered with Numba, without those of Numba itself."""
    templates = [template for kind in _registered.kinds_of(function) for template in kind.templates]
    choosers = [template._overload_func for template in templates if hasattr(template, "_overload_func")]
    return [chooser for chooser in choosers if not chooser.__module__.startswith("numba.")]
