"""The analysis of a position, in one shape for the engine, a textbook search and a solved table.

A provider answers in a thread of its own, reports each depth that it has completed, and can be stopped.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from zermelo.game import Action, Game, State
from zermelo.result import Bound, SearchCounts, SearchResult
from zermelo.textbook.rules import depth_limit
from zermelo.textbook.sound import SoundTable, sound_search
from zermelo.ui.web.watch import Stopped, Watch

if TYPE_CHECKING:
    from zermelo.engine import Engine
    from zermelo.solver import Table

Source = Literal["engine", "textbook", "table"]
_TEXTBOOK_NODES: Final = 150_000
"""Nodes of a textbook search of one position; this bounds its memory."""
OTHERS: Final = 2
"""Moves besides the best one whose lines are told."""
_OTHER_SECONDS: Final = 0.2
"""Time of the engine for each of these lines; its table knows most of them."""
_LEAST_SECONDS: Final = 2.0
"""A shorter analysis tells the best line alone."""
_LINE_SHOWN: Final = 14
_OTHER_SHOWN: Final = 8


@dataclass(frozen=True)
class MoveValue:
    """The value of a move, from MAX's point of view."""

    action: Action
    value: int
    remoteness: int | None = None
    """Plies to the end, with the move itself."""
    proven: bool = False


@dataclass(frozen=True)
class Analysis:
    """What a provider knows about a position so far."""

    source: Source
    """The kind of the provider."""
    value: int
    proven: bool
    """Whether the values of the position and of all its moves are proven."""
    moves: tuple[MoveValue, ...] = ()
    line: tuple[Action, ...] = ()
    others: tuple[tuple[Action, ...], ...] = ()
    """The lines of the next best moves; each begins with its move."""
    bound: Bound = "exact"
    remoteness: int | None = None
    depth: int | None = None
    nodes: int = 0
    seconds: float = 0.0
    has_proven_win: bool = False
    """Whether a move is proven to win in a game of wins, draws and losses; then no other move matters."""

    @property
    def is_decided(self) -> bool:
        """Whether the result of the position is proven."""
        return self.proven or self.has_proven_win

    @property
    def lines_shown(self) -> list[tuple[Action, ...]]:
        """The lines as far as people want to see them: the principal variation, then those of the next best moves."""
        return [self.line[:_LINE_SHOWN], *(line[:_OTHER_SHOWN] for line in self.others)]

    def of(self, action: Action) -> MoveValue | None:
        """Return the value of a move; None if it is not known."""
        return next((move for move in self.moves if move.action == action), None)


Say = Callable[[Analysis], None]


class Provider(Protocol):
    """Something that can value a position."""

    def analyse(self, game: Game, state: State, seconds: float, say: Say) -> Analysis | None:
        """Analyse for at most so many seconds, and call ``say`` with each new analysis; None if nothing was found."""

    def stop(self) -> None:
        """End the running analysis, from another thread."""


class EngineProvider:
    """The compiled engine, which values every move, ever deeper."""

    def __init__(self, engine: "Engine", depth: int | None = None) -> None:
        self.engine = engine
        self.depth = depth
        self._stopped = False

    def analyse(self, game: Game, state: State, seconds: float, say: Say) -> Analysis | None:
        """See `Provider`."""

        def report(result: SearchResult) -> None:
            if self._stopped:  # the request to stop may be older than the search
                self.engine.stop()
            elif result.depth:
                say(from_result("engine", result, game, state))

        if self._stopped:
            return None
        has_others = seconds >= _LEAST_SECONDS
        if has_others:
            seconds -= OTHERS * _OTHER_SECONDS
        result = self.engine.search(state, seconds=seconds, depth=self.depth, root_values=True, progress=report)
        if not result.depth:
            return None
        found = from_result("engine", result, game, state)
        return replace(found, others=self._others(game, state, found, result.depth)) if has_others else found

    def _others(self, game: Game, state: State, found: Analysis, depth: int) -> tuple[tuple[Action, ...], ...]:
        """Return the lines of the moves that are next best, searched less deep by a ply."""
        lines = []
        for move in next_best(found, game.to_move(state)):
            child, line = game.result(state, move.action), [move.action]
            if depth > 1 and not self._stopped and not game.is_terminal(child):
                line += self.engine.search(child, seconds=_OTHER_SECONDS, depth=depth - 1).principal_variation
            lines.append(tuple(line))
        return tuple(lines)

    def stop(self) -> None:
        """See `Provider`."""
        self._stopped = True
        self.engine.stop()


