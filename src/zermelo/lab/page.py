"""Reports as one HTML file: style and pictures are inside it, so it needs no network.

Colours follow what the reader's system says, light or dark. They have the names that `zermelo.pictures.charts` uses.
"""

import os
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from zermelo.errors import BadParameter
from zermelo.files import write_whole
from zermelo.pictures.charts import STYLE as CHART_STYLE

STYLE: Final = """
:root{--paper:#f5f6f8;--card:#fff;--ink:#1b2330;--soft:#566173;--line:#dde2ea;--accent:#1f5fd0;--c1:#c2410c;--c2:#1f5fd0;
--c3:#14774a;--c4:#7a4fb5;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#10141b;--card:#191f29;--ink:#e7ecf4;--soft:#a5b0c0;--line:#2e3747;
--accent:#7cabff;--c1:#ff9d68;--c2:#7cabff;--c3:#56d196;--c4:#b79cf0}}
body{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
margin:0 auto;max-width:860px;padding:24px 16px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:0 0 8px}p{margin:8px 0}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:16px 18px;margin:16px 0}
.scroll{overflow-x:auto}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;color:var(--soft)}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:600}
tbody th{color:var(--ink);font-weight:400}
.how{color:var(--soft);font-size:13px}a{color:var(--accent)}
"""


def section(heading: str, *content: str, how: str = "") -> str:
    """Return a part of a page.

    Parameters
    ----------
    heading
        Its title, as text.
    content
        Pieces of HTML, such as those of `paragraph`, `table` and `zermelo.pictures.charts`.
    how
        How the figures were measured, as text; it stands below them in small type.
    """
    small = f'<p class="how">{escape(how)}</p>' if how else ""
    return f"<section><h2>{escape(heading)}</h2>{''.join(content)}{small}</section>\n"


def paragraph(text: str) -> str:
    """Return a text as HTML."""
    return f"<p>{escape(text)}</p>"


class Markup(str):
    """A text that is HTML already."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, name: str = "Table") -> str:
    """Return a table; the first column names the rows.

    Parameters
    ----------
    head, rows
        Texts; those that are `Markup` are HTML.
    name
        What the table holds, for those who hear the page.
    """
    top = "".join(f'<th scope="col">{_cell(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{_cell(first)}</th>{"".join(f"<td>{_cell(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{escape(name)}">'
        f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    return text if isinstance(text, Markup) else escape(text)


def page(title: str, intro: str, sections: Iterable[str], *, style: str = "", script: str = "") -> str:
    """Return a whole HTML file.

    Parameters
    ----------
    title, intro
        As text: the heading, and a sentence or two below it.
    sections
        HTML, such as that of `section`.
    style, script
        CSS and JavaScript of this page's own.
    """
    code = f"<script>{script}</script>" if script else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{CHART_STYLE}{style}</style></head>\n<body>"
        f"<main><h1>{escape(title)}</h1><p>{escape(intro)}</p>\n{''.join(sections)}</main>{code}</body></html>\n"
    )


def require_places(*files: Path | str | None) -> None:
    """Refuse files that cannot be written, before the work begins whose result they are to hold; None is no file.

    Raises
    ------
    BadParameter
        A folder does not exist or cannot be written to, or a file is a folder itself.
    """
    for file in files:
        if file is not None:
            _require_place(file)


def _require_place(file: Path | str) -> None:
    path = Path(file)
    folder = path.absolute().parent
    if not folder.is_dir():
        raise BadParameter(f"{file} cannot be written: there is no folder {folder}.")
    if path.is_dir():
        raise BadParameter(f"{file} cannot be written: it is a folder.")
    if not os.access(folder, os.W_OK):
        raise BadParameter(f"{file} cannot be written: the folder {folder} is read-only.")


def save(text: str, file: Path | str) -> None:
    """Write a page or a picture to a file, whole or not at all.

    Raises
    ------
    BadParameter
        The file cannot be written.
    """
    try:
        write_whole(Path(file), text.encode())
    except OSError as error:
        raise BadParameter(f"{file} cannot be written: {error.strerror or error}.") from None
