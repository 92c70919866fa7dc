"""What a search may use: run-time switches, so that each can be measured and tested without a compilation."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from zermelo.errors import BadGame, BadParameter

UNSOUND: Final = ("null_move", "reductions", "futility", "late_pruning", "losing_pruning", "width")
"""Prunings that can be wrong. They are off unless the game's ``switches`` or the caller turns them on, a result names
those that are on, and proofs never use them."""


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
    order_from: int = 0
    """In play, count smaller numbers of the game's ``order`` than this as 0, so that killers and history order these
    actions; 0 to count all numbers as they are."""
    bounds: bool = True
    """Use the game's ``bounds``."""
    leaf_bounds: bool = False
    """Use them at the horizon, too, where they may see what ``evaluate`` does not, such as a win with the next move."""
    symmetries: bool = True
    """Use the game's ``symmetries``: in proofs, and in searches whose root is symmetric to itself."""
    sufficient_actions: bool = True
    """Use the game's ``sufficient_actions``."""
    quiescence: bool = True
    """At the horizon, search on through the game's ``noisy_actions``."""
    remoteness: bool = True
    """Of equal values, prefer the quicker win and the slower loss."""
    same_depth: bool = False
    """Use only table entries of exactly the same depth: values are then those of depth-limited minimax."""
    urgent: bool = True
    """Use the game's ``urgent``: search such states one ply deeper, and past the horizon with all actions."""
    quiescence_table: bool = False
    """Remember states past the horizon, too, in a search that may use prunings that can be wrong."""
    exchanges: bool = True
    """Use the game's ``gain``: past the horizon leave out noisy actions that lose in the exchange (Reul 2009)."""
    delta: int = 0
    """Past the horizon leave out noisy actions that fall short of alpha by more than this, in EVAL's units, even with
    their gain; 0 to leave out none. It needs the game's ``gain``."""
    malus: bool = False
    """Let the history heuristic count failures, too, and let old counts fade (Winands et al. 2006 count them apart)."""
    losing_last: bool = False
    """Try actions that lose in the exchange after all others. It needs the game's ``gain``."""
    follow_ups: bool = False
    """Let the history heuristic count, too, how well an action follows the last two (Stockfish's continuation
    history). It needs ``malus``."""
    previews: int = 0
    """With a learned evaluation, let a proof order the actions of its largest nodes by a short search of each child and
    by the game's ``order``. The number says how much of ``order`` one unit of the evaluation is worth; 0 for none. It
    acts only in games whose own ``switches`` turn it on: the machine code of others has no previews."""
    countermoves: bool = False
    """Try early the action that cut off after the same action of the opponent (Uiterwijk 1992)."""
    null_move: bool = False
    """Unsound: a player who is well off even after passing would not have got here (Donninger 1993). It needs the
    game's ``null_state``."""
    reductions: bool = False
    """Unsound: search late actions less deep unless they surprise, by the logarithms of depth and rank (Romstad 2006:
    late move reductions), and a state for which the table knows no action one ply less deep (Schröder: internal
    iterative reductions)."""
    futility: int = 0
    """Unsound: near the horizon, give up a state or an action whose static evaluation misses the window by more than
    this times the depth, in EVAL's units (Heinz 1998); 0 to give up none. A state that misses it by far is searched as
    if past the horizon (Birmingham and Kent 1977: razoring)."""
    late_pruning: bool = False
    """Unsound: near the horizon, leave out late actions; the nearer, the more of them."""
    losing_pruning: int = 0
    """Unsound: near the horizon, leave out actions that lose more in the exchange than this times the depth, in EVAL's
    units; those that take something may lose twice as much. 0 to leave out none. It needs the game's ``gain``."""
    width: int = 0
    """Unsound: search only the first so many actions of a node; 0 for all of them."""

    @property
    def unsound(self) -> tuple[str, ...]:
        """The prunings in use that can be wrong."""
        return tuple(name for name in UNSOUND if getattr(self, name))


def make_switches(changed: Mapping[str, int], usual: Mapping[str, int] | None = None) -> Switches:
    """The switches: those in ``changed`` set so, others as in ``usual``, the rest as by default.

    The usual ones are those of a game, and before them those of a learned evaluation.

    Raises
    ------
    BadParameter
        There is no such switch.
    BadGame
        The game names a switch that there is not.
    """
    for names, error in ((changed, BadParameter), (usual or {}, BadGame)):
        unknown = [name for name in names if name not in Switches._fields]
        if unknown:
            raise error(f"There is no search switch {unknown[0]!r}; there are {', '.join(Switches._fields)}.")
    return Switches(**{**(usual or {}), **changed})  # type: ignore[arg-type]
