"""The game that two programs look at: its positions so far, and its moves as text without spaces."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import Action, Game, State

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
    """

    game: Game
    states: list[State] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states = self.states or [self.game.initial]

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]

    @property
    def first_moves(self) -> bool:
        """Whether the player is to move who began: who is to move in the game's initial position."""
        return self.game.to_move(self.state) == self.game.to_move(self.game.initial)

    @property
    def came_back(self) -> bool:
        """Whether the present position was met before, in a game that this ends."""
        if self.game.repetition is None:
            return False
        key = self.game.key or (lambda state: state)
        present = key(self.state)
        return any(key(state) == present for state in self.states[:-1])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_terminal(self.state) or self.came_back

    @property
    def outcome(self) -> Outcome:
        """Who won: ``p1`` is the player who began."""
        game = self.game
        if game.is_terminal(self.state):
            value = game.utility(self.state)
        elif self.came_back:
            value = game.repetition(self.state) if callable(game.repetition) else game.endless_value
        else:
            return "none"
        value *= game.to_move(game.initial)
        return "p1win" if value > 0 else "p2win" if value < 0 else "draw"

    def play(self, text: str) -> None:
        """Make a move.

        Raises
        ------
        IllegalAction
            The text is no legal move, or the game is over; nothing has changed.
        """
        if self.is_over:
            raise IllegalAction(f"The move {text} comes after the end of the game.")
        self.states.append(self.game.result(self.state, read_move(self.game, self.state, text)))


def read_position(game: Game, words: Sequence[str]) -> Position:
    """The position in the words after ``position``: ``startpos`` or ``fen ...``, then perhaps ``moves ...``.

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
    for move in moves:
        position.play(move)
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
    """The legal action that `write_move`, or a person, writes as ``text``.

    Raises
    ------
    IllegalAction
        There is none.
    """
    if text.startswith("#"):
        found = [action for action in game.legal_actions(state) if f"#{action}" == text]
        if found:
            return found[0]
    return game.read_action(state, text)


def _means(game: Game, state: State, text: str) -> Action | None:
    try:
        return game.read_action(state, text)
    except IllegalAction:
        return None
