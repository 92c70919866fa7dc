"""Games on disk: one JSON object, which a person can read and a program can trust.

Fields: `format`; `game`, as the command line names it (a file's path for a user's game); `parameters`; `rules`, the
fingerprint; `max` and `min`, the players; `position`, in which the game began, or null; `moves`, as people write them;
`outcome` ("max", "min", "draw" or null); `ending`, what ended the game ("rules", "repetition", where a position came
back, or null); `options`, what was said of the players; `checksum`, SHA-256 of the rest as compact JSON with sorted
keys. Two more fields are there only if the game has what they tell: `variations`, lines that were played and given up,
each with the number of the game's moves `after` which its `moves` were played instead; `clock`, the `base` and
`increment` of both clocks in seconds, what `max` and `min` have left, and `left`, what the player had left after each
move, or null.
"""

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from zermelo.display import call
from zermelo.errors import IllegalAction, RecordError
from zermelo.files import write_whole
from zermelo.game import Action, Game, State
from zermelo.play.settings import PlayerOptions

if TYPE_CHECKING:
    from zermelo.play.match import Match

FORMAT: Final = "zermelo game 1"
_OPTIONS: Final = {"depth": int, "width": int, "seconds": int | float, "level": str, "seed": int, "handout": bool}
"""The type of each of `PlayerOptions`."""
_RENAMED: Final = {"letter": "handout"}
"""Options under the names that older records use."""


