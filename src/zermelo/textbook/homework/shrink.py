"""From a position that shows a mistake to a smaller one: down the tree as long as the mistake shows in a child."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zermelo.game import Game
from zermelo.textbook.homework.assignments import Assignment, Question
from zermelo.textbook.homework.causes import Ask
from zermelo.textbook.homework.compare import Comparison, compare
from zermelo.textbook.homework.exam import ask as asked_of
from zermelo.textbook.homework.exam import nodes_of

ROUNDS: Final = 12
"""How many plies a position is followed down."""
MOST_CHILDREN: Final = 40
"""How many children are asked about in each round."""


def shrunk(assignment: Assignment, game: Game, wrong: Comparison, ask: Ask) -> Comparison:
    """The smallest wrong search that is found below a wrong one.

    Parameters
    ----------
    assignment, game
        The function and the whole game.
    wrong
        A search whose result differs.
    ask
        Asks the student's search more questions.
    """
    for _ in range(ROUNDS):
        smaller = [
            asked_of(assignment, game, question)
            for question in below(assignment, game, wrong.asked.question)
            if nodes_of(assignment, game, question, wrong.size - 1) is not None
        ][:MOST_CHILDREN]
        found = [compare(assignment, one, theirs) for one, theirs in zip(smaller, ask(smaller), strict=True)]
        found = [one for one in found if not one.agrees]
        if not found:
            break
        wrong = min(found, key=lambda one: one.size)
    return wrong


def below(assignment: Assignment, game: Game, question: Question) -> Iterator[Question]:
    """Yield the searches that a search begins in its children, and the same search with less depth."""
    limits = question.limits
    if assignment.needs_eval:
        if limits.depth == 1:
            return
        limits = replace(limits, depth=limits.depth - 1)
        yield replace(question, limits=limits)
    start = question.begun(game)
    for place, action in enumerate(start.actions(start.initial)):
        if not start.is_terminal(start.result(start.initial, action)):
            yield Question((*question.path, place), limits)
