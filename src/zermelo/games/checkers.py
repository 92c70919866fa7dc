"""English checkers (draughts) on 8x8, twelve men a side.

Variant: the rules of the World Checkers Draughts Federation (wcdf.net, "Rules of draughts"). A man moves or
jumps diagonally forward, a king both ways, both by one square. Jumps are obligatory, which one is free, and one
that can go on must: the whole chain is one move. Jumped pieces leave the board when it is complete, none is
jumped twice, and a man that reaches the last row becomes a king and stops. Who cannot move has lost. A position
that comes back is a draw, and so are ``no_progress`` plies in a row without a jump or a man's move (0: no limit;
80 is the 40-move rule). MAX is Black, at the top, and moves first.

Bit layout, after A. Samuel: the dark squares in reading order with a guard after every eight, which stays 0, so
that forward is always 4 or 5 bits. As bits, and as squares are numbered in PDN::

        0   1   2   3   |                  1   2   3   4
      4   5   6   7     |  8             5   6   7   8
        9  10  11  12   |                  9  10  11  12
     13  14  15  16     | 17            13  14  15  16
       18  19  20  21   |                 17  18  19  20
     22  23  24  25     | 26            21  22  23  24
       27  28  29  30   |                 25  26  27  28
     31  32  33  34     |               29  30  31  32

An action is ``route * 128 + origin * 2 + jumps``: the origin's bit number, 1 for jumps and 0 for a step, and the
directions gone, two bits each with the first on top, below a leading 1. The directions are numbered as in `STEPS`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.bits import lowest_index, popcount
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game, checked

SQUARES = 32
TOP = 34
"""The highest bit of the board."""
DARK = ((1 << TOP + 1) - 1) & ~(1 << 8 | 1 << 17 | 1 << 26)
MAX_LAST_ROW = 0b1111 << 31
"""Where MAX's men become kings."""
MIN_LAST_ROW = 0b1111
MAX_HOME = 0b1111_0_1111_1111
MIN_HOME = 0b1111_1111_0_1111 << 22
STEPS = (4, 5, -4, -5)
"""Down to the left, down to the right, up to the right, up to the left; MAX's men go the first two."""
WIN = 10000


class State(NamedTuple):
    """The pieces of both, which of them are kings, and whose turn it is."""

    max_pieces: int
    min_pieces: int
    kings: int
    player: int
    """MAX or MIN, to move."""


class CountedState(NamedTuple):
    """A `State` where plies without progress are counted."""

    max_pieces: int
    min_pieces: int
    kings: int
    player: int
    """MAX or MIN, to move."""
    quiet: int
    """Plies since the last jump or man's move."""


def shifted(board: int, distance: int) -> int:
    """``board`` with every bit moved up by ``distance``, or down where it is negative."""
    return board << distance if distance > 0 else board >> -distance


def goers(mine: int, kings: int, player: int, direction: int) -> int:
    """The pieces of ``player`` that may go in a direction."""
    forward = direction < 2 if player == MAX else direction >= 2
    return mine if forward else mine & kings


def steppers(movers: int, empty: int, step: int) -> int:
    """Which of ``movers`` can go one ``step``."""
    return movers & shifted(empty, -step)


def jumpers(movers: int, theirs: int, empty: int, step: int) -> int:
    """Which of ``movers`` can jump in the direction of ``step``."""
    return movers & shifted(theirs, -step) & shifted(empty, -2 * step)


def can_move(state: Any) -> bool:
    """Whether the player to move has a move."""
    player = state.player
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    empty = DARK & ~(mine | theirs)
    for direction in range(4):
        movers = goers(mine, state.kings, player, direction)
        if steppers(movers, empty, STEPS[direction]) or jumpers(movers, theirs, empty, STEPS[direction]):
            return True
    return False


def to_move(state: Any) -> int:
    return state.player  # type: ignore[no-any-return]


