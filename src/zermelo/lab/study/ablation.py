"""What each switch of the engine is worth: the nodes of a search to a depth, with the switch as it is and flipped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from zermelo.engine import Engine
from zermelo.engine.switches import UNSOUND, Switches, make_switches
from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.lab.estimates import Estimate, finite, ratio
from zermelo.lab.openings import random_openings
from zermelo.result import SearchResult, plain

OPENINGS: Final = 20
PLIES: Final = 6
"""Random plies of each opening."""
NODES: Final = 100_000
"""The depth is the greatest at which searches visit no more nodes than that on average."""
FACTOR: Final = 50
"""A search with a flipped switch is stopped after that many times the nodes of the usual search."""
TABLE_MB: Final = 16
_DEEPEST: Final = 60
_KNOWLEDGE: Final = {
    "order": "order",
    "bounds": "bounds",
    "leaf_bounds": "bounds",
    "symmetries": "symmetries",
    "sufficient_actions": "sufficient_actions",
    "quiescence": "noisy_actions",
    "quiescence_table": "noisy_actions",
    "urgent": "urgent",
    "exchanges": "gain",
    "losing_last": "gain",
    "losing_pruning": "gain",
    "delta": "gain",
    "null_move": "null_state",
}
"""Switches that need a function of the game, and that function."""
OTHER_TREES: Final = ("leaf_bounds", "quiescence", "same_depth", "urgent", "exchanges", "delta", *UNSOUND)
"""Switches that change what a search to a depth means, so that fewer nodes are not a gain by themselves."""


class Flip(NamedTuple):
    """A switch that differs from its default."""

    switch: str
    on: bool

    @property
    def text(self) -> str:
        """As players are described: ``history=off``, or ``delta=0`` for a switch that is a number."""
        if isinstance(getattr(Switches(), self.switch), bool):
            return f"{self.switch}={'on' if self.on else 'off'}"
        return f"{self.switch}={int(self.on)}"

    @property
    def other_tree(self) -> bool:
        """Whether it changes what a search to a depth means."""
        return self.switch in OTHER_TREES


@dataclass(frozen=True)
class NodeCost:
    """What a flipped switch costs in nodes."""

    flip: str
    """Such as ``history=off``."""
    factor: Estimate
    """Nodes with the switch flipped, as a multiple of the usual ones: the geometric mean over the openings."""
    nodes: int
    """In all openings together."""
    stopped: int
    """Openings in which the search was stopped at its limit of nodes. Then the factor is a lower bound."""
    other_tree: bool
    """Whether the switch changes what a search to a depth means."""


@dataclass(frozen=True)
class NodeAblation:
    """What all switches of the engine cost in nodes."""

    game: str
    depth: int
    """Plies."""
    openings: int
    plies: int
    """The length of an opening."""
    seed: int
    nodes: int
    """Of the usual searches, in all openings together."""
    costs: list[NodeCost]
    """The most expensive flip first."""
    without: Mapping[str, str]
    """The switches that mean nothing in this game, and the function that the game lacks."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; an estimate becomes a list: the value, and both ends of its interval."""
        record: dict[str, Any] = finite(plain(asdict(self)))
        return record


def flips_of(game: Game) -> list[Flip]:
    """Return a flip of each switch that means something in a game. A number can be flipped to 0 only."""
    numbers = {name for name, value in Switches()._asdict().items() if not isinstance(value, bool)}
    return [
        Flip(name, not value)
        for name, value in make_switches({}, game.switches)._asdict().items()
        if (value or name not in numbers) and lacking(game, name) is None
    ]


def lacking(game: Game, switch: str) -> str | None:
    """Return the function that a switch needs and that a game lacks; None if it lacks none."""
    needed = _KNOWLEDGE.get(switch)
    return needed if needed is not None and getattr(game, needed) is None else None


def ablate_nodes(
    game: Game,
    *,
    depth: int | None = None,
    openings: int = OPENINGS,
    plies: int = PLIES,
    nodes: int = NODES,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> NodeAblation:
    """Search openings to a depth with each switch of the engine flipped in turn, and compare the nodes.

    Each search starts with empty tables and runs in one thread, so the counts are the same on every machine.

    Parameters
    ----------
    game
        Its rules must compile.
    depth
        Plies; if None, the greatest depth at which a search visits at most ``nodes`` on average.
    openings, plies, seed
        How many random openings, of how many plies; see `zermelo.lab.random_openings`.
    nodes
        See ``depth``.
    progress
        Called with 1 after each search with a flipped switch.

    Raises
    ------
    BadParameter
        A number is less than 1, or there are no such openings.
    NotCompilable
        The rules cannot become machine code.
    """
    if min(openings, nodes, 1 if depth is None else depth) < 1:
        raise BadParameter(f"Openings, nodes and depth are {openings}, {nodes} and {depth}; each must be at least 1.")
    lines = random_openings(game, openings, plies, seed)
    states = [game.replay(line) for line in lines]
    depth = greatest_depth(game, states, nodes) if depth is None else depth
    usual = list(_nodes(game, {}, states, depth, None))
    limits = [FACTOR * count for count, _ in usual]
    costs = []
    for flip in flips_of(game):
        found = []
        for one in _nodes(game, {flip.switch: flip.on}, states, depth, limits):
            found.append(one)
            if progress is not None:
                progress(1)
        costs.append(_cost(flip, usual, found))
    return NodeAblation(
        game=repr(game),
        depth=depth,
        openings=len(states),
        plies=plies,
        seed=seed,
        nodes=sum(count for count, _ in usual),
        costs=sorted(costs, key=lambda cost: -cost.factor.value),
        without={name: needed for name in Switches._fields if (needed := lacking(game, name)) is not None},
    )


def greatest_depth(game: Game, states: Sequence[State], nodes: int) -> int:
    """Return the greatest depth at which a search visits at most so many nodes on average; at least 1."""
    engine = Engine(game, table_mb=TABLE_MB)
    for depth in range(2, _DEEPEST):
        total, proven = 0, True
        for state in states:
            engine.clear()
            result = _uninterrupted(engine.search(state, depth=depth))
            total, proven = total + result.nodes, proven and result.proven
            if total > nodes * len(states):
                return depth - 1
        if proven:
            return depth
    return _DEEPEST


def _nodes(
    game: Game, switches: Mapping[str, int], states: Sequence[State], depth: int, limits: Sequence[int] | None
) -> Iterator[tuple[int, bool]]:
    """Yield the nodes of a search of each state, and whether it reached its limit."""
    engine = Engine(game, 1, TABLE_MB, (), None, **switches)
    for place, state in enumerate(states):
        engine.clear()
        result = _uninterrupted(engine.search(state, depth=depth, nodes=None if limits is None else limits[place]))
        yield result.nodes, result.stopped_by == "nodes"


def _uninterrupted(result: SearchResult) -> SearchResult:
    """Return the result; raise KeyboardInterrupt if Ctrl-C ended the search."""
    if result.stopped_by == "interrupted":
        raise KeyboardInterrupt
    return result


def _cost(flip: Flip, usual: Sequence[tuple[int, bool]], flipped: Sequence[tuple[int, bool]]) -> NodeCost:
    pairs = zip(flipped, usual, strict=True)
    return NodeCost(
        flip=flip.text,
        factor=ratio([count / before for (count, _), (before, _) in pairs]),
        nodes=sum(count for count, _ in flipped),
        stopped=sum(stopped for _, stopped in flipped),
        other_tree=flip.other_tree,
    )
