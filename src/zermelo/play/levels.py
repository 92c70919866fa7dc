"""The measured levels of a game: how the engine plays at each, and how strong it is then.

They lie in a file of JSON beside the rules, ``levels/NAME.json``, for shipped games and for a user's file alike.
`zermelo.lab.find_levels` measures them. Level 1 is the weakest.
"""

import hashlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any, Final

from zermelo.errors import BadParameter, RecordError
from zermelo.files import write_whole
from zermelo.game import Game
from zermelo.play.settings import Description, EngineSettings, PlayerOptions, engine_settings, read_description

FORMAT: Final = "zermelo levels 1"
_SELDOM: Final = 0.05
"""A smaller share of moves is not worth a word."""
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Step:
    """How much stronger the next level is, in Elo, with the half width of its 95 % interval; and the pairs of games."""

    elo: float
    half_width: float
    pentanomial: tuple[int, ...]


@dataclass(frozen=True)
class MeasuredLevel:
    """One level: the engine's settings as in a player's text, and the step to the next level, None for the last."""

    settings: str
    step: Step | None = None

    @property
    def words(self) -> str:
        """What the level means: "sees two moves ahead, errs in one move of ten"."""
        return words_for(engine_settings(read_description(f"engine:{self.settings}"), PlayerOptions()))


@dataclass(frozen=True)
class Levels:
    """The levels of a game, the weakest first."""

    game: str
    parameters: Mapping[str, int]
    rules: str
    """The fingerprint of the rules under which they were measured."""
    levels: tuple[MeasuredLevel, ...]
    how: Mapping[str, int | float | str] = field(default_factory=dict)
    """How they were measured."""

    def elo(self, number: int) -> tuple[float, float]:
        """Return how much stronger a level is than level 1, in Elo, and the half width of the 95 % interval."""
        steps = [level.step for level in self.levels[: number - 1] if level.step is not None]
        return sum(step.elo for step in steps), sqrt(sum(step.half_width**2 for step in steps))

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield a row for each level: its number, Elo above level 1, the step to the next level, and its words."""
        for number, level in enumerate(self.levels, start=1):
            total, half = self.elo(number)
            step = "" if level.step is None else f"{level.step.elo:.0f} ± {level.step.half_width:.0f}"
            yield str(number), f"{total:.0f} ± {half:.0f}" if number > 1 else "0", step, level.words

    def to_text(self) -> str:
        """Return the text of the levels' file."""
        record: dict[str, Any] = {"format": FORMAT, **asdict(self)}
        return json.dumps({**record, "checksum": _checksum(record)}, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str, path: Path) -> "Levels":
        """Return the levels that `to_text` wrote.

        Raises
        ------
        RecordError
            The text is damaged, or means no levels.
        """
        try:
            record = json.loads(text)
            checksum = record.pop("checksum", None)
            if record["format"] != FORMAT or checksum != _checksum(record):
                raise ValueError("format or checksum are wrong")
            levels = tuple(
                MeasuredLevel(
                    level["settings"],
                    level["step"]
                    and Step(level["step"]["elo"], level["step"]["half_width"], tuple(level["step"]["pentanomial"])),
                )
                for level in record["levels"]
            )
            return cls(record["game"], record["parameters"], record["rules"], levels, record["how"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RecordError(f"{path} holds no levels of a game, or damaged ones: {error}.") from None

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all.

        Raises
        ------
        RecordError
            It cannot be written.
        """
        try:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, self.to_text().encode())
        except OSError as error:
            raise RecordError(f"The levels cannot be written to {path}: {error.strerror}.") from None


def words_for(settings: EngineSettings) -> str:
    """Return how the engine plays with these settings, as people say it."""
    depth, nodes = settings.depth, settings.nodes
    sight = "thinks as long as it may" if nodes is None else f"looks at {nodes:,} positions for a move"
    if depth is not None:
        least, most = depth + (settings.deeper > 1 - _SELDOM), depth + (settings.deeper >= _SELDOM)
        numbers = " or ".join(_NUMBERS[one] if one < len(_NUMBERS) else f"{one}" for one in sorted({least, most}))
        sight = f"sees {numbers} move{'s' if most > 1 else ''} ahead"
    return f"{sight}, {error_words(settings.error)}"


def error_words(error: float) -> str:
    """Return how often a level errs, as people say it."""
    if error <= 0:
        return "does not err on purpose"
    if error >= 1 - _SELDOM:
        return "errs in every move"
    if error < 0.15:
        rounded = round(1 / error)
        return f"errs in one move of {_NUMBERS[rounded] if rounded < len(_NUMBERS) else rounded}"
    return f"errs in {_NUMBERS[round(10 * error)]} moves of ten"


def levels_file(game: Game) -> Path | None:
    """Return where the levels of a game lie, whether they are there or not; None if its rules are in no file."""
    try:
        source = inspect.getsourcefile(inspect.unwrap(game.result))
    except (TypeError, ValueError):
        return None
    if source is None or source.startswith("<") or not re.fullmatch(r"[\w-]+", game.name):
        return None
    return Path(source).absolute().parent / "levels" / f"{game.name}.json"


def load_levels(game: Game) -> Levels | None:
    """Return the levels of a game; None if nobody has measured any.

    Those of other parameters serve, too: then the settings hold, and the strength does not.

    Raises
    ------
    RecordError
        The file is damaged, or holds levels of other rules.
    """
    path = levels_file(game)
    try:
        changed = path.stat().st_mtime_ns if path is not None else 0
    except OSError:
        return None
    if path is None:
        return None
    levels = _read(path, changed)
    if dict(levels.parameters) == dict(game.parameters) and levels.rules != game.fingerprint:
        raise RecordError(
            f"The levels in {path} were measured under other rules of {game.name}; zermelo levels measures them again."
        )
    return levels


def meanings(game: Game) -> list[str]:
    """Return what each level of a game means, the weakest first; nothing if there are no levels that can be read."""
    try:
        levels = load_levels(game)
    except RecordError:
        return []
    return [] if levels is None else [level.words for level in levels.levels]


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Levels:
    try:
        return Levels.from_text(path.read_text(encoding="utf-8"), path)
    except OSError as error:
        raise RecordError(f"The levels in {path} cannot be read: {error.strerror}.") from None


def settings_for(game: Game, description: Description, options: PlayerOptions) -> EngineSettings:
    """Return the settings of the engine; at a measured level those of the level, unless the text overrides them.

    Raises
    ------
    BadParameter
        The game has no such level, or a setting is out of range.
    RecordError
        The levels cannot be read.
    """
    level = description.level or options.level or ""
    if not level.isdecimal():
        return engine_settings(description, options)
    levels = load_levels(game)
    if levels is None:
        raise BadParameter(
            f"Nobody has measured levels of {game.name}; zermelo levels {game.name} does. "
            "Other levels are easy, medium and hard."
        )
    if int(level) > len(levels.levels):
        raise BadParameter(
            f"The game {game.name} has {len(levels.levels)} measured levels, so it has no level {level}."
        )
    at_level = read_description(f"engine:{levels.levels[int(level) - 1].settings}")
    said = Description(description.text, "engine", "", {**at_level.settings, **description.settings})
    return replace(engine_settings(said, PlayerOptions(seed=options.seed)), level=level)


def _checksum(record: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
