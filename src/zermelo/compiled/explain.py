"""Why a game cannot be compiled: the function, the line, the reason, and what to write instead."""

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from numba import njit, types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from zermelo.compiled.game import CompiledGame
from zermelo.errors import NotCompilable

_REFUSALS: Final = (NumbaError, UnsupportedBytecodeError)
"""The errors of Numba for functions that it cannot compile; the second is not a subclass of the first."""
_ADVICE: Final = (
    ("opcode .*YIELD", "yield in a loop, and not from another generator"),
    (
        "yield in a closure|[Gg]enerator",
        "write the loop out: what stands in tuple(... for ...), sum(... for ...) and the like cannot be compiled",
    ),
    (
        r"list|dict|set\(|set\b|str|unicode",
        "keep the board in ints and bits of ints, or in a tuple changed with bits.put",
    ),
    (r"float", "use ints: // divides"),
    (
        r"[Cc]annot unify",
        "let every branch give the same type: a NamedTuple of the same fields, ints and not bools or None",
    ),
    (
        r"[Uu]ntyped global|closure|freevar|Cannot determine Numba type",
        "refer only to ints, tuples of ints and plain functions",
    ),
    (r"getiter|iter", "loop over range() or over a tuple whose items are of one type"),
    (r"attribute", "give the state only fields; make properties and methods plain functions"),
)
_TELLING: Final = re.compile(
    "Cannot unify|Unknown attribute|Untyped global|No implementation|Invalid use|a state of|"
    ".*not supported|.*is not defined"
)
_IN_LANES: Final = (
    "let a function that bits.along calls compute without a branch: with operators on bits, shift_left, shift_right, "
    "complement and where of zermelo.bits"
)
"""The advice for a function that is compiled for all directions at once (`zermelo.compiled.lanes`)."""
_FALLBACK: Final = "use ints, tuples of ints, NamedTuples, loops, conditions and plain functions"
_OF_INTS: Final = (
    "to_move", "is_terminal", "utility", "evaluate", "order", "proof_order", "gain", "urgent", "key", "tier",
    "repetition",
)  # fmt: skip
_OF_TWO: Final = ("result", "order", "proof_order", "gain", "window_bounds")
"""The functions of a state and an int."""


@contextlib.contextmanager
def explained(game: CompiledGame) -> Iterator[None]:
    """Turn Numba's error about a kernel into a sentence about the function of the game that caused it.

    Raises
    ------
    NotCompilable
        One of the game's functions does not compile.
    """
    try:
        yield
    except _REFUSALS as error:
        faults = ((function, _fault(game, function)) for function in game.functions())
        function, fault = next((found for found in faults if found[1] is not None), (game.result, error))
        raise NotCompilable(_sentence(game, function, fault or error)) from None


def _fault(game: CompiledGame, function: Callable[..., Any]) -> Exception | None:
    """Return Numba's error about one function of a game; None if the function compiles."""
    names = [name for name in vars(game) if getattr(game, name) is function]
    arguments = [game.state_type] + [types.int64] * any(name in _OF_TWO for name in names)
    compiled = njit(function)
    try:
        compiled.compile(tuple(arguments))
    except _REFUSALS as error:
        return error
    answer = compiled.nopython_signatures[0].return_type
    if any(name in _OF_INTS for name in names) and not isinstance(answer, types.Integer | types.Boolean):
        return NumbaError(f"It returns {answer} and must return an int.")
    return None


def _sentence(game: CompiledGame, function: Callable[..., Any], error: Exception) -> str:
    """Return what is wrong with a function of a game, with its file and line, and what to write instead."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    file, line = places[-1] if places else (function.__code__.co_filename, function.__code__.co_firstlineno)
    reason = _reason(text)
    usual = next((advice for pattern, advice in _ADVICE if re.search(pattern, reason)), _FALLBACK)
    advice = _IN_LANES if "Lanes(" in text else usual
    return (
        f"{game.game!r} cannot be compiled: {function.__name__} ({file}, line {line}): {reason} "
        f"Instead, {advice}; the game still plays with zermelo.textbook."
    )


def _reason(text: str) -> str:
    """Return the line of Numba's message that best says what is wrong."""
    lines = [line.strip() for line in text.splitlines()]
    telling = [line for line in lines if _TELLING.match(line)]
    chosen = telling[-1] if telling else next(line for line in lines[1:] or lines if line)
    return chosen.rstrip(".:") + "."
