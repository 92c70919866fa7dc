"""Compares a student's own search with the handout's, on one board.

Both begin with an empty dict as table. If the tables differ, the difference that is shown is the *first* one, in the
order in which the searches finish their states: the children of that state still agree, so the mistake shows there. If
there is no table, or the tables do not differ, it is at the root.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from typing import Any, Final, TypeAlias

from zermelo.game import Game, State
from zermelo.result import plain
from zermelo.textbook.homework.assignments import Assignment, Limits
from zermelo.textbook.homework.mistakes import Entry, Practice, Sight, likely_causes, practise
from zermelo.textbook.homework.reference import Solution, solution
from zermelo.textbook.homework.runner import StudentFailed

PROBES: Final = ((-inf, 1.0), (-1.0, inf))
"""Windows in which similar mistakes have different effects."""


@dataclass(frozen=True)
class Stranger:
    """A key of the student's table that is not a state returned by RESULT."""

    number: int


@dataclass(frozen=True)
class Theirs:
    """The result of the student's search."""

    found: object
    """An `Entry`; its action is `...` if only a value was returned, and its value is None if only an action was. Or a
    text, if it is neither."""
    table: dict[Any, Any]
    counts: Mapping[str, Any]
    """The counters among the globals of the student's file, by name."""

    @property
    def uncounted(self) -> "Theirs":
        """The same without counts."""
        return replace(self, counts={})


Ask: TypeAlias = Callable[[Limits], Theirs]
"""Runs a student's search within some limits."""


@dataclass(frozen=True)
class Difference:
    """The first state with different entries; None stands for no entry."""

    state: State
    """A state, or a `Stranger`."""
    expected: Entry | None
    found: object
    sight: Sight | None
    """The handout's visit to that state; None if there was none."""


@dataclass(frozen=True)
class Comparison:
    """The comparison of one function of the student's on one board."""

    assignment: Assignment
    game: Game
    limits: Limits
    ours: Solution
    theirs: Theirs
    difference: Difference | None

    @property
    def miscounted(self) -> list[str]:
        """Which of the student's counters are wrong."""
        return [name for name, count in self.theirs.counts.items() if count != getattr(self.ours.counts, name)]

    @property
    def agrees(self) -> bool:
        """Whether tables, result and (where the student counts) counts are equal."""
        return self.difference is None and not self.miscounted

    def causes(self, ask: Ask | None = None) -> list[str]:
        """The mistakes with each of which the handout's search does what the student's does, so far as is known.

        Parameters
        ----------
        ask
            What the student's search comes to within other limits. From an infinite window, several mistakes come to
            the same: not to update alpha is not to prune. Other windows tell them apart.
        """
        found = self._causes(self.theirs, ask)
        if found or self.difference is None or not self.theirs.counts:
            return found
        silent = None if ask is None else lambda limits: ask(limits).uncounted
        return [f"{cause}; besides, the counts are wrong" for cause in self._causes(self.theirs.uncounted, silent)]

    def _causes(self, theirs: Theirs, ask: Ask | None) -> list[str]:
        """`causes` of what the student's search came to, as far as ``theirs`` has it."""
        assignment, game = self.assignment, self.game
        found = likely_causes(assignment, game, self.limits, lambda one: alike(one, theirs, assignment))
        if ask is None or assignment.system not in ("alpha-beta", "heuristic"):
            return list(found)
        for window in PROBES:
            if len(found) > 1:
                limits = replace(self.limits, window=window)
                probed = ask(limits)
                made = {cause: practise(assignment, game, limits, habits) for cause, habits in found.items()}
                found = {cause: found[cause] for cause, one in made.items() if alike(one, probed, assignment)} or found
        return list(found)


def compare(assignment: Assignment, game: Game, limits: Limits, answer: Mapping[str, Any]) -> Comparison:
    """Compare the answer of a student's process with the handout's search."""
    ours, theirs = solution(assignment, game, limits), read_answer(game, answer)
    difference = first_difference(assignment, game, limits, ours, theirs)
    return Comparison(assignment, game, limits, ours, theirs, difference)


def alike(practice: Practice, theirs: Theirs, assignment: Assignment) -> bool:
    """Whether a search with some mistake has the student's result, table and counts."""
    tables_differ = compares_tables(assignment, theirs) and differing(practice.table, theirs.table, assignment)
    return (
        same(practice.found, theirs.found, assignment)
        and not tables_differ
        and all(count == getattr(practice.counts, name) for name, count in theirs.counts.items())
    )


def compares_tables(assignment: Assignment, theirs: Theirs) -> bool:
    """Whether tables have to agree; a function that returns the bare value may have none."""
    return assignment.has_table and (bool(theirs.table) or not assignment.bare)


def first_difference(
    assignment: Assignment, game: Game, limits: Limits, ours: Solution, theirs: Theirs
) -> Difference | None:
    """The first difference of two searches; None if they agree, except in counts."""
    found = differing(ours.table, theirs.table, assignment) if compares_tables(assignment, theirs) else None
    if found is None and same(ours.found, theirs.found, assignment):
        return None
    state = game.initial if found is None else found[0]
    expected = ours.found if found is None else ours.table.get(state)
    answered = theirs.found if found is None else theirs.table.get(state)
    sights = practise(assignment, game, limits, spot=state).sights
    # What was stored was found at the last visit; what was pruned may have been stored at the first.
    sight = None if not sights else sights[0] if expected is None else sights[-1]
    return Difference(state, expected, answered, sight)


def differing(expected: Mapping[State, Entry], found: Mapping[Any, Any], assignment: Assignment) -> tuple[State] | None:
    """The first state on which two tables differ, in the order in which entries were made; None if there is none."""
    for pair in zip_longest(expected, found, fillvalue=None):
        for state in pair:
            if state is not None and not same(expected.get(state), found.get(state), assignment):
                return (state,)
    return None


def same(expected: Entry | None, found: object, assignment: Assignment) -> bool:
    """Whether a student's entry is right."""
    if expected is None or not isinstance(found, Entry):
        return expected is None and found is None
    if found.action is ...:
        return assignment.bare and found.value == expected.value
    if found.value is None:
        return bool(found.action == plain(expected.action))
    return found.value == expected.value and (found.action == plain(expected.action) or assignment.bare)


def read_answer(game: Game, answer: Mapping[str, Any]) -> Theirs:
    """What the student's process wrote, with the states that it reached.

    Raises
    ------
    StudentFailed
        It is not what such a process writes: the student's file did.
    """
    try:
        states = dict(enumerate(_followed(game, answer["trail"])))
        entries = enumerate(answer["table"])
        table = {states.get(place, Stranger(number)): _entry(entry) for number, (place, entry) in entries}
        return Theirs(_entry(answer["found"]), table, dict(answer["counts"]))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise StudentFailed("The student's file wrote the answer itself, and not one that can be read.") from error


def _followed(game: Game, trail: Iterable[Any]) -> Iterator[State]:
    """The states of a trail, in its order."""
    states: list[State] = []
    for step in trail:
        if step is None:
            states.append(game.initial)
        else:
            parent, action = states[step[0]], step[1]
            if isinstance(action, list):
                action = list(game.actions(parent))[action[0]]
            states.append(game.result(parent, action))
        yield states[-1]


def _entry(written: Any) -> Entry | str:
    if isinstance(written, str):
        return written
    return Entry(*written) if len(written) == 2 else Entry(written[0], ...)