def actions(state: Any) -> Iterator[int]:
    player, kings = state.player, state.kings
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    empty = DARK & ~(mine | theirs)
    starters = 0
    for direction in range(4):
        starters |= jumpers(goers(mine, kings, player, direction), theirs, empty, STEPS[direction])
    if not starters:
        for direction in range(4):
            movers = steppers(goers(mine, kings, player, direction), empty, STEPS[direction])
            while movers:
                yield (4 | direction) << 7 | lowest_index(movers) << 1
                movers &= movers - 1
    while starters:
        # Every way of jumping from here, depth first. The route is its own stack: going back undoes its last jump.
        origin = lowest_index(starters)
        start = 1 << origin
        square, left, route, direction, grown = start, theirs, 1, 0, False
        while True:
            while direction < 4 and not jumpers(
                goers(square, square if kings & start else 0, player, direction), left, empty | start, STEPS[direction]
            ):
                direction += 1
            if direction < 4:
                left ^= shifted(square, STEPS[direction])
                square = shifted(square, 2 * STEPS[direction])
                route = route << 2 | direction
                direction, grown = 0, True
                continue
            if grown:
                yield route << 7 | origin << 1 | 1
                grown = False
            if route == 1:
                break
            direction = route & 3
            route >>= 2
            square = shifted(square, -2 * STEPS[direction])
            left ^= shifted(square, STEPS[direction])
            direction += 1
        starters &= starters - 1


def moved(state: Any, action: int) -> tuple[int, int, int, int]:
    """After ``action``: the mover's pieces, the opponent's, the kings, and 1 if a man moved or pieces were jumped."""
    player, kings = state.player, state.kings
    mine, theirs = (state.max_pieces, state.min_pieces) if player == MAX else (state.min_pieces, state.max_pieces)
    start = 1 << (action >> 1 & 63)
    route = action >> 7
    place = 0
    while route >> place > 1:
        place += 2
    square = start
    while place:
        place -= 2
        step = STEPS[route >> place & 3]
        square = shifted(square, step)
        if action & 1:
            theirs &= ~square
            square = shifted(square, step)
    progress = 1 if action & 1 or not kings & start else 0
    crowned = square & (MAX_LAST_ROW if player == MAX else MIN_LAST_ROW)
    king = square if kings & start else crowned
    mine = mine & ~start | square
    return mine, theirs, kings & ~start & (mine | theirs) | king, progress


def result_plain(state: State, action: int) -> State:
    mine, theirs, kings, _ = moved(state, action)
    if state.player == MAX:
        return State(mine, theirs, kings, MIN)
    return State(theirs, mine, kings, MAX)


def result_counted(state: CountedState, action: int) -> CountedState:
    mine, theirs, kings, progress = moved(state, action)
    quiet = 0 if progress else state.quiet + 1
    if state.player == MAX:
        return CountedState(mine, theirs, kings, MIN, quiet)
    return CountedState(theirs, mine, kings, MAX, quiet)


