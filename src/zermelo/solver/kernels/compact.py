"""Sorted keys with their outcome codes in two or three bytes each, which can still be looked up.

`zermelo.solver.kernels.lookup` needs twelve bytes for each position, and an index. Here, keys lie in *blocks* of
`BLOCK` bytes. A block begins with the differences of neighbouring keys in LEB128 (see
`zermelo.solver.kernels.differences`), most of which take one byte. From its end backwards, it has the number of its
keys, and then a byte for each key: the number of its outcome code in the *palette*, a list of all codes that occur. The
first key of each block is in an array of its own, with an index.

A look-up finds the block and then adds differences until it comes to the key, four at a time where each takes a byte.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.bits import lowest_index
from zermelo.compiled.cache import inlined, shared_kernel
from zermelo.compiled.word64 import multiply, prefetch
from zermelo.solver.kernels.lookup import Sorted
from zermelo.solver.kernels.tally import first_place

BLOCK: Final = 64
"""Bytes of a block: a line of the processor's cache. Larger blocks would save memory, and take longer to search."""
MOST_CODES: Final = 256
"""The most outcome codes that a palette may have: a byte tells them apart."""
BYTES: Final = 2.6
"""Bytes of a position, somewhat more than most take."""
_WORDS: Final = BLOCK // 8
_PLACES: Final = 1024
"""Places of the hash table in which the number of a code is found."""
_AHEAD: Final = 8
"""How many queries ahead each step of a look-up asks the memory for what the next step reads; a power of two."""
_LONG: Final = 0x80808080
"""The upper bit of each byte: set if the difference goes on in the next byte."""
_ONES: Final = 0x0001000100010001
"""The lowest bit of each lane of 16 bits."""
_TOPS: Final = -0x7FFF7FFF7FFF8000
"""The upper bit of each lane of 16 bits."""

Keys = NDArray[np.int64]
Codes = NDArray[np.int32]


class Compact(NamedTuple):
    """Sorted keys with their outcome codes."""

    firsts: Sorted
    """The first key of each block."""
    words: NDArray[np.int64]
    """Shape (blocks * `BLOCK` / 8,): the blocks; the first byte of a word is its lowest."""
    palette: Codes
    """Shape (codes,): all outcome codes that occur."""

    @property
    def size(self) -> int:
        """The size in bytes."""
        return int(self.firsts.keys.nbytes + self.firsts.heads.nbytes + self.words.nbytes)

    def look_up(self, queries: Keys, out: Codes) -> int:
        """Do what `zermelo.solver.kernels.lookup.look_up` does."""
        return int(find_codes(self.firsts, self.words, self.palette, queries, out))


class Numbers(NamedTuple):
    """A hash table from outcome codes to their numbers in a palette."""

    codes: Codes
    """Shape (`_PLACES`,): the code at each place, -1 where there is none."""
    numbers: NDArray[np.int64]
    """Shape (`_PLACES`,): the number of the code at each place."""


def numbers_of(palette: Codes) -> Numbers:
    """Return the hash table for a palette, shape (codes,), of at most `MOST_CODES` different codes."""
    table = Numbers(np.full(_PLACES, -1, dtype=np.int32), np.zeros(_PLACES, dtype=np.int64))
    write_numbers(palette, *table)
    return table


@shared_kernel
def write_numbers(palette: Codes, codes: Codes, numbers: NDArray[np.int64]) -> None:
    """Write the hash table of `Numbers` for a palette; ``codes`` is -1 everywhere before."""
    for number in range(len(palette)):
        place = first_place(int(palette[number]), _PLACES - 1)
        while codes[place] >= 0:
            place = (place + 1) & (_PLACES - 1)
        codes[place] = palette[number]
        numbers[place] = number


def empty_blocks(blocks: int) -> tuple[Keys, NDArray[np.int64]]:
    """Return memory for the first keys of some blocks, shape (blocks,), and for the blocks, as words, to be filled."""
    return np.empty(blocks, dtype=np.int64), np.empty(blocks * _WORDS, dtype=np.int64)


def fill(keys: Keys, codes: Codes, numbers: Numbers, firsts: Keys, words: NDArray[np.int64]) -> None:
    """Write keys and codes into blocks.

    Parameters
    ----------
    keys, codes
        Shape (n,): ascending keys, and the outcome code of each.
    numbers
        The numbers of all codes that occur.
    firsts
        Shape (blocks,), written: the first key of each block; as many blocks as `count_blocks` says.
    words
        Shape (blocks * `BLOCK` / 8,), written: the blocks.
    """
    write_blocks(keys, codes, *numbers, firsts, words.view(np.uint8))


@inlined
def length_of(difference: int) -> int:
    """Return how many bytes a difference takes."""
    length = 1
    while difference >= 128:
        difference >>= 7
        length += 1
    return length


@shared_kernel
def count_blocks(keys: Keys) -> int:
    """Return how many blocks `fill` needs for these keys."""
    blocks, used = 0, BLOCK
    for place in range(len(keys)):
        more = 1 + length_of(int(keys[place] - keys[place - 1])) if used < BLOCK else BLOCK
        if used + more > BLOCK:
            blocks += 1
            used = 2
        else:
            used += more
    return blocks


