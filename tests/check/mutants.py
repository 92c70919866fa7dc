"""Automatic mutants of a game's source: an operator, a constant, or a dropped line, one at a time.

Left alone, because a change there means nothing or is caught by Python itself: docstrings, annotations, texts, what is
raised, default values, and the call that makes the `Game`.
"""

import ast
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.check import check_game
from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.game import Game
from zermelo.registry import load_file

SMALL: dict[str, dict[str, int]] = {
    "connect": {"rows": 3, "columns": 4, "run": 3},
    "othello": {"size": 4},
    "kalah": {"pits": 2, "seeds": 2},
    "hex": {"size": 3},
    "breakthrough": {"width": 3, "height": 5},
    "domineering": {"width": 4, "height": 4},
    "clobber": {"width": 3, "height": 4},
    "dots_and_boxes": {"width": 2, "height": 2},
    "konane": {"size": 4},
}
"""Parameters that make a board small enough to be proven; every other game is as its factory makes it."""
SWAPPED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
DROPPED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Continue, ast.Break)
CALLS_LEFT_ALONE = ("Game", "checked", "replace")


class Mutant(NamedTuple):
    """One changed source."""

    line: int
    what: str
    source: str


class Verdict(NamedTuple):
    """The result of an audit of a mutant."""

    caught: bool
    """The auditor has an error or a warning, or the game could not even be made."""
    differs: bool
    """Some function answers otherwise than the healthy game's, somewhere in a sample of positions."""
    playing: bool
    """One of the five functions of the rules does."""


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a source."""
    for number, node in enumerate(_places(ast.parse(source))):
        for way in range(len(_changes(node))):
            tree = ast.parse(source)
            twin = list(_places(tree))[number]
            what = _changes(twin)[way]
            _apply(tree, twin, what)
            yield Mutant(getattr(node, "lineno", 0), what, ast.unparse(ast.fix_missing_locations(tree)))


def _places(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes within functions, and the module's constants, that may be changed."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.AnnAssign | ast.Raise | ast.JoinedStr | ast.arguments | ast.ClassDef | ast.ImportFrom):
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CALLS_LEFT_ALONE:
            continue
        if isinstance(node, ast.FunctionDef):
            node.returns, node.decorator_list = None, []
        yield node
        yield from _places(node)


def _changes(node: ast.AST) -> list[str]:
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        return ["operator"] if type(node.op) in SWAPPED else []
    if isinstance(node, ast.Compare):
        return ["operator"] if type(node.ops[0]) in SWAPPED else []
    if isinstance(node, ast.UnaryOp):
        return ["operator"]
    if isinstance(node, ast.Constant):
        return ["constant"] if isinstance(node.value, int) else []
    return []


def _apply(tree: ast.AST, node: Any, what: str) -> None:
    if what == "constant":
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    elif isinstance(node, ast.UnaryOp):
        _put_instead(tree, node, node.operand)
    else:
        node.op = SWAPPED[type(node.op)]()


def _put_instead(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return new if node is old else self.generic_visit(node)

    Put().visit(tree)


def dropped_lines(source: str) -> Iterator[Mutant]:
    """Every mutant that lacks one simple statement of a function."""
    plain = ast.parse(source)
    for number, node in enumerate(_places(plain)):
        if not isinstance(node, DROPPED) or _is_left_alone(plain, node):
            continue
        tree = ast.parse(source)
        twin = list(_places(tree))[number]
        _put_instead(tree, twin, ast.Pass())
        yield Mutant(node.lineno, "dropped line", ast.unparse(ast.fix_missing_locations(tree)))


def _is_left_alone(tree: ast.Module, node: ast.stmt) -> bool:
    if node in tree.body:  # a constant of the module: without it nothing runs
        return True
    value = getattr(node, "value", None)
    docstring = isinstance(node, ast.Expr) and isinstance(value, ast.Constant)
    makes_game = isinstance(value, ast.Call) and getattr(value.func, "id", "") in CALLS_LEFT_ALONE
    return docstring or makes_game


def sample(file: Path, many: int, seed: int) -> list[Mutant]:
    """A seeded sample of a file's mutants of both kinds."""
    source = file.read_text(encoding="utf-8")
    every = [*mutants(source), *dropped_lines(source)]
    return random.Random(seed).sample(every, min(many, len(every)))


def judge(mutant: Mutant, healthy: Game, factory: str, folder: Path, seconds: float) -> Verdict:
    """Audit a mutant, and compare it with the healthy game."""
    file = folder / f"mutant_{abs(hash(mutant.source))}.py"
    file.write_text(mutant.source, encoding="utf-8")
    try:
        game = getattr(load_file(file), factory)(**healthy.parameters)
    except Exception:
        return Verdict(True, True, True)
    finally:
        file.unlink()
    if not isinstance(game, Game):
        return Verdict(True, True, True)
    report = check_game(game, seconds=seconds, compile=False)
    caught = any(finding.severity != "note" for finding in report.findings)
    different = differences(healthy, game)
    return Verdict(
        caught, bool(different), bool(different & {"to_move", "actions", "result", "is_terminal", "utility"})
    )


OF_STATE = ("is_terminal", "to_move", "utility", "actions", "evaluate", "key", "draw", "to_text", "swap", "symmetries")
OF_STATE += ("sufficient_actions", "noisy_actions", "bounds", "board", "tier")


ONLY_BEFORE_THE_END = ("actions", "evaluate", "sufficient_actions", "noisy_actions", "bounds")


def differences(healthy: Game, mutant: Game, games: int = 60) -> set[str]:
    """The functions that answer differently in positions of random games of the healthy one."""
    chooser, asked, found = random.Random(0), Inspector(mutant), set[str]()
    if plain(healthy.initial) != plain(mutant.initial):
        found.add("result")
    with asked.watching():
        for _ in range(games):
            state = healthy.initial
            for _ in range(60):
                found |= _differences_at(healthy, asked, state, found)
                if healthy.is_terminal(state):
                    break
                state = healthy.result(state, chooser.choice(list(healthy.actions(state))))
    return found


def _differences_at(healthy: Game, asked: Inspector, state: Any, known: set[str]) -> set[str]:
    position, found = Position(state), set[str]()
    over = healthy.is_terminal(state)
    for name in OF_STATE:
        function = getattr(healthy, name)
        if (
            function is None
            or name in known
            or (over if name in ("actions", "evaluate") else name == "utility" and not over)
        ):
            continue
        if over and name in ("sufficient_actions", "noisy_actions", "bounds"):
            continue
        _compare(asked, position, name, (state,), function, found)
    for action in [] if over else list(healthy.actions(state)):
        for name in {"result", "order", "format_action"} - known - found:
            if getattr(healthy, name) is not None:
                _compare(asked, position, name, (state, action), getattr(healthy, name), found)
    if healthy.to_text is not None and healthy.from_text is not None and "from_text" not in known:
        _compare(asked, position, "from_text", (healthy.to_text(state),), healthy.from_text, found)
    return found


def _compare(asked: Inspector, position: Position, name: str, arguments: Any, function: Any, found: set[str]) -> None:
    expected = function(*arguments)
    if name in ("actions", "sufficient_actions", "noisy_actions", "symmetries"):
        expected = list(expected)
    found.add(name)
    with suppress(Unanswered):
        if plain(asked.ask(position, name, *arguments)) == plain(expected):
            found.discard(name)


def plain(thing: Any) -> Any:
    """Tuples of one content, whatever class of whatever copy of a module they are."""
    if isinstance(thing, tuple | list):
        return tuple(map(plain, thing))
    return thing
