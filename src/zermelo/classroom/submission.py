"""What a student hands in: something that answers questions, or fails in one of a few ways."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from zermelo.errors import ZermeloError
from zermelo.textbook.homework.assignments import Assignment
from zermelo.textbook.homework.compare import Asked, Theirs

Verdict: TypeAlias = Literal["right", "wrong", "crashed", "too slow", "cheated"]
STATUS: Final[Mapping[Verdict, int]] = {"right": 0, "wrong": 1, "crashed": 3, "too slow": 4, "cheated": 5}
"""The exit status that stands for each verdict; of several, the greatest. 2 is a command line that cannot be graded."""


class Place(NamedTuple):
    """A game as a command line names it, and its parameters."""

    game: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Allowance:
    """What a submission may take."""

    seconds: float = 60.0
    """For all questions about one function in one game."""
    memory_mb: int = 2048
    """Of data."""


class Failed(ZermeloError):
    """A submission did not answer.

    Attributes
    ----------
    verdict
        What is said of it.
    answers
        The answers that it had given before.
    """

    def __init__(self, verdict: Verdict, sentence: str, answers: Sequence[Theirs] = ()) -> None:
        super().__init__(sentence)
        self.verdict: Verdict = verdict
        self.answers = answers


class Submission(ABC):
    """A student's program.

    Attributes
    ----------
    name
        What reports call it.
    takes_windows
        Whether it can be asked for searches within any window.
    """

    name: str
    takes_windows: bool = True

    @abstractmethod
    def functions(self, place: Place) -> list[str]:
        """The functions of the handouts that it has.

        Raises
        ------
        Failed
            It cannot be started.
        """

    @abstractmethod
    def answer(self, assignment: Assignment, place: Place, asked: Sequence[Asked]) -> list[Theirs]:
        """Its answers to questions about one function.

        Raises
        ------
        Failed
            It does not answer all of them.
        """
