"""What MkDocs calls while it builds the site: pages that the program writes, and links that lead out of ``docs``.

``mkdocs.yml`` names this file. The modules beside it write the pages; nothing of theirs is kept in the repository.
"""

import os
import re
from pathlib import Path
from typing import Any, Final

import commands
import http_interface
import interface
import lessons
import trees
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

import atlas
import games

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
WHOLE: Final = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages that are files of the repository, and their files."""
LINK: Final = re.compile(r"(?<=\]\()([^)\s#:]+)(?=[)#])")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the single games and of the Python interface into the navigation."""
    for section in config.nav or []:
        if "Games" in section:
            section["Games"] += games.navigation()
        if "Tutorials" in section:
            section["Tutorials"].append({"Notebooks": lessons.navigation()})
        if "Reference" in section:
            section["Reference"].append({"Python interface": interface.navigation()})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and each file outside ``docs`` to which a page has a link."""
    pages = {
        name: content
        for module in (atlas, commands, games, http_interface, interface, lessons, trees)
        for name, content in module.pages().items()
    }
    pages |= {"reference/glossary.md": glossary()}
    pages |= {page: (ROOT / name).read_text(encoding="utf-8") for page, name in WHOLE.items()}
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    for name in sorted(outside(files)):
        files.append(
            File.generated(config, f"files/{name}", abs_src_path=str(ROOT / name), inclusion=InclusionLevel.NOT_IN_NAV)
        )
    return files


def outside(files: Files) -> set[str]:
    """Return the files outside ``docs`` to which pages have links, as paths from the root of the repository."""
    found = set()
    for file in files.documentation_pages():
        for link in LINK.findall(file.content_string):
            target = origin(file.src_uri).parent / link
            path = Path(os.path.normpath(target))
            if path.is_file() and not path.is_relative_to(DOCS) and path.name not in WHOLE.values():
                found.add(path.relative_to(ROOT).as_posix())
    return found


def origin(page: str) -> Path:
    """Return the file from which a page is made: links in it are relative to this file."""
    return ROOT / WHOLE[page] if page in WHOLE else DOCS / page


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to pages of the site, and leave out what only the tests need to read."""
    own = page.file.src_uri

    def moved(match: re.Match[str]) -> str:
        path = Path(os.path.normpath(origin(own).parent / match[1]))
        if path.is_relative_to(DOCS):
            inside = path.relative_to(DOCS).as_posix()
        else:
            name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
            inside = next((page for page, file in WHOLE.items() if file == name), f"files/{name}")
        return Path(os.path.relpath(inside, Path(own).parent)).as_posix()

    markdown = LINK.sub(moved, markdown)
    markdown = re.sub(r"  # doctest: .*", "", markdown)
    return re.sub(r"^<BLANKLINE>$", "", markdown, flags=re.MULTILINE)


def glossary() -> str:
    """Return the page of words, which `CONTRIBUTING.md` holds."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("### Words\n")[2]
    return f"# Glossary\n\nOne word has one meaning here, in the docs, in messages and in the code.\n{table}"
