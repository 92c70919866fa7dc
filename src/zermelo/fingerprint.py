"""Fingerprints of rules: the same in every process and Python version, blind to comments.

A function is described by its syntax tree (docstrings and annotations taken out) together with a
description of everything it refers to: the cells it closes over, the globals it names and, through
those, the helpers they call. Constants are described by their values. The description is then hashed.

The syntax tree is written down by our own walk and not by `ast.dump`, whose text differs between
Python versions.
"""

import ast
import builtins
import hashlib
import linecache
import threading
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

_SKIPPED_FIELDS = {"ctx", "kind", "type_comment", "type_params", "annotation", "returns", "decorator_list"}
_PARSING = threading.Lock()
"""Python 3.11 counts the depth of syntax trees for all threads together, and fails where two parse at once."""


def fingerprint(thing: Any) -> str:
    """16 hexadecimal digits that name ``thing``: a function, or a nest of constants and functions."""
    return hashlib.sha256(describe(thing).encode()).hexdigest()[:16]


def describe(thing: Any) -> str:
    """Everything about ``thing`` that a fingerprint covers, as text."""
    return _describe(thing, {})


def _describe(thing: Any, seen: dict[int, int]) -> str:
    """Describe ``thing``; functions and classes met before are named by their number in ``seen``."""
    if thing is None or isinstance(thing, bool | int | float | str | bytes | range):
        return f"{type(thing).__name__}:{thing!r}"
    if isinstance(thing, dict):
        pairs = sorted((_describe(key, {}), value) for key, value in thing.items())
        return "{" + ",".join(f"{key}={_describe(value, seen)}" for key, value in pairs) + "}"
    if isinstance(thing, set | frozenset):
        return "set(" + ",".join(sorted(_describe(item, {}) for item in thing)) + ")"
    if isinstance(thing, tuple | list):
        return f"{type(thing).__name__}(" + ",".join(_describe(item, seen) for item in thing) + ")"
    name = getattr(thing, "__name__", "")
    if isinstance(thing, ModuleType) or getattr(builtins, name, None) is thing:
        return f"name:{name}"
    if id(thing) in seen:
        return f"again:{seen[id(thing)]}"
    seen[id(thing)] = len(seen)
    if isinstance(thing, FunctionType):
        return _describe_function(thing, seen)
    if isinstance(thing, type):
        return f"class:{thing.__name__}({','.join(getattr(thing, '_fields', ()))})"
    return f"{type(thing).__qualname__}:{name}"


def _describe_function(function: FunctionType, seen: dict[int, int]) -> str:
    parts = [function_text(function.__code__)]
    if function.__defaults__ or function.__kwdefaults__:
        parts.append(_describe((function.__defaults__, function.__kwdefaults__), seen))
    for name, value in sorted(references(function), key=lambda reference: reference[0]):
        parts.append(f"{name}={_describe(value, seen)}")
    return "function(" + ";".join(parts) + ")"


def references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The outside things that a function's code names: closed-over cells, globals, and what it takes from modules."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a cell that is still empty: a name bound after the function
            yield name, None
    names = set(_names(function.__code__))
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        if isinstance(value, ModuleType):
            members = ((other, getattr(value, other, None)) for other in names)
            yield from ((f"{name}.{other}", member) for other, member in members if isinstance(member, FunctionType))
        else:
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    """The global and attribute names of a code object and of those nested in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def function_text(code: CodeType) -> str:
    """The syntax of a function, written the same in every Python version.

    Where the source is out of reach (a function typed at a prompt), its bytecode stands in, which
    is stable within one Python version only.
    """
    node = _find_node(code)
    if node is None:
        constants = [item for item in code.co_consts if not isinstance(item, CodeType)]
        nested = [function_text(item) for item in code.co_consts if isinstance(item, CodeType)]
        return f"bytecode:{code.co_code.hex()}:{constants!r}:{nested!r}"
    return _write(node)


def _find_node(code: CodeType) -> ast.AST | None:
    """The definition in its file that ``code`` was compiled from."""
    source = "".join(linecache.getlines(code.co_filename))
    if not source:
        return None
    lines = {line for _, _, line in code.co_lines() if line}
    for node in _definitions(source):
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        name = getattr(node, "name", "<lambda>")
        if (
            name == code.co_name
            and first == code.co_firstlineno
            and _arguments(node) == code.co_varnames[: len(_arguments(node))]
        ):
            if isinstance(node, ast.Lambda) and not _covers(node, code):
                continue
            if lines and max(lines) > (node.end_lineno or 0):
                continue
            return node
    return None


def _definitions(source: str) -> list[ast.FunctionDef | ast.Lambda]:
    try:
        with _PARSING:
            tree = ast.parse(source)
    except SyntaxError:  # the file was edited since it was imported
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]


def _arguments(node: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    arguments = node.args
    return tuple(item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _covers(node: ast.Lambda, code: CodeType) -> bool:
    """Whether the code's columns lie in the lambda's body: several lambdas may share a line."""
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    return all(start <= place <= end for place in places)


def _write(node: Any) -> str:
    """A syntax tree as text: kinds, fields and constants; no places, no docstrings, no annotations."""
    if isinstance(node, ast.AST):
        fields = []
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _SKIPPED_FIELDS or value is None or value == []:
                continue
            if name == "body" and isinstance(value, list):
                value = [item for item in value if not _is_docstring(item)]
            fields.append(f"{name}={_write(value)}")
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return "[" + ",".join(map(_write, node)) + "]"
    return repr(node)


def _is_docstring(node: ast.AST) -> bool:
    """Any expression statement that is a bare string does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
