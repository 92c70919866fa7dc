"""The positions of recorded games, and how they look: one board for all of them, and what each move changes on it.

A *slot* is a place of the picture whose content changes: a cell of the board, or the text beside the cells; for a game
without a board, a line of the text that the game draws. A *content* is what a slot can hold. A *step* is a move with
what it changes. Games of one tournament share most contents and many steps, so the page stores each of them once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest
from typing import Final, NamedTuple

from zermelo.board import Board, Cell, Piece
from zermelo.errors import IllegalAction, RecordError
from zermelo.game import Action, Game, State
from zermelo.lab.played import PlayedGame
from zermelo.pictures.board_svg import draw_board, draw_labels
from zermelo.pictures.difference import difference
from zermelo.pictures.palette import palette_of
from zermelo.pictures.pieces import content_names, draw_piece
from zermelo.protocol.position import read_move

BLANK: Final = 0
"""The content of a slot that holds nothing."""


class Replayer:
    """Replays recorded games; moves that many games begin with are read once.

    Parameters
    ----------
    game
        The rules by which the games were played.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._read: dict[tuple[State, str], tuple[Action, State]] = {}

    def states(self, played: PlayedGame) -> list[State]:
        """The positions of a game: the initial one first, the last one last.

        Raises
        ------
        RecordError
            A move is not legal.
        """
        return [self.game.initial, *(state for _, state in self.moves(played))]

    def moves(self, played: PlayedGame) -> list[tuple[Action, State]]:
        """The actions of a game, each with the position that it led to; errors as `states`."""
        state, found = self.game.initial, []
        for ply, text in enumerate(played.moves):
            action, state = self._move(state, text, ply < played.plies, played.number)
            found.append((action, state))
        return found

    def _move(self, state: State, text: str, is_shared: bool, number: int) -> tuple[Action, State]:
        if (state, text) in self._read:
            return self._read[state, text]
        try:
            action = read_move(self.game, state, text)
        except IllegalAction as error:
            raise RecordError(f"Game {number} is no game of {self.game!r}: {error}") from None
        found = action, self.game.result(state, action)
        if is_shared:
            self._read[state, text] = found
        return found


class Step(NamedTuple):
    """A move, and what it changes on the picture. Slots and contents are given by their numbers."""

    move: str
    changes: tuple[int, ...]
    """A slot, its new content, the next slot, and so on."""
    placed: tuple[int, ...] = ()
    """Slots to mark: where the move put something; in the same way the next two."""
    changed: tuple[int, ...] = ()
    captured: tuple[int, ...] = ()


@dataclass
class Album:
    """The pictures of all games of a tournament, each part of them stored once.

    Parameters
    ----------
    game
        The rules.
    """

    game: Game
    contents: dict[tuple[str, str], int] = field(default_factory=dict)
    """Each content's number. A content is its picture, and what it is in words."""
    steps: dict[Step, int] = field(default_factory=dict)
    """Each step's number."""

    def __post_init__(self) -> None:
        self._palette = palette_of(self.game)
        self._slots = 0
        self._drawn: dict[tuple[object, ...], int] = {}
        assert self._number("", "empty") == BLANK
        self.start = self._look(self.game.initial)[0]
        """The contents of the slots in the initial position."""

    @property
    def ground(self) -> str:
        """The picture without contents: an SVG whose cells bear ``data-cell``, or a text with a line for each slot."""
        if self.game.board is None:
            return f'<pre class="position">{"".join("<span data-line></span>" for _ in range(self._slots))}</pre>'
        board = self.game.board(self.game.initial)
        return draw_board(board._replace(pieces=(), clicks={}), palette=self._palette, title="Board")

    def add(self, played: Sequence[tuple[Action, State]]) -> list[int]:
        """The numbers of a game's steps.

        Parameters
        ----------
        played
            Actions, each with the position that it led to, as `Replayer.moves` returns them.
        """
        before, (slots, board) = self.game.initial, self._look(self.game.initial)
        numbers = []
        for action, state in played:
            after, next_board = self._look(state)
            marks = _marks(board, next_board, action, self.game.to_move(before))
            step = Step(self.game.show_action(before, action), _changes(slots, after), *marks)
            numbers.append(self.steps.setdefault(step, len(self.steps)))
            before, slots, board = state, after, next_board
        return numbers

    def _look(self, state: State) -> tuple[list[int], Board | None]:
        """The contents of all slots in a position, and its board if the game has one."""
        if self.game.board is None:
            lines = [self._number(escape(line), "") for line in self.game.draw(state).split("\n")]
            self._slots = max(self._slots, len(lines))
            return lines, None
        board = self.game.board(state)
        pieces: dict[int, list[Piece]] = {}
        for piece in board.pieces:
            pieces.setdefault(piece.cell, []).append(piece)
        slots = [BLANK] * len(board.cells)
        for cell, here in pieces.items():
            slots[cell] = self._holding(board.cells[cell], here)
        if board.labels not in self._drawn:
            self._drawn[board.labels] = self._number(draw_labels(board), "")
        return [*slots, self._drawn[board.labels]], board

    def _holding(self, cell: Cell, pieces: list[Piece]) -> int:
        """The content of a cell with pieces. Equal cells with equal pieces look the same, so each is drawn once."""
        look = (cell[2:], *(piece[1:] for piece in pieces))  # all but where they are
        if look not in self._drawn:
            words = ", ".join(content_names(pieces, self._palette))
            self._drawn[look] = self._number("".join(draw_piece(piece, cell) for piece in pieces), words)
        return self._drawn[look]

    def _number(self, picture: str, words: str) -> int:
        return self.contents.setdefault((picture, words), len(self.contents))


def _changes(before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """The slots that differ, each with its new content; a text may have fewer lines than before."""
    pairs = enumerate(zip_longest(before, after, fillvalue=BLANK))
    return tuple(number for slot, (old, new) in pairs if old != new for number in (slot, new))


def _marks(
    before: Board | None, after: Board | None, action: Action, player: int
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The slots to mark after a move; none if there is no board."""
    if before is None or after is None:
        return (), (), ()
    found = difference(before, after, action, player)
    return tuple(sorted(found.placed)), tuple(sorted(found.changed)), tuple(sorted(found.captured))
