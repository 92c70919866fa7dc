"""Which functions a game has and may have, and what is said of a game that lacks some."""

from collections.abc import Mapping
from functools import wraps
from typing import Final, TypeVar

from zermelo.errors import BadGame

Record = TypeVar("Record")

RULES: Final = ("to_move", "actions", "result", "is_terminal", "utility")
"""The functions that every game has."""
OPTIONAL: Final = (
    "evaluate", "features", "is_cutoff", "order", "proof_order", "key", "pack", "unpack", "symmetries", "swap",
    "sufficient_actions", "noisy_actions", "gain", "null_state", "urgent", "bounds", "window_bounds", "plies_to_end",
    "tier", "is_stopped", "position", "plies_left", "placements", "draw",
    "format_action", "parse_action", "from_text", "to_text", "pgn_tags", "read_pgn", "board",
)  # fmt: skip
"""The functions that a game may have."""


def _require_rules(kind: type[object], given: Mapping[str, object]) -> None:
    """Refuse a game to which one of the rules was not given."""
    missing = [rule for rule in RULES if not callable(given.get(rule))]
    methods = [rule for rule in missing if callable(getattr(kind, rule, None))]
    if methods:
        raise BadGame(
            f"The class {kind.__name__} has {' and '.join(methods)} as methods; a game is no subclass of "
            "Game. Write plain functions without self, and hand them over: Game(name=..., to_move=to_move, ...)."
        )
    if missing:
        raise BadGame(
            f"The game {given.get('name', 'without a name')!r} lacks {' and '.join(missing)}; "
            f"a game needs the functions {', '.join(RULES)}."
        )


def naming_missing_rules(record: type[Record]) -> type[Record]:
    """Let a call that leaves out required rules raise `BadGame`, which names them all, and not Python's TypeError."""
    fill = vars(record)["__init__"]

    @wraps(fill)
    def initialise(self: Record, *arguments: object, **given: object) -> None:
        _require_rules(type(self), given)
        fill(self, *arguments, **given)

    type.__setattr__(record, "__init__", initialise)
    return record
