"""How many planted mistakes `zermelo grade` finds, and how many it names rightly, function by function.

    PYTHONPATH=tests python benchmarks/homework_mutants.py [--show] [--automatic 24]

The mistakes are those of tests/data/homework_mutants.txt. A mistake is found if a search has another result, another
table or other counts than the handout's, or fails. It is named rightly if its cause is the only one that the report
names, or one of two. With --automatic, so many mutants of each right search are graded as well, in processes of their
own: an operator, a constant or a line is changed, whether a person would do that or not. Some of them are right, and
nobody has said what the others should be called.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import students
from check.mutants import dropped_lines
from check.mutants import mutants as changed
from planted import GAME, Judged, judge, mutants
from results import Sheet, add_save
from zermelo.classroom.grading import grade
from zermelo.classroom.python_file import PythonFile
from zermelo.classroom.submission import Allowance, Place
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Limits

RIGHT = {
    "minimax_search": students.MINIMAX,
    "alpha_beta_search": students.MIRRORED,
    "alpha_beta_heuristic_search": students.HEURISTIC,
    "minimax_max": students.PATH,
    "alpha_beta_decision": students.DECISION,
}
ALLOWANCE = Allowance(seconds=20, memory_mb=1024)


def main() -> None:
    """Print a line a function."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print the mistakes that are missed or not named rightly")
    parser.add_argument("--automatic", type=int, default=0, help="automatic mutants of each function")
    add_save(parser)
    asked = parser.parse_args()
    print_planted(asked.show, asked.save)
    if asked.automatic:
        print_automatic(asked.automatic, asked.show)


def print_planted(show: bool, note: str | None) -> None:
    """Grade the list of mistakes."""
    before, judged = process_time(), defaultdict[str, list[Judged]](list)
    for mutant in mutants():
        judged[mutant.function].append(judge(mutant))
    print(f"{'function':<28} {'mutants':>7} {'found':>6} {'named':>6}")
    for name, ones in [*judged.items(), ("all", [one for some in judged.values() for one in some])]:
        named = sum(one.named_rightly for one in ones)
        print(f"{name:<28} {len(ones):>7} {sum(one.found for one in ones):>6} {named:>6}")
    print(f"{process_time() - before:.1f} seconds of processor time")
    every = [one for ones in judged.values() for one in ones]
    sheet = Sheet("homework_mutants", dict.fromkeys(("planted mistakes", "found", "right cause named"), ","))
    sheet.row(len(every), sum(one.found for one in every), sum(one.named_rightly for one in every))
    sheet.save(note)
    if show:
        for one in (one for ones in judged.values() for one in ones if not one.named_rightly):
            print(f"{one.mutant.function}: {one.mutant.cause}: {one.named if one.found else 'missed'}")


def print_automatic(many: int, show: bool) -> None:
    """Grade automatic mutants."""
    total: Counter[str] = Counter()
    place, chooser = Place(GAME.name, {name: str(value) for name, value in GAME.parameters.items()}), random.Random(1)
    print(f"\n{'function':<28} {'right':>6} {'wrong':>6} {'named':>6} {'crashed':>8} {'too slow':>9}")
    for name, text in RIGHT.items():
        source = (students.HEAD if "prunings" in text else students.IMPORTS) + text
        every = [*changed(source), *dropped_lines(source)]
        found: Counter[str] = Counter()
        for mutant in chooser.sample(every, min(many, len(every))):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "mutant.py"
                file.write_text(mutant.source)
                one = grade(PythonFile(file, ALLOWANCE), ASSIGNMENTS[name], place, GAME, Limits())
            found[one.verdict] += 1
            found["named"] += bool(one.causes.names)
            if show:
                print(f"{name}, line {mutant.line}, {mutant.what}: {one.verdict}: {', '.join(one.causes.names)}")
        print_row(name, found)
        total += found
    print_row("all", total)


def print_row(name: str, found: Counter[str]) -> None:
    """Print the verdicts on one function's mutants."""
    print(f"{name:<28} {found['right']:>6} {found['wrong']:>6} {found['named']:>6}", end="")
    print(f" {found['crashed']:>8} {found['too slow']:>9}", flush=True)


if __name__ == "__main__":
    main()
