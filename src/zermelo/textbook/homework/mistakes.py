"""The right algorithm, and the same algorithm with the mistakes that people make, to explain a difference.

One slow search does what all of the handouts' systems do. With the right `Habits` it agrees with the real ones, as
tests check; with wrong ones it finds what a student with these habits would find.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from itertools import combinations, islice
from math import inf
from typing import Any, Final, Literal, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.game import MAX, Action, Game, State
from zermelo.result import SearchCounts
from zermelo.textbook.homework.assignments import Assignment, Limits
from zermelo.textbook.recursion import deep_recursion


class Entry(NamedTuple):
    """What a search finds for a state. The action is None for a bare value, and where there is no action."""

    value: float
    action: Action
    """The best action; in the system of two methods the best path, as a tuple."""


@dataclass(frozen=True)
class Habits:
    """The way in which somebody writes the search; the defaults are right."""

    takes_equals: bool = False
    keeps_last: bool = False
    prunes: Literal["at", "beyond", "never"] = "at"
    moves_alpha: bool = True
    moves_beta: bool = True
    passes_window: bool = True
    stores: bool = True
    stores_pruned: bool = False
    stores_ends: bool = True
    stores_cutoffs: bool = True
    reads: bool = True
    players: Literal["right", "all MAX", "exchanged"] = "right"
    utility_for_mover: bool = False
    eval_for_mover: bool = False
    counts_last: bool = True
    late: int = 0
    """By how many plies CUTOFF comes too late."""
    deepens: bool = True


MISTAKES: Final = {
    "a later move of the same value replaces the first: >= or <= where > or < is right": Habits(takes_equals=True),
    "the last move searched is kept, not the best one": Habits(keeps_last=True),
    "the prune test is alpha > beta; alpha >= beta is right": Habits(prunes="beyond"),
    "nothing is ever pruned, or neither alpha nor beta is updated": Habits(prunes="never"),
    "pruned states are stored": Habits(stores_pruned=True),
    "alpha is never updated": Habits(moves_alpha=False),
    "beta is never updated": Habits(moves_beta=False),
    "children are searched with the root's window, not with the present one": Habits(passes_window=False),
    "nothing is stored in the table": Habits(stores=False),
    "terminal states are not stored": Habits(stores_ends=False),
    "states at the cutoff are not stored": Habits(stores_cutoffs=False),
    "the table is never read": Habits(reads=False),
    "MIN maximizes like MAX": Habits(players="all MAX"),
    "MAX and MIN are exchanged": Habits(players="exchanged"),
    "UTILITY is turned to the player to move; every value is MAX's here": Habits(utility_for_mover=True),
    "EVAL is turned to the player to move; every value is MAX's here": Habits(eval_for_mover=True),
    "a pruning after a node's last move is not counted": Habits(counts_last=False),
    "CUTOFF comes one ply too late": Habits(late=1),
    "CUTOFF comes one ply too early": Habits(late=-1),
    "the depth does not grow from call to call": Habits(deepens=False),
}
"""Mistakes, as the end of a sentence, and the habits that lead to them."""
PAIRS_NODES: Final = 2_000
"""If a search visits more nodes than this, only single mistakes are tried, and no pairs."""


class TooLong(ZermeloError):
    """A search with a mistake visits so many nodes that it cannot be the student's."""


@dataclass
class Sight:
    """A visit to a state: on which path, with which window, and the values of its children."""

    path: tuple[Action, ...]
    alpha: float
    beta: float
    children: list[tuple[Action, float | None]] = field(default_factory=list)
    """Each action, in order, with the value of its child; None if it was pruned."""


@dataclass(frozen=True)
class Practice:
    """The result of a search with certain habits."""

    found: Entry
    table: dict[State, Entry]
    counts: SearchCounts
    sights: list[Sight]
    """The visits to the watched state, except those that the table answered."""


def practise(
    assignment: Assignment,
    game: Game,
    limits: Limits,
    habits: Habits | None = None,
    most: float = inf,
    spot: State | None = None,
) -> Practice:
    """Search as the assignment says, with these habits and at most ``most`` nodes, and watch the state ``spot``.

    Raises
    ------
    TooLong
        The search has more nodes.
    """
    search = _Search(assignment, game, limits, habits or Habits(), most, spot)
    with deep_recursion():
        found, _ = search.visit(game.initial, *search.window, assignment.root_depth)
    if assignment.system == "path":  # the one system whose values are the root player's
        found = found._replace(value=found.value * game.to_move(game.initial))
    return Practice(found, search.table, search.counts, search.sights)


