"""The symmetries of a game, found by trying: which turns and reflections of the board do the rules not notice?

A turn or reflection of the picture says which cell takes the place of which. It is a symmetry if, in many positions,
the image of a position has the images of its results as results, ends where the position ends, and is worth the same.
That proves nothing, but a symmetry only says which weights are shared; a wrong one would make an evaluation worse, and
no search wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from zermelo.compiled.game import compiled
from zermelo.compiled.states import leaves, load_state
from zermelo.game import Game, State
from zermelo.learn.cells import Cells

_TURNS: Final[tuple[Callable[[float, float], tuple[float, float]], ...]] = (
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)
"""Where a point of a board goes whose centre is (0, 0): the symmetries of a square, without the identity."""
REFUSALS: Final = (ValueError, ArithmeticError, LookupError)
"""What rules may raise for a position that cannot arise."""
_TRIED: Final = 40
"""The number of positions in which a symmetry is tried."""


def find_symmetries(game: Game, cells: Cells, states: Sequence[State]) -> Iterator[tuple[int, ...]]:
    """Yield, for each turn or reflection that the rules do not notice, the cell that is read in each cell's place."""
    step = max(1, len(states) // _TRIED)
    known = {tuple(range(len(cells.places)))}
    for turn in _TURNS:
        sources = _sources(cells, turn)
        if sources is None or sources in known:
            continue
        known.add(sources)
        if all(_is_symmetric(game, cells, sources, state) for state in states[::step]):
            yield sources


def _sources(cells: Cells, turn: Callable[[float, float], tuple[float, float]]) -> tuple[int, ...] | None:
    """Return, for each cell, the one that comes to its place; None if one comes to no cell's place."""
    placed = [place for place in cells.places if place is not None]
    if not placed or None in cells.places[: len(cells.bits)]:
        return None
    middle = [(min(axis) + max(axis)) / 2 for axis in zip(*placed, strict=True)]
    at = {_rounded(*place): cell for cell, place in enumerate(cells.places) if place is not None}
    sources = list(range(len(cells.places)))
    for cell, place in enumerate(cells.places):
        if place is not None:
            x, y = turn(place[0] - middle[0], place[1] - middle[1])
            target = at.get(_rounded(x + middle[0], y + middle[1]))
            if target is None or cells.symbols[target] != cells.symbols[cell]:
                return None
            sources[target] = cell
    return tuple(sources)


def _rounded(x: float, y: float) -> tuple[float, float]:
    """Return a point without errors of rounding."""
    return round(x, 3), round(y, 3)


def _is_symmetric(game: Game, cells: Cells, sources: Sequence[int], state: State) -> bool:
    """Return whether the rules treat a state and its image alike."""
    try:
        image = _moved(game, cells, sources, state)
        if game.features is not None and game.features(state) != game.features(image):
            return False
        if game.is_terminal(state) or game.is_terminal(image):
            return game.is_terminal(state) == game.is_terminal(image) and game.utility(state) == game.utility(image)
        here = [_moved(game, cells, sources, game.result(state, action)) for action in game.actions(state)]
        there = [game.result(image, action) for action in game.actions(image)]
    except REFUSALS:
        return False
    return sorted(here) == sorted(there)


def _moved(game: Game, cells: Cells, sources: Sequence[int], state: State) -> State:
    """Return the image of a state; what belongs to no cell stays."""
    words = list(leaves(state))
    images = list(words)
    for group in cells.groups:
        for word in group.words:
            images[word] &= ~sum(1 << bit for bit in group.bits)
    for (group, bit), source in zip(cells.bits, sources[: len(cells.bits)], strict=True):
        seen, its = cells.bits[source]
        for word, read in zip(group.words, seen.words, strict=True):
            images[word] |= (words[read] >> its & 1) << bit
    for count, source in zip(cells.counts, sources[len(cells.bits) :], strict=True):
        seen_count = cells.counts[source - len(cells.bits)]
        if max(count.word, seen_count.word) < len(words):
            images[count.word] = count.put(images[count.word], seen_count.held(words[seen_count.word]))
    return load_state(compiled(game), images)
