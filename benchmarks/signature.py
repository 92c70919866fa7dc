"""The engine's signature: nodes over fixed positions of every game, to fixed depths, with one thread.

A change of the search that is meant to change nothing leaves ``signature.txt`` as it is; one that is meant to change
something says ``Bench: N`` in its commit, N being the total. Run it to compare, with ``--write`` to accept.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from zermelo import Engine, Game, factories
from zermelo.game import State

FILE = Path(__file__).parent / "signature.txt"
POSITIONS = 5
DEPTH = 7
PROOF_NODES = 20_000


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
        total += engine.search(state, depth=DEPTH).nodes
        if game.repetition is None:
            engine.clear()
            total += engine.prove(state, nodes=PROOF_NODES, quickest=False).nodes
    return total


def signature() -> str:
    """A line for each game, and the total."""
    counts = {name: nodes_of(factory()) for name, factory in factories().items()}
    return "".join(f"{name} {nodes}\n" for name, nodes in (counts | {"total": sum(counts.values())}).items())


if __name__ == "__main__":
    found = signature()
    print(found, end="")
    if "--write" in sys.argv:
        FILE.write_text(found)
    elif found != FILE.read_text():
        sys.exit(f"The signature differs from {FILE.name}; if that is meant, accept it with --write.")
