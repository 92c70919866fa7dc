"""What chooses the moves of `zermelo engine`: the compiled engine, or any other player."""

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from threading import Event
from typing import TYPE_CHECKING, Final

from zermelo.errors import IllegalAction
from zermelo.game import Game, State
from zermelo.play.players import Player
from zermelo.protocol.commands import Go
from zermelo.protocol.position import Position, Writer, write_move
from zermelo.protocol.scores import moves_to_end
from zermelo.result import SearchResult

if TYPE_CHECKING:
    from zermelo.engine import Engine
    from zermelo.engine.tree.tree_search import TreeSearch

Say = Callable[[str], None]
Ranges = Mapping[str, tuple[int, int, int]]
_MOST_SEED: Final = 2**31 - 1
_PAUSE: Final = 0.05
"""Seconds between two lines of ``info`` while a clock runs: to write a line takes longer than the first iterations."""


class Thinker(ABC):
    """What chooses moves. One thread calls all of its methods; only `stop` may be called from another.

    Attributes
    ----------
    ranges
        The usual, least and most values of its options, by their names in small letters.
    buttons
        Its options without a value.
    obeys_stop
        Whether it can be stopped while it thinks.
    """

    ranges: Ranges
    buttons: tuple[str, ...] = ()
    obeys_stop: bool = True

    @abstractmethod
    def prepare(self) -> None:
        """Compile, or do whatever else takes a time that no clock should count; only the first call does."""

    @abstractmethod
    def new_game(self) -> None:
        """Forget the game before."""

    @abstractmethod
    def change(self, name: str, value: int) -> None:
        """Set an option to a value in its range."""

    @abstractmethod
    def think(self, position: Position, go: Go, stopped: Event, say: Say, write: Writer) -> str:
        """Choose a move in a position that is not over, and return it as text.

        Parameters
        ----------
        position
            The game so far.
        go
            The limits.
        stopped
            Set when the search has to end at once.
        say
            Receives lines of ``info``.
        write
            Writes moves.
        """

    @abstractmethod
    def stop(self) -> None:
        """End the search that is under way, if that is possible."""


class EngineThinker(Thinker):
    """The compiled engine.

    Parameters
    ----------
    game
        The rules.
    ranges
        Usual, least and most values of the options ``hash``, in MiB, and ``threads``.
    """

    buttons = ("clear hash",)

    def __init__(self, game: Game, ranges: Ranges) -> None:
        self.game, self.ranges = game, ranges
        self._settings = {name: usual for name, (usual, _, _) in ranges.items()}
        self._engine: Engine | None = None
        self._ready = self._compiled = False

    def prepare(self) -> None:  # noqa: D102
        if not self._ready and not self.game.is_terminal(self.game.initial):
            self._made().search(self.game.initial, nodes=1)
        if not self._compiled:  # a collection of all that the compiler has left behind would take 0.1 s of some search
            gc.collect()
            gc.freeze()
        self._ready = self._compiled = True

    def new_game(self) -> None:  # noqa: D102
        if self._engine is not None:
            self._engine.clear()
            self._ready = False
            self.prepare()

    def change(self, name: str, value: int) -> None:  # noqa: D102
        self._settings[name] = value
        self._engine, self._ready = None, False

    def think(self, position: Position, go: Go, stopped: Event, say: Say, write: Writer) -> str:  # noqa: D102
        game, state = self.game, position.state
        engine = self._made()
        nodes, limits = 1 if stopped.is_set() else go.nodes, go.limits(position.first_moves, position.plies)
        pause = 0.0 if limits.seconds is None else _PAUSE
        said: SearchResult | None = None

        def tell(result: SearchResult) -> None:
            nonlocal said
            if stopped.is_set():
                engine.stop()
            if said is None or result.seconds - said.seconds > pause:
                said = result
                say(info_line(game, state, result, write))

        result = engine.search(
            state,
            seconds=limits.seconds if limits.most_seconds is None else limits.most_seconds,
            optimum=None if limits.most_seconds is None else limits.seconds,
            depth=go.depth,
            nodes=nodes,
            progress=tell,
            before=position.before,
        )
        if said is None or (said.depth, said.value, said.action) != (result.depth, result.value, result.action):
            say(info_line(game, state, result, write))
        return write(game, state, result.action)

    def stop(self) -> None:  # noqa: D102
        if self._engine is not None:
            self._engine.stop()

    def _made(self) -> "Engine":
        """The engine, made when first needed: that takes half a second, and compilation some more."""
        if self._engine is None:
            from zermelo.engine import Engine

            self._engine = Engine(self.game, threads=self._settings["threads"], table_mb=self._settings["hash"])
        return self._engine


class PlayerThinker(Thinker):
    """Any other player. Its searches end by themselves, since those in plain Python cannot be stopped.

    Parameters
    ----------
    game
        The rules.
    make
        Makes the player, when it is first needed.
    """

    obeys_stop = False

    def __init__(self, game: Game, make: Callable[[], Player]) -> None:
        self.game, self._make = game, make
        self.ranges = {"seed": (0, 0, _MOST_SEED)}
        self._player: Player | None = None
        self._number = 0

    def prepare(self) -> None:  # noqa: D102
        if self._player is None:
            self._player = self._make()
            self._player.new_game(self._number)
            warm_up(self._player)

    def new_game(self) -> None:  # noqa: D102
        self.prepare()
        assert self._player is not None
        self._player.new_game(self._number)
        warm_up(self._player)
        self._number += 1  # the next game is another one, even if nobody sends another seed

    def change(self, name: str, value: int) -> None:  # noqa: D102
        self._number = value

    def think(self, position: Position, go: Go, stopped: Event, say: Say, write: Writer) -> str:  # noqa: D102
        self.prepare()
        assert self._player is not None
        game, states = self.game, position.states
        limits = go.limits(position.first_moves, position.plies)
        thought = self._player.think(states[-1], limits=limits, before=position.before)
        if thought.searched and thought.result is not None:
            say(info_line(game, states[-1], thought.result, write))
        try:
            return write(game, states[-1], game.legal_action(states[-1], thought.action))
        except IllegalAction:
            return "".join(str(thought.action).split())[:80]  # the controlling program is the referee

    def stop(self) -> None:  # noqa: D102
        return


def warm_up(player: Player) -> None:
    """Let a player's search compile and get its memory, both of which take time that no clock should count."""
    tree: TreeSearch | None = getattr(player, "tree", None)
    if tree is not None:
        tree.prepare()
    engine: Engine | None = getattr(player, "engine", None)
    if engine is not None and not player.game.is_terminal(player.game.initial):
        engine.search(player.game.initial, nodes=1)


def info_line(game: Game, state: State, result: SearchResult, write: Writer = write_move) -> str:
    """What a search has found, as UCI writes it: the score is the mover's.

    A proven win or loss of a game without margins is a ``mate`` in so many moves of the mover; any other score is in
    units of the game's own EVAL.
    """
    moves = moves_to_end(game, state, result)
    score = f"cp {result.value * game.to_move(state)}" if moves is None else f"mate {moves}"
    milliseconds = round(result.seconds * 1000)
    speed = f" nps {round(result.nodes / result.seconds)}" if result.seconds > 0 else ""
    line = []
    for action in result.principal_variation:
        line.append(write(game, state, action))
        state = game.result(state, action)
    return (
        f"info depth {result.depth or 0} score {score} nodes {result.nodes}{speed} time {milliseconds}"
        f" pv {' '.join(line)}".rstrip()
    )