@dataclass(frozen=True, repr=False)
class Record:
    """A game as it was played, apart from any `Game` object."""

    game: str
    parameters: dict[str, int]
    rules: str
    max: str
    min: str
    moves: list[str]
    outcome: str | None = None
    ending: str | None = None
    options: dict[str, int | float | str] = field(default_factory=dict)
    """Those of `PlayerOptions` that differ from their defaults."""
    position: str | None = None
    """The text of the position in which the game began; None for the game's start."""
    variations: list[dict[str, Any]] = field(default_factory=list)
    clock: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return call("Record", **self._said())

    @classmethod
    def of(cls, match: "Match", source: str, options: PlayerOptions | None = None) -> "Record":
        """Return the record of ``match``; ``source`` is the game as the command line names it."""
        game = match.game
        return cls(
            game=source,
            parameters=dict(game.parameters),
            rules=game.fingerprint,
            max=match.max_player.name,
            min=match.min_player.name,
            moves=match.moves(),
            outcome=match.outcome,
            ending=match.ending,
            options=options.said() if options else {},
            position=None if match.states[0] == game.initial else game.show_state(match.states[0]),
        )

    def actions(self, game: Game) -> list[Action]:
        """Return the moves as actions of ``game``.

        Raises
        ------
        RecordError
            The record is of other rules, or one of its moves is illegal under them.
        """
        if game.fingerprint != self.rules:
            raise RecordError(
                f"The record was played under other rules of {self.game} (fingerprint {self.rules}) "
                f"than the present ones ({game.fingerprint})."
            )
        state = self.start(game)
        actions = []
        for number, text in enumerate(self.moves, start=1):
            try:
                action = game.read_action(state, text)
            except IllegalAction as error:
                raise RecordError(f"Move {number} of the record: {error}") from None
            actions.append(action)
            state = game.result(state, action)
        return actions

    def start(self, game: Game) -> State:
        """Return the state in which the game began.

        Raises
        ------
        RecordError
            The record's position means nothing in ``game``.
        """
        if self.position is None:
            return game.initial
        if game.from_text is None:
            raise RecordError(f"The record begins with a position, and {game.name} has no notation for positions.")
        try:
            return game.from_text(self.position)
        except ValueError as error:
            raise RecordError(f"The record begins with {self.position!r}, which is no position: {error}.") from None

    def lines(self, game: Game) -> list[list[Action]]:
        """Return the variations as actions, each from the game's beginning.

        Raises
        ------
        RecordError
            As `actions`, or a move of a variation is illegal.
        """
        main, found = self.actions(game), []
        for number, said in enumerate(self.variations, start=1):
            line = main[: said["after"]]
            state = game.replay(line, self.start(game))
            for text in said["moves"]:
                try:
                    line.append(game.read_action(state, text))
                except IllegalAction as error:
                    raise RecordError(f"Variation {number} of the record: {error}") from None
                state = game.result(state, line[-1])
            found.append(line)
        return found

    def to_text(self) -> str:
        """Return the text of the record's file."""
        record: dict[str, Any] = {"format": FORMAT, **self._said()}
        return json.dumps({**record, "checksum": _checksum(record)}, indent=1, ensure_ascii=False) + "\n"

    def _said(self) -> dict[str, Any]:
        """Return the fields; what came later is left out where it tells nothing, so that older versions read it."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("variations", "clock")}

    def save(self, path: Path | str) -> None:
        """Write the record to a file, whole or not at all.

        Raises
        ------
        RecordError
            The file cannot be written.
        """
        try:
            write_whole(Path(path), self.to_text().encode())
        except OSError as error:
            raise RecordError(f"The game cannot be saved to {path}: {error.strerror}.") from None
        except ValueError as error:  # no file can have such a name
            raise RecordError(f"The game cannot be saved to {str(path)!r}: {error}.") from None

    @classmethod
    def load(cls, path: Path | str) -> "Record":
        """Read a record back.

        Raises
        ------
        RecordError
            The file is missing, is no record, or was changed since it was written.
        """
        try:
            return cls.from_text(Path(path).read_bytes(), path)
        except OSError as error:
            raise RecordError(f"The game in {path} cannot be read: {error.strerror}.") from None

    @classmethod
    def from_text(cls, text: str | bytes, path: Path | str = "The file") -> "Record":
        """Return the record that `to_text` wrote; errors name it ``path``.

        Raises
        ------
        RecordError
            It is no record, or was changed since it was written.
        """
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError):
            raise RecordError(f"{path} is not a saved game, or a damaged one: it is not JSON.") from None
        if not isinstance(loaded, dict) or loaded.get("format") != FORMAT:
            raise RecordError(f"{path} is not a saved game: it lacks the format {FORMAT!r}.")
        if loaded.pop("checksum", None) != _checksum(loaded):
            raise RecordError(f"{path} is damaged: its checksum does not match what it holds.")
        del loaded["format"]
        if isinstance(loaded.get("options"), dict):
            loaded["options"] = {_RENAMED.get(name, name): value for name, value in loaded["options"].items()}
        try:
            record = cls(**loaded)
        except TypeError as error:
            raise RecordError(f"{path} is not a saved game: {error}.") from None
        record._check_shapes(path)
        return record

    def _check_shapes(self, path: Path | str) -> None:
        """Refuse fields of the wrong type: anybody can compute a checksum."""
        texts = (self.game, self.rules, self.max, self.min)
        wrong = [
            what
            for what, right in (
                ("game, rules, max and min must be text", all(isinstance(text, str) for text in texts)),
                (
                    "parameters must be names with whole numbers, true or false",
                    isinstance(self.parameters, dict) and all(isinstance(one, int) for one in self.parameters.values()),
                ),
                (
                    "moves must be a list of text",
                    isinstance(self.moves, list) and all(isinstance(move, str) for move in self.moves),
                ),
                ("position must be text or null", self.position is None or isinstance(self.position, str)),
                ("variations must be a list of after and moves", self._has_good_variations()),
                ("clock must hold base, increment, max, min and left", self._has_good_clock()),
                ("options must be depth, seconds and the like", self._has_good_options()),
                ('outcome must be "max", "min", "draw" or null', self.outcome in ("max", "min", "draw", None)),
                ('ending must be "rules", "repetition" or null', self.ending in ("rules", "repetition", None)),
            )
            if not right
        ]
        if wrong:
            raise RecordError(f"{path} is not a saved game: {'; '.join(wrong)}.")

    def _has_good_variations(self) -> bool:
        return isinstance(self.variations, list) and all(
            isinstance(one, dict)
            and set(one) == {"after", "moves"}
            and type(one["after"]) is int
            and 0 <= one["after"] <= len(self.moves)
            and isinstance(one["moves"], list)
            and all(isinstance(move, str) for move in one["moves"])
            for one in self.variations
        )

    def _has_good_clock(self) -> bool:
        if self.clock is None:
            return True
        numbers = ("base", "increment", "max", "min")
        return (
            isinstance(self.clock, dict)
            and set(self.clock) == {*numbers, "left"}
            and isinstance(self.clock["left"], list)
            and all(_is_time(self.clock[name]) for name in numbers)
            and all(one is None or _is_time(one) for one in self.clock["left"])
        )

    def _has_good_options(self) -> bool:
        return isinstance(self.options, dict) and all(
            isinstance(value, _OPTIONS.get(name, ())) for name, value in self.options.items()
        )


def _is_time(seconds: object) -> bool:
    """Whether a thing is a number of seconds that a clock may show."""
    return isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < math.inf


def _checksum(record: dict[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
