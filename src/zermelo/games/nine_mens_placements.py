"""Every placement of men in nine men's morris, computed with NumPy: of five men against five there are 62 million.

Of placements that are symmetric to each other there is one, which `zermelo.games.nine_mens_morris.key` packs into the
least int.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]


def placements(mine: int, theirs: int, places: tuple[tuple[int, ...], ...]) -> Words:
    """Return placements with no men in hand and either side to move, packed.

    Parameters
    ----------
    mine, theirs
        How many men MAX and MIN have.
    places
        For each symmetric image of the board, itself included, where each point goes.
    """
    points = len(places[0])
    least, stabilizers = _least(_words(range(points), mine), places)
    found = []
    for word, kept in zip(least.tolist(), stabilizers, strict=True):
        others = _words([point for point in range(points) if not word >> point & 1], theirs)
        for number in np.flatnonzero(kept):
            others = others[others <= _image(others, places[number])]
        packed = (word << points | others) << 1
        found.append(np.column_stack([packed, packed | 1]).ravel())
    return np.concatenate([np.empty(0, np.int64), *found])


def _words(points: "range | list[int]", count: int) -> Words:
    """Return every choice of so many of some points, as words with a bit for each."""
    every = list(combinations(points, count))
    chosen = np.array(every, dtype=np.int64).reshape(len(every), count)
    words: Words = np.bitwise_or.reduce(np.int64(1) << chosen, axis=1, initial=0)
    return words


def _image(words: Words, places: tuple[int, ...]) -> Words:
    """Return words in which each bit has gone to its place."""
    image = np.zeros_like(words)
    for point, place in enumerate(places):
        image |= (words >> point & 1) << place
    return image


def _least(words: Words, places: tuple[tuple[int, ...], ...]) -> tuple[Words, NDArray[np.bool_]]:
    """Return the words that are the least of their images, and which images leave each one as it is."""
    images = np.array([_image(words, image) for image in places])
    chosen = (words <= images).all(axis=0)
    return words[chosen], (images == words)[:, chosen].T