def evaluate(state: Any) -> int:
    """100 a man, 140 a king, 2 a row that a man has gone, 6 a man on its first row: within 12 * 140."""
    max_men, min_men = state.max_pieces & ~state.kings, state.min_pieces & ~state.kings
    value = 100 * (popcount(max_men) - popcount(min_men))
    value += 140 * (popcount(state.max_pieces & state.kings) - popcount(state.min_pieces & state.kings))
    value += 6 * (popcount(max_men & MIN_LAST_ROW) - popcount(min_men & MAX_LAST_ROW))
    for row in range(8):
        squares = 0b1111 << (4 * row + row // 2)
        value += 2 * (row * popcount(max_men & squares) - (7 - row) * popcount(min_men & squares))
    return value


def order(state: Any, action: int) -> int:
    """Long chains first, then becoming a king, then kings."""
    mine, _, kings, _ = moved(state, action)
    before = state.max_pieces if state.player == MAX else state.min_pieces
    chain = 0
    while action & 1 and action >> 7 + 2 * chain > 1:
        chain += 1
    return 4 * chain + 2 * (popcount(mine & kings) - popcount(before & state.kings))


def turned(board: int) -> int:
    """``board`` seen from the other side of the table."""
    picture = 0
    while board:
        picture |= 1 << (TOP - lowest_index(board))
        board &= board - 1
    return picture


def key(state: Any) -> int:
    pieces = (state.max_pieces << TOP + 1 | state.min_pieces) << TOP + 1 | state.kings
    return pieces << 1 | (state.player == MAX)  # type: ignore[no-any-return]


def bit_of(square: int) -> int:
    """The bit number of a square numbered 1 to 32."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The number, 1 to 32, of the square with that bit number."""
    return bit + 1 - bit // 9


def squares_of(board: int) -> list[int]:
    """The numbers of the squares on ``board``, in order."""
    return [square for square in range(1, SQUARES + 1) if board >> bit_of(square) & 1]


def path(action: int) -> list[int]:
    """The numbers of the squares that a move touches, its origin first."""
    bit, route = action >> 1 & 63, action >> 7
    squares = [square_of(bit)]
    for place in reversed(range(0, route.bit_length() - 1, 2)):
        bit += STEPS[route >> place & 3] * (2 if action & 1 else 1)
        squares.append(square_of(bit))
    return squares


def format_action(state: Any, action: int) -> str:
    """As in PDN, every square of a chain named: ``11-15``, ``15x22``, ``15x22x31``."""
    return ("x" if action & 1 else "-").join(map(str, path(action)))


def parse_action(state: Any, text: str) -> int:
    """A legal move as in PDN, where the squares on the way may be left out if one move alone is meant.

    Raises
    ------
    ValueError
        It names no legal move, or several.
    """
    words = text.strip().lower().replace("x", "-").split("-")
    if len(words) < 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f"{text!r} is not a move; write 11-15 for a step and 15x22, or 15x22x31, for jumps")
    wanted = [int(word) for word in words]
    legal = [(path(action), action) for action in actions(state)]
    found = [action for squares, action in legal if squares == wanted]
    if not found and len(wanted) == 2:
        found = [action for squares, action in legal if [squares[0], squares[-1]] == wanted]
    if not found:
        raise ValueError(f"{text!r} is not a legal move here")
    if len(found) > 1:
        raise ValueError(f"{text!r} may mean {' or '.join(format_action(state, action) for action in found)}")
    return found[0]


def to_text(state: Any) -> str:
    """FEN, as in PDN: who is to move, White's squares, Black's squares, kings with K: ``B:W32,K3:B1,2``.

    Where plies without progress are counted, ``:H`` and their number follow.
    """
    sides = []
    for letter, pieces in (("W", state.min_pieces), ("B", state.max_pieces)):
        kings = pieces & state.kings
        sides.append(letter + ",".join(f"{'K' * (kings >> bit_of(s) & 1)}{s}" for s in squares_of(pieces)))
    counted = f":H{state.quiet}" if isinstance(state, CountedState) else ""
    return f"{'B' if state.player == MAX else 'W'}:{sides[0]}:{sides[1]}{counted}"


def read_squares(text: str) -> tuple[int, int]:
    """Pieces and kings of one side of a FEN: ``1,2,K31``, with ``5-8`` for a run; ValueError where it is none."""
    pieces = kings = 0
    for word in filter(None, text.split(",")):
        first, _, last = word.removeprefix("K").partition("-")
        ends = [int(end) for end in (first, last or first) if end.isascii() and end.isdigit()]
        if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= SQUARES:
            raise ValueError(f"{word!r} is no square; squares are 1 to 32, K before a king's, 5-8 for a run")
        for square in range(ends[0], ends[1] + 1):
            if pieces >> bit_of(square) & 1:
                raise ValueError(f"the square {square} is named twice")
            pieces |= 1 << bit_of(square)
            kings |= (word[0] == "K") << bit_of(square)
    return pieces, kings


def read_fen(text: str) -> tuple[int, int, int, int, int]:
    """MAX's pieces, MIN's, kings, who is to move and plies without progress; ValueError where the text is no FEN."""
    turn, *fields = text.strip().removesuffix(".").split(":")
    sides, quiet = {}, 0
    for field in fields:
        if field[:1] == "H" and field[1:].isascii() and field[1:].isdigit():
            quiet = int(field[1:])
        elif field[:1] in ("W", "B") and field[:1] not in sides:
            sides[field[0]] = field[1:]
        else:
            raise ValueError(f"{text!r} has the part {field!r}; parts begin with W or B, once each, or H and a number")
    if turn not in ("W", "B") or len(sides) != 2:
        raise ValueError(f"{text!r} is no FEN; write B:W21-32:B1-12, who is to move first, K before a king's square")
    (white, white_kings), (black, black_kings) = read_squares(sides["W"]), read_squares(sides["B"])
    if white & black:
        raise ValueError(f"{text!r} has pieces of both on the square {squares_of(white & black)[0]}")
    kings = white_kings | black_kings
    if (black & MAX_LAST_ROW | white & MIN_LAST_ROW) & ~kings:
        raise ValueError(f"{text!r} has a man on its last row; it must be a king")
    return black, white, kings, MAX if turn == "B" else MIN, quiet


