"""What a function's code refers to: closed-over cells, globals, and attributes of modules."""

import builtins
import dis
import importlib
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Final

from zermelo.errors import Indescribable

_GLOBALS: Final = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
_CELLS: Final = {"LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"}
_ATTRIBUTES: Final = {"LOAD_ATTR", "LOAD_METHOD"}
_LIBRARIES: Final = {"numpy", "numba", "llvmlite"}
"""Packages that are described by their names, as Python's own are."""
_BLIND: Final = {"eval", "exec", "globals", "__import__", "open", "input"}
"""Built-in functions through which code can refer to objects that it does not name."""


def references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Name and value of everything that the code of a function, and of functions within it, refers to.

    An attribute of a module is named ``module.name``. A module itself is listed only if it is also used otherwise.
    Names that Python itself defines are left out.

    Raises
    ------
    Indescribable
        The code looks things up in a way that cannot be followed.
    """
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    found: dict[str, Any] = {}
    for kind, name, attributes in _loads(function.__code__):
        if kind == "cell" and name in cells:
            found |= _followed(name, _content(cells[name]), attributes)
        elif kind == "global" and name in function.__globals__:
            found |= _followed(name, function.__globals__[name], attributes)
        elif kind == "global" and name in _BLIND and hasattr(builtins, name):
            raise Indescribable(f"{function.__qualname__} calls {name}(), so what it depends on cannot be seen")
        elif kind == "import":
            found |= _followed(name, _imported(function, name, attributes), attributes[1:])
    found |= {name: _content(cell) for name, cell in cells.items() if name not in {key.split(".")[0] for key in found}}
    yield from found.items()


def is_library(name: str) -> bool:
    """Whether the module of that name belongs to Python or to the compiler: its version says what is in it."""
    return _is_library(name.partition(".")[0])


@cache
def _is_library(package: str) -> bool:
    if package in _LIBRARIES or package in sys.builtin_module_names:
        return True
    file = getattr(sys.modules.get(package), "__file__", None)
    if package not in sys.stdlib_module_names:
        return False
    homes = {sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib")}  # a file of the user may be called token.py
    return file is None or any(file.startswith(home) and "site-packages" not in file for home in homes)


def package_of(thing: object) -> str:
    """The package that defines a function, a class, or the class of an object."""
    if isinstance(thing, ModuleType):
        name: Any = thing.__name__
    elif isinstance(thing, FunctionType):
        name = thing.__globals__.get("__name__", "")
    else:
        name = getattr(thing if isinstance(thing, type) else type(thing), "__module__", "")
    return str(name).partition(".")[0]


@cache
def installed_version(package: str) -> str:
    """The version of an installed package other than zermelo; empty for modules that are not installed."""
    file = getattr(sys.modules.get(package), "__file__", None) or ""
    if package == "zermelo" or not {"site-packages", "dist-packages"} & set(Path(file).parts):
        return ""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # still empty: a name bound after the function
        return None


def _followed(name: str, value: object, attributes: tuple[str, ...]) -> dict[str, Any]:
    """The object of a name; for a module, the attributes that the code uses."""
    if isinstance(value, ModuleType) and attributes and value.__name__ == name and is_library(name):
        if (name, attributes[0]) in {("sys", "modules"), ("importlib", "import_module")}:
            raise Indescribable(f"{name}.{attributes[0]} reaches modules in a way that cannot be followed")
        return {}
    for attribute in attributes:
        if not isinstance(value, ModuleType):
            break
        name, value = f"{name}.{attribute}", getattr(value, attribute, None)
    return {name: value}


def _imported(function: FunctionType, name: str, attributes: tuple[str, ...]) -> Any:
    """What a function imports when it runs: the module, or what ``attributes`` name in it."""
    package = function.__globals__.get("__package__")
    try:
        return importlib.import_module(attributes[0] + name, package)
    except Exception as error:
        raise Indescribable(f"{function.__qualname__} imports {name}, which fails: {error}") from error


@lru_cache(maxsize=1 << 12)
def _loads(code: CodeType) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    return tuple(_find_loads(code))


def _find_loads(code: CodeType) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each place where code refers to something: in which way, its name, and the attributes that follow."""
    steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
    for at, step in enumerate(steps):
        if step.opname in _GLOBALS or step.opname in _CELLS:
            kind = "global" if step.opname in _GLOBALS else "cell"
            yield kind, step.argval, _attributes(steps, at + 1, _ATTRIBUTES)
        elif step.opname == "IMPORT_NAME":
            dots, names = "." * steps[at - 2].argval, steps[at - 1].argval
            for taken in names or ():
                yield "import", step.argval, (dots, taken)
            if not names:
                parts = step.argval.split(".")
                yield from (("import", ".".join(parts[:many]), (dots,)) for many in range(1, len(parts) + 1))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _find_loads(constant)


def _attributes(steps: list[dis.Instruction], at: int, kinds: set[str]) -> tuple[str, ...]:
    found = []
    while at < len(steps) and steps[at].opname in kinds:
        found.append(steps[at].argval)
        at += 1
    return tuple(found)
