"""Which cell of the board each symbol of a game's text stands for, and how it looks there.

Nothing of this is asked of the game. It is learned: in a few hundred positions of games played at random, the symbol at
a place of the text and what the board shows on a cell must tell the same, in the order in which people read or in the
order of the cells.
"""

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from zermelo.board import Board, Piece
from zermelo.game import MAX, MIN, Game, State
from zermelo.ui.web.editing.forms import Form, Split, forms_of, splits

MOST_PLIES: Final = 200
"""Moves of a game that is played to learn from."""
MOST_POSITIONS: Final = 600
"""Positions that are learned from."""
MOST_CHANGED: Final = 6
"""Letters of a word that `Layout.repaired` takes out, such as rights to castle."""
Look = frozenset[tuple[int, str]]
"""What stands on a cell: owners and kinds of its pieces."""


class Layout(NamedTuple):
    """How a game's text and its board belong together."""

    form: Form
    groups: tuple[tuple[int, ...], ...]
    """The cells of each place of the text: one, or, where a number counts pieces in a row, as many as it may be."""
    looks: dict[str, Look]
    """What each symbol shows, the empty symbol first; in a form of numbers ``1`` stands for all but 0."""
    owners: tuple[int, ...]
    """In a form of numbers, whose pieces the numbers count at each place."""
    turn: int
    """The number of the word that says whose turn it is; -1 if no word does."""
    turns: dict[int, str]
    """That word for MAX and for MIN."""

    @property
    def empty(self) -> str:
        """The symbol of a place on which nothing stands."""
        return next(iter(self.looks))

    @property
    def places(self) -> dict[int, int]:
        """The place of the text for each cell that has one."""
        return {cell: place for place, group in enumerate(self.groups) for cell in group}

    def pieces(self, symbols: Sequence[str]) -> tuple[Piece, ...]:
        """Return what stands on the board."""
        found: list[Piece] = []
        for place, (group, symbol) in enumerate(zip(self.groups, symbols, strict=True)):
            if not self.form.are_numbers:
                found += [Piece(group[0], *look) for look in sorted(self.looks[symbol])]
                continue
            ((_, kind),) = self.looks["1"]
            if len(group) > 1:
                found += [Piece(cell, self.owners[place], kind) for cell in group[: int(symbol)]]
            elif symbol != "0":
                found.append(Piece(group[0], self.owners[place], kind, int(symbol)))
        return tuple(found)

    def picture(self, board: Board, symbols: Sequence[str]) -> Board:
        """Return an empty game's board with these symbols on it; they need not be a legal position."""
        kept = board._replace(clicks={}, choices={}, joined=(), won=(), scores=("", ""))
        others = tuple(piece for piece in board.pieces if piece.cell not in self.places)
        return kept._replace(pieces=(*others, *self.pieces(symbols)))

    def repaired(self, game: Game, parts: Split) -> Split:
        """Return the parts with words changed as little as makes them a position; the same parts if nothing does.

        Men that were moved may have taken a right along: a word loses letters, or says ``-``.
        """
        if _is_position(game, self.form.join(parts)):
            return parts
        tried = [parts.words]
        for number, word in enumerate(parts.words):
            if number == self.turn or word.isdecimal() or len(word) > MOST_CHANGED:
                continue
            shorter = _shorter(word)
            tried = [(*words[:number], one, *words[number + 1 :]) for words in tried for one in shorter]
        return next((parts._replace(words=one) for one in tried if self._fits(game, parts, one)), parts)

    def _fits(self, game: Game, parts: Split, words: tuple[str, ...]) -> bool:
        return _is_position(game, self.form.join(parts._replace(words=words)))


def _is_position(game: Game, text: str) -> bool:
    assert game.from_text is not None
    try:
        game.from_text(text)
    except ValueError:
        return False
    return True


def _shorter(word: str) -> list[str]:
    """Return a word, what is left of it without some letters, the longest first, and ``-``."""
    subsets = sorted(range(1, 1 << len(word)), key=lambda kept: -kept.bit_count())
    found = ["".join(one for i, one in enumerate(word) if kept >> i & 1) for kept in subsets]
    return list(dict.fromkeys([*found, "-"]))


