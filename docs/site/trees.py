"""The pictures of search trees in the explanations, drawn by the program."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import zermelo

GAME: Final = {"rows": 3, "columns": 3, "run": 3}


def pages() -> dict[str, str]:
    """Return the trees of the page of algorithms."""
    game = zermelo.make_game("connect", GAME)
    found = {}
    with TemporaryDirectory() as folder:
        for method in ("minimax", "alpha-beta"):
            file = Path(folder) / f"{method}.svg"
            zermelo.explain(game, method=method, depth=3, table=False).save(file)
            found[f"explanation/{method}.svg"] = file.read_text(encoding="utf-8")
    return found
