"""The right algorithm, and the same algorithm with the mistakes of the catalogue.

One slow search does what all of the handouts' systems do. With the right `Habits` it agrees with the real ones, as
tests check; with wrong ones it finds what a student with these habits would find.
"""

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from zermelo.errors import ZermeloError
from zermelo.game import MAX, MIN, Action, Game, Player, State
from zermelo.result import SearchCounts
from zermelo.textbook.homework.assignments import Assignment, Limits
from zermelo.textbook.homework.habits import Habits
from zermelo.textbook.recursion import deep_recursion

_SIGNS = {"MAX's": 1, "negated": -1, "mover's": 1, "opponent's": -1}
"""With what a rating is multiplied, apart from the player to move."""


class Entry(NamedTuple):
    """What a search finds for a state. The action is None for a bare value, and where there is no action."""

    value: float
    action: Action
    """The best action; in the system of two methods the best path, as a tuple."""


class TooLong(ZermeloError):
    """A search visits more nodes than it may."""


@dataclass
class Sight:
    """A visit to a state: on which path, with which window, and the values of its children."""

    path: tuple[Action, ...]
    alpha: float
    beta: float
    """In the system of two methods, windows and values are those of the player at the root."""
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
    own_table: dict[State, Entry] | None = None,
) -> Practice:
    """Search from the game's initial state as the assignment says, with these habits.

    Parameters
    ----------
    assignment, game, limits
        What to search.
    habits
        How; rightly if None.
    most
        Nodes that the search may visit.
    spot
        A state to watch.
    own_table
        The table that lives on from search to search, for habits that have one.

    Raises
    ------
    TooLong
        The search has more nodes.
    """
    search = _Search(assignment, game, limits, habits or Habits(), most, spot)
    if own_table is not None and search.habits.own_table:
        search.table = own_table
    with deep_recursion():
        found, _ = search.visit(game.initial, *search.window, assignment.root_depth)
    return Practice(found, {} if search.habits.own_table else search.table, search.counts, search.sights)


