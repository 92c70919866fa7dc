"""Games on disk: one JSON object, which a person can read and a program can trust.

Fields: `format`; `game`, as the command line names it (a file's path for a user's game);
`parameters`; `rules`, the fingerprint; `max` and `min`, the players; `moves`, as people write them;
`outcome` ("max", "min", "draw" or null); `checksum`, SHA-256 of the rest as compact JSON with sorted keys.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from zermelo.errors import IllegalAction, RecordError
from zermelo.files import write_whole
from zermelo.game import Action, Game, State
from zermelo.play.match import Match

FORMAT: Final = "zermelo game 1"


@dataclass(frozen=True)
class Record:
    """A game as it was played, apart from any `Game` object."""

    game: str
    parameters: dict[str, int]
    rules: str
    max: str
    min: str
    moves: list[str]
    outcome: str | None = None

    @classmethod
    def of(cls, match: Match, source: str) -> "Record":
        """The record of ``match``; ``source`` is the game as the command line names it."""
        game = match.game
        return cls(
            game=source,
            parameters=dict(game.parameters),
            rules=game.fingerprint,
            max=match.max_player.name,
            min=match.min_player.name,
            moves=match.moves(),
            outcome=match.outcome,
        )

    def actions(self, game: Game) -> list[Action]:
        """The moves as actions of ``game``.

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
        state: State = game.initial
        actions = []
        for number, text in enumerate(self.moves, start=1):
            try:
                action = game.read_action(state, text)
            except IllegalAction as error:
                raise RecordError(f"Move {number} of the record: {error}") from None
            actions.append(action)
            state = game.result(state, action)
        return actions

    def save(self, path: Path) -> None:
        """Write the record to a file, whole or not at all.

        Raises
        ------
        RecordError
            The file cannot be written.
        """
        fields: dict[str, Any] = {"format": FORMAT, **asdict(self)}
        text = json.dumps({**fields, "checksum": _checksum(fields)}, indent=1, ensure_ascii=False)
        try:
            write_whole(path, text.encode() + b"\n")
        except OSError as error:
            raise RecordError(f"The game cannot be saved to {path}: {error.strerror}.") from None

    @classmethod
    def load(cls, path: Path) -> "Record":
        """Read a record back.

        Raises
        ------
        RecordError
            The file is missing, is no record, or was changed since it was written.
        """
        try:
            fields = json.loads(path.read_bytes())
        except OSError as error:
            raise RecordError(f"The game in {path} cannot be read: {error.strerror}.") from None
        except ValueError:
            raise RecordError(f"{path} is not a saved game, or a damaged one: it is not JSON.") from None
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise RecordError(f"{path} is not a saved game: it lacks the format {FORMAT!r}.")
        if fields.pop("checksum", None) != _checksum(fields):
            raise RecordError(f"{path} is damaged: its checksum does not match what it holds.")
        del fields["format"]
        try:
            return cls(**fields)
        except TypeError as error:
            raise RecordError(f"{path} is not a saved game: {error}.") from None


def _checksum(fields: dict[str, Any]) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
