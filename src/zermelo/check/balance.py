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
"""Counting stops before a depth that would have more nodes: it is interpreted."""
_DEEPEST: Final = 20
_COMPARED: Final = 200
"""The most positions at which a search is compared."""
_LEAST: Final = 3
"""The fewest, however little time there is."""


def count_perft(inspector: Inspector) -> dict[str, Any]:
    """Perft from the start, and the positions a second, both interpreted."""
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
    """Positions a second in compiled perft."""
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
    """How many positions there are, how wide and long games are, and who wins when both play at random."""
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
    """The value of a random game; if it ended with a repetition, what the game gives for that."""
    if position.terminal:
        return int(game.utility(position.state))
    return int(game.repetition(position.state)) if callable(game.repetition) else int(game.endless_value)


def textbook_agreement(prover: Prover, proven: list[Position], until: float) -> dict[str, Any]:
    """At how many small positions the textbook's alpha-beta finds the proven value."""
    game = prover.inspector.game
    return _agreement(prover, proven, until, "textbook", lambda state: sound_search(game, state, -inf, inf, {}).value)


def engine_agreement(prover: Prover, proven: list[Position], seconds: float) -> dict[str, Any]:
    """At how many small positions the engine finds the proven value; compiling is not counted in ``seconds``."""
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
