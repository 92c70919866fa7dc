"""The share of automatic mutants of the engine's kernels that the engine's tests catch.

    python benchmarks/kernel_mutants.py [--many 100] [--seed 0] [--limit 900] [--files search table ...] [--out FILE]

A mutant is one kernel file with one operator, constant or condition changed. The package is copied, the mutant put in
its place, the signature of a few games compared, and ``tests/engine`` run until the first failure; a mutant that
hangs is caught. It takes from some seconds to some minutes, since kernels that reach the change are compiled anew.
Those that live are printed: each is either a hole in the tests or changes nothing that can be seen. Ctrl-C ends it
with the share so far; with ``--out`` the same command goes on.
"""

import argparse
import ast
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
ENGINE: Final = ROOT / "src" / "zermelo" / "engine"
KERNELS: Final = ("search", "scores", "table", "nodes", "line", "proof", "proofs", "proof_numbers", "sharing")
TESTS: Final = ("kernel_parts", "scores", "loops", "tables", "values", "limits", "published")
SIGNATURES: Final = (("connect",), ("clobber", "checkers"))
"""Games whose node counts are compared first; the whole signature takes minutes to compile."""
SWAPPED: Final[dict[type, type]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
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


class Mutant(NamedTuple):
    """One change of one line."""

    file: str
    line: int
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """Where it is, and what was changed."""
        return f"{self.file}.py:{self.line}  {self.before}  ->  {self.after}"


def mutants_of(file: str) -> Iterator[Mutant]:
    """Every mutant of one kernel file."""
    source = (ENGINE / f"{file}.py").read_text()
    lines = source.splitlines(keepends=True)
    for node in changeable(ast.parse(source)):
        before = ast.get_source_segment(source, node) or ""
        if node.lineno != node.end_lineno:
            continue
        for after in changes(node):
            line = lines[node.lineno - 1].encode()
            changed = line[: node.col_offset] + f"({after})".encode() + line[node.end_col_offset :]
            text = "".join([*lines[: node.lineno - 1], changed.decode(), *lines[node.lineno :]])
            yield Mutant(file, node.lineno, before, after, text)


def changeable(tree: ast.AST) -> Iterator[Any]:
    """The expressions within the bodies of functions."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                yield from (node for node in ast.walk(statement) if isinstance(node, ast.expr))


def changes(node: ast.expr) -> Iterator[str]:
    """What may stand in the place of an expression."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield str(node.value + 1)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        yield ast.unparse(ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right))
    elif isinstance(node, ast.BoolOp):
        yield ast.unparse(ast.BoolOp(SWAPPED[type(node.op)](), node.values))
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        yield ast.unparse(ast.Compare(node.left, [SWAPPED[type(node.ops[0])]()], node.comparators))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield ast.unparse(node.operand)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("min", "max"):
        other = {"min": "max", "max": "min"}[node.func.id]  # type: ignore[attr-defined]
        yield ast.unparse(ast.Call(ast.Name(other), node.args, node.keywords))


def is_caught(mutant: Mutant, limit: float, cache: str) -> bool:
    """Whether a test fails, or does not end in time, with the mutant in place of the kernel file."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "src" / "zermelo"
        shutil.copytree(ROOT / "src" / "zermelo", package, ignore=shutil.ignore_patterns("__pycache__"))
        (package / "engine" / f"{mutant.file}.py").write_text(mutant.source)
        paths = os.pathsep.join([str(package.parent), str(ROOT / "tests")])
        environment = os.environ | {"PYTHONPATH": paths, "ZERMELO_CACHE_DIR": cache}
        tests = [f"tests/engine/test_{name}.py" for name in TESTS]
        commands = [["benchmarks/signature.py", *games] for games in SIGNATURES]
        commands += [["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", "not signature", *tests]]
        return any(fails([sys.executable, *command], environment, limit) for command in commands)


def fails(command: list[str], environment: dict[str, str], limit: float) -> bool:
    """Whether a command fails, or takes longer than so many seconds."""
    try:
        return bool(
            subprocess.run(
                command, cwd=ROOT, env=environment, timeout=limit, capture_output=True, stdin=subprocess.DEVNULL
            ).returncode
        )
    except subprocess.TimeoutExpired:
        return True


def main() -> None:
    """Print a line a mutant, then the share that was caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--many", type=int, default=100, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=float, default=900, help="seconds for one mutant's tests")
    parser.add_argument("--files", nargs="+", default=KERNELS, help="kernel files, without .py")
    parser.add_argument("--out", type=Path, help="a file that keeps what is known, a line of JSON a mutant")
    asked = parser.parse_args()
    every = [mutant for file in asked.files for mutant in mutants_of(file)]
    chosen = random.Random(asked.seed).sample(every, min(asked.many, len(every)))
    known: dict[str, bool] = {}
    if asked.out and asked.out.exists():
        known = dict(json.loads(line) for line in asked.out.read_text().splitlines())
    verdicts = []
    with tempfile.TemporaryDirectory() as cache, contextlib.suppress(KeyboardInterrupt):
        for mutant in chosen:
            if mutant.name not in known:
                known[mutant.name] = is_caught(mutant, asked.limit, cache)
                if asked.out:
                    with asked.out.open("a") as file:
                        file.write(json.dumps([mutant.name, known[mutant.name]]) + "\n")
            verdicts.append(known[mutant.name])
            print(f"{'caught' if verdicts[-1] else 'LIVES '}  {mutant.name}", flush=True)
    print(f"{sum(verdicts)} of {len(verdicts)} mutants caught, of {len(every)} that there are")


if __name__ == "__main__":
    main()
