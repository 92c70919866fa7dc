"""The players of a match: a person, chance, the handouts' systems, the engine, a solved table.

A player is written ``name`` or ``name:level``: ``human``, ``random``, ``alpha-beta``, ``timed:easy``; or
``table:FOLDER``, which plays from a solved table.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from zermelo.errors import BadParameter, TableError
from zermelo.game import Action, Game, State
from zermelo.play.limits import FREE, MoveLimits, least
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.systems import ALGORITHMS, ESTIMATING, Settings, System

Level = Literal["easy", "medium", "hard"]
LEVELS: Final[Mapping[str, Mapping[str, Settings]]] = {
    "heuristic": {"easy": Settings(depth=2), "medium": Settings(depth=4), "hard": Settings(depth=6)},
    "path": {
        "easy": Settings(depth=2, width=3),
        "medium": Settings(depth=4, width=5),
        "hard": Settings(depth=6, width=7),
    },
    "decision": {"easy": Settings(depth=2), "medium": Settings(depth=4), "hard": Settings(depth=6)},
    "timed": {
        "easy": Settings(depth=2, seconds=15),
        "medium": Settings(depth=5, seconds=15),
        "hard": Settings(seconds=15),
    },
    "engine": {
        "easy": Settings(depth=2, seconds=5),
        "medium": Settings(depth=6, seconds=5),
        "hard": Settings(seconds=5),
    },
}
"""The settings of the levels, for the players that have levels."""
PLAYERS: Final = ("human", "random", *ALGORITHMS, "engine")


@dataclass(frozen=True)
class PlayerOptions:
    """What a command line says about players; None means that it says nothing."""

    depth: int | None = None
    width: int | None = None
    seconds: float | None = None
    level: str | None = None
    seed: int = 0
    handout: bool = False

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> "PlayerOptions":
        """Return options with the values that ``said`` names, such as those of a record, and defaults otherwise."""
        return cls(**said)

    def said(self) -> dict[str, int | float | str]:
        """Return the options that differ from their defaults, by name; `of` makes the same options from them."""
        usual = PlayerOptions()
        return {name: value for name, value in asdict(self).items() if value != getattr(usual, name)}


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

    def prepare(self, state: State, counts: SearchCounts | None = None) -> SearchResult | None:
        """Search once before the game, if the player does so; None if it does not."""
        return None

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
        self.generator = random.Random(seed)

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
        result = self.system.search(state, counts)
        return Thought(result.action, result, searched=True)


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

    def __init__(self, name: str, game: Game, settings: Settings) -> None:
        from zermelo.engine import Engine  # the import takes half a second, and most players need no engine

        super().__init__(name, game)
        self.engine = Engine(game)
        self.settings = settings

    def think(  # noqa: D102
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        def watch(result: SearchResult) -> None:
            if counts is not None:
                counts.nodes = result.nodes

        settings = self.settings
        result = self.engine.search(
            state,
            seconds=least(settings.seconds, limits.seconds),
            depth=least(settings.depth, limits.depth),
            nodes=limits.nodes,
            progress=watch,
        )
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
        ``name`` or ``name:level``, or ``table:FOLDER``.
    game
        What it is to play.
    options, said
        Its `PlayerOptions`, or fields of them by name: depth, width, seconds, level, seed, handout.

    Raises
    ------
    BadParameter
        There is no such player, level or option, or a setting is out of range.
    NotCompilable
        The player is ``engine`` or ``table``, and the game's rules cannot become machine code.
    TableError
        The player is ``table``, and its folder holds no table, or one of another game.
    """
    for option in said:
        if option not in PlayerOptions.__dataclass_fields__:
            there_are = ", ".join(PlayerOptions.__dataclass_fields__)
            raise BadParameter(f"There is no option {option!r} of players; there are {there_are}.")
    if not isinstance(description, str):
        raise BadParameter(f"{description!r} is no name of a player; there are {', '.join(PLAYERS)} and table:FOLDER.")
    options = replace(options or PlayerOptions(), **said)
    name, colon, level = description.partition(":")
    if name == "table":
        if not level:
            raise BadParameter("The player table needs the folder of a solved table; write table:FOLDER.")
        return SolvedPlayer(description, game, level)
    if name not in PLAYERS:
        raise BadParameter(f"There is no player {name!r}; there are {', '.join(PLAYERS)} and table:FOLDER.")
    if colon and name in LEVELS and not level:
        raise BadParameter(f"The player {description} lacks its level; there are {', '.join(LEVELS[name])}.")
    if level and name not in LEVELS:
        raise BadParameter(f"The player {name} has no levels; {', '.join(LEVELS)} have.")
    if name == "human":
        return Human(description, game)
    if name == "random":
        return Random(description, game, options.seed)
    if name == "engine":
        return EnginePlayer(description, game, settings_for(name, level, options))
    algorithm = next(one for one in ALGORITHMS if one == name)
    if algorithm in ESTIMATING and game.evaluate is None:
        raise BadParameter(f"The player {name} needs an evaluate function, which the game {game.name!r} does not have.")
    system = System(game, algorithm, settings_for(algorithm, level, options))
    return (TablePlayer if algorithm in ("minimax", "alpha-beta") else Searcher)(description, system)


def settings_for(name: str, level: str, options: PlayerOptions) -> Settings:
    """Return the settings of a player that searches: those of its level, unless the options say otherwise.

    Raises
    ------
    BadParameter
        There is no such level, or a setting is out of range.
    """
    level = level or options.level or ""
    levels = LEVELS.get(name, {})
    if level and levels and level not in levels:
        raise BadParameter(f"There is no level {level!r}; there are {', '.join(levels)}.")
    settings = replace(levels.get(level, levels.get("hard", Settings())), handout=options.handout)
    said = {name: getattr(options, name) for name in ("depth", "width", "seconds")}
    return replace(settings, **{name: value for name, value in said.items() if value is not None})