@lru_cache(maxsize=16)
def layout_of(game: Game) -> Layout | None:
    """Return how a game's text and its board belong together; None if it has none, or no order was found."""
    if game.board is None or game.from_text is None or game.to_text is None:
        return None
    states = list(_sample(game))
    texts, boards = [game.show_state(state) for state in states], [game.board(state) for state in states]
    if len({board.cells for board in boards}) > 1:
        return None
    for form in forms_of(texts[0], len(boards[0].cells)):
        parts = splits(form, texts)
        if parts is None or len({len(one.symbols) for one in parts}) > 1:
            continue
        for groups in _orders(boards[0], len(parts[0].symbols), form.are_numbers):
            looks = _looks(groups, parts, boards, form.are_numbers)
            if looks is not None:
                return Layout(form, groups, looks, _owners(groups, boards), *_turn(game, states, parts))
    return None


def _sample(game: Game) -> Iterable[State]:
    """Yield positions of games played at random, always the same."""
    chance, count = random.Random(0), 0
    while count < MOST_POSITIONS:
        state = game.initial
        for _ in range(MOST_PLIES):
            yield state
            count += 1
            if count >= MOST_POSITIONS or game.is_terminal(state):
                break
            state = game.result(state, chance.choice(game.legal_actions(state)))


def _orders(board: Board, count: int, are_numbers: bool) -> Iterable[tuple[tuple[int, ...], ...]]:
    """Yield ways in which so many places of a text may lie on the board."""
    cells = range(len(board.cells))
    read = sorted(cells, key=lambda cell: (board.cells[cell].y, board.cells[cell].x))
    shapes = dict.fromkeys(cell.shape for cell in board.cells)
    choices: list[list[int]] = [list(cells), list(read)]
    choices += [[cell for cell in read if board.cells[cell].shape == shape] for shape in shapes]
    choices += [[cell for cell in cells if board.cells[cell].shape == shape] for shape in shapes]
    choices += [list(cells)[:count]]
    for one in choices:
        if len(one) == count:
            yield tuple((cell,) for cell in one)
    rows: dict[float, list[int]] = {}
    for cell in read:
        rows.setdefault(board.cells[cell].y, []).append(cell)
    if are_numbers and len(rows) == count:
        yield tuple(tuple(row) for row in rows.values())


def _looks(
    groups: tuple[tuple[int, ...], ...], parts: Sequence[Split], boards: Sequence[Board], are_numbers: bool
) -> dict[str, Look] | None:
    """Return what each symbol shows; None if a symbol shows different things, or two show the same."""
    found: dict[str, Look] = {}
    for one, board in zip(parts, boards, strict=True):
        shown: dict[int, list[Piece]] = {}
        for piece in board.pieces:
            shown.setdefault(piece.cell, []).append(piece)
        for group, symbol in zip(groups, one.symbols, strict=True):
            here = [piece for cell in group for piece in shown.get(cell, [])]
            if are_numbers and sum(piece.number for piece in here) != int(symbol):
                return None
            look = frozenset((0 if are_numbers else piece.owner, piece.kind) for piece in here)
            name = str(min(1, int(symbol))) if are_numbers else symbol
            if are_numbers and len(group) == 1 and len(here) > 1:
                return None
            if found.setdefault(name, look) != look:
                return None
    if len(set(found.values())) != len(found) or frozenset() not in found.values():
        return None
    return dict(sorted(found.items(), key=lambda pair: (bool(pair[1]), *_rank(pair[1]))))


def _owners(groups: tuple[tuple[int, ...], ...], boards: Sequence[Board]) -> tuple[int, ...]:
    """Return whose pieces lie at each place."""
    seen = {piece.cell: piece.owner for board in boards for piece in board.pieces}
    return tuple(seen.get(group[0], 0) for group in groups)


def _rank(look: Look) -> tuple[int, str]:
    """Return the order of a look among those that one can choose: MAX first."""
    owner, kind = min(look, default=(0, ""))
    return -owner, kind


def _turn(game: Game, states: Sequence[State], parts: Sequence[Split]) -> tuple[int, dict[int, str]]:
    """Return the number of the word that says whose turn it is, and what it says for each side."""
    for number in range(min(len(one.words) for one in parts)):
        said: dict[int, set[str]] = {MAX: set(), MIN: set()}
        for state, one in zip(states, parts, strict=True):
            if not game.is_terminal(state):
                said[game.to_move(state)].add(one.words[number])
        if all(len(words) == 1 for words in said.values()) and said[MAX] != said[MIN]:
            return number, {side: words.pop() for side, words in said.items()}
    return -1, {}
