"""The players of a match: a person, chance, the handouts' systems, the engine, tree search, a solved table.

A player is written as `zermelo.play.settings` says, such as ``human``, ``random``, ``alpha-beta``, ``timed:easy`` or
``engine:depth=6``; or ``table:FOLDER``, which plays from a solved table.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from zermelo.errors import BadParameter, TableError
from zermelo.game import Action, Game, State
from zermelo.play.erring import search_with_errors
from zermelo.play.levels import settings_for, words_for
from zermelo.play.limits import FREE, MoveLimits, least
from zermelo.play.settings import (
    EngineSettings,
    PlayerOptions,
    TreeSettings,
    read_description,
    textbook_settings,
    tree_settings,
)
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import ALGORITHMS, ESTIMATING, System

if TYPE_CHECKING:
    from zermelo.learn.evaluation import Evaluation

USUAL_SECONDS: Final = 5.0
"""Time of the engine for a move, if nothing else limits it."""


@dataclass(frozen=True)
class Thought:
    """A player's choice in a state, and the search or the table entry behind it."""

    action: Action
    result: SearchResult | None = None
    searched: bool = False
    """Whether the player searched for this choice; if not, the result comes from a table."""
    off_table: bool = False
    """Whether the table lacked the state, so that the player searched again from there."""


