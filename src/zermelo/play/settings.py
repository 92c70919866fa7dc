"""What is said of a player: its level and its settings, as text and as numbers.

A player is written ``name``, ``name:level``, ``name:setting=value,setting=value`` or ``name:level,setting=value``:
``random:seed=7``, ``engine:easy,table_mb=8``, ``engine:nodes=20000,history=off``, ``mcts:seconds=1,rave=on``.
"""

import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import inf, isfinite
from typing import Any, Final, Literal

from zermelo.errors import BadParameter
from zermelo.textbook.systems import ALGORITHMS, Settings

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
MEASURED: Final = tuple(str(number) for number in range(1, 11))
"""The measured levels of the engine; a game may have fewer of them (`zermelo.play.levels`)."""
PLAYERS: Final = ("human", "random", *ALGORITHMS, "engine", "mcts")
_LONGEST: Final = 18
"""Digits of a whole number."""


@dataclass(frozen=True)
class Kind:
    """What the value of a setting may be."""

    kind: type
    least: float = -inf
    most: float = inf
    is_open: bool = False
    """Whether the least value itself is refused."""

    def read(self, text: str) -> int | float | str | None:
        """Return the value that ``text`` means; None if it means none that is allowed."""
        if self.kind is str:
            return text or None
        if self.kind is bool:
            return {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}.get(text.lower())
        if not text.isascii() or len(text) > _LONGEST:
            return None
        if self.kind is int:
            return int(text) if text.isdecimal() and int(text) >= self.least else None
        try:
            value = float(text)
        except ValueError:
            return None
        allowed = self.least <= value <= self.most and isfinite(value) and not (self.is_open and value == self.least)
        return value if allowed else None

    @property
    def rule(self) -> str:
        """What would be right, as the end of a sentence."""
        if self.kind is str:
            return "it must be the name of a file"
        if self.kind is bool:
            return "it must be on or off"
        if self.kind is int:
            return f"it must be a whole number, {self.least:g} or more"
        if self.most < inf:
            return f"it must be a number from {self.least:g} to {self.most:g}"
        return f"it must be a number greater than {self.least:g}"


_COUNT: Final = Kind(int, 1)
_AMOUNT: Final = Kind(float, 0, is_open=True)
_SETTINGS: Final[Mapping[str, Mapping[str, Kind]]] = {
    "random": {"seed": Kind(int, 0)},
    "alpha-beta": {"handout": Kind(bool)},
    "heuristic": {"depth": _COUNT, "handout": Kind(bool)},
    "path": {"depth": _COUNT, "width": _COUNT},
    "decision": {"depth": _COUNT},
    "timed": {"depth": _COUNT, "seconds": _AMOUNT},
    "engine": {
        "depth": _COUNT,
        "nodes": _COUNT,
        "seconds": _AMOUNT,
        "table_mb": _AMOUNT,
        "threads": _COUNT,
        "deeper": Kind(float, 0, 1),
        "error": Kind(float, 0, 1),
        "eval": Kind(str),
        "seed": Kind(int, 0),
    },
    "mcts": {
        "seconds": _AMOUNT,
        "playouts": _COUNT,
        "exploration": _AMOUNT,
        "rave": Kind(bool),
        "sufficient": Kind(bool),
        "minimax": Kind(float, 0, 1),
        "prior": _AMOUNT,
        "growth": Kind(int, 0),
        "plies": _COUNT,
        "table_mb": _AMOUNT,
        "threads": _COUNT,
        "eval": Kind(str),
        "seed": Kind(int, 0),
    },
}
"""The settings of each player, apart from the engine's switches; the others have none."""


@dataclass(frozen=True)
class Description:
    """A player's text, taken apart."""

    text: str
    name: str
    level: str = ""
    settings: Mapping[str, int | float | str] = field(default_factory=dict)


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
class EngineSettings:
    """How the engine is to play; None where there is no limit."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    """Of each move, in all threads together."""
    table_mb: float = 64
    threads: int = 1
    deeper: float = 0
    """The share of moves in which it looks one ply further than ``depth``."""
    error: float = 0
    """The share of moves in which it errs, as `zermelo.play.erring` says."""
    seed: int = 0
    """Of the errors, and of the moves in which it looks deeper."""
    level: str = ""
    """The measured level that they belong to, if any."""
    eval: str = ""
    """The file of a learned evaluation that takes the place of the game's; empty if there is none."""

    def depth_of_move(self, chooser: random.Random) -> int | None:
        """Return how deep to look for the next move."""
        deeper = self.deeper > 0 and chooser.random() < self.deeper
        return self.depth if self.depth is None else self.depth + deeper

    switches: Mapping[str, int] = field(default_factory=dict)
    """Those of `zermelo.engine.switches.Switches` that are set, by name."""


@dataclass(frozen=True)
class TreeSettings:
    """How the player of tree search is to play; None where there is no limit."""

    seconds: float | None = None
    playouts: int | None = None
    """Of each move, in all threads together."""
    table_mb: float = 64
    threads: int = 1
    eval: str = ""
    """The file of a learned evaluation that takes the place of the game's; empty if there is none."""
    options: Mapping[str, float] = field(default_factory=dict)
    """Fields of `zermelo.engine.tree.options.TreeOptions`."""


