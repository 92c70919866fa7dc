"""Numbers about a game, for its inventor: sizes, lengths, who wins, and speed."""

from collections.abc import Callable
from math import inf
from statistics import mean
from time import perf_counter
from typing import Any, Final

from zermelo.check.explore import Exploration
from zermelo.check.inspector import Inspector, Position
from zermelo.check.values import Prover
from zermelo.game import Game, State
from zermelo.textbook.perft import perft
from zermelo.textbook.sound import sound_search

PERFT_NODES: Final = 50_000
"""Counting stops before a depth that would have more nodes, since interpreted counting is slow."""
_DEEPEST: Final = 20
"""The greatest depth to count to, in plies."""
_COMPARED: Final = 200
"""The most positions at which a search is compared with proven values."""
_LEAST: Final = 3
"""The fewest such positions, however little time there is."""


def count_perft(inspector: Inspector) -> dict[str, Any]:
    """Return the perft counts from the start, by depth from 0, and the positions a second; both interpreted."""
    game = inspector.game
    counts, seconds = [1], 0.0
    growth = 2
    while counts[-1] and len(counts) <= _DEEPEST and counts[-1] * growth < PERFT_NODES:
        start = perf_counter()
        counts.append(perft(game, game.initial, len(counts)))
        seconds = perf_counter() - start
        growth = max(2, counts[-1] // counts[-2])
    return {"perft": counts, "positions a second, interpreted": int(counts[-1] / max(seconds, 1e-6))}


def compiled_speed(inspector: Inspector, seconds: float) -> dict[str, Any]:
    """Return the positions a second that compiled perft counts; ``seconds`` is about how long it may take."""
    from zermelo.compiled import perft as fast_perft

    game, speed, depth = inspector.game, 0, 1
    fast_perft(game, game.initial, 0)
    until = inspector.clock.now() + seconds
    while depth <= _DEEPEST and inspector.clock.now() < until:
        start = perf_counter()
        nodes = fast_perft(game, game.initial, depth)
        passed = perf_counter() - start
        speed = max(speed, int(nodes / max(passed, 1e-6)))
        if passed > seconds / 10 or not nodes:
            break
        depth += 1
    return {"positions a second, compiled": speed}


def shape(inspector: Inspector, seen: Exploration) -> dict[str, Any]:
    """Return how many positions were seen, how wide and long random games are, and how often the first player wins."""
    game = inspector.game
    numbers: dict[str, Any] = {"positions seen": len(seen.positions), "all positions seen": seen.complete}
    over = [playout.positions for playout in seen.playouts if playout.ending in ("end", "repetition")]
    if not over:
        return numbers
    widths = [len(position.legal) for line in over for position in line if position.terminal is False]
    lengths = [len(line) - 1 for line in over]
    first = game.to_move(game.initial)
    results = [first * _outcome(game, line[-1]) for line in over]
    numbers["random games"] = len(over)
    numbers["branching factor"] = mean(widths) if widths else 0
    numbers["most actions"] = max(widths, default=0)
    numbers["plies: mean, least, most"] = [mean(lengths), min(lengths), max(lengths)]
    numbers["first player wins"] = sum(value > 0 for value in results) / len(over)
    numbers["draws"] = sum(value == 0 for value in results) / len(over)
    return numbers


def _outcome(game: Game, position: Position) -> int:
    """Return the value of a random game's last position, for MAX: its utility, or the value of a repetition."""
    if position.terminal:
        return int(game.utility(position.state))
    return int(game.repetition(position.state)) if callable(game.repetition) else int(game.endless_value)


def textbook_agreement(prover: Prover, proven: list[Position], until: float) -> dict[str, Any]:
    """Compare the textbook's alpha-beta with proven values until a time of the clock; return at how many positions."""
    game = prover.inspector.game
    return _agreement(prover, proven, until, "textbook", lambda state: sound_search(game, state, -inf, inf, {}).value)


def engine_agreement(prover: Prover, proven: list[Position], seconds: float) -> dict[str, Any]:
    """Compare the engine with proven values; return at how many positions. ``seconds`` does not include compiling."""
    from zermelo.engine import Engine

    if not proven:
        return {}
    engine = Engine(prover.inspector.game, table_mb=4)
    engine.prove(proven[0].state, quickest=False, seconds=seconds)
    until = prover.inspector.clock.now() + seconds
    return _agreement(prover, proven, until, "engine", lambda state: engine.prove(state, quickest=False).value)


def _agreement(
    prover: Prover, proven: list[Position], until: float, name: str, search: Callable[[State], int]
) -> dict[str, Any]:
    """Compare a search with proven values, and stop at the first that differs; return at how many positions."""
    compared = 0
    for position in proven[:_COMPARED]:
        if compared >= _LEAST and prover.inspector.clock.now() > until:
            break
        found, value = search(position.state), prover.values[position.state]
        compared += 1
        if found != value:
            sentence = f"The value here is {value} by every line of play; the {name} finds {found}."
            advice = "Look for bounds, sufficient_actions, symmetries or a key that do not hold."
            prover.inspector.find(name, position, sentence, advice)
            break
    return {f"positions where {name} was compared": compared}
