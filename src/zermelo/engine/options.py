"""What a search may use: run-time switches, so that each can be measured and tested without a compilation.

And how a question is read whose parts may come in either order.
"""

from numbers import Integral
from typing import Any, Final, NamedTuple

from zermelo.errors import BadParameter
from zermelo.game import State

UNSOUND: Final = ("reductions", "width")
"""Prunings that can be wrong: off by default, named in the result when on."""


class Options(NamedTuple):
    """Feature switches; every combination gives the same proven values, the unsound ones apart."""

    table: bool = True
    """Remember states in the transposition table."""
    transposition_cutoffs: bool = True
    """Enhanced transposition cutoffs: look all children up before searching the first (Plaat et al. 1996)."""
    null_windows: bool = True
    """Principal variation search: later actions are first asked only whether they are better (Marsland 1986)."""
    aspiration: bool = True
    """Start each iteration with a narrow window around the last value."""
    killers: bool = True
    """Try early what cut off a sibling (Akl and Newborn 1977)."""
    history: bool = True
    """Try early what cut off elsewhere (Schaeffer 1989)."""
    order: bool = True
    """Use the game's ``order``."""
    bounds: bool = True
    """Use the game's ``bounds``."""
    symmetries: bool = True
    """Use the game's ``symmetries``."""
    sufficient_actions: bool = True
    """Use the game's ``sufficient_actions``."""
    quiescence: bool = True
    """At the horizon, play the game's ``noisy_actions`` out."""
    remoteness: bool = True
    """Among equal values prefer the quicker win and the slower loss."""
    same_depth: bool = False
    """Use table entries of exactly the depth asked for: values are then those of depth-limited minimax."""
    reductions: bool = False
    """Unsound: search late actions one ply less deep unless they surprise."""
    width: int = 0
    """Unsound: consider only that many actions a node; 0 considers all."""

    @property
    def unsound(self) -> tuple[str, ...]:
        """The prunings in use that can be wrong."""
        return tuple(name for name in UNSOUND if getattr(self, name))


def make_options(switches: dict[str, int]) -> Options:
    """Options with ``switches`` set, the rest as by default.

    Raises
    ------
    BadParameter
        There is no such switch.
    """
    unknown = [name for name in switches if name not in Options._fields]
    if unknown:
        raise BadParameter(f"There is no search switch {unknown[0]!r}; there are {', '.join(Options._fields)}.")
    return Options(**switches)  # type: ignore[arg-type]


def question_of(state: Any, at_least: Any) -> tuple[State | None, int]:
    """The state and the value that `Engine.decide` was asked about, in whichever order they came.

    Earlier versions had the value first; that is still understood where the state is no int.

    Raises
    ------
    BadParameter
        There is no value, or it is no whole number.
    """
    if at_least is None or (isinstance(state, Integral) and not isinstance(at_least, Integral)):
        state, at_least = at_least, state
    if not isinstance(at_least, Integral):
        raise BadParameter("decide needs the value to ask for: decide(state, 1) asks whether MAX gets at least 1.")
    return state, int(at_least)
