"""Numbers as the report writes them."""

from collections.abc import Sequence


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; that of a negative one is a true minus."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """Return a share in percent; one so near to 0 or 1 that it would be rounded to it is not."""
    if 0 < share < 0.001:
        return "< 0.1 %"
    return "> 99.9 %" if 0.999 < share < 1 else f"{100 * share:.1f} %"


def number(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: ``1 game``, ``2 games``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def stack(counts: Sequence[int], names: Sequence[str]) -> str:
    """Return wins, draws and losses as one bar; ``names`` says what each count is."""
    said = ", ".join(f"{count} {name}" for count, name in zip(counts, names, strict=True))
    parts = "".join(
        f'<span class="{kind}" style="flex:{count}"></span>'
        for kind, count in zip(("won", "drawn", "lost"), counts, strict=True)
        if count
    )
    return f'<div class="stacked" role="img" aria-label="{said}">{parts}</div>'