@dataclass
class Player(ABC):
    """One side of a match."""

    name: str
    game: Game
    comments: bool = field(default=False, init=False)
    """Whether it can value every state, also those in which the other player is to move."""
    words: str = field(default="", init=False)
    """How it plays, in words, if there is something to say."""

    def prepare(self, state: State, counts: SearchCounts | None = None) -> SearchResult | None:
        """Search once before the game, if the player does so; None if it does not."""
        return None

    def new_game(self, number: int) -> None:
        """Prepare for the game of that number: forget the one before, and seed with the number what is random."""
        return

    @abstractmethod
    def think(
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        """Choose an action in ``state``. Another thread may read ``counts`` meanwhile.

        Parameters
        ----------
        state
            The present position.
        counts
            Where to count what is searched.
        limits
            What the move may use. A player without a clock, such as one with a fixed depth, may ignore it.
        before
            The positions of the game so far, without the present one; they matter where a repetition ends the game.
        """


class Human(Player):
    """A person; the program that runs the match asks for the moves."""

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        raise BadParameter(f"{self.name} is a person, whose moves are made with play: match.play(...).")


class Random(Player):
    """Chooses each legal action with the same probability; the same seed gives the same choices."""

    def __init__(self, name: str, game: Game, seed: int) -> None:
        super().__init__(name, game)
        self.seed = seed
        self.generator = random.Random(seed)

    def new_game(self, number: int) -> None:  # noqa: D102
        self.generator = random.Random(f"{self.seed} {number}")

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        return Thought(self.generator.choice(self.game.legal_actions(state)))


class Searcher(Player):
    """Searches again in each state: `heuristic`, `path`, `decision` and `timed`."""

    def __init__(self, name: str, system: System) -> None:
        super().__init__(name, system.game)
        self.system = system
        self.comments = system.algorithm == "heuristic"

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        result = self._limited(limits).search(state, counts)
        return Thought(result.action, result, searched=True)

    def _limited(self, limits: MoveLimits) -> System:
        """Return the system with the stricter of its own limit and the move's; only `timed` has a clock."""
        if limits.seconds is None or self.system.algorithm != "timed":
            return self.system
        own = self.system.settings
        return replace(self.system, settings=replace(own, seconds=min(own.seconds, limits.seconds)))


class TablePlayer(Searcher):
    """Searches once before the game and then plays from the table: `minimax` and `alpha-beta`.

    Where a state is not in the table for sure, it searches again from there.
    """

    def __init__(self, name: str, system: System) -> None:
        super().__init__(name, system)
        self.comments = True

    def prepare(self, state: State, counts: SearchCounts | None = None) -> SearchResult:  # noqa: D102
        return self.system.search(state, counts)

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        result = self.system.look_up(state)
        if result is None:
            return replace(super().think(state, counts, limits=limits, before=before), off_table=True)
        return Thought(result.action, result)


class EnginePlayer(Player):
    """Plays with the compiled engine, which keeps what it learnt from move to move."""

    def __init__(self, name: str, game: Game, settings: EngineSettings) -> None:
        from zermelo.engine import Engine  # the import takes half a second, and most players need no engine

        super().__init__(name, game)
        evaluation = _evaluation(settings.eval, game)
        self.engine = Engine(game, settings.threads, settings.table_mb, (), evaluation, **settings.switches)
        self.settings = settings
        self.words = words_for(settings) if settings.error or settings.level else ""
        self.chooser = random.Random(settings.seed)

    def new_game(self, number: int) -> None:  # noqa: D102
        self.engine.clear()
        self.chooser = random.Random(f"{self.settings.seed} {self.name} {number}")

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        allowed = self._allowed(limits)
        result = search_with_errors(
            self.engine,
            state,
            self.settings.error,
            self.chooser,
            seconds=allowed.seconds if allowed.most_seconds is None else allowed.most_seconds,
            optimum=None if allowed.most_seconds is None else allowed.seconds,
            depth=allowed.depth,
            nodes=allowed.nodes,
            progress=None if counts is None else lambda found: setattr(counts, "nodes", found.nodes),
            before=before,
        )
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return Thought(result.action, result, searched=True)

    def _allowed(self, limits: MoveLimits) -> MoveLimits:
        """Return the stricter of each of the player's own limits and the move's; the usual time if there is none."""
        own = self.settings
        allowed = MoveLimits(
            least(own.seconds, limits.seconds),
            limits.most_seconds if own.seconds is None else None,
            least(own.nodes, limits.nodes),
            least(own.depth_of_move(self.chooser), limits.depth),
        )
        return MoveLimits(seconds=USUAL_SECONDS) if allowed == FREE else allowed


class TreePlayer(Player):
    """Plays with Monte Carlo tree search, which keeps the part of its tree that the moves lead to."""

    def __init__(self, name: str, game: Game, settings: TreeSettings) -> None:
        from zermelo.engine.tree.tree_search import TreeSearch  # imported late, as the engine is

        super().__init__(name, game)
        evaluation = _evaluation(settings.eval, game)
        self.tree = TreeSearch(game, settings.threads, settings.table_mb, evaluation, **settings.options)
        self.settings = settings

    def new_game(self, number: int) -> None:  # noqa: D102
        self.tree.clear(number)

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        seconds = least(self.settings.seconds, limits.seconds)
        playouts = least(self.settings.playouts, limits.nodes)
        if seconds is None and playouts is None:
            seconds = USUAL_SECONDS
        if len(self.game.legal_actions(state)) == 1:  # nothing to choose
            playouts = 1
        result = self.tree.search(state, seconds=seconds, playouts=playouts, before=before)
        if counts is not None:
            counts.nodes = result.nodes
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return Thought(result.action, result, searched=True)


class SolvedPlayer(Player):
    """Plays from a solved table on disk; among the best actions, the rule of remoteness chooses."""

    def __init__(self, name: str, game: Game, folder: str) -> None:
        from zermelo.solver import Table  # imported late, as the engine is

        super().__init__(name, game)
        self.table = Table(folder, game)

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        entry = self.table.get(state)
        if entry is None:
            raise TableError(f"The table {self.table.place} does not hold this position, so {self.name} has no move.")
        best = tuple(self.table.best_actions(state))
        result = SearchResult(
            value=entry.value,
            action=self.table.action(state),
            proven=True,
            best_actions=best,
            remoteness=entry.remoteness,
            game=self.game,
            state=state,
        )
        return Thought(result.action, result)


def make_player(description: str, game: Game, options: PlayerOptions | None = None, /, **said: Any) -> Player:
    """Return the player that ``description`` names: ``make_player("timed:easy", game, seconds=2)``.

    Parameters
    ----------
    description
        ``name``, perhaps followed by ``:`` and a level and settings, such as ``engine:easy,table_mb=8``; or
        ``table:FOLDER``. Settings in the description override the options.
    game
        What it is to play.
    options, said
        Its `PlayerOptions`, or fields of them by name: depth, width, seconds, level, seed, handout.

    Raises
    ------
    BadParameter
        There is no such player, level, setting or option, or a setting is out of range.
    NotCompilable
        The player is ``engine``, ``mcts`` or ``table``, and the game's rules cannot become machine code.
    TableError
        The player is ``table``, and its folder holds no table, or one of another game.
    """
    for option in said:
        if option not in PlayerOptions.__dataclass_fields__:
            there_are = ", ".join(PlayerOptions.__dataclass_fields__)
            raise BadParameter(f"There is no option {option!r} of players; there are {there_are}.")
    options = replace(options or PlayerOptions(), **said)
    if isinstance(description, str) and description.partition(":")[0] == "table":
        return _solved_player(description, game)
    read = read_description(description)
    if read.name == "human":
        return Human(description, game)
    if read.name == "random":
        return Random(description, game, int(read.settings.get("seed", options.seed)))
    if read.name == "engine":
        return EnginePlayer(description, game, settings_for(game, read, options))
    if read.name == "mcts":
        return TreePlayer(description, game, tree_settings(read, options))
    algorithm = next(one for one in ALGORITHMS if one == read.name)
    if algorithm in ESTIMATING and game.evaluate is None:
        lacking = f"an evaluate function, which the game {game.name!r} does not have"
        raise BadParameter(f"The player {algorithm} needs {lacking}.")
    system = System(game, algorithm, textbook_settings(read, options))
    return (TablePlayer if algorithm in ("minimax", "alpha-beta") else Searcher)(description, system)


def _evaluation(file: str, game: Game) -> "Evaluation | None":
    """Read a learned evaluation; None if ``file`` is empty."""
    if not file:
        return None
    from zermelo.learn.evaluation import read_evaluation  # imported late, as the engine is

    return read_evaluation(file, game)


def _solved_player(description: str, game: Game) -> Player:
    folder = description.partition(":")[2]
    if not folder:
        raise BadParameter("The player table needs the folder of a solved table; write table:FOLDER.")
    return SolvedPlayer(description, game, folder)
