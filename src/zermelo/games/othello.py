"""Othello: lay a disc so that enemy discs stand between it and another of yours, and turn those over.

Variant: the tournament rules of the World Othello Federation (worldothello.org, "Official rules"), on square boards of
even size. A player who cannot turn any disc over passes, which is an action of its own; when neither player can, the
game ends. The value is the difference in discs; with ``empties_to_winner``, as tournaments and the FFO positions count,
the winner also gets the empty squares. MAX ("X", Black) moves first.

Bit layout: the squares in reading order; a1 at the top left is bit 0. For size 4::

     a  b  c  d
     0  1  2  3   1
     4  5  6  7   2
     8  9 10 11   3
    12 13 14 15   4

An action is the number of a square; a pass is the number after the last square. A board of 8x8 uses all 64 bits of a
word.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import along, complement, lowest, lowest_index, popcount, shift_left, shift_right, where
from zermelo.board import Board, Cell, Piece
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.grid import counted
from zermelo.parameters import checked

IMPOSSIBLE = -1 << 20
"""Less than any margin."""
PlayOut = Callable[[int, int, int, int], int]
"""A function of the discs of the player to move, those of the opponent, alpha and beta."""


class State(NamedTuple):
    """A board, as the player to move sees it."""

    mover: int
    """The discs of the player to move."""
    other: int
    """The discs of the opponent."""
    player: int
    """The player to move, MAX or MIN; since players can pass, the number of discs does not tell."""


def signed(word: int) -> int:
    """Return the signed 64-bit int with the bits of ``word``.

    Compiled code would treat a constant above 2**63 - 1 as an unsigned number.
    """
    return word - (1 << 64) if word >> 63 else word


def row_up(start: int, theirs: int, step: int) -> int:
    """Return the discs of ``theirs`` in unbroken lines of up to six from ``start``, each ``step`` bits up."""
    line = theirs & shift_left(start, step)
    line |= theirs & shift_left(line, step)
    pairs = theirs & shift_left(theirs, step)
    line |= pairs & shift_left(line, 2 * step)
    return line | pairs & shift_left(line, 2 * step)


def row_down(start: int, theirs: int, step: int) -> int:
    """Return what `row_up` does in the opposite direction."""
    line = theirs & shift_right(start, step)
    line |= theirs & shift_right(line, step)
    pairs = theirs & shift_right(theirs, step)
    line |= pairs & shift_right(line, 2 * step)
    return line | pairs & shift_right(line, 2 * step)


def to_move(state: State) -> int:
    return state.player


def swap(state: State) -> State:
    return State(state.mover, state.other, -state.player)


def othello(size: Annotated[int, range(4, 9)] = 8, empties_to_winner: bool = True) -> Game:
    """Othello: outflank and turn over, on an even square board; more discs win."""
    parameters = checked(othello, size=size, empties_to_winner=empties_to_winner)
    if size % 2:
        raise BadParameter(f"The parameter size is {size}; it must be 4, 6 or 8.")
    cells = size * size
    pass_turn = cells
    squares = signed((1 << cells) - 1)
    left = sum(1 << row * size for row in range(size))
    right = left << size - 1
    corners = signed((1 | 1 << size - 1) * (1 | 1 << cells - size))
    beside_corners = signed(
        sum(1 << i for i in range(cells) if all(at in (0, 1, size - 2, size - 1) for at in (i % size, i // size)))
    ) & complement(corners)
    # A horizontal or diagonal line must not cross an edge, so the discs that it turns over are on inner columns.
    inner = ((1 << cells) - 1) & ~(left | right)
    half = size // 2
    quarter = sum(1 << row * size + column for row in range(half) for column in range(half))
    top_left, top_right = quarter, quarter << half
    bottom_left, bottom_right = quarter << half * size, signed(quarter << half * size + half)
    directions = ((1, inner), (size - 1, inner), (size, squares), (size + 1, inner))

    def ends(mover: int, other: int, step: int, within: int) -> int:
        """Return the squares at which lines of ``other`` end that begin at a disc of ``mover``."""
        theirs = other & within
        return shift_left(row_up(mover, theirs, step), step) | shift_right(row_down(mover, theirs, step), step)

    def moves(mover: int, other: int) -> int:
        """Return the squares where ``mover`` may lay a disc."""
        return along(ends, directions, mover, other) & squares & complement(mover | other)

    def outflanked(mover: int, other: int, square: int, step: int, within: int) -> int:
        """Return the discs of ``other`` in lines from ``square`` that end at a disc of ``mover``."""
        theirs = other & within
        up, down = row_up(square, theirs, step), row_down(square, theirs, step)
        return where(shift_left(up, step) & mover, up) | where(shift_right(down, step) & mover, down)

    def turned(mover: int, other: int, square: int) -> int:
        """Return the discs that a disc of ``mover`` turns over; ``square`` has the one bit where it is laid."""
        return along(outflanked, directions, mover, other, square)

    def actions(state: State) -> Iterator[int]:
        found = moves(state.mover, state.other)
        if not found:
            yield pass_turn
        while found:
            yield lowest_index(found)
            found &= found - 1

    def result(state: State, action: int) -> State:
        mover, other, player = state
        if action == pass_turn:
            return State(other, mover, -player)
        square = shift_left(1, action)
        discs = turned(mover, other, square)
        return State(other ^ discs, mover | discs | square, -player)

    def is_terminal(state: State) -> bool:
        return moves(state.mover, state.other) == 0 and moves(state.other, state.mover) == 0

    def utility(state: State) -> int:
        """Return MAX's discs less MIN's; with ``empties_to_winner`` the winner also gets the empty squares."""
        margin = state.player * (popcount(state.mover) - popcount(state.other))
        if empties_to_winner and margin:
            empty = cells - popcount(state.mover | state.other)
            return margin + empty if margin > 0 else margin - empty
        return margin

    def evaluate(state: State) -> int:
        """Count 1 for each possible move and 4 for each corner held; keep the sum strictly inside the utilities."""
        mover, other, player = state
        balance = popcount(moves(mover, other)) - popcount(moves(other, mover))
        balance += 4 * (popcount(mover & corners) - popcount(other & corners))
        return player * max(1 - cells, min(cells - 1, balance))

    def order(state: State, action: int) -> int:
        """Put moves first that leave the opponent few moves, above all few corners; then corners and odd quarters.

        A square beside a corner comes later, since it often gives the corner away.
        """
        if action == pass_turn:
            return 0
        mover, other, _ = state
        square = shift_left(1, action)
        discs = turned(mover, other, square)
        replies = moves(other ^ discs, mover | discs | square)
        worth = -2 * (popcount(replies) + popcount(replies & corners))
        worth += 1 if square & odd_regions(squares & complement(mover | other)) else 0
        return worth + (1 if square & corners else -1 if square & beside_corners else 0)

    def odd_regions(empty: int) -> int:
        """Return the quarters of the board with an odd number of empty squares, where to have the last move."""
        odd = top_left if popcount(empty & top_left) & 1 else 0
        odd |= top_right if popcount(empty & top_right) & 1 else 0
        odd |= bottom_left if popcount(empty & bottom_left) & 1 else 0
        odd |= bottom_right if popcount(empty & bottom_right) & 1 else 0
        return odd

    def at_end(mover: int, other: int, _alpha: int, _beta: int) -> int:
        """Return what the end of a game is worth to ``mover``."""
        return utility(State(mover, other, MAX))

    def one_more(fewer: PlayOut) -> PlayOut:
        """Return the function that plays a game out, given the one for positions with one empty square less."""

        def worth(mover: int, other: int, alpha: int, beta: int) -> int:
            """Return what a position is worth to ``mover``, who is to move.

            This is alpha-beta: of a value outside the window, alpha to beta, it returns a bound. It has one call of
            ``fewer``, for both players, so that the machine code of six squares is not twice that of five.
            """
            empty = squares & complement(mover | other)
            odd = empty & odd_regions(empty)
            side = 1
            for _ in range(2):  # the second time after a pass
                best, soon, late = IMPOSSIBLE, odd, empty ^ odd
                while best < beta and (soon | late) != 0:
                    square = lowest(soon) if soon else lowest(late)
                    soon &= complement(square)
                    late &= complement(square)
                    discs = turned(mover, other, square)
                    if discs:
                        value = -fewer(other ^ discs, mover | discs | square, -beta, -max(alpha, best))
                        best = max(best, value)
                if best > IMPOSSIBLE:
                    return side * best
                mover, other = other, mover
                alpha, beta = -beta, -alpha
                side = -side
            return side * at_end(mover, other, alpha, beta)

        return worth

    last_one = one_more(at_end)
    last_two = one_more(last_one)
    last_three = one_more(last_two)
    last_four = one_more(last_three)
    last_five = one_more(last_four)

    def bounds(state: State) -> tuple[int, int]:
        """Return the value as soon as at most three squares are empty: playing on is quicker than searching."""
        mover, other, player = state
        if popcount(mover | other) < cells - 3:
            return -cells, cells
        value = player * last_three(mover, other, -cells, cells)
        return value, value

    def window_bounds(state: State, alpha: int) -> tuple[int, int]:
        """Return whether the value is more than ``alpha`` as soon as at most five squares are empty."""
        mover, other, player = state
        if popcount(mover | other) < cells - 5:
            return -cells, cells
        least = alpha if player == MAX else -alpha - 1
        value = player * last_five(mover, other, least, least + 1)
        return (value, cells) if value > alpha else (-cells, value)

    def key(state: State) -> int:
        return (state.mover << cells | state.other) << 1 | (state.player == MAX)

    def tier(state: State) -> int:
        """Count the discs: each move except a pass adds one."""
        return popcount(state.mover) + popcount(state.other)

    def symmetries(state: State) -> Iterator[State]:
        """Yield the seven other views of the board, from three reflections."""
        mover, other, player = state
        for view in range(1, 8):
            yield State(seen(mover, view), seen(other, view), player)

    def seen(board: int, view: int) -> int:
        """Return ``board`` with left and right (1), top and bottom (2), rows and columns (4) exchanged.

        ``view`` is a sum of the numbers in parentheses.
        """
        picture = 0
        while board:
            row, column = lowest_index(board) // size, lowest_index(board) % size
            if view & 1:
                column = size - 1 - column
            if view & 2:
                row = size - 1 - row
            place = column * size + row if view & 4 else row * size + column
            picture |= 1 << place
            board &= board - 1
        return picture

    def name(square: int) -> str:
        """Return the name of a square, such as ``d3``: a letter for the column, a number for the row from the top."""
        return f"{'abcdefgh'[square % size]}{square // size + 1}"

    def format_action(state: State, action: int) -> str:
        return "pass" if action == pass_turn else name(action)

    def parse_action(state: State, text: str) -> int:
        """Read ``d3`` or ``D3``, or ``pass``, ``pa`` or ``--``; raise ValueError for any other text."""
        text = text.lower()
        if text in ("pass", "pa", "--"):
            return pass_turn
        for square in range(cells):
            if name(square) == text:
                return square
        raise ValueError(f"{text!r} is not a square of the board, nor pass")

    def to_text(state: State) -> str:
        """Write the squares in reading order, then who is to move, as in .obf files: ``---…OX…--- X``."""
        first, second = (state.mover, state.other) if state.player == MAX else (state.other, state.mover)
        board = "".join("X" if first >> i & 1 else "O" if second >> i & 1 else "-" for i in range(cells))
        return board + (" X" if state.player == MAX else " O")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text.

        Small letters, ``.`` for an empty square, and a ``;`` at the end are allowed, too.
        """
        board, _, turn = text.strip().removesuffix(";").upper().replace(".", "-").partition(" ")
        turn = turn.strip()
        if len(board) != cells or set(board) - set("XO-") or turn not in ("X", "O"):
            raise ValueError(f"{text!r} is not {cells} characters X, O or -, a space, and X or O for who is to move")
        first = sum(1 << i for i, piece in enumerate(board) if piece == "X")
        second = sum(1 << i for i, piece in enumerate(board) if piece == "O")
        return State(first, second, MAX) if turn == "X" else State(second, first, MIN)

    def draw(state: State) -> str:
        discs = to_text(state)[:cells].replace("-", ".")
        letters = "  " + " ".join("abcdefgh"[:size])
        lines = [f"{row + 1} {' '.join(discs[row * size : (row + 1) * size])} {row + 1}" for row in range(size)]
        return "\n".join([letters, *lines, letters])

    def board(state: State) -> Board:
        discs = to_text(state)[:cells]
        legal = [] if is_terminal(state) else list(actions(state))
        return Board(
            cells=tuple(Cell(i % size, i // size) for i in range(cells)),
            pieces=tuple(Piece(i, MAX if disc == "X" else MIN) for i, disc in enumerate(discs) if disc != "-"),
            clicks={action: () if action == pass_turn else (action,) for action in legal},
            labels=tuple((column, -0.75, "abcdefgh"[column]) for column in range(size))
            + tuple((-0.75, row, str(row + 1)) for row in range(size)),
            ground="felt",
            scores=counted("discs", discs.count("X"), discs.count("O"), "disc"),
        )

    middle = cells // 2 - size // 2  # the upper row's square right of the centre
    black = 1 << middle | 1 << middle + size - 1
    white = 1 << middle - 1 | 1 << middle + size
    return Game(
        name="othello",
        parameters=parameters,
        initial=State(black, white, MAX),
        utility_range=(-cells, cells),
        outcomes="margin",
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        order=order,
        bounds=bounds,
        window_bounds=window_bounds,
        key=key if size == 4 else None,
        symmetries=symmetries if size == 4 else None,
        tier=tier,
        swap=swap,
        draw=draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("Black", "White"),
        switches={"reductions": True, "malus": True, "follow_ups": True, "countermoves": True, "previews": 2},
    )
