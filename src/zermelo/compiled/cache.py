"""Machine code on disk: a folder for each game, and in it a file for each kernel.

Numba has a disk cache of its own, with two faults. It looks at the time stamp of one source file, so it loads stale
code after an edit to another file. And two processes that write to its index at once can mix up their entries. Here the
name of a file contains a hash of all code that the kernel can reach, so code that is out of date is never loaded. Files
are sealed, so damaged code is never loaded. There is no index.
"""

import contextlib
import gc
import os
import pickle
import shutil
import warnings
from collections.abc import Callable, Iterator
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
from zermelo.compiled.link_late import PART, KernelCompiler
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
"""The environment variable that names the folder of compiled code."""
_SHARED: Final = "shared"
"""The name of the folder of kernels that take no game."""


def cache_folder() -> Path:
    """Return the folder of compiled code: ``$ZERMELO_CACHE_DIR``, or a folder in the user's cache directory."""
    if chosen := os.environ.get(FOLDER_VARIABLE):
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo" / "compiled"


@dataclass(frozen=True)
class CacheInfo:
    """The state of the cache on disk."""

    path: Path
    """The folder of compiled code."""
    games: int
    """The number of folders of games; each version of a game has its own."""
    entries: int
    """The number of files; each compiled kernel has its own."""
    unfinished: int
    """The number of files that a process is writing, or was writing when it died."""
    size: int
    """The size of all these files, in bytes."""


def cache_info() -> CacheInfo:
    """Return what the cache of compiled code holds."""
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
    """Return the size of a file in bytes; 0 if another process has just deleted it."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def is_cached(code: str, kernel: Callable[..., Any]) -> bool:
    """Return whether machine code of a kernel is on disk for a game with this code fingerprint, perhaps outdated."""
    return any((cache_folder() / code).glob(f"{kernel.__name__}-*.code"))


def clear_cache() -> CacheInfo:
    """Delete all compiled code on disk, and nothing else; return what was there."""
    found = cache_info()
    for folder in cache_folder().glob("*/"):
        if any(folder.glob("*.code")) or any(unfinished(folder)):
            shutil.rmtree(folder, ignore_errors=True)
    return found


class KernelCache(_Cache):
    """The cache of one kernel, with the methods that Numba calls. The kernel's first argument is a game.

    Numba serialises machine code with `pickle`, which can run any code. So only files that this user has sealed are
    read, after their seal has been verified.
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
        """Let the cache read and write files."""
        self._enabled = True

    def disable(self) -> None:
        """Let the cache neither read nor write files."""
        self._enabled = False

    def flush(self) -> None:
        """Do nothing, since `save_overload` writes everything at once."""

    @cached_property
    def reach(self) -> str | None:
        """A hash of all code that the kernel can reach, except the game's; None if it cannot be described."""
        try:
            return digest(self._dispatcher, unbox_game, PART, KernelCompiler)
        except Indescribable:
            return None

    def compile(self, signature: Signature) -> object:
        """Compile the kernel for a signature, or load it. If another process is compiling it, wait for that process."""
        with global_compiler_lock, one_at_a_time(self._file(signature)), without_collections():
            return type(self._dispatcher).compile(self._dispatcher, signature)

    def load_overload(self, sig: Signature, target_context: BaseContext) -> CompileResult | None:
        """Return the code for a signature, or None. A damaged file counts as absent, and is replaced later."""
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
        """Write the code for a signature to disk; if that fails, warn and go on."""
        file = self._file(sig)
        if file is None or data.library.has_dynamic_globals or not all(part.can_cache for part in data.lifted):
            return
        content = dumps(self._form.reduce(data))
        if UNRESOLVED.encode() in content:  # the code calls itself through a pointer, and would crash when it is loaded
            return
        try:
            write_sealed(file, content)
        except OSError as error:
            _warn_once(error)

    def _file(self, signature: Signature) -> Path | None:
        """Return the file of the code for a signature; None if the code is not kept."""
        folder = self._folder(signature)
        if not self._enabled or self.reach is None or folder.startswith(UNNAMED):
            return None
        name = self._dispatcher.py_func.__name__
        return cache_folder() / folder / f"{name}-{digest(self.reach, str(signature))}.code"

    def _folder(self, signature: Signature) -> str:
        """Return the name of the folder: the code fingerprint of the game."""
        return str(signature[0].code)


class SharedCache(KernelCache):
    """The cache of one kernel that takes no game."""

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


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Keep Python from looking for garbage among the objects of Numba, which stay: that takes 7 % of a compilation.

    Afterwards all objects count as old. Otherwise the next look would be at all that were made meanwhile, and take
    another 6 %. If the program has set objects aside for good (`gc.freeze`), none are made old: that would bring those
    back. Whether it has takes long to find out where there are many, so few new objects are left as they are.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if gc.get_count()[0] > gc.get_threshold()[0] and gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def kernel(function: Function) -> Function:
    """Compile a top-level function whose first argument is a game. It runs without the GIL, and is cached on disk."""
    return _cached(function, KernelCache)


def _cached(function: Function, form: type[KernelCache]) -> Function:
    """Compile a function, with a cache of class ``form``."""
    dispatcher = njit(nogil=True, pipeline_class=KernelCompiler)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = cache = form(dispatcher)
        dispatcher.compile = cache.compile
    return dispatcher


def subkernel(function: Function) -> Function:
    """Compile a function that only kernels call; its code on disk is part of theirs."""
    return njit(nogil=True, **PART)(function)


def shared_kernel(function: Function) -> Function:
    """Compile a top-level function that takes no game; all games share its code on disk."""
    return _cached(function, SharedCache)


def inlined(function: Function) -> Function:
    """Compile a `subkernel` and inline it into its callers, so that a value that both compute is computed once."""
    return njit(nogil=True, forceinline=True, **PART)(function)
