"""The right solution of each assignment: zermelo's own search, called as the student's is."""

from dataclasses import dataclass
from math import inf
from typing import Any

from zermelo.game import Game, State
from zermelo.result import SearchCounts
from zermelo.textbook.alpha_beta import alpha_beta_search
from zermelo.textbook.decision import alpha_beta_decision
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.homework.assignments import Assignment, Limits
from zermelo.textbook.homework.practice import Entry
from zermelo.textbook.minimax import minimax_search
from zermelo.textbook.path import minimax_max


@dataclass(frozen=True)
class Solution:
    """The result of a search, its table in the order of its entries, and its counts."""

    found: Entry
    table: dict[State, Entry]
    counts: SearchCounts


def solution(assignment: Assignment, game: Game, limits: Limits) -> Solution:
    """Search ``game`` from its initial state."""
    prepared, counts, table = assignment.prepared(game, limits), SearchCounts(), dict[State, Any]()
    state = game.initial
    if assignment.system == "minimax":
        found: Any = minimax_search(prepared, state, table, counts)
    elif assignment.system == "alpha-beta":
        found = alpha_beta_search(prepared, state, *limits.window, table, counts)
    elif assignment.system == "heuristic":
        depth = assignment.root_depth
        found = alpha_beta_heuristic_search(prepared, state, *limits.window, depth, table, counts=counts)
    elif assignment.system == "decision":
        found = alpha_beta_decision(prepared, state, limits.depth, counts)
    else:
        value, path, _ = minimax_max(prepared, state, 0, -inf, inf, limits.depth, limits.width, counts=counts)
        found = value, path
    return Solution(Entry(*found), {state: Entry(*info) for state, info in table.items()}, counts)
