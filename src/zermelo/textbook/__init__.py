"""The handouts' systems in pure Python, one file a system.

Modules
    minimax     system 1: minimax with a table
    alpha_beta  system 2: alpha-beta with the same table
    heuristic   system 3: alpha-beta with IS-CUTOFF and EVAL
    path        system 4: a maximizing and a minimizing method, limited in depth and width
    decision    system 5: MAX-VALUE and MIN-VALUE, the player of a MAIN loop
    sound       alpha-beta with a table whose entries say what their values prove
    systems     the systems by name, with their settings, answering with a `SearchResult`
    explain     the tree of a search: every node, and what happened in which order
    flat_tree   such a tree in a small form, for a page
    pseudocode  the algorithms as pseudocode, with what happens at each line
    observer    what watches a search: recorders and limits of nodes
    variants    a game changed so that an algorithm can be shown at work
    rules       checks of a game and depth limits that the systems share
    recursion   room on the stack for deep recursion
    perft       counting the nodes of the game tree
    homework/   a student's own searches compared with these

A module is imported only when one of its names is used: a student's file then runs without the others.
"""

from typing import TYPE_CHECKING

from zermelo.lazy import lazily
from zermelo.textbook.perft import divide, perft  # not lazily: the module has the function's name

if TYPE_CHECKING:
    from zermelo.textbook.alpha_beta import alpha_beta_search
    from zermelo.textbook.decision import alpha_beta_decision, timed_decision
    from zermelo.textbook.explain import Recipe, SearchTree
    from zermelo.textbook.heuristic import alpha_beta_heuristic, alpha_beta_heuristic_search
    from zermelo.textbook.minimax import minimax_search
    from zermelo.textbook.path import Path, minimax_max, minimax_min
    from zermelo.textbook.rules import depth_limit
    from zermelo.textbook.sound import SoundInfo, sound_search
    from zermelo.textbook.systems import ALGORITHMS, Settings, System, guarantee

__all__ = [
    "ALGORITHMS",
    "Path",
    "Recipe",
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
    "explain": ("Recipe", "SearchTree"),
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
