"""Two-player perfect-information games: rules written once in Python, played, searched and solved."""

from zermelo import errors
from zermelo.errors import ZermeloError
from zermelo.game import MAX, MIN, Game
from zermelo.registry import factories, make_game
from zermelo.result import MinimaxInfo, SearchCounts, SearchResult

__all__ = [
    "MAX",
    "MIN",
    "Game",
    "MinimaxInfo",
    "SearchCounts",
    "SearchResult",
    "ZermeloError",
    "errors",
    "factories",
    "make_game",
]
__version__ = "0.1.0"