def rows(state: Any) -> list[str]:
    """The rows from the top: ``b`` and ``w`` men, ``B`` and ``W`` kings, ``.`` empty dark squares."""
    lines = []
    for row in range(8):
        line = [" "] * 8
        for place in range(4):
            bit = bit_of(row * 4 + place + 1)
            piece = "b" if state.max_pieces >> bit & 1 else "w" if state.min_pieces >> bit & 1 else "."
            line[2 * place + 1 - row % 2] = piece.upper() if state.kings >> bit & 1 else piece
        lines.append(" ".join(line))
    return lines


def draw(state: Any) -> str:
    return "\n".join(f"{line}   {4 * row + 1:>2}-{4 * row + 4}" for row, line in enumerate(rows(state)))


def cell_of(square: int) -> int:
    """The cell, 0 to 63 in reading order, of a square numbered 1 to 32."""
    row, place = divmod(square - 1, 4)
    return row * 8 + 2 * place + 1 - row % 2


def picture(state: Any, legal: list[int]) -> Board:
    """`Game.board`, given the legal actions."""
    pieces = []
    for owner, board in ((MAX, state.max_pieces), (MIN, state.min_pieces)):
        for square in squares_of(board):
            kind = "king" if state.kings >> bit_of(square) & 1 else "man"
            pieces.append(Piece(cell_of(square), owner, kind))
    return Board(
        cells=tuple(Cell(i % 8, i // 8, "dark" if (i // 8 + i) % 2 else "square") for i in range(64)),
        pieces=tuple(pieces),
        clicks={action: tuple(map(cell_of, path(action))) for action in legal},
        labels=tuple(
            (-1 if side == 0 else 8, row, str(4 * row + (1 if side == 0 else 4))) for row in range(8) for side in (0, 1)
        ),
    )


def checkers(no_progress: Annotated[int, range(1001)] = 0) -> Game:
    """English checkers: kings, chains of jumps, who cannot move has lost."""
    parameters = checked(checkers, no_progress=no_progress)

    def is_terminal(state: Any) -> bool:
        if no_progress > 0 and state.quiet >= no_progress:
            return True
        return not can_move(state)

    def utility(state: Any) -> int:
        """Who cannot move has lost, even when the plies without progress are used up."""
        return 0 if can_move(state) else -WIN * state.player

    def is_terminal_plain(state: State) -> bool:
        return not can_move(state)

    def swap(state: Any) -> Any:
        seats = turned(state.min_pieces), turned(state.max_pieces), turned(state.kings), -state.player
        return CountedState(*seats, state.quiet) if no_progress else State(*seats)

    def from_text(text: str) -> Any:
        """The state of a FEN; ValueError where the text is none."""
        black, white, kings, player, quiet = read_fen(text)
        if not no_progress:
            return State(black, white, kings, player)
        if quiet > no_progress:
            raise ValueError(f"{text!r} counts {quiet} plies without progress; at most {no_progress} are possible")
        return CountedState(black, white, kings, player, quiet)

    def board(state: Any) -> Board:
        return picture(state, [] if is_terminal(state) else list(actions(state)))

    initial = (MAX_HOME, MIN_HOME, 0, MAX)
    return Game(
        name="checkers",
        parameters=parameters,
        initial=CountedState(*initial, 0) if no_progress else State(*initial),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result_counted if no_progress else result_plain,
        is_terminal=is_terminal if no_progress else is_terminal_plain,
        utility=utility,
        evaluate=evaluate,
        order=order,
        key=key,
        swap=swap,
        repetition="draw",
        draw=draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
    )
