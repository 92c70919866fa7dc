"""How many planted mistakes `zermelo grade` finds, and how many it names rightly, function by function.

    PYTHONPATH=tests python benchmarks/homework_mutants.py [--show]

The mistakes are those of tests/data/homework_mutants.txt. A mistake is found if a search has another result, another
table or other counts than the handout's. It is named rightly if its cause is the only one that the report names, or
one of two.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from planted import Judged, judge, mutants


def main() -> None:
    """Print a line a function."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print the mistakes that are missed or not named rightly")
    asked = parser.parse_args()
    before, judged = process_time(), defaultdict[str, list[Judged]](list)
    for mutant in mutants():
        judged[mutant.function].append(judge(mutant))
    print(f"{'function':<28} {'mutants':>7} {'found':>6} {'named':>6}")
    for name, ones in [*judged.items(), ("all", [one for some in judged.values() for one in some])]:
        named = sum(one.named_rightly for one in ones)
        print(f"{name:<28} {len(ones):>7} {sum(one.found for one in ones):>6} {named:>6}")
    print(f"{process_time() - before:.1f} seconds of processor time")
    if asked.show:
        for one in (one for ones in judged.values() for one in ones if not one.named_rightly):
            print(f"{one.mutant.function}: {one.mutant.cause}: {one.named if one.found else 'missed'}")


if __name__ == "__main__":
    main()
