"""Machine code on disk: one folder a game, one file a kernel.

Numba's own disk cache looks at the time stamp of one file, so it loads stale code after an edit to another file; and
two processes that write to its index at once can mix up their entries. Here the name of a file is a hash of all code
that the kernel can reach, and a file is sealed: code that is out of date or damaged is never loaded, and there is no
index.
"""

import os
import pickle
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from numba import njit
from numba.core import config
from numba.core.base import BaseContext
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.core.typing.templates import Signature

from zermelo.compiled.game import UNNAMED, unbox_game
from zermelo.compiled.link_late import PART
from zermelo.compiled.numba_names import UNRESOLVED, name_apart
from zermelo.compiled.reach import digest
from zermelo.compiled.sealed import read_sealed, unfinished, write_sealed
from zermelo.compiled.turns import one_at_a_time
from zermelo.errors import Indescribable

name_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=name_apart)

Function = TypeVar("Function", bound=Callable[..., Any])

FOLDER_VARIABLE: Final = "ZERMELO_CACHE_DIR"
_SHARED: Final = "shared"
"""The folder of kernels whose arguments have nothing to do with a game."""


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
    unfinished: int
    """Files that are being written, or were when their process died."""
    size: int
    """Bytes of all these files."""


def cache_info() -> CacheInfo:
    """What the cache of compiled code holds."""
    files = list(cache_folder().glob("*/*.code"))
    started = [file for folder in cache_folder().glob("*/") for file in unfinished(folder)]
    return CacheInfo(
        path=cache_folder(),
        games=len({file.parent for file in files if file.parent.name != _SHARED}),
        entries=len(files),
        unfinished=len(started),
        size=sum(_size(file) for file in [*files, *started]),
    )


def _size(file: Path) -> int:
    """The bytes of a file; none if another process has just deleted it."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def is_cached(code: str) -> bool:
    """Whether any machine code of that fingerprint is on disk."""
    return (cache_folder() / code).is_dir()


def clear_cache() -> CacheInfo:
    """Delete all compiled code on disk, and nothing else; returns what was there."""
    found = cache_info()
    for folder in cache_folder().glob("*/"):
        if any(folder.glob("*.code")) or any(unfinished(folder)):
            shutil.rmtree(folder, ignore_errors=True)
    return found


class KernelCache(_Cache):
    """Numba's interface to a cache, for one kernel; each game, the kernel's first argument, has a folder.

    Numba serialises its machine code with `pickle`. Only files that this user sealed are read, once they are verified.
    """

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
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
        """Do nothing: everything is written at once."""

    @cached_property
    def reach(self) -> str | None:
        """A hash of all code that the kernel can reach, except the game's; None if it cannot be described."""
        try:
            return digest(self._dispatcher, unbox_game, PART)
        except Indescribable:
            return None

    def compile(self, signature: Signature) -> object:
        """Compile the kernel for a signature, or load it; if another process is compiling it, wait for that."""
        with global_compiler_lock, one_at_a_time(self._file(signature)):
            return type(self._dispatcher).compile(self._dispatcher, signature)

    def load_overload(self, sig: Signature, target_context: BaseContext) -> CompileResult | None:
        """The code for a signature, or None; a damaged file counts as absent and will be replaced."""
        target_context.refresh()
        file = self._file(sig)
        content = None if file is None else read_sealed(file)
        if content is None:
            return None
        try:
            return self._form.rebuild(target_context, pickle.loads(content))
        except Exception:  # the file is ours and whole, but this Numba cannot read it
            return None

    def save_overload(self, sig: Signature, data: CompileResult) -> None:
        """Keep the code for a signature; if the disk cannot be written to, warn and go on."""
        file = self._file(sig)
        if file is None or data.library.has_dynamic_globals or not all(part.can_cache for part in data.lifted):
            return
        content = dumps(self._form.reduce(data))
        if UNRESOLVED.encode() in content:  # it calls itself through a pointer, and would crash when it is loaded
            return
        try:
            write_sealed(file, content)
        except OSError as error:
            _warn_once(error)

    def _file(self, signature: Signature) -> Path | None:
        """The file of the code for a signature; None if it is not kept."""
        folder = self._folder(signature)
        if not self._enabled or self.reach is None or folder.startswith(UNNAMED):
            return None
        name = self._dispatcher.py_func.__name__
        return cache_folder() / folder / f"{name}-{digest(self.reach, str(signature))}.code"

    def _folder(self, signature: Signature) -> str:
        return str(signature[0].code)


class SharedCache(KernelCache):
    """The same for a kernel that has nothing to do with a game."""

    def _folder(self, _signature: Signature) -> str:
        return _SHARED


_warned: Final[set[Path]] = set()


def _warn_once(error: OSError) -> None:
    """Warn, once for each folder, that compiled code is not kept."""
    folder = cache_folder()
    if folder not in _warned:
        _warned.add(folder)
        reason = error.strerror or str(error)
        sentence = (
            f"Compiled code cannot be kept in {folder} ({reason}), so every process compiles anew; "
            f"set {FOLDER_VARIABLE} to a folder of your own."
        )
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)


def kernel(function: Function) -> Function:
    """Compile a top-level function whose first argument is a game; it runs without the GIL and is cached on disk."""
    return _cached(function, KernelCache)


def _cached(function: Function, form: type[KernelCache]) -> Function:
    dispatcher = njit(nogil=True)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = cache = form(dispatcher)
        dispatcher.compile = cache.compile
    return dispatcher


def subkernel(function: Function) -> Function:
    """Compile a function that only kernels call; on disk its code is part of theirs."""
    return njit(nogil=True, **PART)(function)


def shared_kernel(function: Function) -> Function:
    """Compile a top-level function that has nothing to do with a game; all games share its code on disk."""
    return _cached(function, SharedCache)


def inlined(function: Function) -> Function:
    """A `subkernel` that is inlined into its callers, so that what both compute is computed once."""
    return njit(nogil=True, forceinline=True, **PART)(function)
