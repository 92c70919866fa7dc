"""Pseudorandom numbers that are the same interpreted and compiled.

The generator is xorshift64* (Marsaglia 2003; Vigna 2016): one word of state, three shifts and a product. A number below
a limit is taken from the upper half of the product, without a division (Lemire 2019). Its probabilities differ from
equal ones by less than the limit divided by 2**32.
"""

from typing import Final

from zermelo.compiled.cache import inlined, subkernel
from zermelo.compiled.word64 import mix, multiply, shift_down, shift_up

_MULTIPLIER: Final = 0x2545F4914F6CDD1D
"""Vigna's multiplier of xorshift64*."""
_SEEDED: Final = 0x5851F42D4C957F2D
"""Any odd number will do; it keeps the seed 0 of game 0 from giving the word 0, from which xorshift never departs."""


@subkernel
def seeded(seed: int, number: int) -> int:
    """Return the first word of the stream of that number, from 0 on, of a seed; it is never 0."""
    word = mix(mix(seed ^ _SEEDED) ^ (number + 1))
    return word if word != 0 else _SEEDED


@inlined
def advance(word: int) -> int:
    """Return the word after ``word``, which must not be 0; the sequence has a period of 2**64 - 1."""
    word ^= shift_up(word, 13)
    word ^= shift_down(word, 7)
    return word ^ shift_up(word, 17)


@inlined
def below(limit: int, word: int) -> int:
    """Return the number from 0 to ``limit`` - 1 that a word stands for; ``limit`` is at most 2**31."""
    return shift_down(multiply(word, _MULTIPLIER), 32) * limit >> 32
