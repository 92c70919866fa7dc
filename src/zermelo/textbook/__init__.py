"""The handouts' systems, pure Python, one file a system.

A module is imported when one of its names is asked for: where a student's search runs, none of these is at hand.
"""

from typing import TYPE_CHECKING

from zermelo.lazy import lazily
from zermelo.textbook.perft import divide, perft  # not lazily: the module has the function's name

if TYPE_CHECKING:
    from zermelo.textbook.alpha_beta import alpha_beta_search
    from zermelo.textbook.decision import alpha_beta_decision, timed_decision
    from zermelo.textbook.explain import Plan, SearchTree
    from zermelo.textbook.heuristic import alpha_beta_heuristic, alpha_beta_heuristic_search
    from zermelo.textbook.minimax import minimax_search
    from zermelo.textbook.path import Path, minimax_max, minimax_min
    from zermelo.textbook.rules import depth_limit
    from zermelo.textbook.sound import SoundInfo, sound_search
    from zermelo.textbook.systems import ALGORITHMS, Settings, System, guarantee

__all__ = [
    "ALGORITHMS",
    "Path",
    "Plan",
    "SearchTree",
    "Settings",
    "SoundInfo",
    "System",
    "alpha_beta_decision",
    "alpha_beta_heuristic",
    "alpha_beta_heuristic_search",
    "alpha_beta_search",
    "depth_limit",
    "divide",
    "guarantee",
    "minimax_max",
    "minimax_min",
    "minimax_search",
    "perft",
    "sound_search",
    "timed_decision",
]

_MODULES = {
    "alpha_beta": ("alpha_beta_search",),
    "decision": ("alpha_beta_decision", "timed_decision"),
    "explain": ("Plan", "SearchTree"),
    "heuristic": ("alpha_beta_heuristic", "alpha_beta_heuristic_search"),
    "minimax": ("minimax_search",),
    "path": ("Path", "minimax_max", "minimax_min"),
    "rules": ("depth_limit",),
    "sound": ("SoundInfo", "sound_search"),
    "systems": ("ALGORITHMS", "Settings", "System", "guarantee"),
}
if not TYPE_CHECKING:
    _HOMES = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}
    __getattr__, __dir__ = lazily(__name__, _HOMES)
