"""What every search returns, and the counts that it keeps.

Glossary
    node       a visit of the search to a state, the root's included, answered from the table or not
    leaf       a node where recursion stops: a terminal state, or one that IS-CUTOFF cut off
    pruning    the prune test fired: the rest of a node's actions were not searched
    ply        distance from the root of the search
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zermelo.display import call, first_of, html_table, save_json

if TYPE_CHECKING:
    from zermelo.game import Action, Game, State

Bound = Literal["exact", "lower", "upper", "estimate"]
StoppedBy = Literal["finished", "depth", "time", "nodes", "interrupted"]


class MinimaxInfo(NamedTuple):
    """An entry of the handouts' tables: a state's value for MAX and the action that reaches it.

    ``action`` is None in terminal states.
    """

    value: int
    action: "Action"


@dataclass(slots=True)
class SearchCounts:
    """The counts of a search; searches that are given the same record add to it."""

    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    """Leaves that IS-CUTOFF made; if there are none, only terminal states decided the value."""
    dropped: int = 0
    """Moves that a limit on width left out."""
    prunings_max: int = 0
    """Prunings in MAX-VALUE: at nodes where MAX is to move."""
    prunings_min: int = 0
    max_depth: int = 0
    """The largest ply reached; the root's is 0."""
    table_states: int = 0
    table_hits: int = 0

    def prune(self, player: int) -> None:
        """Count a pruning at a node where ``player`` (MAX +1, MIN -1) is to move."""
        if player > 0:
            self.prunings_max += 1
        else:
            self.prunings_min += 1

    @property
    def prunings(self) -> int:
        """Prunings of both players."""
        return self.prunings_max + self.prunings_min


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchResult:
    """A search's honest answer. Values are from MAX's point of view.

    `value` is what the search found. `bound` says whether that is exact, or whether the true result of this
    search is at least (lower) or at most (upper) that; a proof that was stopped with nothing but static
    evaluations returns an estimate. A search to a depth is exact about that depth. `proven` means that terminal
    states or proven bounds alone decided it, so that `value` is the game-theoretic one.
    `depth` is the depth limit in plies, None where there was none. `remoteness` is the number of plies to the end
    where it is known: searches leave a draw's out, since both players prefer a quick draw and alpha-beta needs opposed
    aims (the solver knows it). If a pruning may have left out a quicker win than the one that is proven, the remoteness
    is not known, and `ends_within` is the number of plies to the end of that win. `root_values` is the value of every
    action, `root_proofs` the remoteness, None where it is not known, of those whose value is proven, and `unsound`
    names the prunings in use that can be wrong.

    `game` and `state`, where they are known, say what was searched, so that actions print as people write them. They
    are no part of the result: they neither count for equality nor appear in `to_dict`, and a copy that is pickled does
    without them.
    """

    value: int
    action: "Action"
    bound: Bound = "exact"
    proven: bool = False
    best_actions: tuple[Any, ...] | None = None
    principal_variation: tuple[Any, ...] = ()
    remoteness: int | None = None
    ends_within: int | None = None
    root_values: Mapping[Any, int] | None = None
    root_proofs: Mapping[Any, int | None] | None = None
    unsound: tuple[str, ...] = ()
    depth: int | None = None
    nodes: int = 0
    leaves: int = 0
    prunings_max: int = 0
    prunings_min: int = 0
    max_depth: int = 0
    table_states: int = 0
    table_hits: int = 0
    seconds: float = 0.0
    stopped_by: StoppedBy = "finished"
    game: "Game | None" = field(default=None, compare=False)
    state: "State" = field(default=None, compare=False)

    @property
    def prunings(self) -> int:
        """Prunings of both players."""
        return self.prunings_max + self.prunings_min

    @property
    def line(self) -> str:
        """The principal variation as people write it."""
        game, state = self.game, self.state
        if game is None:
            return first_of([str(action) for action in self.principal_variation])
        texts = []
        for action in self.principal_variation:
            texts.append(game.show_action(state, action))
            state = game.result(state, action)
        return first_of(texts)

    def text_of(self, action: "Action") -> str:
        """An action of the state that was searched, as people write it."""
        return str(action) if self.game is None or action is None else self.game.show_action(self.state, action)

    @classmethod
    def from_counts(cls, counts: SearchCounts, **rest: Any) -> "SearchResult":
        """A result whose counts are those of ``counts``."""
        kept = {item.name for item in fields(cls)}
        taken = {item.name: getattr(counts, item.name) for item in fields(counts) if item.name in kept}
        return cls(**taken, **rest)

    def to_dict(self) -> dict[str, Any]:
        """All fields, and `prunings`, in types that JSON has; actions that are not ints become text."""
        record = {name: plain(value) for name, value in self._fields().items()}
        return record | {"prunings": self.prunings}

    def save(self, path: str | Path) -> None:
        """Write `to_dict` to a file as JSON.

        Raises
        ------
        BadParameter
            The file cannot be written.
        """
        save_json(self.to_dict(), path)

    def _fields(self) -> dict[str, Any]:
        """All fields except the game and the state that were searched."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.compare}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "game": None, "state": None}

    def __repr__(self) -> str:
        usual = {item.name: item.default for item in fields(self)}
        return call("SearchResult", **{name: value for name, value in self._fields().items() if value != usual[name]})

    def _rows(self) -> Iterable[tuple[str, str]]:
        yield "value", self._value()
        yield "action", self.text_of(self.action)
        if self.best_actions is not None:
            yield "best actions", first_of([self.text_of(action) for action in self.best_actions])
        if self.root_values is not None:
            texts = [f"{self.text_of(action)}: {value}" for action, value in self.root_values.items()]
            yield "values", first_of(texts, separator="  ")
        if self.remoteness is not None:
            yield "remoteness", f"{self.remoteness} plies"
        elif self.ends_within is not None:
            yield "ends within", f"{self.ends_within} plies"
        if self.unsound:
            yield "unsound", ", ".join(self.unsound)
        if self.principal_variation:
            yield "line", self.line
        limit = "" if self.depth is None else f"{self.depth} plies, "
        yield "depth", f"{limit}deepest node at ply {self.max_depth}"
        yield "nodes", f"{self.nodes:,} ({self.leaves:,} leaves)"
        yield "prunings", f"{self.prunings:,} ({self.prunings_max:,} in MAX-VALUE, {self.prunings_min:,} in MIN-VALUE)"
        yield "table", f"{self.table_states:,} states, {self.table_hits:,} hits"
        yield "time", f"{self.seconds:.3f} s, {self.stopped_by}"

    def _value(self) -> str:
        """The value, and whether it is proven, a bound or an estimate."""
        value = {"lower": "at least ", "upper": "at most "}.get(self.bound, "") + f"{self.value}"
        if self.proven:
            return f"{value} (proven)"
        if self.depth is not None:
            return f"{value} (an estimate, {self.depth} plies deep)"
        return value if self.bound == "exact" else f"{value} (so much is proven)"

    def __str__(self) -> str:
        return "\n".join(f"{name:<14} {text}" for name, text in self._rows())

    def _repr_html_(self) -> str:
        return html_table(self._rows())


def plain(thing: object) -> Any:
    """``thing`` in types that JSON has: numbers, text, lists; anything else becomes text."""
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, tuple | list):
        return [plain(item) for item in thing]
    if isinstance(thing, Mapping):
        return {str(name): plain(item) for name, item in thing.items()}
    return str(thing)
