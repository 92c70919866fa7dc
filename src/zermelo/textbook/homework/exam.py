"""Which searches a student's function is asked for.

There are many small ones, so that a mistake shows in a small position, and the one from the start of the game, unless
that is too large.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.textbook.homework.assignments import Assignment, Limits, Question
from zermelo.textbook.homework.compare import Asked
from zermelo.textbook.homework.practice import TooLong, practise
from zermelo.textbook.homework.reference import solution

MOST_NODES: Final = 200_000
"""The search from the start is asked for if it has at most so many nodes."""
SMALL_NODES: Final = 500
"""Nodes of a small search."""
MANY: Final = 12
"""Small searches for each binary order of magnitude of nodes."""
_GAMES: Final = 60
_PLIES: Final = 200
"""Small positions are taken from so many random games of at most so many plies."""
_TRIES: Final = 600
"""Searches that are tried at most, to find small ones."""


def set_exam(assignment: Assignment, game: Game, limits: Limits, many: int = MANY, seed: int = 0) -> list[Asked]:
    """The questions for a function with the right answers: small searches by size, then the one from the start.

    Parameters
    ----------
    assignment, game, limits
        The function, the game, and the limits of the search from its start.
    many
        Small searches for each binary order of magnitude of nodes.
    seed
        Chooses the positions.

    Raises
    ------
    BadParameter
        Not even a small search of this game ends within `SMALL_NODES` nodes, and the whole one is too large.
    """
    asked = [ask(assignment, game, question) for question in small_questions(assignment, game, limits, many, seed)]
    asked.sort(key=lambda one: one.ours.counts.nodes)
    whole = Question(limits=limits)
    if nodes_of(assignment, game, whole, MOST_NODES) is not None:
        asked.append(ask(assignment, game, whole))
    if not asked:
        raise BadParameter(
            f"No search of {game!r} is small enough to be graded; choose a smaller board, or a smaller depth."
        )
    return asked


def ask(assignment: Assignment, game: Game, question: Question) -> Asked:
    """A question with the right answer."""
    begun = question.begun(game)
    return Asked(question, begun, solution(assignment, begun, question.limits))


def small_questions(
    assignment: Assignment, game: Game, limits: Limits, many: int = MANY, seed: int = 0
) -> Iterator[Question]:
    """Yield small searches, some of each size, from positions of random games: the last of each game first."""
    rng, sizes, seen, tries = random.Random(seed), Counter[int](), set[State](), 0
    for path, states in (random_game(game, rng) for _ in range(_GAMES)):
        for end in range(len(path) - 1, -1, -1):
            if states[end] in seen:
                continue
            seen.add(states[end])
            is_small = False
            for depth in range(1, limits.depth + 1) if assignment.needs_eval else [limits.depth]:
                question = Question(tuple(path[:end]), replace(limits, depth=depth))
                nodes, tries = nodes_of(assignment, game, question, SMALL_NODES), tries + 1
                if nodes is None:
                    break
                is_small = True
                sizes[nodes.bit_length()] += 1
                if sizes[nodes.bit_length()] <= many and end:  # the search from the start is asked for anyway
                    yield question
            if not is_small:  # earlier positions of this game are larger still
                break
            if tries >= _TRIES:
                return


def random_game(game: Game, rng: random.Random) -> tuple[list[int], list[State]]:
    """A random game: the places of its moves in ACTIONS, and its states."""
    path, states = list[int](), [game.initial]
    while not game.is_terminal(states[-1]) and len(path) < _PLIES:
        actions = list(game.actions(states[-1]))
        path.append(rng.randrange(len(actions)))
        states.append(game.result(states[-1], actions[path[-1]]))
    return path, states


def nodes_of(assignment: Assignment, game: Game, question: Question, most: int) -> int | None:
    """How many nodes a search has; None if more than ``most``."""
    try:
        return practise(assignment, question.begun(game), question.limits, most=most).counts.nodes
    except TooLong:
        return None
