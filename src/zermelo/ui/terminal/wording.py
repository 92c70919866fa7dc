"""Times, sizes, counts and results in words."""

from zermelo.game import MAX, MIN, Game


def duration(seconds: float) -> str:
    """A time, for people: in seconds, minutes or hours."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """A number of bytes, for people: in bytes, kB, MB, GB or TB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"


def rounded(count: float, exact: bool) -> str:
    """A count, for people: whole if it is exact, to two digits if it is an estimate."""
    return f"{count:,}" if exact else f"{float(f'{count:.1e}'):,.0f}"


def counted_nodes(nodes: int) -> str:
    """A number of nodes of a cluster, for people."""
    return "1 node" if nodes == 1 else f"{nodes} nodes"


def verdict(game: Game, value: int) -> str:
    """Who wins, given a value."""
    return f"{game.side_name(MAX if value > 0 else MIN)} wins" if value else "a draw"


def ending(remoteness: int | None) -> str:
    """How far the end of the game is, given the remoteness."""
    return "play need never end" if remoteness is None else "1 ply" if remoteness == 1 else f"{remoteness} plies"
