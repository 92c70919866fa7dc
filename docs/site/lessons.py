"""A page for each notebook, with its texts and its code, and a link to the notebook itself."""

import json
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "notebooks"
TITLES: Final = {
    "alpha_beta": "Teaching alpha-beta",
    "solving": "Solving a game, with Polars",
    "tuning": "Tuning an evaluation",
}


def navigation() -> list[dict[str, str]]:
    """Return the entries of the notebooks in the site's navigation."""
    return [{title: f"notebooks/{name}.md"} for name, title in TITLES.items()]


def pages() -> dict[str, str]:
    """Return the page of each notebook."""
    return {f"notebooks/{name}.md": page(name) for name in TITLES}


def page(name: str) -> str:
    """Return the cells of a notebook as a page."""
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    title, *rest = ["".join(cell["source"]) for cell in cells]
    kinds = [cell["cell_type"] for cell in cells[1:]]
    parts = [title, f"This is a notebook: [download it]({name}.ipynb), and run it to see its pictures."]
    parts += [text if kind == "markdown" else f"```python\n{text}\n```" for kind, text in zip(kinds, rest, strict=True)]
    return "\n\n".join(parts) + "\n"
