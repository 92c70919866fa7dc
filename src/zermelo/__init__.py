"""Two-player perfect-information games: rules written once in Python, played, searched and solved."""

from typing import TYPE_CHECKING, Any

from zermelo import errors
from zermelo.errors import ZermeloError
from zermelo.game import MAX, MIN, Game
from zermelo.registry import factories, make_game
from zermelo.result import MinimaxInfo, SearchCounts, SearchResult

if TYPE_CHECKING:
    from zermelo.check import check_game
    from zermelo.engine import Engine
    from zermelo.solver.solve import solve
    from zermelo.solver.table import Table
    from zermelo.ui.explaining import explain, show

__all__ = [
    "MAX",
    "MIN",
    "Engine",
    "Game",
    "MinimaxInfo",
    "SearchCounts",
    "SearchResult",
    "Table",
    "ZermeloError",
    "check_game",
    "errors",
    "explain",
    "factories",
    "make_game",
    "show",
    "solve",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What needs Numba or is seldom needed is imported when first asked for, so that the rest starts at once."""
    if name == "Engine":
        from zermelo.engine import Engine

        return Engine
    if name == "check_game":
        from zermelo.check import check_game

        return check_game
    if name == "solve":
        from zermelo.solver.solve import solve

        return solve
    if name == "Table":
        from zermelo.solver.table import Table

        return Table
    if name in ("explain", "show"):
        from zermelo.ui import explaining

        return getattr(explaining, name)
    raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
