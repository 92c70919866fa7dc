"""Generators rewritten as functions that fill an array, or count.

Numba compiles a generator to a function that is called for each item. It writes all of its variables to memory at each
``yield``, and reads them back afterwards. Here a generator of a game's rules becomes a plain function: each ``yield
item`` becomes an assignment to an array, or an addition to a count. The processor then keeps the variables in
registers, and the compiler may simplify the loop: counting the moves of a set of squares needs no loop at all.

A function that does not fit, such as one without source or one that returns a tuple, is left as it is, and its caller
loops over what it returns.
"""

import ast
import copy
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any, Final

from zermelo.source import definition_of

ITEMS: Final = "_items"
PLACE: Final = "_place"
END: Final = "_end"
"""The names of the array, of the next place in it, and of the first place behind those that may be filled."""


def filling(generator: Callable[..., Any]) -> Callable[..., int] | None:
    """Return ``generator`` as a function that writes its items to an array; None if it cannot be rewritten.

    The function takes the generator's arguments, then the array, the first place to fill and the first place not to
    fill. It returns the first place that it has not filled; one more than the last argument if there are more items
    than places.
    """
    write = f"if {PLACE} == {END}:\n    return {END} + 1\n{ITEMS}[{PLACE}] = {{item}}\n{PLACE} += 1"
    return _rewritten(generator, (ITEMS, PLACE, END), "", write)


def counting(generator: Callable[..., Any]) -> Callable[..., int] | None:
    """Return ``generator`` as a function that counts its items; None if it cannot be rewritten."""
    return _rewritten(generator, (), f"{PLACE} = 0", f"{PLACE} += 1")


def _rewritten(
    generator: Callable[..., Any], more: tuple[str, ...], first: str, each: str
) -> Callable[..., int] | None:
    """Return a function that takes more arguments, and runs ``first`` at first and ``each`` where the generator yields.

    The text of ``each`` may contain ``{item}``, which stands for what is yielded.
    """
    if not isinstance(generator, FunctionType):
        return None
    node = definition_of(generator.__code__)
    if not isinstance(node, ast.FunctionDef) or not _fits(node):
        return None
    rewriter = _Rewriter(each)
    names = [*(argument.arg for argument in node.args.args), *more]
    body = [*_parsed(first, node), *(rewriter.visit(copy.deepcopy(statement)) for statement in node.body)]
    end = ast.copy_location(ast.Return(ast.Name(PLACE, ast.Load())), node.body[-1])
    flat = [part for statement in body for part in (statement if isinstance(statement, list) else [statement])]
    return _made(_definition(node.name, names, [*flat, end], node), generator)


def _fits(node: ast.FunctionDef) -> bool:
    """Return whether a function has at least one ``yield``, and each is a statement of its own."""
    arguments = node.args
    plain = not (arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg)
    within = [one for one in ast.walk(node) if one is not node]
    yields = [one for one in within if isinstance(one, ast.Yield | ast.YieldFrom | ast.Await)]
    alone = [one for one in within if isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield)]
    nested = [one for one in within if isinstance(one, ast.FunctionDef | ast.Lambda)]
    return plain and len(yields) == len(alone) > 0 and not nested


class _Rewriter(ast.NodeTransformer):
    """Puts other statements in the place of ``yield item``, and lets each ``return`` return the next place."""

    def __init__(self, each: str) -> None:
        self.each = each

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """Rewrite ``yield item``."""
        if not isinstance(node.value, ast.Yield):
            return node
        item = ast.unparse(node.value.value or ast.Constant(None))
        return _parsed(self.each.format(item=f"({item})"), node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        """Rewrite ``return``, which ends a generator."""
        return ast.copy_location(ast.Return(ast.Name(PLACE, ast.Load())), node)


def _parsed(text: str, place: ast.stmt) -> list[ast.stmt]:
    """Return the statements of a text. They take the place of another one, so that messages name its line."""
    statements = ast.parse(text).body
    for part in (part for statement in statements for part in ast.walk(statement)):
        if isinstance(part, ast.stmt | ast.expr | ast.arg):
            ast.copy_location(part, place)
    return statements


def _definition(name: str, arguments: Iterable[str], body: list[ast.stmt], place: ast.stmt) -> ast.FunctionDef:
    """Return the definition of a function, which takes the place of another one."""
    definition = _parsed(f"def {name}({', '.join(arguments)}): pass", place)[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.body = body
    return definition


def _made(node: ast.FunctionDef, original: FunctionType) -> FunctionType:
    """Return the function of a definition, with the globals and the closure of the original."""
    cells = dict(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    outer = _definition("_closure", cells, [node, *_parsed(f"return {node.name}", node)], node)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    whole = compile(module, original.__code__.co_filename, "exec", dont_inherit=True)
    code = _inner(_inner(whole, "_closure"), node.name)
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, original.__globals__, original.__name__, original.__defaults__, closure)


def _inner(code: CodeType, name: str) -> CodeType:
    """Return the code of the function of that name within another."""
    return next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name)
