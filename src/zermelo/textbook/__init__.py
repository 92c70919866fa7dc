"""The handouts' systems, pure Python, one file a system."""

from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision, timed_decision
from zermelo.textbook.explain import Plan, SearchTree
from zermelo.textbook.heuristic import alpha_beta_heuristic, alpha_beta_heuristic_search
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.path import Path, minimax_max, minimax_min
from zermelo.textbook.perft import divide, perft
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