def read_description(text: str) -> Description:
    """Take a player's text apart; ``table:FOLDER`` is not read here.

    Raises
    ------
    BadParameter
        There is no such player, level or setting, or a setting has a value that it cannot have.
    """
    if not isinstance(text, str):
        raise BadParameter(f"{text!r} is no name of a player; there are {', '.join(PLAYERS)} and table:FOLDER.")
    name, colon, rest = text.partition(":")
    if name not in PLAYERS:
        raise BadParameter(f"There is no player {name[:40]!r}; there are {', '.join(PLAYERS)} and table:FOLDER.")
    if colon and not rest and name in LEVELS:
        raise BadParameter(f"The player {text} lacks its level; there are {', '.join(LEVELS[name])}.")
    parts = rest.split(",") if rest else []
    level = parts.pop(0) if parts and "=" not in parts[0] else ""
    if level and name not in LEVELS:
        raise BadParameter(f"The player {name} has no levels; {', '.join(LEVELS)} have.")
    check_level(name, level)
    settings: dict[str, int | float | str] = {}
    for part in parts:
        setting, value = _read_setting(name, part)
        if setting in settings:
            raise BadParameter(f"The player {text[:80]} has the setting {setting} twice; write it once.")
        settings[setting] = value
    return Description(text, name, level, settings)


def _read_setting(player: str, part: str) -> tuple[str, int | float | str]:
    """Return the name and the value of one setting."""
    kinds = settings_of(player)
    if not kinds:
        raise BadParameter(f"The player {player} takes no settings, so {part[:40]!r} means nothing.")
    name, equals, text = (piece.strip() for piece in part.partition("="))
    if not equals:
        *most, last = kinds
        either = f"{', '.join(most)} or {last}" if most else last
        raise BadParameter(f"{part[:40]!r} is no setting of {player}; write NAME=VALUE, where NAME is {either}.")
    if name not in kinds:
        raise BadParameter(f"The player {player} has no setting {name[:40]!r}; it has {', '.join(kinds)}.")
    value = kinds[name].read(text)
    if value is None:
        raise BadParameter(f"The setting {name} of {player} is {text[:40]!r}; {kinds[name].rule}.")
    return name, value


def settings_of(player: str) -> Mapping[str, Kind]:
    """Return the settings that a player takes in its text, by name."""
    kinds = _SETTINGS.get(player, {})
    if player != "engine":
        return kinds
    from zermelo.engine.switches import Switches  # the import takes half a second, and most players need no engine

    usual = Switches()._asdict()
    return {**kinds, **{name: Kind(type(value), 0) for name, value in usual.items()}}


def check_level(player: str, level: str) -> None:
    """Refuse a level that a player with levels does not have.

    Raises
    ------
    BadParameter
        There is no such level.
    """
    levels = LEVELS.get(player, {})
    if player == "engine" and level in MEASURED:
        return
    if level and levels and level not in levels:
        measured = f" and {MEASURED[0]} to {MEASURED[-1]}" if player == "engine" else ""
        raise BadParameter(f"There is no level {level[:40]!r}; there are {', '.join(levels)}{measured}.")


def textbook_settings(description: Description, options: PlayerOptions) -> Settings:
    """Return the settings of a textbook player: those in its text, else the options', else those of its level.

    Raises
    ------
    BadParameter
        There is no such level, or a setting is out of range.
    """
    name, level = description.name, description.level or options.level or ""
    check_level(name, level)
    levels = LEVELS.get(name, {})
    settings = replace(levels.get(level, levels.get("hard", Settings())), handout=options.handout)
    return replace(settings, **{**_said(options, "depth", "width", "seconds"), **description.settings})


def engine_settings(description: Description, options: PlayerOptions) -> EngineSettings:
    """Return the settings of the engine: those in its text, else the options', else those of its level.

    Raises
    ------
    BadParameter
        There is no such level, or a setting is out of range.
    """
    level = description.level or options.level or ""
    check_level("engine", level)
    at_level = LEVELS["engine"][level] if level else None
    limits = {"depth": at_level.depth, "seconds": at_level.seconds} if at_level else {}
    Settings(**_said(options, "depth", "width", "seconds"))  # checks them
    said = {"seed": options.seed, **limits, **_said(options, "depth", "seconds"), **description.settings}
    own = {name: value for name, value in said.items() if name in EngineSettings.__dataclass_fields__}
    return EngineSettings(**own, switches={name: value for name, value in said.items() if name not in own})


def tree_settings(description: Description, options: PlayerOptions) -> TreeSettings:
    """Return the settings of a player of tree search: those in its text, else the options'.

    Raises
    ------
    BadParameter
        The options have a limit of time that is not more than 0.
    """
    Settings(**_said(options, "seconds"))  # checks it
    said = {"seed": options.seed, **_said(options, "seconds"), **description.settings}
    own = {name: value for name, value in said.items() if name in TreeSettings.__dataclass_fields__}
    return TreeSettings(**own, options={name: value for name, value in said.items() if name not in own})


def _said(options: PlayerOptions, *names: str) -> dict[str, Any]:
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}
