"""Engines that nobody uses at the moment: few, so that memory stays bounded however many games are visited."""

from collections import OrderedDict
from typing import TYPE_CHECKING

from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.engine import Engine


class IdleEngines:
    """Idle engines by their game; those of the games that were used last are kept.

    Parameters
    ----------
    most
        How many are kept: their tables are what memory goes to.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._by_game: OrderedDict[Game, list[Engine]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._by_game.values()))

    def take(self, game: Game) -> "Engine | None":
        """An idle engine for ``game``, which is then the caller's; None if there is none."""
        engines = self._by_game.get(game)
        if engines is None:
            return None
        engine = engines.pop()
        if not engines:
            del self._by_game[game]
        return engine

    def keep(self, engine: "Engine") -> None:
        """Keep ``engine`` for whoever asks for its game next; drop one of the game that was used longest ago."""
        self._by_game.setdefault(engine.game, []).append(engine)
        self._by_game.move_to_end(engine.game)
        while len(self) > self._most:
            oldest = next(iter(self._by_game))
            self.take(oldest)
