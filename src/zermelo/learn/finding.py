"""Finding the cells of a game by looking at its positions.

Nobody tells the program where the cells lie and which of them are each other's image. It compares what cells hold in
many positions of random games: if one cell always holds after `Game.swap` what another held before, the first is read
in the place of the second. It compares the cells with the pictures of `Game.board` in the same way, and so learns where
they lie.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from zermelo.compiled.game import CompiledGame, compiled
from zermelo.compiled.seen import open_squares, taken
from zermelo.compiled.states import leaf_count, leaves, state_type, words_of
from zermelo.errors import BadParameter
from zermelo.game import MAX, Game, State
from zermelo.learn.cells import Cells, Count, Group, Table, View, read, seen_ints
from zermelo.learn.numbers import find_numbers, without_numbers
from zermelo.learn.symmetries import find_symmetries

SAMPLES: Final = 1500
"""The number of positions that are compared."""
PLIES: Final = 400
"""The most plies of a random game."""
_STEP: Final = 10
"""In one of so many positions, each action is tried, to see whether squares become empty again."""
_PICTURES: Final = 1000
"""The number of positions whose pictures are compared."""
_FEW: Final = 64
"""An int with at most so many values may be a single cell."""
_SMALL: Final = 8
"""An int with at most so many values always is one."""
MOST_VALUES: Final = 1 << 10
"""The most values of a feature."""
_MOST_WORDS: Final = 12
"""The most words that are read together: 2 to this power symbols are told apart."""


def find_cells(game: Game, seed: int = 0) -> Cells:
    """Look at positions of random games, and say what the cells are.

    Parameters
    ----------
    game
        Its states are ints or tuples of ints.
    seed
        Of the random games.
    """
    states = list(random_states(game, random.Random(seed)))
    words, players = _words(game, states), np.array([game.to_move(state) for state in states])
    images = [] if game.swap is None else [game.swap(state) for state in states]
    told = _told(game, states, words, players)
    everything = np.concatenate([words, _words(game, images)]) if images else words
    own = leaf_count(state_type(game.initial))
    sets = [word for word in told if word < own and not _is_count(everything[:, word])]
    numbers = [one for one in find_numbers(game, states, words, everything) if one.number.word in sets]
    rest = without_numbers(everything, numbers)
    groups = tuple(_group(rest, together) for together in _together(states[0], sets))
    counts = tuple(one.number for one in numbers)
    counts += tuple(_count(everything[:, word], word) for word in told if word not in sets)
    groups = tuple(group for group in groups if group.bits)
    seen = read(groups, counts, words)
    swapped = _view(groups, counts, seen, read(groups, counts, _words(game, images))) if images else None
    places = _places(game, states, seen, players)
    first = sum(len(group.bits) for group in groups)
    places[first : first + len(numbers)] = [one.place for one in numbers]
    cells = Cells(groups, counts, swapped, (), tuple(places))
    cells = replace(cells, symmetries=tuple(find_symmetries(game, cells, states)))
    return _with_open_squares(game, cells, states, images, everything) if groups else cells


def _with_open_squares(
    game: Game, cells: Cells, states: Sequence[State], images: Sequence[State], everything: Table
) -> Cells:
    """Return the cells with symbols that tell open squares of the first group from other empty ones.

    Return ``cells`` if that is of no use: if squares become empty again, or if all empty ones are open. ``images`` are
    the states after `Game.swap`, and ``everything`` the ints of the states and of these.
    """
    group = cells.groups[0]
    rules = compiled(game, group.words)
    squares = sum(1 << bit for bit in group.bits)
    if len(group.words) >= _MOST_WORDS or not _has_closed_squares(rules, states[::_STEP], squares):
        return cells
    shown = np.array([[open_squares(rules, state)] for state in (*states, *images)], dtype=np.int64)
    table = np.concatenate([everything, shown], axis=1)
    groups = (_group(table, [*group.words, everything.shape[1]]), *cells.groups[1:])
    seen, its = read(groups, cells.counts, table[: len(states)]), read(groups, cells.counts, table[len(states) :])
    swapped = _view(groups, cells.counts, seen, its) if images else None
    return replace(cells, groups=groups, swapped=swapped, open_words=group.words)


def _has_closed_squares(rules: CompiledGame, states: Sequence[State], squares: int) -> bool:
    """Return whether no action empties any of the squares, some empty ones are open, and others are not."""
    open_ones = closed_ones = 0
    for state in states:
        before, after = taken(words_of(rules, state), rules.open_words), 0
        for action in rules.game.actions(state):
            then = taken(words_of(rules, rules.game.result(state, action)), rules.open_words)
            if before & ~then:
                return False
            after |= then
        open_ones |= after & ~before
        closed_ones |= squares & ~after
    return bool(open_ones and closed_ones)


def random_states(game: Game, chooser: random.Random) -> Iterator[State]:
    """Yield positions of random games that are not terminal."""
    found = 0
    while found < SAMPLES:
        state = game.initial
        for _ in range(PLIES):
            if game.is_terminal(state) or found >= SAMPLES:
                break
            yield state
            found += 1
            state = game.result(state, chooser.choice(list(game.actions(state))))


def _words(game: Game, states: Sequence[State]) -> Table:
    """Return the ints and features of states, a row for each state.

    Raises
    ------
    BadParameter
        The features are not always so many ints, or one of them takes too many values.
    """
    rows = [seen_ints(game, state) for state in states]
    if len(set(map(len, rows))) > 1:
        raise BadParameter(f"features of {game!r} gives tuples of different lengths; let it always give as many ints.")
    return np.array(rows, dtype=np.int64)


def _told(game: Game, states: Sequence[State], words: Table, players: NDArray[np.int64]) -> list[int]:
    """Return the ints that say something of a position, besides who is to move and how long counters have run."""
    kept = words if game.position is None else _words(game, [game.position(state) for state in states])
    told = []
    for number, column in enumerate(words.T):
        counter = (kept[:, number] != column).any()
        of_player = all(len(np.unique(column[players == player])) <= 1 for player in np.unique(players))
        if not counter and not of_player:
            told.append(number)
    return told


def _is_count(column: NDArray[np.int64]) -> bool:
    """Return whether an int of states is a number: it takes few values, and most of those in its range."""
    span = int(column.max()) - int(column.min()) + 1
    return 0 < span <= _SMALL or (0 < span <= _FEW and 2 * len(np.unique(column)) >= span)


def _count(column: NDArray[np.int64], word: int) -> Count:
    """Return the cell of an int that is a number."""
    low = int(column.min())
    if int(column.max()) - low >= MOST_VALUES:
        raise BadParameter(
            f"features gives ints from {low} to {int(column.max())} in one place; divide them, so that there are at "
            f"most {MOST_VALUES:,} values."
        )
    return Count(word, low, int(column.max()) - low + 1)


def _together(state: State, words: Sequence[int]) -> Iterator[list[int]]:
    """Yield the words that have the same squares.

    All fields that are ints belong together. Of fields that are tuples, the first ints do, and the second ones.
    """
    fields = state if isinstance(state, tuple) else (state,)
    inside = [place for field in fields for place, _ in enumerate(leaves(field))]
    for place in sorted({inside[word] for word in words}):
        same = [word for word in words if inside[word] == place]
        for start in range(0, len(same), _MOST_WORDS):
            yield same[start : start + _MOST_WORDS]


def _group(words: Table, together: Sequence[int]) -> Group:
    """Return the cells of words with the same squares."""
    columns = words[:, together].view(np.uint64)
    varying = int(np.bitwise_or.reduce((columns ^ columns[0]).ravel()))
    bits = tuple(bit for bit in range(64) if varying >> bit & 1)
    codes: set[int] = {0}
    for bit in bits:
        found = np.zeros(len(words), dtype=np.int64)
        for place, word in enumerate(together):
            found |= (words[:, word] >> bit & 1) << place
        codes |= set(found.tolist())
    return Group(tuple(together), bits, tuple(sorted(codes)))


def _view(groups: Sequence[Group], counts: Sequence[Count], seen: Table, shown: Table) -> View | None:
    """Return the view that shows ``shown`` where cells hold ``seen``; None if there is none."""
    all_cells = Cells(tuple(groups), tuple(counts), None, (), ())
    families, kinds = all_cells.families, all_cells.symbols
    candidates: dict[tuple[bool, int, bytes], list[int]] = {}
    for cell, column in enumerate(seen.T):
        candidates.setdefault((families[cell] < len(groups), kinds[cell], _pattern(column)), []).append(cell)
    sizes = [len(group.codes) for group in groups] + [count.symbols for count in counts]
    maps = [dict[int, int]() for _ in sizes]
    cells = []
    for cell, column in enumerate(shown.T):
        same = candidates.get((families[cell] < len(groups), kinds[cell], _pattern(column)), [])
        source = next(
            (one for one in same if one not in cells and _agrees(maps[families[one]], seen[:, one], column)), None
        )
        if source is None:
            return None
        cells.append(source)
        maps[families[source]].update(zip(seen[:, source].tolist(), column.tolist(), strict=True))
    symbols = tuple(tuple(known.get(one, one) for one in range(size)) for known, size in zip(maps, sizes, strict=True))
    return View(tuple(cells), symbols)


def _agrees(known: dict[int, int], held: NDArray[np.int64], shown: NDArray[np.int64]) -> bool:
    """Return whether a cell that holds ``held`` may be shown as ``shown``, by what is known of its symbols so far."""
    return all(known.get(one, other) == other for one, other in set(zip(held.tolist(), shown.tolist(), strict=True)))


def _pattern(column: NDArray[np.int64]) -> bytes:
    """Return what a column says, whatever its symbols are called: each is named after its first occurrence."""
    _, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    return first[inverse].tobytes()


def _places(
    game: Game, states: Sequence[State], seen: Table, players: NDArray[np.int64]
) -> list[tuple[float, float] | None]:
    """Return where each cell lies in the picture: at the square that shows something else whenever the cell does."""
    places: list[tuple[float, float] | None] = [None] * seen.shape[1]
    rows = np.flatnonzero(players == MAX)[:_PICTURES]
    if game.board is None or not len(rows):
        return places
    pictures = [game.board(states[row]) for row in rows]
    squares = pictures[0].cells
    content = [[""] * len(squares) for _ in pictures]
    for shown, picture in zip(content, pictures, strict=True):
        for piece in picture.pieces:
            shown[piece.cell] += f"{piece.owner} {piece.kind} {piece.number};"
    numbered = {
        _pattern(np.unique(column, return_inverse=True)[1]): square for square, column in enumerate(np.array(content).T)
    }
    for cell in range(len(places)):
        square = numbered.get(_pattern(seen[rows, cell]))
        if square is not None and len(np.unique(seen[rows, cell])) > 1:
            places[cell] = (float(squares[square].x), float(squares[square].y))
    return places
