"""The share of automatic mutants that the auditor catches, game by game.

    PYTHONPATH=tests python benchmarks/mutants.py [--many 40] [--seconds 0.5] [--show] [GAME_OR_FILE ...]

A mutant is a game's source with one operator, one constant or one line changed. Many of them change nothing that play
can show, or make another game that is as sound as the first; so the share is given of all mutants, of those
that answer any question differently from the healthy game, and of those whose rules do. Caught: the auditor, without
compiling, has an error or a warning.
"""

import argparse
import inspect
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from check.mutants import SMALL, Verdict, judge, sample
from results import Sheet, add_save
from zermelo import factories
from zermelo.registry import find_factory

MEMORY = 4 << 30
"""Bytes that a mutant may take: some ask for all there is, and are then told that there is none."""


def main() -> None:
    """Print a line a game."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help="registered names or files; all registered games if none")
    parser.add_argument("--many", type=int, default=40, help="mutants of each game")
    parser.add_argument("--seconds", type=float, default=0.5, help="of auditing for each mutant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the mutants that differ and were not caught")
    add_save(parser)
    asked = parser.parse_args()
    counts = {"mutants": ",", "caught": "", "differ": ",", "caught of these": "", "rules differ": ","}
    sheet = Sheet("mutants", {"game": ""} | counts | {"caught of those": ""})
    total: list[Verdict] = []
    for name in asked.games or sorted(factories()):
        verdicts = judge_all(name, asked)
        total += verdicts
        sheet.row(Path(name).stem, *shares(verdicts))
    sheet.row("all", *shares(total))
    sheet.save(asked.save)


def judge_all(name: str, asked: argparse.Namespace) -> list[Verdict]:
    """The verdicts on a sample of one game's mutants."""
    factory = find_factory(name)
    healthy = factory(**SMALL.get(name, {}))
    file = Path(inspect.getsourcefile(factory) or "")
    verdicts = []
    with tempfile.TemporaryDirectory() as folder:
        for mutant in sample(file, asked.many, asked.seed):
            verdict = judge(mutant, healthy, factory.__name__, Path(folder), asked.seconds)
            verdicts.append(verdict)
            if asked.show and verdict.differs and not verdict.caught:
                print(f"    {file.name}:{mutant.line} {mutant.what}{' (rules)' * verdict.playing}")
    return verdicts


def shares(verdicts: list[Verdict]) -> list[int | str]:
    """Counts and shares of one game."""
    cells = list[int | str]()
    for some in (verdicts, [v for v in verdicts if v.differs], [v for v in verdicts if v.playing]):
        share = sum(v.caught for v in some) / len(some) if some else 0.0
        cells += [len(some), f"{share:.0%}"]
    return cells


if __name__ == "__main__":
    main()
