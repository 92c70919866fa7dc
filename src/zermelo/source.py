"""The syntax of a function as text, the same in every Python version and without comments.

The syntax tree is written down by our own walk and not by `ast.dump`, whose text differs between Python versions.
"""

import ast
import linecache
import threading
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, Final

_SKIPPED_FIELDS: Final = {"ctx", "kind", "type_comment", "type_params", "annotation", "returns"}
_PARSING: Final = threading.Lock()
"""Python 3.11 counts the depth of syntax trees for all threads together, and fails if two of them parse at once."""
_PARSING_ATTEMPTS: Final = 10
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def function_text(code: CodeType) -> str:
    """The syntax of a function, written the same in every Python version.

    If the source is not available (a function typed at a prompt), or is not that of the function (a file that was
    edited after it was imported), the text describes the bytecode, which differs between Python versions.
    """
    node = definition_of(code)
    if node is None:
        constants = [item for item in code.co_consts if not isinstance(item, CodeType)]
        nested = [function_text(item) for item in code.co_consts if isinstance(item, CodeType)]
        return f"bytecode:{code.co_code.hex()}:{constants!r}:{code.co_names!r}:{nested!r}"
    return _write(node, outermost=True)


def definition_of(code: CodeType) -> "_Definition | None":
    """The definition in its file that ``code`` was compiled from."""
    source = "".join(linecache.getlines(code.co_filename))
    if not source:
        return None
    definitions, codes = _read(source)
    if _content(code) not in codes:
        return None
    lines = {line for _, _, line in code.co_lines() if line}
    for node in definitions:
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


@lru_cache(maxsize=64)
def _read(source: str) -> tuple[list[_Definition], frozenset[str]]:
    """Every function that a file defines, as syntax and as the content of its code."""
    try:
        with _PARSING:
            tree = _parse(source)
            code = compile(source, "<source>", "exec", dont_inherit=True)
    except SyntaxError:  # the file was edited since it was imported
        return [], frozenset()
    return [node for node in ast.walk(tree) if isinstance(node, _Definition)], frozenset(map(_content, _nested(code)))


def _parse(source: str) -> ast.Module:
    """The syntax tree of a file, tried again if another thread parsed at the same time.

    The lock keeps our own threads apart, but other libraries parse as well (``inspect.signature`` does, for Numba).
    """
    for _ in range(_PARSING_ATTEMPTS - 1):
        try:
            return ast.parse(source)
        except SystemError:
            continue
    return ast.parse(source)


def _content(code: CodeType) -> str:
    """What a code object does, and its place; code objects themselves differ once Python has optimised one of them."""
    constants = [_content(item) if isinstance(item, CodeType) else _constant(item) for item in code.co_consts]
    names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{code.co_firstlineno} {names!r} {code.co_code.hex()} {constants!r}"


def _constant(item: object) -> str:
    return repr(sorted(map(repr, item))) if isinstance(item, frozenset) else repr(item)


def _nested(code: CodeType) -> Iterator[CodeType]:
    """The code objects within another, at every depth."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _arguments(node: _Definition) -> tuple[str, ...]:
    arguments = node.args
    return tuple(item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _covers(node: ast.Lambda, code: CodeType) -> bool:
    """Whether the code's columns lie in the lambda's body: several lambdas may share a line."""
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    places = [(line, column) for line, _, column, _ in code.co_positions() if line and column]
    return all(start <= place <= end for place in places)


def _write(node: Any, outermost: bool = False) -> str:
    """A syntax tree as text: kinds, fields and constants; no places, no docstrings, no annotations.

    The decorators of the outermost function are left out, since the text describes the function that they returned.
    """
    if isinstance(node, ast.AST):
        fields = []
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _SKIPPED_FIELDS or value is None or value == [] or (outermost and name == "decorator_list"):
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