class _Search:
    """One search: its settings, and what it leaves behind."""

    def __init__(
        self, assignment: Assignment, game: Game, limits: Limits, habits: Habits, most: float, spot: State | None
    ) -> None:
        self.assignment, self.limits, self.habits, self.most, self.spot = assignment, limits, habits, most, spot
        self.game = assignment.prepared(game, limits)
        self.window: tuple[float, float] = game.utility_range if assignment.system == "decision" else limits.window
        self.limit = limits.depth + assignment.root_depth + habits.late if assignment.needs_eval else inf
        self.is_path = assignment.system == "path"
        self.view = game.to_move(game.initial) if self.is_path else MAX
        """From whose point of view values are: this is the one system whose values are the root player's."""
        self.width = limits.width + habits.wider if self.is_path else None
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
        over = self.game.is_terminal(state)
        value = self.rate(state, depth, over)
        if value is not None:
            entry, pruned = Entry(value, self.null), False
            self.store(state, entry, self.habits.stores_ends if over else self.habits.stores_cutoffs)
        else:
            entry, pruned = self.expand(state, alpha, beta, depth, sight)
            self.store(state, entry, self.habits.stores_inner and (self.habits.stores_pruned or not pruned))
        return entry, pruned

    def rate(self, state: State, depth: int, over: bool) -> int | None:
        """UTILITY at the end, EVAL at the cutoff; None if the search goes on."""
        game, habits = self.game, self.habits
        estimates = game.evaluate is not None and self.assignment.needs_eval
        if over and not (estimates and (habits.utility == "EVAL" or (habits.cuts_first and self.cuts(state, depth)))):
            value, view = game.utility(state), str(habits.utility)
        elif game.evaluate is None or not (over or (estimates and self.cuts(state, depth))):
            return None
        else:
            value, view = game.evaluate(state), str(habits.evaluate)
        if view in ("sign", "zero"):
            return 0 if view == "zero" else (value > 0) - (value < 0)
        sign = _SIGNS.get(view, 1) * (game.to_move(state) if view in ("mover's", "opponent's") else 1)
        return value * sign * (self.view if habits.rates_for_root else MAX)

    def cuts(self, state: State, depth: int) -> bool:
        """CUTOFF, as early or late as the habits say."""
        if self.assignment.system == "heuristic" and self.game.is_cutoff is not None and not self.habits.late:
            return self.game.is_cutoff(state, depth)
        return depth >= self.limit

    def expand(self, state: State, alpha: float, beta: float, depth: int, sight: Sight | None) -> tuple[Entry, bool]:
        """The best of a state's actions, and whether the rest of them was pruned."""
        habits, player, entered = self.habits, self.player(state, depth), (alpha, beta)
        actions = self.tried(state)
        best = Entry(self.worst(player, alpha, beta), self.null)
        for number, action in enumerate(actions, start=1):
            low, high = self.window_of_child((alpha, beta), entered)
            self.line.append(action)
            # A call with *window would take room on the stack of C, and an endless game would end the program.
            child, _ = self.visit(self.game.result(state, action), low, high, depth + habits.deepens)
            self.line.pop()
            value = -child.value if habits.negates else child.value
            if sight is not None:
                sight.children.append((action, value))
            before = alpha, beta
            better = value * player > best.value * player
            if better or (value == best.value and habits.takes_equals in ("always", "MAX" if player == MAX else "MIN")):
                best = Entry(value, self.joined(action, child))
            elif habits.keeps_last:
                best = Entry(best.value, self.joined(action, child))
            if better or habits.moves_by == "last":
                alpha, beta = self.moved(player, value, alpha, beta)
            fires = self.prunes(player, best.value, *(before if habits.tests_late else (alpha, beta)))
            if fires or habits.counts == "before the test":
                self.count(player, len(actions) - number)
            if fires:
                if sight is not None:
                    sight.children += [(rest, None) for rest in actions[number:]]
                edge = beta if player == MAX else alpha
                return best._replace(value=edge) if habits.returns_edge else best, True
        return best, False

    def tried(self, state: State) -> list[Action]:
        """The actions that are searched, in their order."""
        actions = list(self.game.actions(state))[: self.width]
        match self.habits.tries:
            case "first":
                return actions[:1]
            case "all but the last":
                return actions[:-1]
            case "all but the first":
                return actions[1:]
        return actions

    def player(self, state: State, depth: int) -> Player:
        """Whether the player to move maximizes (MAX) or minimizes (MIN), as the habits say."""
        match self.habits.players:
            case "all MAX":
                return MAX
            case "all MIN":
                return MIN
            case "by depth" | "alternating":
                first = MAX if self.habits.players == "by depth" else self.game.to_move(self.game.initial) * self.view
                return first if (depth - self.assignment.root_depth) % 2 == 0 else -first
            case "exchanged":
                return -self.game.to_move(state) * self.view
        return self.game.to_move(state) * self.view

    def worst(self, player: Player, alpha: float, beta: float) -> float:
        """The value that a move must exceed: the window's edge in the system of two methods, else an infinite one."""
        if self.is_path or self.habits.worst == "edge":
            return alpha if player == MAX else beta
        if self.habits.worst == "zero":
            return 0
        if self.habits.worst == "best":
            return player * inf
        return -inf if self.habits.worst == "low" else -player * inf

    def window_of_child(self, present: tuple[float, float], entered: tuple[float, float]) -> tuple[float, float]:
        """The window with which a child is searched."""
        habits = self.habits
        windows = {"root's": self.window, "entry's": entered, "infinite": (-inf, inf)}
        alpha, beta = windows.get(habits.passes_window, present)
        if habits.passes_window in ("exchanged", "negated"):
            alpha, beta = (beta, alpha) if habits.passes_window == "exchanged" else (-beta, -alpha)
        return alpha if habits.passes_alpha else -inf, beta if habits.passes_beta else inf

    def moved(self, player: Player, value: float, alpha: float, beta: float) -> tuple[float, float]:
        """The window after a child of this value."""
        habits = self.habits
        for_max = (player == MAX) != (habits.moves_by == "exchanged")
        if for_max and habits.moves_alpha:
            alpha = value if habits.moves_by in ("value", "last") else max(alpha, value)
        elif not for_max and habits.moves_beta:
            beta = value if habits.moves_by in ("value", "last") else min(beta, value)
        return alpha, beta

    def prunes(self, player: Player, value: float, alpha: float, beta: float) -> bool:
        """The prune test."""
        habits = self.habits
        if self.assignment.system == "minimax" or habits.prunes == "never":
            return False
        if habits.tests in ("MAX", "MIN") and habits.tests != ("MAX" if player == MAX else "MIN"):
            return False
        if habits.tests == "inverted":
            return alpha <= beta
        if habits.prunes == "own edge":
            return value * player >= (alpha if player == MAX else beta) * player
        if habits.tests_value:
            alpha, beta = (value, beta) if player == MAX else (alpha, value)
        beyond = habits.prunes == "beyond" or habits.prunes == ("MAX beyond" if player == MAX else "MIN beyond")
        return alpha > beta if beyond else alpha >= beta

    def count(self, player: Player, left: int) -> None:
        """Count a pruning; ``left`` moves are not searched."""
        habit = self.habits.counts
        if self.assignment.system == "minimax" or habit == "none":
            return
        if left or habit != "not after the last move":
            for _ in range(left if habit == "pruned moves" else 1):
                self.counts.prune(player * self.view)

    def store(self, state: State, entry: Entry, worthy: bool) -> None:
        """Put an entry into the table, if there is one."""
        if worthy and self.habits.stores and (self.assignment.has_table or self.habits.own_table):
            self.table[state] = entry

    @property
    def null(self) -> Action:
        """What stands for no action: None, or the empty path."""
        return () if self.is_path else None

    def joined(self, action: Action, child: Entry) -> Action:
        """The action, or the path that begins with it, as the habits say."""
        if not self.is_path:
            return child.action if self.habits.names == "child's" else action
        match self.habits.extends:
            case "end":
                return (*child.action, action)
            case "child":
                return child.action
            case "own":
                return (action,)
        return (action, *child.action)
