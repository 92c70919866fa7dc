"""The share of automatic mutants of the engine's kernels that the engine's tests catch.

    python benchmarks/kernel_mutants.py [--many 100] [--seed 0] [--limit 900] [--files search table ...] [--out FILE]

A mutant is one kernel file with one operator, constant or condition changed. The package is copied, the mutant put in
its place, the signature of a few games compared, and ``tests/engine`` run until the first failure. A mutant is caught
if a test fails, and hangs if the tests take longer than the limit; give a busy machine more. It takes from some
seconds to some minutes, since kernels that reach the change are compiled anew. Those that live are either a hole in the
tests or change nothing that can be seen. Ctrl-C ends it with the share so far; with ``--out`` the same command goes on.
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
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from check.mutants import SWAPPED

ROOT: Final = Path(__file__).parents[1]
ENGINE: Final = ROOT / "src" / "zermelo" / "engine"
KERNELS: Final = (
    "search",
    "scores",
    "table",
    "nodes",
    "line",
    "proof_search",
    "proof_table",
    "df_pn",
    "sharing",
    "windows",
)
TESTS: Final = ("kernel_parts", "scores", "loops", "tables", "values", "limits", "published")
SIGNATURES: Final = (("connect",), ("clobber", "checkers"))
"""Games whose node counts are compared first; the whole signature takes minutes to compile."""


Verdict = Literal["caught", "hangs", "lives"]


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


def judged(mutant: Mutant, limit: float, cache: str) -> Verdict:
    """What becomes of the mutant in place of its kernel file."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "src" / "zermelo"
        shutil.copytree(ROOT / "src" / "zermelo", package, ignore=shutil.ignore_patterns("__pycache__"))
        (package / "engine" / f"{mutant.file}.py").write_text(mutant.source)
        paths = os.pathsep.join([str(package.parent), str(ROOT / "tests")])
        environment = os.environ | {"PYTHONPATH": paths, "ZERMELO_CACHE_DIR": cache}
        tests = [f"tests/engine/test_{name}.py" for name in TESTS]
        commands = [["benchmarks/signature.py", *games] for games in SIGNATURES]
        commands += [["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", "not signature", *tests]]
        for command in commands:
            whole = [sys.executable, *command]
            try:
                ended = subprocess.run(
                    whole, cwd=ROOT, env=environment, timeout=limit, capture_output=True, stdin=subprocess.DEVNULL
                )
            except subprocess.TimeoutExpired:
                return "hangs"
            if ended.returncode:
                return "caught"
        return "lives"


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
    known: dict[str, Verdict] = {}
    if asked.out and asked.out.exists():
        known = dict(json.loads(line) for line in asked.out.read_text().splitlines())
    verdicts: Counter[Verdict] = Counter()
    with tempfile.TemporaryDirectory() as cache, contextlib.suppress(KeyboardInterrupt):
        for mutant in chosen:
            if mutant.name not in known:
                known[mutant.name] = judged(mutant, asked.limit, cache)
                if asked.out:
                    with asked.out.open("a") as file:
                        file.write(json.dumps([mutant.name, known[mutant.name]]) + "\n")
            verdicts[known[mutant.name]] += 1
            print(f"{known[mutant.name]:<8}{mutant.name}", flush=True)
    told = ", ".join(f"{many} {verdict}" for verdict, many in verdicts.most_common())
    print(f"{verdicts.total()} of {len(every)} mutants: {told}")


if __name__ == "__main__":
    main()
