"""The house is in order: rooms import only from rooms above, packages say what they hold, and files are short.

These tests read the source as text and as syntax trees; they import nothing of zermelo. Imports inside functions and
imports for type checkers count as well: whoever reads a module's types needs the room that they come from.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

HERE: Final = Path(__file__).parents[1]
SOURCE: Final = HERE / "src" / "zermelo"

ROOMS: Final = (
    "errors lazy files bits board source references members fingerprint result notation parameters weights contract "
    "game display words vectors grid",
    "games",
    "registry",
    "textbook",
    "compiled",
    "engine",
    "learn",
    "solver.model",
    "solver.kernels",
    "solver.table",
    "solver.passes",
    "solver.local",
    "solver.study",
    "solver",
    "cluster",
    "check testing",
    "play",
    "protocol",
    "pictures",
    "lab",
    "classroom",
    "atlas",
    "ui",
    "ui.web",
    "ui.commands",
    "ui.cli",
)
"""The rooms, each with its modules, from top to bottom. A package stands for all of its modules that are not named."""

FRONT_DOOR: Final = {
    "display": "a notebook draws with `zermelo.show`, whichever room that comes from",
    "cluster.rehearse": "a driver and its workers compare their versions",
    "ui.cli": "it prints the version",
    "ui.commands.doctor": "it tells the version",
    "ui.commands.engine": "it tells the version",
    "ui.web.serve": "it prints the version",
}
"""Who may import the package `zermelo` itself, which lies below all rooms, and why."""

NAMED: Final = {
    "registry": "a message shows how games are named",
    "ui.installation": "an extra and its package are called chess",
    "ui.web.sockets": "an event of sockets is called connect",
}
"""Modules outside `games` in which the name of a game stands, and why."""

LINES: Final = 400
"""The most lines that a module may have."""
FUNCTION_LINES: Final = 80
"""The most lines that a function or kernel may have outside `games`, where a factory holds all of a game's rules."""
BARE: Final = 0.03
"""The share of annotations that may be `Any` and nothing else."""


def name_of(path: Path) -> str:
    """A module's name below `zermelo`; that of a package is its folder's, and the front door's is empty."""
    *folders, name = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(folders if name == "__init__" else [*folders, name])


FILES: Final = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}
PACKAGES: Final = [name for name, path in FILES.items() if path.name == "__init__.py" and name]


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text())


def room(module: str) -> int:
    """The number of a module's room: that of the longest name in `ROOMS` that the module's own begins with."""
    number = {name: number for number, names in enumerate(ROOMS) for name in names.split()}
    parts = module.split(".")
    while parts and ".".join(parts) not in number:
        parts.pop()
    assert parts, f"{module} is in no room; name its room in ROOMS and in docs/explanation/design.md"
    return number[".".join(parts)]


@cache
def imports(module: str, *, typing: bool = True) -> set[str]:
    """The modules of zermelo that a module imports, anywhere in it; without ``typing``, not those for type checkers."""
    skipped = {
        inner
        for node in ast.walk(tree(module))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import) and node not in skipped:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node not in skipped:
            assert node.level == 0, f"{module}:{node.lineno}: imports name the whole path of what they import"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name.removeprefix("zermelo.") in FILES else str(node.module) for name in whole}
    return {name.removeprefix("zermelo").removeprefix(".") for name in found if name.partition(".")[0] == "zermelo"}


INSIDE: Final = [module for module in FILES if module not in ("", "__main__")]
"""All modules except the front door and what `python -m zermelo` runs."""


def test_rooms_import_only_from_rooms_above() -> None:
    upwards = [
        f"{module} imports {other}"
        for module in INSIDE
        for other in imports(module)
        if other and room(other) > room(module)
    ]
    assert upwards == []
    assert {module for module in INSIDE if "" in imports(module)} <= set(FRONT_DOOR)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Two modules may name each other's types: `Game` hands its pictures to functions that take a `Game`."""
    needed = {module: imports(module, typing=False) - {""} for module in INSIDE}
    TopologicalSorter(needed).prepare()  # raises CycleError, which shows the circle


