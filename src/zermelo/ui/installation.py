"""What is installed, and whether it works: for ``zermelo doctor`` and ``zermelo --version``.

Nothing of zermelo that needs Numba is imported before Numba itself has been tried.
"""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final, Literal

from zermelo.errors import GameFileError, in_a_line
from zermelo.registry import factories

Status = Literal["ok", "absent", "broken"]
OLDEST: Final = (3, 11)
PACKAGES: Final = ("numpy", "numba", "pyarrow", "typer", "rich")
"""What every installation has."""
EXTRAS: Final = {
    "web": ("nicegui", "the pages in the browser (zermelo serve)"),
    "cluster": ("ray", "solving on many machines (--cluster)"),
    "chess": ("chess", "reading games of chess in PGN"),
    "plot": ("matplotlib", "drawing a census (zermelo census --plot)"),
}
"""Each extra with its main package, and what it is for."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    status: Status
    """"absent" is something optional that is not there; "broken" must be repaired."""
    detail: str
    advice: str = ""
    """What to do, as a sentence; empty if there is nothing to do."""


def examine() -> Iterator[Finding]:
    """Yield what is found, one thing after the other; compiling takes a second."""
    yield check_python()
    packages = [check_package(name) for name in PACKAGES]
    yield from packages
    if next(one for one in packages if one.name == "numba").status == "ok":
        yield check_compiler()
        yield check_cache()
    yield from map(check_extra, EXTRAS)
    yield check_programs()
    yield check_games()


def check_python() -> Finding:
    """Whether Python is new enough."""
    detail = f"{platform.python_version()} on {platform.system()}, {os.cpu_count()} processors"
    if sys.version_info >= OLDEST:
        return Finding("python", "ok", detail)
    return Finding("python", "broken", detail, f"Install Python {OLDEST[0]}.{OLDEST[1]} or newer.")


def check_package(name: str) -> Finding:
    """Whether a package that zermelo needs can be imported."""
    try:
        import_module(name)
    except Exception as error:  # a damaged package raises what it likes
        return Finding(name, "broken", in_a_line(error), f"Install it again: pip install --force-reinstall {name}.")
    return Finding(name, "ok", installed(name) or "an unknown version")


def check_compiler() -> Finding:
    """Whether Numba makes machine code."""
    import numba

    if numba.config.DISABLE_JIT:
        return Finding("compiler", "absent", "NUMBA_DISABLE_JIT is set: rules are interpreted.", "Unset it for speed.")
    try:
        done = numba.njit(_successor)(1) == 2
    except Exception as error:
        return Finding(
            "compiler", "broken", in_a_line(error), "Install Numba and llvmlite again, in matching versions."
        )
    return Finding(
        "compiler", "ok" if done else "broken", "Numba compiles." if done else "Numba computes 1 + 1 wrongly."
    )


def _successor(number: int) -> int:
    return number + 1


def check_cache() -> Finding:
    """Whether the folder of machine code can be written."""
    from zermelo.compiled import cache_info

    try:
        found = cache_info()
        found.path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=found.path):
            pass
    except OSError as error:
        advice = "Set ZERMELO_CACHE_DIR to a folder that can be written; until then every program compiles anew."
        return Finding("cache", "broken", in_a_line(error), advice)
    return Finding("cache", "ok", f"{found.path}: {found.entries} kernels, {found.size / 1e6:.1f} MB")


def check_extra(extra: str) -> Finding:
    """Whether the package of an extra is there."""
    package, purpose = EXTRAS[extra]
    there = installed(package)
    if there is None:
        return Finding(extra, "absent", f"for {purpose}", f"If you want it: pip install 'zermelo[{extra}]'.")
    return Finding(extra, "ok", f"{package} {there}, for {purpose}")


def check_programs() -> Finding:
    """Whether the system can run programs in other languages."""
    if os.name == "posix":
        return Finding("programs", "ok", "program:COMMAND can be run.")
    return Finding("programs", "absent", "This system cannot run program:COMMAND; Linux and macOS can.")


def check_games() -> Finding:
    """Whether the games of other packages can be loaded."""
    try:
        return Finding("games", "ok", f"{len(factories())} games")
    except GameFileError as error:
        return Finding("games", "broken", str(error), "Repair or uninstall the package that registers this game.")


def installed(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def versions() -> Iterator[str]:
    """Yield lines that say which versions and extras are installed; nothing is imported."""
    needed = (f"{name} {installed(name) or 'missing'}" for name in PACKAGES)
    yield f"python {platform.python_version()}, {', '.join(needed)}"
    there = {extra: installed(package) for extra, (package, _) in EXTRAS.items()}
    has = [f"{extra} ({EXTRAS[extra][0]} {number})" for extra, number in there.items() if number is not None]
    lacks = [extra for extra, number in there.items() if number is None]
    yield f"extras: {', '.join(has) or 'none'}" + (f"; not installed: {', '.join(lacks)}" if lacks else "")
