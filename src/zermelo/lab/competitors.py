"""Competitors by the text that describes them."""

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from zermelo.game import Action, Game, State
from zermelo.play.limits import MoveLimits
from zermelo.play.players import Player, make_player
from zermelo.play.settings import PlayerOptions
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Competitor, Fault

_SHARE = 25
"""A move takes that part of the clock."""


class PlayerCompetitor(Competitor):
    """A player in this process."""

    def __init__(self, player: Player) -> None:
        self.name, self.player = player.name, player

    def new_game(self, number: int) -> None:  # noqa: D102
        engine = getattr(self.player, "engine", None)
        if engine is not None:
            engine.search(self.player.game.initial, nodes=1)  # compiles, which no clock counts
        self.player.new_game(number)

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        began = time.perf_counter()
        game, state = self.player.game, states[-1]
        first = game.to_move(state) == game.to_move(game.initial)
        limits = MoveLimits(_seconds(go, first), go.nodes, go.depth)
        try:
            thought = self.player.think(state, limits=limits, before=states[:-1])
        except KeyboardInterrupt:
            raise Fault("crash", "It was interrupted.") from None
        result, side = thought.result, game.to_move(state)
        return Answer(
            thought.action,
            time.perf_counter() - began,
            score=None if result is None else result.value * side,
            depth=None if result is None else result.depth,
            nodes=None if result is None else result.nodes,
        )

    def close(self) -> None:  # noqa: D102
        engine = getattr(self.player, "engine", None)
        if engine is not None:
            engine.stop()


def _seconds(go: Go, first: bool) -> float | None:
    own = math.inf if go.move_time is None else go.move_time / 1000
    left = go.first_time if first else go.second_time
    if left is not None:
        increment = go.first_increment if first else go.second_increment
        own = min(own, left / _SHARE / 1000 + 0.8 * increment / 1000, left / 1000)
    return None if math.isinf(own) else own


def make_competitor(
    description: str,
    game: Game,
    *,
    source: str = "",
    parameters: Mapping[str, str] = {},
    log: Path | None = None,
    seed: int = 0,
) -> Competitor:
    """The competitor that a text describes."""
    return PlayerCompetitor(make_player(description, game, PlayerOptions(seed=seed)))