class TextbookProvider:
    """Sound alpha-beta for rules that cannot be compiled: ever deeper, or to the end if the game has no EVAL."""

    def __init__(self) -> None:
        self._watch = Watch(_TEXTBOOK_NODES)

    def analyse(self, game: Game, state: State, seconds: float, say: Say) -> Analysis | None:
        """See `Provider`."""
        watch = self._watch
        watch.begin(seconds)
        watched = watch.rules(game)
        start, found = perf_counter(), None
        depths: Iterable[int | None] = [None] if game.evaluate is None else range(1, 64)
        try:
            for depth in depths:
                found = replace(self._to_depth(watched, state, depth, watch.counts), seconds=perf_counter() - start)
                say(found)
                if found.proven:
                    break
        except Stopped:
            pass
        return found

    def stop(self) -> None:
        """See `Provider`."""
        self._watch.stop()

    def _to_depth(self, game: Game, state: State, depth: int | None, counts: SearchCounts) -> Analysis:
        """Search every move to the same depth; ``Stopped`` comes out of the rules."""
        player, proven = game.to_move(state), True
        found: list[tuple[MoveValue, tuple[Action, ...]]] = []
        for action in game.legal_actions(state):
            child, cutoffs = game.result(state, action), counts.cutoffs
            table: SoundTable = {}
            if depth == 1 and game.evaluate is not None and not game.is_terminal(child):
                counts.nodes += 1
                counts.cutoffs += 1
                value = game.evaluate(child)
            else:
                cutoff = None if depth is None else depth_limit(max(1, depth - 1))
                value = sound_search(game, child, -inf, inf, table, cutoff, counts).value
            sure = counts.cutoffs == cutoffs
            proven = proven and sure
            found.append((MoveValue(action, value, proven=sure), (action, *_line(game, child, table))))
        (best, line), *rest = sorted(found, key=lambda pair: -player * pair[0].value)
        others = tuple(other for _, other in rest[:OTHERS])
        moves = tuple(move for move, _ in found)
        won = _has_proven_win(game, state, moves)
        return Analysis(
            "textbook", best.value, proven, moves, line, others, depth=depth, nodes=counts.nodes, has_proven_win=won
        )


def _line(game: Game, state: State, table: SoundTable) -> Iterable[Action]:
    while (info := table.get(state)) is not None and info.action is not None and info.bound == "exact":
        yield info.action
        state = game.result(state, info.action)


class TableProvider:
    """A solved table, which knows everything at once."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._stopped = False

    def analyse(self, game: Game, state: State, seconds: float, say: Say) -> Analysis | None:
        """See `Provider`."""
        try:
            found = self.table[state]
        except KeyError:
            return None
        moves = tuple(
            MoveValue(move.action, move.value, None if move.remoteness is None else move.remoteness + 1, proven=True)
            for move in self.table.moves(state)
        )
        known = Analysis("table", found.value, True, moves, self._line(game, state), remoteness=found.remoteness)
        others = (
            (move.action, *self._line(game, game.result(state, move.action), _OTHER_SHOWN - 1))
            for move in next_best(known, game.to_move(state))
        )
        return replace(known, others=tuple(others))

    def stop(self) -> None:
        """See `Provider`: end the line, whose moves are read one by one from a table that may lie far away."""
        self._stopped = True

    def _line(self, game: Game, state: State, most: int = 200) -> tuple[Action, ...]:
        line: list[Action] = []
        seen: set[Any] = set()
        while not (self._stopped or game.is_terminal(state) or state in seen or len(line) == most):
            seen.add(state)
            line.append(next(iter(self.table.moves(state))).action)
            state = game.result(state, line[-1])
        return tuple(line)


def from_result(source: Source, result: SearchResult, game: Game, state: State) -> Analysis:
    """Return the result of a search as an analysis of the state."""
    values: Mapping[Action, int] = result.root_values or {}
    proofs: Mapping[Action, int | None] = result.root_proofs or {}
    moves = tuple(MoveValue(action, value, proofs.get(action), action in proofs) for action, value in values.items())
    return Analysis(
        source=source,
        value=result.value,
        proven=result.proven,
        moves=moves,
        line=result.principal_variation,
        bound=result.bound,
        remoteness=result.remoteness if result.proven else proofs.get(result.action),
        depth=result.depth,
        nodes=result.nodes,
        seconds=result.seconds,
        has_proven_win=_has_proven_win(game, state, moves),
    )


def _has_proven_win(game: Game, state: State, moves: Iterable[MoveValue]) -> bool:
    player = game.to_move(state)
    return game.outcomes == "wdl" and any(move.proven and player * move.value > 0 for move in moves)


def next_best(analysis: Analysis, player: int) -> list[MoveValue]:
    """Return the moves after which lines are told besides the principal variation."""
    first = analysis.line[:1]
    return [move for move in best_first(analysis, player) if (move.action,) != first][:OTHERS]


def best_first(analysis: Analysis, player: int) -> list[MoveValue]:
    """Return the moves from the best for ``player`` to the worst: quick wins first, quick losses last."""

    def rank(move: MoveValue) -> tuple[int, float]:
        gain = player * move.value
        if move.remoteness is None:
            return -gain, inf
        return -gain, move.remoteness if gain >= 0 else -move.remoteness

    return sorted(analysis.moves, key=rank)
