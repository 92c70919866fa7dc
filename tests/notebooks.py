"""Runs the notebooks of the docs, cell by cell, in one process.

python tests/notebooks.py       with a kernel each, as a person runs them, by nbclient
"""

import ast
import json
import sys
from pathlib import Path
from typing import Final

NOTEBOOKS: Final = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def run(notebook: Path) -> dict[str, object]:
    """Run the cells as one program, and return its variables."""
    names: dict[str, object] = {"__name__": notebook.stem}
    for number, cell in enumerate(json.loads(notebook.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(compile(ast.parse(source), f"{notebook.name}, cell {number}", "exec"), names)
    return names


def main() -> None:
    """Run each notebook in a kernel, and stop at the first error."""
    import nbformat
    from nbclient import NotebookClient

    for file in NOTEBOOKS:
        NotebookClient(nbformat.read(file, as_version=4), timeout=600).execute()
        print(f"{file.name} runs.")


if __name__ == "__main__":
    sys.exit(main())
