"""The catalogue of mistakes: what people get wrong when they write the handouts' searches.

`Habits` are the decisions that somebody takes who writes such a search; the defaults are right. A mistake is a name and
the habits that lead to it, and `zermelo.textbook.homework.practice` searches with them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, Final, Literal


@dataclass(frozen=True)
class Habits:
    """The way in which somebody writes the search; the defaults are right."""

    takes_equals: Literal["never", "always", "MAX", "MIN"] = "never"
    """Who replaces the best move by a later one of the same value."""
    keeps_last: bool = False
    tries: Literal["all", "first", "all but the last", "all but the first"] = "all"
    """Which actions of a state are searched."""
    worst: Literal["infinite", "zero", "low", "edge", "best"] = "infinite"
    """The value with which a state begins; "low" is -inf for both players, "edge" alpha for MAX and beta for MIN, and
    "best" +inf for MAX and -inf for MIN."""
    names: Literal["own", "child's"] = "own"
    """Which action an entry holds."""
    tests: Literal["both", "MAX", "MIN", "inverted"] = "both"
    """Whose moves the prune test follows."""
    tests_value: bool = False
    """Whether the prune test compares the best value with the other player's edge, and not alpha with beta. Both are
    right, but some mistakes show only with one of them."""
    prunes: Literal["at", "beyond", "MAX beyond", "MIN beyond", "never", "own edge"] = "at"
    """Where the prune test fires; "own edge" compares the value with the edge that its own player may move."""
    tests_late: bool = False
    """Whether the prune test comes before alpha and beta are updated."""
    returns_edge: bool = False
    """Whether a pruned state returns the edge of the window in place of its value (fail-hard)."""
    moves_alpha: bool = True
    moves_beta: bool = True
    moves_by: Literal["better edge", "value", "last", "exchanged"] = "better edge"
    """How values move the window: "value" replaces the edge by a better value even if the edge was better still, "last"
    by the value of every child, and "exchanged" moves MAX's values to beta and MIN's to alpha."""
    passes_alpha: bool = True
    passes_beta: bool = True
    passes_window: Literal["present", "root's", "infinite", "exchanged", "negated", "entry's"] = "present"
    """Which window a child is searched with; "entry's" is the one with which the search came to its parent."""
    stores: bool = True
    stores_pruned: bool = False
    stores_ends: bool = True
    stores_cutoffs: bool = True
    stores_inner: bool = True
    reads: bool = True
    own_table: bool = False
    """Whether the search has a table of its own, which lives on from search to search."""
    players: Literal["right", "all MAX", "all MIN", "exchanged", "by depth", "alternating"] = "right"
    negates: bool = False
    """Whether the value of a child is negated, as in negamax."""
    utility: Literal["MAX's", "mover's", "negated", "opponent's", "sign", "EVAL"] = "MAX's"
    evaluate: Literal["MAX's", "mover's", "negated", "opponent's", "zero"] = "MAX's"
    rates_for_root: bool = True
    """Whether the system of two methods rates positions for the player at the root."""
    counts: Literal["all", "none", "not after the last move", "pruned moves", "before the test"] = "all"
    late: int = 0
    """By how many plies CUTOFF comes too late."""
    cuts_first: bool = False
    """Whether CUTOFF is asked before IS-TERMINAL."""
    deepens: Literal[0, 1, 2] = 1
    """By how much the depth grows from call to call."""
    wider: int = 0
    """By how many moves the search is too wide."""
    extends: Literal["front", "end", "child", "own"] = "front"
    """Where an action joins the path of its child, or which of both is the path alone."""


MISTAKES: Final = {
    "a later move of the same value replaces the first: >= or <= where > or < is right": Habits(takes_equals="always"),
    "for MAX, a later move of the same value replaces the first: >= where > is right": Habits(takes_equals="MAX"),
    "for MIN, a later move of the same value replaces the first: <= where < is right": Habits(takes_equals="MIN"),
    "the last move searched is kept, not the best one": Habits(keeps_last=True),
    "only the first move is searched; the loop ends too early": Habits(tries="first"),
    "the last move is never searched": Habits(tries="all but the last"),
    "the first move is never searched": Habits(tries="all but the first"),
    "the best value begins at 0; -inf for MAX and +inf for MIN are right": Habits(worst="zero"),
    "the best value begins at -inf for both players; +inf is right for MIN": Habits(worst="low"),
    "the best value begins at +inf for MAX and at -inf for MIN; it is the other way round": Habits(worst="best"),
    "the best value begins at alpha for MAX and at beta for MIN; -inf and +inf are right": Habits(worst="edge"),
    "the action of a child is returned in place of the state's own": Habits(names="child's"),
    "the prune test is alpha > beta; alpha >= beta is right": Habits(prunes="beyond"),
    "the prune test is > beta for MAX, where it is right for MIN; >= is right": Habits(prunes="MAX beyond"),
    "the prune test is < alpha for MIN, where it is right for MAX; <= is right": Habits(prunes="MIN beyond"),
    "the prune test comes before alpha and beta are updated": Habits(tests_late=True),
    "nothing is ever pruned, or neither alpha nor beta is updated": Habits(prunes="never"),
    "the prune test compares the value with the player's own edge, alpha for MAX and beta for MIN": Habits(
        prunes="own edge"
    ),
    "only MAX prunes": Habits(tests="MAX"),
    "only MIN prunes": Habits(tests="MIN"),
    "the prune test is the wrong way round: alpha <= beta": Habits(tests="inverted"),
    "a pruned state returns alpha or beta in place of the best value": Habits(returns_edge=True),
    "pruned states are stored": Habits(stores_pruned=True),
    "alpha is never updated": Habits(moves_alpha=False),
    "beta is never updated": Habits(moves_beta=False),
    "alpha and beta are set to the value, even where it is worse than the edge": Habits(moves_by="value"),
    "alpha and beta are set to the value of every child, not of the best": Habits(moves_by="last"),
    "MAX updates beta, and MIN alpha": Habits(moves_by="exchanged"),
    "alpha is not passed on to the children": Habits(passes_alpha=False),
    "beta is not passed on to the children": Habits(passes_beta=False),
    "children are searched with the root's window, not with the present one": Habits(passes_window="root's"),
    "children are searched with an infinite window, not with the present one": Habits(passes_window="infinite"),
    "children are searched with the window of their parent's call, not with the updated one": Habits(
        passes_window="entry's"
    ),
    "alpha and beta are exchanged in the call": Habits(passes_window="exchanged"),
    "alpha and beta are negated and exchanged in the call, as in negamax": Habits(passes_window="negated"),
    "nothing is stored in the table": Habits(stores=False),
    "terminal states are not stored": Habits(stores_ends=False),
    "states at the cutoff are not stored": Habits(stores_cutoffs=False),
    "only terminal states and states at the cutoff are stored": Habits(stores_inner=False),
    "the table is never read": Habits(reads=False),
    "the table is the file's own, and not cleared before the next search": Habits(own_table=True),
    "MIN maximizes like MAX": Habits(players="all MAX"),
    "MAX minimizes like MIN": Habits(players="all MIN"),
    "MAX and MIN are exchanged": Habits(players="exchanged"),
    "the player is taken from the depth, as if MAX were to move at the root": Habits(players="by depth"),
    "the players are taken to alternate, but a player may move twice in a row": Habits(players="alternating"),
    "the value of a child is negated, as in negamax; every value is MAX's here": Habits(negates=True),
    "UTILITY is turned to the player to move; every value is MAX's here": Habits(utility="mover's"),
    "UTILITY is turned to the player who moved last; every value is MAX's here": Habits(utility="opponent's"),
    "UTILITY is negated": Habits(utility="negated"),
    "only the sign of UTILITY is taken": Habits(utility="sign"),
    "EVAL is asked where the game is over; UTILITY is right": Habits(utility="EVAL"),
    "EVAL is turned to the player to move; every value is MAX's here": Habits(evaluate="mover's"),
    "EVAL is turned to the player who moved last; every value is MAX's here": Habits(evaluate="opponent's"),
    "EVAL is negated": Habits(evaluate="negated"),
    "a state at the cutoff is worth 0; EVAL is right": Habits(evaluate="zero"),
    "prunings are never counted": Habits(counts="none"),
    "a pruning after a node's last move is not counted": Habits(counts="not after the last move"),
    "the moves that are pruned are counted, not the nodes that prune": Habits(counts="pruned moves"),
    "every move is counted as a pruning, whether the test fires or not": Habits(counts="before the test"),
    "CUTOFF comes one ply too late": Habits(late=1),
    "CUTOFF comes one ply too early": Habits(late=-1),
    "CUTOFF is asked before IS-TERMINAL": Habits(cuts_first=True),
    "the depth does not grow from call to call": Habits(deepens=0),
    "the depth grows by two from call to call": Habits(deepens=2),
    "one move too many is searched in each position": Habits(wider=1),
    "one move too few is searched in each position": Habits(wider=-1),
    "the path is built from its end: an action belongs before the path of its child": Habits(extends="end"),
    "the path lacks the state's own action": Habits(extends="child"),
    "the path has the state's own action only": Habits(extends="own"),
    "positions are rated for MAX; this system rates them for the player at the root": Habits(rates_for_root=False),
}
"""Mistakes, as the end of a sentence, and the habits that lead to them."""


def pairs_of_mistakes() -> Iterator[tuple[str, Habits]]:
    """All pairs of mistakes in different habits."""
    for (first, one), (second, other) in combinations(MISTAKES.items(), 2):
        changes = wrong_habits(one), wrong_habits(other)
        if not changes[0].keys() & changes[1].keys():
            yield f"{first}; and {second}", Habits(**changes[0], **changes[1])


def wrong_habits(habits: Habits) -> dict[str, Any]:
    """The habits that are not right."""
    found = {item.name: (getattr(habits, item.name), item.default) for item in fields(Habits)}
    return {name: value for name, (value, default) in found.items() if value != default}