def test_the_layout_in_the_docs_has_the_same_order() -> None:
    """Each line of it begins with a module or a package; what is in a package is indented."""
    layout = (HERE / "docs" / "explanation" / "design.md").read_text().partition("## Layout")[2].split("```")[1]
    listed, package = [], ""
    for indent, name in re.findall(r"^(  |    )(\w+)(?:\.py|/)", layout, re.MULTILINE):
        listed.append(f"{package}.{name}" if len(indent) > 2 else name)
        package = package if len(indent) > 2 else name
    assert set(listed) <= set(FILES)
    numbers = [room(name) for name in listed if name not in ("solver", "ui")]  # whose own modules use their packages
    assert numbers == sorted(numbers)
    assert {module.partition(".")[0] for module in INSIDE} - {"source", "references", "members"} <= set(listed)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_is_in_it(package: str) -> None:
    """A line of its docstring begins with each module's name and tells, after two spaces, what the module holds."""
    text = ast.get_docstring(tree(package)) or ""
    lines = re.findall(r"^ *(\w+/?(?:, \w+/?)*)  +\S", text, re.MULTILINE)
    named = {name.rstrip("/") for line in lines for name in line.split(", ")}
    there = {module.removeprefix(f"{package}.") for module in FILES if module.rpartition(".")[0] == package}
    assert named == there


def test_modules_and_functions_are_short() -> None:
    long = {module for module, path in FILES.items() if len(path.read_text().splitlines()) > LINES}
    long |= {
        f"{module}.{node.name}"
        for module in FILES
        if not module.startswith("games.")
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    }
    assert long == set()


def annotations(module: str) -> Iterator[ast.expr]:
    """The annotations of arguments, of results and of variables."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield node.returns


def test_few_annotations_are_bare_any() -> None:
    every = [ast.unparse(annotation) for module in FILES for annotation in annotations(module)]
    assert every.count("Any") < BARE * len(every)


def test_no_default_is_hidden_from_the_type_checker() -> None:
    """An argument that is required has no default that its type forbids."""
    hidden = re.compile(r"=\s*(field\(default=)?None\)?\s*#\s*type: ignore")
    assert [module for module, path in FILES.items() if hidden.search(path.read_text())] == []


def words(module: str) -> set[str]:
    """The words of a module's code: names that it defines or uses, and words in its strings, except docstrings."""
    prose = {node.value for node in ast.walk(tree(module)) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in ast.walk(tree(module)):
        match node:
            case ast.Constant(value=str(text)) if node not in prose:
                found.update(re.findall(r"\w+", text))
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.alias(name=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return found


def test_no_game_is_named_outside_games() -> None:
    shelf = next(
        ast.literal_eval(node.value)
        for node in ast.walk(tree("games"))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    named = {module: words(module) & set(shelf) for module in INSIDE if module.partition(".")[0] != "games"}
    assert {module: names for module, names in named.items() if names and module not in NAMED} == {}


PAGES: Final = [HERE / "README.md", HERE / "CONTRIBUTING.md", *sorted((HERE / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_only_files_and_modules_that_are_there(page: Path) -> None:
    text = page.read_text()
    files = {name for name in re.findall(r"`([\w.-]+/[\w./-]+)`", text) if name.endswith((".py", ".tsv", ".md", "/"))}
    places = (HERE, HERE / "src", SOURCE, page.parent)
    assert {name for name in files if not any((place / name).exists() for place in places)} == set()
    modules = set(re.findall(r"\bzermelo((?:\.[a-z_]\w*)+)", text))
    top = {name.partition(".")[0] for name in FILES} | words("")
    assert {name for name in modules if name.split(".")[1] not in top} == set()
    assert {name for name in modules if len(name.split(".")) > 3 and not is_found(name[1:])} == set()


def is_found(name: str) -> bool:
    """Whether a dotted name is that of a module, or of something that a module defines."""
    module, _, last = name.rpartition(".")
    return name in FILES or (module in FILES and last in words(module))
