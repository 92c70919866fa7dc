"""The likely cause of what a student's search does: which mistake leads to exactly the same."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Literal, TypeAlias

from zermelo.textbook.homework.assignments import Assignment
from zermelo.textbook.homework.compare import Asked, Comparison, Theirs, compares_tables, differing, same
from zermelo.textbook.homework.habits import MISTAKES, Habits, pairs_of_mistakes
from zermelo.textbook.homework.practice import Entry, Practice, TooLong, practise
from zermelo.textbook.homework.reference import solution

Agreement: TypeAlias = Literal["everything", "all but the counts", "the results"]
"""In what a search with the mistake agrees with the student's."""

_PROBED: Final = 4
"""So many searches are asked for again with other windows."""
_PAIRS_NODES: Final = 500
"""Pairs of mistakes are tried if the smallest search that differs has at most so many nodes."""
_EVIDENCE_NODES: Final = 5_000
"""Larger searches are left out, if there are smaller ones that differ."""

Ask: TypeAlias = Callable[[Sequence[Asked]], Sequence[Theirs]]
"""Asks a student's search more questions."""


@dataclass(frozen=True)
class Causes:
    """Mistakes, each of which alone explains what a student's search does."""

    names: tuple[str, ...] = ()
    agreement: Agreement = "everything"

    @property
    def sentences(self) -> list[str]:
        """The mistakes, each with what it does not explain."""
        rest = {
            "everything": "",
            "all but the counts": "; besides, the counts are wrong",
            "the results": "; besides, the table or the counts are wrong",
        }
        return [f"{name}{rest[self.agreement]}" for name in self.names]


def likely_causes(assignment: Assignment, evidence: Sequence[Comparison], ask: Ask | None = None) -> Causes:
    """The mistakes that lead to what a student's search came to.

    Parameters
    ----------
    assignment
        The function.
    evidence
        The student's answers, in the order in which they were given, and at least one of them wrong.
    ask
        Asks the student's search what tells several possible mistakes apart.
    """
    wrong = [one for one in evidence if not one.agrees]
    smallest = min(one.size for one in wrong)
    evidence = [one for one in evidence if one.size <= max(smallest, _EVIDENCE_NODES)]
    levels: tuple[Agreement, ...] = ("everything", "all but the counts")
    for agreement in levels if any(one.difference for one in wrong) else levels[:1]:
        found = _explaining(assignment, evidence, agreement, MISTAKES.items())
        if found:
            return Causes(tuple(_told_apart(assignment, wrong, found, agreement, ask)), agreement)
    if assignment.has_table and smallest <= _PAIRS_NODES:
        found = _explaining(assignment, evidence, "everything", pairs_of_mistakes(), 1)
        if found:
            return Causes(tuple(found))
    if len([one for one in wrong if not same(one.ours.found, one.theirs.found, assignment)]) > 1:
        return Causes(tuple(_explaining(assignment, evidence, "the results", MISTAKES.items())), "the results")
    return Causes()


def _explaining(
    assignment: Assignment,
    evidence: Sequence[Comparison],
    agreement: Agreement,
    mistakes: Iterable[tuple[str, Habits]],
    most: int | None = None,
) -> dict[str, Habits]:
    """The mistakes that explain all evidence, at most ``most`` of them."""
    telling = sorted(evidence, key=lambda one: (one.agrees, one.size))  # what refutes a mistake soonest comes first

    def explains(habits: Habits) -> bool:
        own_table: dict[object, Entry] = {}
        for one in evidence if habits.own_table else telling:
            try:
                practice = practise(
                    assignment, one.game, one.asked.question.limits, habits, 3 * one.size + 1_000, own_table=own_table
                )
            except TooLong:
                return False
            if not resembles(practice, one.theirs, assignment, agreement):
                return False
        return True

    styles = ((name, style) for name, habits in mistakes for style in styles_of(assignment, habits))
    found: dict[str, Habits] = {}
    for name, habits in styles:
        if name not in found and explains(habits):
            found[name] = habits
        if len(found) == most:
            break
    return found


def styles_of(assignment: Assignment, habits: Habits) -> list[Habits]:
    """The same mistake in both forms of the prune test."""
    return [habits] if assignment.system == "minimax" else [habits, replace(habits, tests_value=True)]


def resembles(practice: Practice, theirs: Theirs, assignment: Assignment, agreement: Agreement) -> bool:
    """Whether a search with some mistake has the student's result and, as far as is asked, table and counts."""
    if not same(practice.found, theirs.found, assignment):
        return False
    if agreement == "the results":
        return True
    if compares_tables(assignment, theirs) and differing(practice.table, theirs.table, assignment):
        return False
    counted = {} if agreement == "all but the counts" else theirs.counts
    return all(count == getattr(practice.counts, name) for name, count in counted.items())


def _told_apart(
    assignment: Assignment, wrong: Sequence[Comparison], found: dict[str, Habits], agreement: Agreement, ask: Ask | None
) -> list[str]:
    """Those of several mistakes that explain the student's answers within other windows, too."""
    if len(found) == 1 or ask is None or assignment.system not in ("alpha-beta", "heuristic"):
        return list(found)
    telling = sorted(wrong, key=lambda one: (one.size > _EVIDENCE_NODES, -one.size))[:_PROBED]
    probes = [probe for one in telling for probe in probes_of(assignment, one.asked)]
    for probe, theirs in zip(probes, ask(probes), strict=True):
        made = {name: practise(assignment, probe.game, probe.question.limits, one) for name, one in found.items()}
        found = {
            name: found[name] for name, one in made.items() if resembles(one, theirs, assignment, agreement)
        } or found
    return list(found)


def probes_of(assignment: Assignment, asked: Asked) -> Iterator[Asked]:
    """Yield the same search with other windows.

    From an infinite window, several mistakes come to the same: not to update alpha is not to prune.
    """
    value = asked.ours.found.value
    for window in ((-inf, value + 1), (value - 1, inf), (value - 1, value + 1), (value - 300, value + 200)):
        question = replace(asked.question, limits=replace(asked.question.limits, window=window))
        yield Asked(question, asked.game, solution(assignment, asked.game, question.limits))