class _Search:
    """One search: its settings, and what it leaves behind."""

    def __init__(
        self, assignment: Assignment, game: Game, limits: Limits, habits: Habits, most: float, spot: State | None
    ) -> None:
        self.assignment, self.limits, self.habits, self.most, self.spot = assignment, limits, habits, most, spot
        self.game = assignment.prepared(game, limits)
        self.window: tuple[float, float] = game.utility_range if assignment.system == "decision" else limits.window
        self.limit = limits.depth + assignment.root_depth + habits.late if assignment.needs_eval else inf
        self.table: dict[State, Entry] = {}
        self.counts = SearchCounts()
        self.sights: list[Sight] = []
        self.line: list[Action] = []

    def visit(self, state: State, alpha: float, beta: float, depth: int) -> tuple[Entry, bool]:
        """What the search finds for a state, and whether it was pruned."""
        self.counts.nodes += 1
        if self.counts.nodes > self.most:
            raise TooLong(f"The search visits more than {self.most:,} nodes.")
        if self.habits.reads and state in self.table:
            return self.table[state], False
        sight = Sight(tuple(self.line), alpha, beta) if state == self.spot else None
        if sight is not None:
            self.sights.append(sight)
        value = self.rate(state, depth)
        if value is not None:
            entry, pruned = Entry(value, self.null), False
            over = self.game.is_terminal(state)
            self.store(state, entry, self.habits.stores_ends if over else self.habits.stores_cutoffs)
        else:
            entry, pruned = self.expand(state, alpha, beta, depth, sight)
            self.store(state, entry, self.habits.stores_pruned or not pruned)
        return entry, pruned

    def rate(self, state: State, depth: int) -> int | None:
        """UTILITY at the end, EVAL at the cutoff; None if the search goes on."""
        game = self.game
        if game.is_terminal(state):
            return game.utility(state) * (game.to_move(state) if self.habits.utility_for_mover else 1)
        if game.evaluate is None or not self.cuts(state, depth):
            return None
        return game.evaluate(state) * (game.to_move(state) if self.habits.eval_for_mover else 1)

    def cuts(self, state: State, depth: int) -> bool:
        """CUTOFF, as early or late as the habits say."""
        if self.assignment.system == "heuristic" and self.game.is_cutoff is not None and not self.habits.late:
            return self.game.is_cutoff(state, depth)
        return depth >= self.limit

    def expand(self, state: State, alpha: float, beta: float, depth: int, sight: Sight | None) -> tuple[Entry, bool]:
        """The best of a state's actions, and whether the rest of them was pruned."""
        habits, player = self.habits, self.player(state)
        actions = list(self.game.actions(state))[: self.limits.width if self.assignment.system == "path" else None]
        best = Entry(self.worst(player, alpha, beta), self.null)
        for number, action in enumerate(actions, start=1):
            window = (alpha, beta) if habits.passes_window else self.window
            self.line.append(action)
            child, _ = self.visit(self.game.result(state, action), *window, depth + habits.deepens)
            self.line.pop()
            if sight is not None:
                sight.children.append((action, child.value))
            better = child.value * player > best.value * player
            if better or (habits.takes_equals and child.value == best.value):
                best = Entry(child.value, self.joined(action, child))
                if player == MAX and habits.moves_alpha:
                    alpha = max(alpha, child.value)
                elif player != MAX and habits.moves_beta:
                    beta = min(beta, child.value)
            elif habits.keeps_last:
                best = Entry(best.value, self.joined(action, child))
            if self.prunes(alpha, beta):
                if habits.counts_last or number < len(actions):
                    self.counts.prune(player)
                if sight is not None:
                    sight.children += [(rest, None) for rest in actions[number:]]
                return best, True
        return best, False

    def player(self, state: State) -> int:
        """The player to move, as the habits say."""
        if self.habits.players == "all MAX":
            return MAX
        return self.game.to_move(state) * (-1 if self.habits.players == "exchanged" else 1)

    def worst(self, player: int, alpha: float, beta: float) -> float:
        """The value that a move must exceed: the window's edge in the system of two methods, else an infinite one."""
        if self.assignment.system == "path":
            return alpha if player == MAX else beta
        return -player * inf

    def prunes(self, alpha: float, beta: float) -> bool:
        """The prune test."""
        if self.assignment.system == "minimax" or self.habits.prunes == "never":
            return False
        return alpha > beta if self.habits.prunes == "beyond" else alpha >= beta

    def store(self, state: State, entry: Entry, worthy: bool) -> None:
        """Put an entry into the table, if there is one."""
        if worthy and self.habits.stores and self.assignment.has_table:
            self.table[state] = entry

    @property
    def null(self) -> Action:
        """What stands for no action: None, or the empty path."""
        return () if self.assignment.system == "path" else None

    def joined(self, action: Action, child: Entry) -> Action:
        """The action, or the path that begins with it."""
        return (action, *child.action) if self.assignment.system == "path" else action


def pairs_of_mistakes() -> Iterator[tuple[str, Habits]]:
    """All pairs of mistakes in different habits."""
    for (first, one), (second, other) in combinations(MISTAKES.items(), 2):
        changes = _wrong(one), _wrong(other)
        if not changes[0].keys() & changes[1].keys():
            yield f"{first}; and {second}", Habits(**changes[0], **changes[1])


def _wrong(habits: Habits) -> dict[str, Any]:
    """The habits that are not right."""
    found = {item.name: (getattr(habits, item.name), item.default) for item in fields(Habits)}
    return {name: value for name, (value, default) in found.items() if value != default}


def likely_causes(
    assignment: Assignment, game: Game, limits: Limits, resembles: Callable[[Practice], bool]
) -> dict[str, Habits]:
    """The single mistakes with which a search does what ``resembles`` asks for, by their names.

    If there are none, the first pair of mistakes that does so; pairs are tried only if the search is short and a whole
    table, and not just a value, has to agree.
    """
    nodes = practise(assignment, game, limits).counts.nodes

    def explains(habits: Habits) -> bool:
        try:
            return resembles(practise(assignment, game, limits, habits, 3 * nodes + 10_000))
        except TooLong:
            return False

    alone = {cause: habits for cause, habits in MISTAKES.items() if explains(habits)}
    if alone or not assignment.has_table or nodes > PAIRS_NODES:
        return alone
    return dict(islice(((cause, habits) for cause, habits in pairs_of_mistakes() if explains(habits)), 1))
