"""What a tree search may use, checked."""

from dataclasses import dataclass, replace
from typing import Final

from zermelo.engine.tree.playouts import LIMIT
from zermelo.engine.tree.pool import MOST_PLIES
from zermelo.errors import BadParameter
from zermelo.game import Game

MOST_SEED: Final = 1 << 62
MINIMAX: Final = 0.4
"""The usual weight of EVAL; docs/explanation/design.md says in which games it was measured."""


@dataclass(frozen=True)
class TreeOptions:
    """The options of a tree search.

    Raises
    ------
    BadParameter
        A number is out of range.
    """

    exploration: float = 0.5
    """How much a simulation prefers children with few visits; the constant of UCB1 for rewards from -1 to 1."""
    rave: bool = False
    """Let an action's reward count also where it is played later (Gelly and Silver 2011)."""
    minimax: float | None = None
    """The weight, from 0 to 1, of static evaluations that are backed up by minimax (Lanctot et al. 2014); `MINIMAX` if
    None, and 0 if there are none."""
    prior: float = 0.0
    """As how many visits the static evaluation of a new node counts."""
    growth: int = 0
    """After so many visits a leaf gets children, or later where memory is short."""
    sufficient: bool = True
    """Let random games choose among the game's ``sufficient_actions``, if it has some."""
    plies: int = LIMIT
    """The plies after which a playout is stopped; it then counts as play that never ends."""
    seed: int = 0
    """Of the random moves."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("exploration", 0, 1e6),
            ("minimax", 0, 1),
            ("prior", 0, 1e6),
            ("growth", 0, 1 << 30),
            ("plies", 1, MOST_PLIES),
            ("seed", 0, MOST_SEED),
        ):
            number = getattr(self, name)
            if number is not None and not least <= number <= most:
                raise BadParameter(f"The option {name} is {number}; it must be from {least} to {most:,}.")

    def for_game(self, game: Game, *, learned: bool = False) -> "TreeOptions":
        """Return the options with all numbers that depend on the game; ``learned`` if it has a learned evaluation.

        Raises
        ------
        BadParameter
            An option needs a static evaluation, and the game has none.
        """
        evaluates = learned or game.evaluate is not None
        if not evaluates and (self.minimax or self.prior):
            raise BadParameter(
                "The options minimax and prior need a learned evaluation or an evaluate function, "
                f"and the game {game.name!r} has none."
            )
        usual = MINIMAX if evaluates else 0.0
        return replace(self, minimax=usual) if self.minimax is None else self
