"""The nodes of a tree in one array, and the workspace of the thread that grows the tree.

The tree of a thread lies in one array of `NODE`. The root is its first item. The children of a node lie side by side,
behind their parent. When the array is full, the tree grows no deeper, and playouts begin at its leaves.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.job import SIGHT
from zermelo.engine.tree.playout import MOST_ACTIONS
from zermelo.errors import BadParameter

MAX_PLY: Final = 1000
"""The most plies from the root of a tree to a leaf."""
MOST_EARLIER: Final = 1000
"""The most positions before the root to which play may come back."""
MARKS: Final = 1 << 13
"""Places for the actions of one simulation; there are more of them than a simulation has plies."""
MOST_PLIES: Final = 4000
"""The greatest limit of plies of a playout: less than half of `MARKS`."""

RUNNING: Final = 0
"""The status of a workspace until a state has more actions than `MOST_ACTIONS`."""

NODE: Final = np.dtype(
    [("action", "i8"), ("total", "f8"), ("heuristic", "f8"), ("amaf_total", "f8")]
    + [(name, "i4") for name in ("visits", "amaf_visits", "low", "high", "first", "children", "moved", "unused")]
)
"""One node, 64 bytes.

`action` leads to it; `visits` simulations went through it, and `total` is the sum of their rewards, for MAX; the value
of its state lies between `low` and `high`. Its `children` begin at the index `first`; there are none if it is a leaf.
`heuristic` is the squashed static evaluation, backed up by minimax. `amaf_visits` and `amaf_total` are those of the
simulations that played `action` at any time after the parent (`zermelo.engine.tree.amaf`). `moved` is scratch space of
`zermelo.engine.tree.reuse`."""

_COUNTS: Final = ("playouts", "plies", "deepest", "full")
_OPTIONS: Final = ("growth", "playout_plies", "rave", "evaluates", "sufficient")
_NETWORK: Final = ("plan_address", "weights_address", "scale")
_INTS: Final = ("stop", "deadline", "status", *_COUNTS, *_OPTIONS, *_NETWORK, "limit", "used", "word", "earlier")
_FLOATS: Final = ("exploration", "minimax", "prior", "typical", "margin", "largest")
TREE: Final = np.dtype(
    [(name, "i8") for name in _INTS]
    + [(name, "f8") for name in _FLOATS]
    + [
        ("path", "i8", (MAX_PLY + 1,)),
        ("keys", "i8", (MAX_PLY + 1,)),
        ("sides", "i8", (MAX_PLY + 1,)),
        ("earlier_keys", "i8", (MOST_EARLIER,)),
        ("actions", "i8", (MOST_ACTIONS,)),
        ("played", "i8", (MOST_PLIES,)),
        ("mark_keys", "i8", (MARKS,)),
        ("mark_stamps", "i8", (MARKS,)),
    ]
    + SIGHT
)
"""The workspace of one thread: control and counts, the options of the search, then the path of the running simulation
(its nodes, the keys of its positions and who is to move there), the keys of positions before the root, the legal
actions of a state, the actions of the playout, the marks of `zermelo.engine.tree.amaf`, and what a learned evaluation
has seen last.

Static evaluations are multiplied by `scale`, so that those that are learned keep their fractions. `deadline` is a
moment of `zermelo.compiled.clock.now`, 0 for none. `limit` is that of `playouts`, `used` the number of
nodes in the tree, `word` the random number, `earlier` the number of positions before the root. `typical` is the static
evaluation that is squashed to a half, `margin` the weight of margins in rewards, and `largest` the greatest absolute
utility."""

Nodes = NDArray[np.void]
"""A tree: an array of `NODE`."""
Tree = np.record
"""A record of `TREE`."""


def make_tree() -> Tree:
    """Return a new workspace."""
    tree: Tree = np.recarray(1, TREE)[0]
    for name in TREE.names or ():
        tree[name] = 0
    return tree


def make_nodes(memory_mb: float) -> NDArray[np.void]:
    """Return an empty array of nodes of at most so many MiB; the system provides memory when it is touched.

    Raises
    ------
    BadParameter
        There is not enough memory.
    """
    count = max(MOST_ACTIONS + 1, min(int(memory_mb * (1 << 20)) // NODE.itemsize, (1 << 31) - 1))
    try:
        return np.zeros(count, dtype=NODE).view(np.recarray)
    except (MemoryError, ValueError):
        raise BadParameter(f"There is no memory for a tree of {memory_mb:,g} MiB; choose a smaller one.") from None
