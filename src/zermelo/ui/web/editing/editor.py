"""A position that a visitor sets up: men on places, and words that say the rest. It need not be legal yet."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from zermelo.board import Board
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game, State
from zermelo.ui.web.editing.forms import Split
from zermelo.ui.web.editing.layout import Layout, layout_of

MOVE: Final = "move"
ERASE: Final = "erase"
MORE: Final = "more"
FEWER: Final = "fewer"
LONGEST_WORD: Final = 40
"""Characters of a word that a visitor may write."""
MOST_SEEDS: Final = 999
"""The largest number of a place."""


@dataclass
class PositionEditor:
    """A position on its way.

    Parameters
    ----------
    game, layout
        The game, and how its text and its board belong together.
    parts
        What the text of the position says so far.
    tool
        What a click does: `MOVE`, `ERASE`, the symbol of a man that it places, or, in a game of numbers, `MORE` or
        `FEWER`.
    """

    game: Game
    layout: Layout
    parts: Split
    tool: str
    picked: int | None = None
    """The cell from which the next click moves a man."""

    @classmethod
    def of(cls, game: Game, state: State) -> "PositionEditor":
        """Return the editor of a position.

        Raises
        ------
        BadParameter
            The game's text does not say what stands on which cell.
        """
        layout = layout_of(game)
        parts = None if layout is None else layout.form.split(game.show_state(state))
        if layout is None or parts is None:
            raise BadParameter(
                f"The game {game.name} has no text whose symbols stand for the cells of its board, so positions are "
                "set up from a text or by moves."
            )
        symbols = [symbol for symbol in layout.looks if symbol != layout.empty]
        return cls(game, layout, parts, MORE if layout.form.are_numbers else symbols[0])

    @property
    def tools(self) -> list[str]:
        """What a click may do."""
        if self.layout.form.are_numbers:
            return [MORE, FEWER, ERASE]
        return [*(symbol for symbol in self.layout.looks if symbol != self.layout.empty), MOVE, ERASE]

    @property
    def text(self) -> str:
        """The text so far."""
        return self.layout.form.join(self.parts)

    @property
    def board(self) -> Board:
        """The picture so far."""
        assert self.game.board is not None
        return self.layout.picture(self.game.board(self.game.initial), self.parts.symbols)

    @property
    def fault(self) -> str:
        """Why the position is not legal, in a sentence; empty if it is."""
        assert self.game.from_text is not None
        try:
            self.game.from_text(self.text)
        except ValueError as error:
            said = str(error).rstrip(".")
            about = said.removeprefix(f"{self.text!r} ")
            return f"This is no position yet: {about if about == said else f'it {about}'}."
        return ""

    def state(self) -> State:
        """Return the position.

        Raises
        ------
        BadParameter
            It is not legal.
        """
        if self.fault:
            raise BadParameter(self.fault)
        assert self.game.from_text is not None
        return self.game.from_text(self.text)

    @property
    def mover(self) -> int:
        """The side to move, as the text says it, or as follows from the men; 0 if neither tells."""
        if self.layout.turns:
            said = self.parts.words[self.layout.turn]
            return next((side for side, word in self.layout.turns.items() if word == said), 0)
        return 0 if self.fault else self.game.to_move(self.state())

    @property
    def others(self) -> dict[int, str]:
        """The names of the words that tell neither men nor turn, by their numbers."""
        names = dict(enumerate(self.game.text_words))
        return {
            number: names.get(number, f"Word {number + 2} of the text")
            for number in range(len(self.parts.words))
            if number != self.layout.turn
        }

    # What the visitor does

    def choose(self, tool: str) -> None:
        """Take a tool; nothing if there is no such tool."""
        if tool in self.tools:
            self.tool, self.picked = tool, None

    def click(self, cell: int) -> None:
        """Use the tool on a cell."""
        if cell not in self.layout.places:
            return
        if self.tool != MOVE:
            self._use(self.tool, cell)
        elif self.picked is None:
            self.picked = cell if self._symbol(cell) != self.layout.empty else None
        else:
            self.drag(self.picked, cell)

    def drag(self, origin: int, target: int) -> None:
        """Move a man from one cell to another; a man that stood there is gone. Seeds move one at a time."""
        self.picked = None
        places = self.layout.places
        if origin not in places or target not in places or places[origin] == places[target]:
            return
        if self.layout.form.are_numbers:
            if self._symbol(origin) != "0":
                self._use(FEWER, origin)
                self._use(MORE, target)
            return
        symbol = self._symbol(origin)
        if symbol != self.layout.empty:
            self._set(origin, self.layout.empty)
            self._set(target, symbol)
            self._repair()

    def key(self, cell: int, key: str) -> None:
        """Place the man with a letter on a cell, or erase what stands there: what keys do."""
        if cell in self.layout.places and key in ("Delete", "Backspace"):
            self._use(ERASE, cell)
        elif cell in self.layout.places and self.layout.form.are_numbers and key in ("+", "-"):
            self._use(MORE if key == "+" else FEWER, cell)
        elif cell in self.layout.places and key in self.tools:
            self._use(key, cell)

    def clear(self) -> None:
        """Take all men away."""
        self._fill([self.layout.empty] * len(self.parts.symbols))

    def take(self, state: State) -> None:
        """Go on from another position."""
        parts = self.layout.form.split(self.game.show_state(state))
        if parts is not None:
            self.parts, self.picked = parts, None

    def set_turn(self, side: int) -> None:
        """Let a side be to move, if the text says which."""
        if side in (MAX, MIN) and self.layout.turns:
            self.set_word(self.layout.turn, self.layout.turns[side])

    def set_word(self, number: int, word: str) -> None:
        """Change a word of the text; nothing if it has no such word."""
        word = "".join(word.split())[:LONGEST_WORD]
        if word and 0 <= number < len(self.parts.words):
            words = list(self.parts.words)
            words[number] = word
            self.parts = self.parts._replace(words=tuple(words))

    def read(self, text: str) -> None:
        """Take the position of a text.

        Raises
        ------
        BadParameter
            It has another form than the game's texts.
        """
        assert self.game.from_text is not None
        text = text.strip()
        with suppress(ValueError):  # a text of the right form that is not legal yet is taken as it is
            text = self.game.show_state(self.game.from_text(text))
        parts = self.layout.form.split(text)
        if parts is None or len(parts.symbols) != len(self.parts.symbols) or not self._shows(parts):
            raise BadParameter(
                f"{text[:60]!r} is no text of a position; one reads {self.game.show_state(self.game.initial)!r}."
            )
        self.parts, self.picked = parts, None

    def _shows(self, parts: Split) -> bool:
        if self.layout.form.are_numbers:
            return all(len(symbol) <= 3 for symbol in parts.symbols)
        return set(parts.symbols) <= set(self.layout.looks)

    def _symbol(self, cell: int) -> str:
        return self.parts.symbols[self.layout.places[cell]]

    def _use(self, tool: str, cell: int) -> None:
        """Use a tool on a cell; a man placed on his like goes away again."""
        if tool == ERASE:
            self._set(cell, self.layout.empty)
        elif tool in (MORE, FEWER):
            group = self.layout.groups[self.layout.places[cell]]
            most = len(group) if len(group) > 1 else MOST_SEEDS
            self._set(cell, str(max(0, min(most, int(self._symbol(cell)) + (1 if tool == MORE else -1)))))
        else:
            cell = self._foot(cell)
            self._set(cell, self.layout.empty if self._symbol(cell) == tool else tool)
        self._repair()

    def _foot(self, cell: int) -> int:
        """Return where a man comes to rest that is placed on a cell: there, unless men fall to the foot of a column."""
        board = self.board
        if not board.falls or self._symbol(cell) != self.layout.empty:
            return cell
        here = board.cells[cell]
        below = [one for one in self.layout.places if board.cells[one].x == here.x and board.cells[one].y >= here.y]
        return max((one for one in below if self._symbol(one) == self.layout.empty), key=lambda one: board.cells[one].y)

    def _set(self, cell: int, symbol: str) -> None:
        symbols = list(self.parts.symbols)
        symbols[self.layout.places[cell]] = symbol
        self.parts = self.parts._replace(symbols=tuple(symbols))

    def _fill(self, symbols: list[str]) -> None:
        self.parts, self.picked = self.parts._replace(symbols=tuple(symbols)), None
        self._repair()

    def _repair(self) -> None:
        self.parts = self.layout.repaired(self.game, self.parts)
