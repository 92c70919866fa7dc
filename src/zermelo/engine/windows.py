"""Which null window to search next, while a value is being narrowed down."""


def next_alpha(low: int, high: int) -> int:
    """The null window (alpha, alpha + 1) to search where the value is known to lie within [low, high].

    The first two windows ask who wins; the next ones close in on the value from the side of the draw.
    """
    if low < 0 <= high:
        return -1 if high == 0 else 0
    if low >= 0:
        return low + (high - low) // 4
    return high - 1 - (high - 1 - low) // 4
