"""The game that two programs look at: its positions so far, and its moves as text without spaces."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import Action, Game, State
from zermelo.play.ending import ending_of, final_value
from zermelo.protocol.coordinates import coordinates

NO_MOVE: Final = "(none)"
"""What follows ``bestmove`` where there is no legal move, or no position."""
Writer = Callable[[Game, State, Action], str]
"""Writes a legal action as text."""
Outcome = Literal["p1win", "p2win", "draw", "none"]


@dataclass
class Position:
    """A game that began somewhere and has come some moves far.

    Parameters
    ----------
    game
        The rules.
    states
        The positions so far, the present one last.
    words
        What the controlling program sent for it, after ``position``.
    """

    game: Game
    states: list[State] = field(default_factory=list)
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.states = self.states or [self.game.initial]

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def plies(self) -> int:
        """How many moves it has come."""
        return len(self.states) - 1

    @property
    def before(self) -> list[State]:
        """The positions before the present one that differ from it.

        Where a position has come back, the controlling program may let the game go on, so a search must do so, too.
        """
        if self.game.repetition is None:
            return self.states[:-1]
        present = self.game.position_of(self.state)
        return [state for state in self.states[:-1] if self.game.position_of(state) != present]

    @property
    def first_moves(self) -> bool:
        """Whether player 1 is to move: the player who moves first in the game's initial position."""
        return self.game.to_move(self.state) == self.game.to_move(self.game.initial)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return ending_of(self.game, self.states) is not None

    @property
    def outcome(self) -> Outcome:
        """Who won; ``p1`` is the player who moves first in the game's initial position."""
        value = final_value(self.game, self.states)
        if value is None:
            return "none"
        value *= self.game.to_move(self.game.initial)
        return "p1win" if value > 0 else "p2win" if value < 0 else "draw"

    def play(self, text: str) -> None:
        """Make a move, even where a position has come back: the controlling program is the referee.

        Raises
        ------
        IllegalAction
            The text is no legal move, or the game is over; nothing has changed.
        """
        if self.game.is_terminal(self.state):
            raise IllegalAction(f"The move {text} comes after the end of the game.")
        self.states.append(self.game.result(self.state, read_move(self.game, self.state, text)))


def read_position(game: Game, words: Sequence[str], known: Position | None = None) -> Position:
    """The position in the words after ``position``: ``startpos`` or ``fen ...``, then perhaps ``moves ...``.

    Programs send the whole game with each move. If it begins with the moves of ``known``, only the others are read.

    Raises
    ------
    BadParameter
        It begins with neither, the game reads no positions, or the text means none.
    IllegalAction
        One of the moves is not legal.
    """
    cut = list(words).index("moves") if "moves" in words else len(words)
    head, moves = words[:cut], words[cut + 1 :]
    if head and head[0] == "startpos":
        position = Position(game)
    elif head and head[0] == "fen":
        position = Position(game, [_read_state(game, " ".join(head[1:]))])
    else:
        raise BadParameter("A position begins with startpos or with fen; write position startpos moves ...")
    if known is not None and known.words in (tuple(head), (*head, "moves", *moves[: known.plies])):
        position.states, moves = list(known.states), moves[known.plies :]
    for move in moves:
        position.play(move)
    position.words = tuple(words)
    return position


def _read_state(game: Game, text: str) -> State:
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} reads no positions as text; write position startpos moves ...")
    try:
        return game.from_text(text)
    except ValueError as error:
        raise BadParameter(f"{text!r} is no position of {game.name}: {error}") from None


def write_move(game: Game, state: State, action: Action) -> str:
    """A legal action as text without spaces that `read_move` reads back: as people write it, or as its number."""
    text = game.show_action(state, action)
    if text and not any(mark.isspace() for mark in text) and _means(game, state, text) == action:
        return text
    return f"#{action}"


def read_move(game: Game, state: State, text: str) -> Action:
    """The legal action that `write_move`, `write_coordinates` or a person writes as ``text``.

    Raises
    ------
    IllegalAction
        There is none.
    """
    if text.startswith("#"):
        found = [action for action in game.legal_actions(state) if f"#{action}" == text]
        if found:
            return found[0]
    if (action := _plainly_meant(game, state, text)) is not None:
        return action
    try:
        return game.read_action(state, text)
    except IllegalAction:
        if not game.is_terminal(state) and text in coordinates(game, state):
            return coordinates(game, state)[text]
        raise


def write_coordinates(game: Game, state: State, action: Action) -> str:
    """A legal action as UCI writes it, by its squares; as `write_move` where it has none."""
    found = [text for text, meant in coordinates(game, state).items() if meant == action]
    return found[0] if found else write_move(game, state, action)


def _plainly_meant(game: Game, state: State, text: str) -> Action | None:
    """The legal action for which a text stands both in the game's own notation and in coordinates, if there is one.

    It is found several times as fast as by writing every legal action.
    """
    if game.parse_action is None or game.is_terminal(state):
        return None
    meant = coordinates(game, state).get(text)
    try:
        return meant if meant is not None and game.parse_action(state, text) == meant else None
    except ValueError:
        return None


def _means(game: Game, state: State, text: str) -> Action | None:
    try:
        return game.read_action(state, text)
    except IllegalAction:
        return None
