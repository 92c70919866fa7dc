"""The pages of the site: links lead somewhere, the navigation names every page, and the program writes the others.

`make test` builds the site itself, too, by `make docs`, with packages that these tests do not need.
"""

import os
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import zermelo

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
LINK = re.compile(r"(?<!`)\]\(([^)\s#]*)(#[^)\s]+)?\)")
GENERATED = re.compile(
    r"reference/(atlas|commands|http|glossary|python/.*|games/.*)\.md|explanation/(minimax|alpha-beta)\.svg"
)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch):
    """The modules that write pages."""
    monkeypatch.syspath_prepend(str(DOCS / "site"))
    names = ["atlas", "commands", "games", "interface", "http_interface", "lessons", "trees"]
    yield {name: import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name)


def anchor(heading: str) -> str:
    """The name by which links call a heading."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """The names of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    broken = []
    for file, name in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in file or file.startswith("mailto:"):
            continue
        target = Path(os.path.normpath(page.parent / file)) if file else page
        if target.is_relative_to(DOCS) and GENERATED.match(target.relative_to(DOCS).as_posix()):
            continue
        if target.is_dir() and page.is_relative_to(DOCS):
            broken.append(f"{file} is a folder, to which a page of the site can have no link")
        elif not target.exists() or (name and name[1:] not in anchors(target)):
            broken.append(file + name)
    assert broken == []


def test_the_navigation_names_every_page():
    listed = set(
        re.findall(r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    )
    there = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert there <= listed
    assert {page for page in listed - there if not GENERATED.match(page)} == {"contributing.md", "changelog.md"}


def test_the_program_writes_the_reference(site):
    (commands,) = site["commands"].pages().values()
    assert "## zermelo cache" in commands
    assert "### zermelo cache clear" in commands
    assert "--seconds" in commands
    games = site["games"].pages()
    shelf = [name for name, factory in zermelo.factories().items() if factory.__module__.startswith("zermelo.games")]
    assert {f"reference/games/{name}.md" for name in shelf} <= set(games)
    assert all(text.count("```") % 2 == 0 for name, text in games.items() if name.endswith(".md"))
    assert "<svg" in site["trees"].pages()["explanation/alpha-beta.svg"]
    assert "explain(game" in site["lessons"].pages()["notebooks/alpha_beta.md"]
    assert "zermelo perft" in site["atlas"].pages()["reference/atlas.md"]
    assert "::: zermelo.Game" in site["interface"].pages()["reference/python/index.md"]
    assert "/api/games/{game}/analysis" in site["http_interface"].pages()["reference/http.md"]


def test_links_of_generated_pages_lead_somewhere(site):
    pages = {name: text for module in site.values() for name, text in module.pages().items()}
    there = set(pages) | {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*") if path.is_file()}
    there |= {"contributing.md", "changelog.md", "reference/glossary.md"}
    broken, inside = [], 0
    for page, text in pages.items():
        for file, _ in (
            LINK.findall(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)) if page.endswith("md") else []
        ):
            if not file or "://" in file:
                continue
            inside += 1
            target = os.path.normpath(Path(page).parent / file)
            if target not in there and not (DOCS / target).is_file():
                broken.append(f"{page}: {file}")
    assert broken == []
    assert inside > 30


def test_the_interface_names_what_there_is(site):
    names = re.findall(r"^::: (\S+)", "\n".join(site["interface"].pages().values()), re.MULTILINE)
    assert len(names) > 50
    for name in names:
        parts = name.split(".")
        found = import_module(parts[0])
        for place, part in enumerate(parts[1:], start=1):
            found = getattr(found, part, None) or import_module(".".join(parts[: place + 1]))


def test_every_format_is_described():
    """A file's format is a constant of the module that writes it."""
    page = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    formats = {
        found
        for path in (ROOT / "src").rglob("*.py")
        for found in re.findall(r'^FORMAT: Final = "(zermelo \w+ \d+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(formats) > 4
    assert {one for one in formats if f"`{one}`" not in page} == set()


def test_figures_of_the_readme_stand_on_the_pages_that_it_links():
    """No figure is typed twice: each number in the table of the README stands on a page to which its row has a link."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("| measured |\n")[2].partition("\n\n")[0]
    for row in table.splitlines()[1:]:
        pages = "".join(
            (ROOT / file).read_text(encoding="utf-8") for file, _ in LINK.findall(row) if file.endswith(".md")
        )
        for number in re.findall(r"(?<![\w#x/])[+]?\d[\d,.]*\d(?![\w])", re.sub(r"\]\([^)]*\)", "]", row)):
            assert number in pages, number
