"""The pages of the Python interface; mkdocstrings fills them from the docstrings."""

from importlib import import_module
from typing import Final

import zermelo

FRONT: Final = {
    "Games": "Game MAX MIN make_game factories checked Board Cell Piece check_game perft divide",
    "The handouts' searches": "MinimaxInfo SearchCounts minimax_search alpha_beta_search sound_search "
    "alpha_beta_heuristic_search depth_limit minimax_max minimax_min alpha_beta_decision timed_decision System "
    "Settings",
    "Inside a search": "explain show",
    "Engine": "Engine SearchResult",
    "Players and matches": "Match Player make_player play_out Record",
    "Solved games": "solve Table",
    "Errors": "ZermeloError",
}
"""Everything that the front door hands out, but the module of errors, by topic."""
MODULES: Final = tuple(f"zermelo.{name}" for name in ("errors", "bits", "words", "vectors", "grid", "board", "testing"))
ROOMS: Final = ("zermelo.textbook", "zermelo.play", "zermelo.solver")


def navigation() -> list[dict[str, str]]:
    """Return the entries of the pages in the site's navigation."""
    return [{"zermelo": "reference/python/index.md"}] + [
        {name: f"reference/python/{name}.md"} for name in (*MODULES, *ROOMS)
    ]


def pages() -> dict[str, str]:
    """Return the page of the front door, of some modules, and of the rooms that have names of their own.

    Raises
    ------
    LookupError
        A public name is on no page.
    """
    listed = {name for names in FRONT.values() for name in names.split()}
    if listed | {"errors"} != set(zermelo.__all__):
        raise LookupError(f"docs/site/interface.py and zermelo.__all__ differ: {listed ^ set(zermelo.__all__)}")
    parts = ["# The Python interface", "All of this comes from `zermelo` itself; [a tour](../../tutorials/python.md)."]
    for topic, names in FRONT.items():
        parts += [f"## {topic}", *(f"::: zermelo.{name}" for name in names.split())]
    found = {"reference/python/index.md": "\n\n".join(parts) + "\n"}
    for name in MODULES:
        found[f"reference/python/{name}.md"] = f"# {name}\n\n::: {name}\n    options: {{show_root_heading: false}}\n"
    for name in ROOMS:
        own = [one for one in import_module(name).__all__ if one not in listed]
        blocks = "\n\n".join(f"::: {name}.{one}" for one in own)
        found[f"reference/python/{name}.md"] = f"# {name}\n\n{import_module(name).__doc__}\n\n{blocks}\n"
    return found
