"""What zermelo answers to every published fact, and how long that takes; writes the atlas's `measured.tsv`.

    python benchmarks/atlas.py --seconds 20 [--game GAME] [--only TEXT] [--again]

Facts that were measured before are left out, but for ``--again``. A fact that takes more than half a second is asked
twice, because the first time its game may have been compiled. A perft of more than 2,000 million nodes and a
count of more than 100 million positions are left out.
"""

import argparse

from zermelo.atlas.facts import Fact, facts
from zermelo.atlas.measuring import FILE, HEAD, Measured, measured, timed
from zermelo.errors import ZermeloError

MOST_NODES = 2_000_000_000
MOST_POSITIONS = 100_000_000
MOST_PINS = 20


def too_large(fact: Fact) -> bool:
    if fact.question.startswith("perft"):
        return int(fact.answer) > MOST_NODES
    if fact.question == "grundy":
        return int(dict(fact.parameters)["pins"]) > MOST_PINS
    return fact.question == "positions" and int(fact.answer) > MOST_POSITIONS


def write(found: dict[str, Measured]) -> None:
    """Write what was found, and what another process has written meanwhile."""
    measured.cache_clear()
    found = {**measured(), **found}
    lines = [f"{fact.name}\t{one.found}\t{one.seconds:.4f}\n" for fact in facts() if (one := found.get(fact.name))]
    FILE.write_text(HEAD + "fact\tfound\tseconds\n" + "".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="seconds for a proof")
    parser.add_argument("--game", default="", help="only facts about this game")
    parser.add_argument("--only", default="", help="only facts whose name contains this text")
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    options = parser.parse_args()
    found = dict(measured())
    for fact in facts():
        if options.game not in ("", fact.game) or options.only not in fact.name:
            continue
        if too_large(fact) or (fact.name in found and not options.again):
            continue
        try:
            one = timed(fact, options.seconds)
            if one is not None and 0.5 < one.seconds < options.seconds / 2:
                one = timed(fact, options.seconds)
        except ZermeloError as error:
            print(f"{fact.name}: {error}", flush=True)
            continue
        if one is None:
            print(f"{fact.name}: took too long", flush=True)
            continue
        if one.found != fact.answer:
            print(f"{fact.name}: {one.found}, published {fact.answer}", flush=True)
        found[fact.name] = one
        write(found)
    write(found)


if __name__ == "__main__":
    main()
