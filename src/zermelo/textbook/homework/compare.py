"""Compares a student's own search with the handout's, in one position.

Both begin with an empty dict as table. If the tables differ, the difference that is shown is the *first* one, in the
order in which the searches finish their states: the children of that state still agree, so the mistake shows there. If
there is no table, or the tables do not differ, it is at the root.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.game import Game, State
from zermelo.result import plain
from zermelo.textbook.homework.assignments import Assignment, Question
from zermelo.textbook.homework.practice import Entry, Sight, practise
from zermelo.textbook.homework.reference import Solution


class Unreadable(ZermeloError):
    """An answer is not what a student's process writes."""


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
    shows_table: bool = True
    """False for a program whose table nobody sees."""


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
class Asked:
    """A question, and the right answer to it."""

    question: Question
    game: Game
    """The game as it begins in the question's position."""
    ours: Solution


@dataclass(frozen=True)
class Comparison:
    """A student's answer to one question beside the right one."""

    assignment: Assignment
    asked: Asked
    theirs: Theirs
    difference: Difference | None

    @property
    def game(self) -> Game:
        """The game as it begins in the question's position."""
        return self.asked.game

    @property
    def ours(self) -> Solution:
        """The right answer."""
        return self.asked.ours

    @property
    def size(self) -> int:
        """How many nodes the right search has."""
        return self.ours.counts.nodes

    @property
    def miscounted(self) -> list[str]:
        """Which of the student's counters are wrong."""
        return [name for name, count in self.theirs.counts.items() if count != getattr(self.ours.counts, name)]

    @property
    def agrees(self) -> bool:
        """Whether tables, result and (where the student counts) counts are equal."""
        return self.difference is None and not self.miscounted


def compare(assignment: Assignment, asked: Asked, theirs: Theirs) -> Comparison:
    """Compare a student's answer with the right one."""
    return Comparison(assignment, asked, theirs, first_difference(assignment, asked, theirs))


def compares_tables(assignment: Assignment, theirs: Theirs) -> bool:
    """Whether tables have to agree; a function that returns the bare value may have none, and a program shows none."""
    return assignment.has_table and theirs.shows_table and (bool(theirs.table) or not assignment.bare)


def first_difference(assignment: Assignment, asked: Asked, theirs: Theirs) -> Difference | None:
    """The first difference of two searches; None if they agree, except in counts."""
    game, ours = asked.game, asked.ours
    found = differing(ours.table, theirs.table, assignment) if compares_tables(assignment, theirs) else None
    if found is None and same(ours.found, theirs.found, assignment):
        return None
    state = game.initial if found is None else found[0]
    expected = ours.found if found is None else ours.table.get(state)
    answered = theirs.found if found is None else theirs.table.get(state)
    sights = practise(assignment, game, asked.question.limits, spot=state).sights
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
    Unreadable
        It is not what such a process writes: the student's file did.
    """
    try:
        states = dict(enumerate(_followed(game, answer["trail"])))
        entries = enumerate(answer["table"])
        table = {states.get(place, Stranger(number)): _entry(entry) for number, (place, entry) in entries}
        return Theirs(_entry(answer["found"]), table, dict(answer["counts"]))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Unreadable("The student's file wrote the answer itself, and not one that can be read.") from error


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
