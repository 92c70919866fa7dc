"""What kernels are named by on disk: all code that they can reach, and nothing else."""

import ast
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path
from types import CodeType, FunctionType

import numba.extending
import pytest

import zermelo
from zermelo.compiled import link_late
from zermelo.compiled.cache import KernelCache
from zermelo.compiled.numba_names import foreign_overloads
from zermelo.compiled.reach import Reach, digest

PACKAGE = Path(zermelo.__file__).parent


def kernels():
    """Every kernel of the package, by name."""
    found = {}
    for module in pkgutil.walk_packages([str(PACKAGE)], "zermelo."):
        if module.name.split(".")[1] in ("compiled", "engine", "solver", "cluster", "check", "learn", "lab"):
            for name, item in vars(importlib.import_module(module.name)).items():
                if isinstance(getattr(item, "_cache", None), KernelCache):
                    found[f"{item.__module__}.{name}"] = item
    return {name: item for name, item in found.items() if name.startswith(item.__module__)}


KERNELS = kernels()


class Recorded(Reach):
    """Which functions of the package a walk comes to, last the deepest."""

    def __init__(self):
        super().__init__()
        self.functions = []

    def function_text(self, function):
        if function.__code__.co_filename.startswith(str(PACKAGE)) and function.__name__ != "<lambda>":
            self.functions.append(function)
        return super().function_text(function)


def test_every_kernel_is_named():
    assert len(KERNELS) > 20
    names = {name: kernel._cache.reach for name, kernel in KERNELS.items()}
    assert None not in names.values() and len(set(names.values())) == len(names)


@pytest.mark.parametrize("name", KERNELS)
def test_an_edit_of_the_deepest_helper_gives_another_name(name):
    kernel = KERNELS[name]
    walk = Recorded()
    walk.whole(kernel)
    before = digest(kernel)
    deepest = walk.functions[-1]
    code = deepest.__code__
    try:
        deepest.__code__ = edited(code, "_edited = 777")
        assert digest(kernel) != before
        deepest.__code__ = edited(code, "'A docstring in other words.'")
        assert digest(kernel) == before
    finally:
        deepest.__code__ = code
    assert digest(kernel) == before


def test_another_way_to_link_gives_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine code of a kernel depends on how it is linked, and on whether it counts references."""
    cache = next(iter(KERNELS.values()))._cache
    assert type(cache).reach.func(cache) == cache.reach
    for library in (link_late.KernelLibrary, link_late.PartLibrary):
        with monkeypatch.context() as patch:
            patch.setattr(library, "add_llvm_module", lambda self, module: None)
            assert type(cache).reach.func(cache) != cache.reach


def edited(code: CodeType, statement: str) -> CodeType:
    """The code of a function whose file has a statement in place of its docstring, and a comment above it."""
    lines = Path(code.co_filename).read_text().splitlines(keepends=True)
    functions = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.FunctionDef)]
    (node,) = [one for one in functions if one.name == code.co_name and first_line(one) == code.co_firstlineno]
    first = node.body[0].lineno - 1
    margin = " " * node.body[0].col_offset
    rest = node.body[0].end_lineno if ast.get_docstring(node) is not None else first
    text = "".join(["# A comment.\n", *lines[:first], f"{margin}{statement}\n", *lines[rest:]])
    pending = [compile(text, code.co_filename, "exec", dont_inherit=True)]
    while pending:
        one = pending.pop()
        if one.co_qualname == code.co_qualname and one.co_firstlineno == code.co_firstlineno + 1:
            return one
        pending += [constant for constant in one.co_consts if isinstance(constant, CodeType)]
    raise AssertionError(f"no {code.co_qualname} in {code.co_filename}")


def first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(item.lineno for item in node.decorator_list)])


def test_what_a_kernel_does_not_reach_does_not_count():
    from zermelo.compiled import answers
    from zermelo.solver.kernels import induction
    from zermelo.solver.table import stores

    reached = {name: set(functions_of(kernel)) for name, kernel in KERNELS.items()}
    assert not any(function in functions for functions in reached.values() for function in functions_in(stores))
    assert answers.write_answers.py_func in reached["zermelo.compiled.answers.answers"]
    assert answers.write_answers.py_func not in reached["zermelo.engine.deepening.search_deeper"]
    assert reached["zermelo.solver.kernels.induction.settle"] <= set(functions_in(induction)) | set(
        functions_in(importlib.import_module("zermelo.solver.model.outcome_codes"))
    )


def functions_of(kernel):
    walk = Recorded()
    walk.whole(kernel)
    return walk.functions


def functions_in(module):
    items = [getattr(item, "py_func", item) for item in vars(module).values()]
    return [item for item in items if isinstance(item, FunctionType) and item.__module__ == module.__name__]


RUN = """
import sys
import numpy as np
from zermelo.compiled import compiled, flatten
from zermelo.compiled.answers import answers
from zermelo.games import nim
game = compiled(nim())
out = np.zeros(8, np.int64)
answers(game, flatten(game.initial), out, np.zeros(99, np.int64))
print(out[1], *answers.stats.cache_hits.values())
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, and what a new process makes of it with one file edited."""
    shutil.copytree(PACKAGE, tmp_path / "src" / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "src"), *sys.path]),
        "ZERMELO_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def run(file="", old="", new=""):
        path = tmp_path / "src" / "zermelo" / file
        if file:
            text = path.read_text()
            assert old in text
            path.write_text(text.replace(old, new))
        done = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    return run


@pytest.mark.slow
def test_an_edit_is_run_by_the_next_process_and_one_elsewhere_compiles_nothing(copy):
    plain, edited = "1 if over else 0", "1 if over else 777"
    assert copy() == ["0"]
    assert copy() == ["0", "1"]
    assert copy("compiled/answers.py", plain, edited) == ["777"]
    assert copy("compiled/rules.py", '"""Return the player to move', '"""Return whose turn it is') == ["777", "1"]
    assert copy("solver/table/stores.py", "import", "# A comment.\nimport") == ["777", "1"]
    assert copy("compiled/answers.py", edited, plain) == ["0", "1"]


def test_an_overload_is_found_even_if_it_is_registered_after_the_first_look():
    def plain(number):
        return number

    assert foreign_overloads(plain) == []

    @numba.extending.overload(plain)
    def chosen(_number):
        return lambda number: number

    assert foreign_overloads(plain) == [chosen]
