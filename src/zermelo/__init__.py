"""Two-player perfect-information games: rules written once in Python, played, searched and solved.

All that most readers need comes from here; games from `zermelo.games`, tests for a game of your own from
`zermelo.testing`, and the rest of each room from `zermelo.textbook`, `zermelo.play` and `zermelo.solver`.
"""

from typing import TYPE_CHECKING

from zermelo import errors
from zermelo.board import Board, Cell, Piece
from zermelo.errors import ZermeloError
from zermelo.game import MAX, MIN, Game
from zermelo.lazy import lazily
from zermelo.parameters import checked
from zermelo.registry import factories, make_game
from zermelo.result import MinimaxInfo, SearchCounts, SearchResult

if TYPE_CHECKING:
    from zermelo.check import check_game
    from zermelo.engine import Engine
    from zermelo.pictures.notebook import explain, show
    from zermelo.play import Match, Player, Record, make_player, play_out
    from zermelo.solver import Table
    from zermelo.solver.solve import solve
    from zermelo.textbook import (
        Settings,
        System,
        alpha_beta_decision,
        alpha_beta_heuristic_search,
        alpha_beta_search,
        depth_limit,
        divide,
        minimax_max,
        minimax_min,
        minimax_search,
        sound_search,
        timed_decision,
    )
    from zermelo.textbook.perft import perft

__all__ = [
    "MAX",
    "MIN",
    "Board",
    "Cell",
    "Engine",
    "Game",
    "Match",
    "MinimaxInfo",
    "Piece",
    "Player",
    "Record",
    "SearchCounts",
    "SearchResult",
    "Settings",
    "System",
    "Table",
    "ZermeloError",
    "alpha_beta_decision",
    "alpha_beta_heuristic_search",
    "alpha_beta_search",
    "check_game",
    "checked",
    "depth_limit",
    "divide",
    "errors",
    "explain",
    "factories",
    "make_game",
    "make_player",
    "minimax_max",
    "minimax_min",
    "minimax_search",
    "perft",
    "play_out",
    "show",
    "solve",
    "sound_search",
    "timed_decision",
]
__version__ = "0.1.0"

_ROOMS = {
    "zermelo.check": ("check_game",),
    "zermelo.engine": ("Engine",),
    "zermelo.play": ("Match", "Player", "Record", "make_player", "play_out"),
    "zermelo.solver": ("Table",),
    "zermelo.solver.solve": ("solve",),
    "zermelo.textbook": (
        *("Settings", "System", "alpha_beta_decision", "alpha_beta_heuristic_search", "alpha_beta_search"),
        *("depth_limit", "divide", "minimax_max", "minimax_min", "minimax_search", "perft", "sound_search"),
        "timed_decision",
    ),
    "zermelo.pictures.notebook": ("explain", "show"),
}
"""The modules of names that need Numba, or that few programs need; they are imported when a name is first used."""
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazily(__name__, {name: room for room, names in _ROOMS.items() for name in names})
