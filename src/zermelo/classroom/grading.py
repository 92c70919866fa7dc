"""A submission beside the handouts' searches: a verdict for each function and game, and what explains a wrong one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.classroom.submission import STATUS, Failed, Place, Submission, Verdict
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits, assigned
from zermelo.textbook.homework.causes import Causes, likely_causes
from zermelo.textbook.homework.compare import Asked, Comparison, Theirs, compare
from zermelo.textbook.homework.exam import set_exam
from zermelo.textbook.homework.shrink import shrunk
from zermelo.textbook.rules import evaluation, require_end

NONE: Final = Causes()


@dataclass(frozen=True)
class Graded:
    """One function in one game: the verdict and its reasons."""

    assignment: Assignment
    game: Game
    verdict: Verdict
    questions: int
    """How many searches were asked for."""
    comparisons: Sequence[Comparison] = ()
    """The answers, in the order of the questions; fewer if the submission failed."""
    failure: str | None = None
    """A sentence, if the submission crashed, was too slow or cheated."""
    smallest: Comparison | None = None
    """The smallest search that was found to be wrong."""
    causes: Causes = NONE

    @property
    def status(self) -> int:
        """The exit status that belongs to the verdict."""
        return STATUS[self.verdict]

    @property
    def largest(self) -> Comparison | None:
        """The answer to the last question, which is the search from the start of the game unless that is too large."""
        return self.comparisons[-1] if 0 < len(self.comparisons) == self.questions else None

    @property
    def wrong(self) -> int:
        """How many searches are wrong."""
        return sum(not one.agrees for one in self.comparisons)


@dataclass(frozen=True)
class Report:
    """Everything that was graded of one submission."""

    name: str
    graded: Sequence[Graded] = ()
    verdict_alone: Verdict = "right"
    failure: str | None = None
    """A sentence, if no function could be graded, such as for a file that cannot be imported; see `verdict_alone`."""

    @property
    def verdict(self) -> Verdict:
        """The gravest of all verdicts."""
        return max((self.verdict_alone, *(one.verdict for one in self.graded)), key=lambda one: STATUS[one])

    @property
    def status(self) -> int:
        """The exit status that belongs to the verdict."""
        return STATUS[self.verdict]


def grade_all(
    submission: Submission, games: Sequence[tuple[Place, Game]], wanted: Sequence[str], limits: Limits, seed: int = 0
) -> Report:
    """Grade every wanted function in every game; without any wanted, all that the submission has.

    Only the first wrong verdict of each function is explained, since later games seldom show more.

    Raises
    ------
    BadParameter
        A wanted function is in no handout, or cannot be graded in one of the games.
    """
    for name in wanted:
        if name not in ASSIGNMENTS:
            raise BadParameter(f"There is no function {name!r} in the handouts; there are {', '.join(ASSIGNMENTS)}.")
    for _, game in games:
        for name in wanted:
            require_fit(game, ASSIGNMENTS[name])
    try:
        names = submission.functions(games[0][0])
    except Failed as error:
        return Report(submission.name, (), error.verdict, str(error))
    chosen = [ASSIGNMENTS[name] for name in wanted or assigned(names)]
    if not chosen:
        known = "; ".join(one.signature for one in ASSIGNMENTS.values())
        return Report(
            submission.name,
            (),
            "crashed",
            f"{submission.name} has none of the handouts' functions; write one of {known}.",
        )
    if not wanted:
        chosen = fitting(chosen, [game for _, game in games])
    graded: list[Graded] = []
    for place, game in games:
        for assignment in chosen:
            if assignment.name not in names:
                lacks = f"{submission.name} has no function {assignment.name}; write {assignment.signature}."
                graded.append(Graded(assignment, game, "crashed", 0, failure=lacks))
                continue
            told = any(one.assignment == assignment and one.verdict == "wrong" for one in graded)
            graded.append(grade(submission, assignment, place, game, limits, not told, seed))
    return Report(submission.name, graded)


def require_fit(game: Game, assignment: Assignment) -> None:
    """Refuse a game that may have no end, or no EVAL, if the assignment needs one."""
    if assignment.needs_eval:
        evaluation(game)
    else:
        require_end(game, assignment.name)


def fitting(chosen: Sequence[Assignment], games: Sequence[Game]) -> list[Assignment]:
    """Those functions that can be graded in all of the games; raises the first reason if there is none."""
    found, reasons = [], list[BadParameter]()
    for assignment in chosen:
        try:
            for game in games:
                require_fit(game, assignment)
            found.append(assignment)
        except BadParameter as error:
            reasons.append(error)
    if not found:
        raise reasons[0]
    return found


def grade(
    submission: Submission,
    assignment: Assignment,
    place: Place,
    game: Game,
    limits: Limits,
    explain: bool = True,
    seed: int = 0,
) -> Graded:
    """Ask a submission for searches, compare its answers, and explain what is wrong.

    Parameters
    ----------
    submission
        What a student handed in.
    assignment
        The function.
    place, game
        The game as a command line names it, and itself.
    limits
        Those of the search from the start.
    explain
        Whether to look for the smallest wrong search and its likely cause.
    seed
        Chooses the positions that are asked about.

    Raises
    ------
    BadParameter
        No search of the game is small enough.
    """
    exam = set_exam(assignment, game, limits, seed=seed)
    verdict: Verdict = "right"
    failure = None
    try:
        answers: Sequence[Theirs] = submission.answer(assignment, place, exam)
    except Failed as error:
        answers, verdict, failure = error.answers, error.verdict, str(error)
    comparisons = [compare(assignment, one, theirs) for one, theirs in zip(exam, answers, strict=False)]
    wrong = [one for one in comparisons if not one.agrees]
    if wrong and verdict == "right":
        verdict = "wrong"
    graded = Graded(assignment, game, verdict, len(exam), comparisons, failure)
    if verdict == "wrong" and explain:
        smallest, causes = explained(submission, place, graded)
        graded = Graded(assignment, game, verdict, len(exam), comparisons, failure, smallest, causes)
    return graded


def explained(submission: Submission, place: Place, graded: Graded) -> tuple[Comparison, Causes]:
    """The smallest wrong search, and its likely causes."""
    assignment, comparisons = graded.assignment, graded.comparisons

    def ask(questions: Sequence[Asked]) -> list[Theirs]:
        return submission.answer(assignment, place, questions)

    smallest = min((one for one in comparisons if not one.agrees), key=lambda one: one.size)
    try:
        smallest = shrunk(assignment, graded.game, smallest, ask)
        return smallest, likely_causes(assignment, comparisons, ask if submission.takes_windows else None)
    except Failed:
        return smallest, likely_causes(assignment, comparisons)