@shared_kernel
def write_blocks(
    keys: Keys,
    codes: Codes,
    known: Codes,
    numbers: NDArray[np.int64],
    firsts: Keys,
    content: NDArray[np.uint8],
) -> None:
    """Do what `fill` says.

    Parameters
    ----------
    keys, codes
        Shape (n,): ascending keys, and the outcome code of each.
    known, numbers
        Shape (`_PLACES`,): see `Numbers`.
    firsts
        Shape (blocks,), written: the first key of each block.
    content
        Shape (blocks * `BLOCK`,), written.
    """
    blocks = begin = end = count = 0
    for place in range(len(keys)):
        code = int(codes[place])
        slot = first_place(code, _PLACES - 1)
        while known[slot] != code:
            slot = (slot + 1) & (_PLACES - 1)
        difference = int(keys[place] - keys[place - 1]) if blocks else 0
        if blocks == 0 or end - begin + length_of(difference) + count + 2 > BLOCK:
            begin = end = blocks * BLOCK
            count = 0
            firsts[blocks] = keys[place]
            blocks += 1
        else:
            while difference >= 128:
                content[end] = difference & 127 | 128
                difference >>= 7
                end += 1
            content[end] = difference
            end += 1
        count += 1
        content[begin + BLOCK - 1] = count
        content[begin + BLOCK - 1 - count] = numbers[slot]


@shared_kernel
def find_codes(firsts: Sorted, words: NDArray[np.int64], palette: Codes, queries: Keys, out: Codes) -> int:
    """Do what `Compact.look_up` says.

    The look-up of a query has four steps, and each asks the memory for what the next one reads. So that it need not
    wait, each step is done for another query, the first step for the one farthest ahead.
    """
    keys, heads, shift = firsts
    if len(keys) == 0:
        return 0
    content = words.view(np.uint8)
    least, last_head = keys[0], len(heads) - 2
    blocks = np.empty(_AHEAD, dtype=np.int64)
    found = 0
    for first in range(len(queries) + 3 * _AHEAD):
        second, third, fourth = first - _AHEAD, first - 2 * _AHEAD, first - 3 * _AHEAD
        # 1. Ask for the place in the index.
        if first < len(queries):
            prefetch(heads, min(max((queries[first] - least) >> shift, 0), last_head))
        # 2. Ask for the middle one of the keys among which the block's first key is.
        if 0 <= second < len(queries):
            head = min(max((queries[second] - least) >> shift, 0), last_head)
            prefetch(keys, (heads[head] + heads[head + 1]) >> 1)
        # 3. Find the block, and ask for it. Its place in ``blocks`` was that of the query whose last step follows.
        block = blocks[fourth & (_AHEAD - 1)] if fourth >= 0 else -1
        if 0 <= third < len(queries):
            head = min(max((queries[third] - least) >> shift, 0), last_head)
            low, high = heads[head], heads[head + 1]
            while low < high:
                middle = (low + high) >> 1
                if keys[middle] <= queries[third]:
                    low = middle + 1
                else:
                    high = middle
            blocks[third & (_AHEAD - 1)] = low - 1
            prefetch(words, max(low - 1, 0) * _WORDS)
        # 4. Find the key in its block.
        if block >= 0:
            place = place_in_block(words, content, block, queries[fourth] - keys[block])
            if place >= 0:
                out[fourth] = palette[content[block * BLOCK + BLOCK - 2 - place]]
                found += 1
    return found


@inlined
def place_in_block(words: NDArray[np.int64], content: NDArray[np.uint8], block: int, distance: int) -> int:
    """Return which key of a block, from 0, is that far from the first one; -1 if none is."""
    begin = block * BLOCK
    word = block * _WORDS
    last = int(content[begin + BLOCK - 1]) - 1
    number, place, left = 0, 0, int(distance)
    while left > 0 and number < last:
        if place & 3 == 0:
            four = int(words[word + (place >> 3)]) >> ((place & 4) << 3) & 0xFFFFFFFF
            if four & _LONG == 0:
                # In four lanes of 16 bits: the sums of the first one, two, three and four differences. Bytes after the
                # last difference are anything; what they say of a key beyond the last one is not believed.
                lanes = (four | four << 16) & 0x0000FFFF0000FFFF
                sums = multiply((lanes | lanes << 8) & 0x00FF00FF00FF00FF, _ONES)
                if sums >> 48 >= left:
                    unlike = sums ^ left * _ONES
                    alike = (unlike - _ONES) & ~unlike & _TOPS
                    number += (lowest_index(alike) >> 4) + 1
                    return number if alike != 0 and number <= last else -1
                left -= sums >> 48
                number += 4
                place += 4
                continue
        byte = int(content[begin + place])
        place += 1
        left -= byte & 127
        step = 7
        while byte >= 128:
            byte = int(content[begin + place])
            place += 1
            left -= (byte & 127) << step
            step += 7
        number += 1
    return number if left == 0 else -1
