"""The engine's signature: nodes over fixed positions of every game, to fixed depths, with one thread.

A change of the search that is meant to change nothing leaves ``signature.txt`` as it is; one that is meant to change
something says ``Bench: N`` in its commit, N being the total. Run it to compare, with ``--write`` to accept, or with the
names of some games to compare those alone.
"""

import random
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from zermelo import Engine, Game, factories
from zermelo.game import State

FILE = Path(__file__).parent / "signature.txt"
POSITIONS = 5
DEPTH = 7
NODES = 20_000
"""Games of many actions do not get to the depth."""


def positions(game: Game) -> Iterator[State]:
    """The initial position and some that random play comes to."""
    chooser = random.Random(game.name)
    yield game.initial
    found = 1
    while found < POSITIONS:
        state = game.initial
        for _ in range(chooser.randrange(4, 20)):
            if not game.is_terminal(state):
                state = game.result(state, chooser.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            found += 1
            yield state


def nodes_of(game: Game) -> int:
    """Nodes of searches and proofs, each from empty tables."""
    engine, total = Engine(game, table_mb=4), 0
    for state in positions(game):
        engine.clear()
        total += engine.search(state, depth=DEPTH, nodes=NODES).nodes
        if game.repetition is None:
            engine.clear()
            total += engine.prove(state, nodes=NODES, quickest=False).nodes
    return total


def signature(names: Collection[str] = ()) -> str:
    """A line for each game, or for those of the names alone, and the total of all."""
    counts = {}
    for name, factory in factories().items():
        if names and name not in names:
            continue
        counts[name] = nodes_of(factory())
    if not names:
        counts["total"] = sum(counts.values())
    return "".join(f"{name} {nodes}\n" for name, nodes in counts.items())


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name != "--write"]
    found = signature(chosen)
    print(found, end="")
    if "--write" in sys.argv and not chosen:
        FILE.write_text(found)
    elif not set(found.splitlines()) <= set(FILE.read_text().splitlines()):
        sys.exit(f"The signature differs from {FILE.name}; if that is meant, accept it with --write.")
