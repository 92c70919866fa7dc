"""Machine code on disk: one folder a code fingerprint, one file a kernel.

Numba's own disk cache looks at the time stamp of one file, and so serves stale code after an edit to another; and
processes that fill its index together can mix up their entries. Here a file's name is a hash of all that its
content depends on, and is written whole or not at all: nothing is ever out of date, and there is no index.
"""

import contextlib
import hashlib
import itertools
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from numba import njit
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.serialize import dumps

from zermelo.compiled.parts import PART
from zermelo.fingerprint import function_text


def _name_apart() -> None:
    """Let this process name the functions that it compiles as no other does.

    Numba numbers them from 1 in every process, and the numbers are part of the names by which machine code is linked:
    code of two processes, loaded into a third, could be linked to each other's functions.
    """
    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6), "big"))


_name_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_name_apart)

Function = TypeVar("Function", bound=Callable[..., Any])

FOLDER_VARIABLE: Final = "ZERMELO_CACHE_DIR"
_UNRESOLVED: Final = b".numba.unresolved$"
"""In code that calls itself through a pointer, as Numba's recursion between two types does; loaded, it would crash."""


def cache_folder() -> Path:
    """Where compiled code is kept: ``$ZERMELO_CACHE_DIR``, or a folder of the user's cache directory."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo" / "compiled"


@dataclass(frozen=True)
class CacheInfo:
    """The state of the cache on disk."""

    path: Path
    games: int
    """Folders: one for each version of each game."""
    entries: int
    """Files: one for each kernel compiled."""
    size: int
    """Bytes."""


def cache_info() -> CacheInfo:
    """What is in the cache of compiled code."""
    files = list(cache_folder().glob("*/*.code"))
    return CacheInfo(
        path=cache_folder(),
        games=len({file.parent for file in files}),
        entries=len(files),
        size=sum(file.stat().st_size for file in files),
    )


def is_cached(code: str) -> bool:
    """Whether any machine code of that fingerprint is on disk."""
    return (cache_folder() / code).is_dir()


def clear_cache() -> CacheInfo:
    """Delete all compiled code on disk, and only that; says what was there."""
    found = cache_info()
    for folder in {file.parent for file in cache_folder().glob("*/*.code")}:
        shutil.rmtree(folder, ignore_errors=True)
    return found


class KernelCache(_Cache):
    """Numba's interface to a cache, for one kernel whose first argument is a game."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._enabled = True
        self._form = CompileResultCacheImpl.__new__(CompileResultCacheImpl)

    @property
    def cache_path(self) -> str:
        """The folder of all compiled code."""
        return str(cache_folder())

    def enable(self) -> None:
        """Read and write files."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the disk alone."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing is held back, so nothing is to be written."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature, or None; a damaged file counts as none and will be written anew."""
        target_context.refresh()
        file = self._file(sig)
        if not self._enabled or not file.is_file():
            return None
        try:
            return self._form.rebuild(target_context, pickle.loads(file.read_bytes()))
        except Exception:  # whatever a damaged pickle raises
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature; a disk that cannot be written to costs only time."""
        if not self._enabled or not self._form.check_cachable(data):
            return
        file = self._file(sig)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            content = dumps(self._form.reduce(data))
            if _UNRESOLVED in content:
                return
            with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as temporary:
                temporary.write(content)
            Path(temporary.name).replace(file)

    def _file(self, signature: Any) -> Path:
        function = self._function
        name = f"{function.__module__}.{function.__qualname__} {function_text(function.__code__)}"
        options = f"{config.OPT} {config.BOUNDSCHECK} {config.DEBUG_JIT}"
        digest = hashlib.sha256(f"{name} {signature} {options}".encode()).hexdigest()[:16]
        return cache_folder() / self._folder(signature) / f"{function.__name__}-{digest}.code"

    def _folder(self, signature: Any) -> str:
        return str(signature[0].code)


class SharedCache(KernelCache):
    """The same for a kernel that knows no game: its folder is named by the package's own sources."""

    def _folder(self, _signature: Any) -> str:
        from zermelo.compiled.game import library_fingerprint

        return library_fingerprint()[:16]


def kernel(function: Function) -> Function:
    """Compile a top-level function whose first argument is a game; it runs without the GIL and is cached on disk."""
    dispatcher = njit(nogil=True)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = KernelCache(function)
    return dispatcher


def subkernel(function: Function) -> Function:
    """Compile a function that only kernels call; its code is part of theirs on disk."""
    return njit(nogil=True, **PART)(function)


def shared_kernel(function: Function) -> Function:
    """Compile a top-level function that knows no game; it runs without the GIL and is cached on disk, once for all."""
    dispatcher = njit(nogil=True)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = SharedCache(function)
    return dispatcher


def inlined(function: Function) -> Function:
    """A `subkernel` whose code is written into its callers, so that what both compute is computed once."""
    return njit(nogil=True, forceinline=True, **PART)(function)
