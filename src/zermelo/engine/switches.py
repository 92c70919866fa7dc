"""What a search may use: run-time switches, so that each can be measured and tested without a compilation."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from zermelo.errors import BadParameter

UNSOUND: Final = ("reductions", "width")
"""Prunings that can be wrong; they are off by default, and a result names those that are on."""


class Switches(NamedTuple):
    """Every combination of the switches gives the same proven values, except for the unsound ones."""

    table: bool = True
    """Remember states in the transposition table."""
    transposition_cutoffs: bool = True
    """Enhanced transposition cutoffs: look up all children before searching the first (Plaat et al. 1996)."""
    null_windows: bool = True
    """Principal variation search: a null window first asks if a later action is better at all (Marsland 1986)."""
    aspiration: bool = True
    """Start each iteration with a narrow window around the last value."""
    killers: bool = True
    """Try early the actions that cut off a sibling (Akl and Newborn 1977)."""
    history: bool = True
    """Try early the actions that cut off elsewhere (Schaeffer 1989)."""
    order: bool = True
    """Use the game's ``order``."""
    bounds: bool = True
    """Use the game's ``bounds``."""
    symmetries: bool = True
    """Use the game's ``symmetries``."""
    sufficient_actions: bool = True
    """Use the game's ``sufficient_actions``."""
    quiescence: bool = True
    """At the horizon, search on through the game's ``noisy_actions``."""
    remoteness: bool = True
    """Of equal values, prefer the quicker win and the slower loss."""
    same_depth: bool = False
    """Use only table entries of exactly the same depth: values are then those of depth-limited minimax."""
    reductions: bool = False
    """Unsound: search late actions one ply less deep unless they surprise."""
    width: int = 0
    """Unsound: search only the first so many actions of a node; 0 for all of them."""

    @property
    def unsound(self) -> tuple[str, ...]:
        """The prunings in use that can be wrong."""
        return tuple(name for name in UNSOUND if getattr(self, name))


def make_switches(changed: Mapping[str, int]) -> Switches:
    """The switches, those in ``changed`` set so, the others as by default.

    Raises
    ------
    BadParameter
        There is no such switch.
    """
    unknown = [name for name in changed if name not in Switches._fields]
    if unknown:
        raise BadParameter(f"There is no search switch {unknown[0]!r}; there are {', '.join(Switches._fields)}.")
    return Switches(**changed)  # type: ignore[arg-type]
