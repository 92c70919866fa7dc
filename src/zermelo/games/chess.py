"""Chess, with the rules of the `chess` package, which must be installed: ``pip install 'zermelo[chess]'``.

Variant: the FIDE Laws of Chess (handbook.fide.com), except that three draws are automatic and come sooner: a position
that comes back once, 50 moves of each side without a capture or a pawn's move, and too few men to mate on both sides.
MAX is White. States hold text and not only ints, so the textbook's searches can play chess, and the engine cannot.

An action is ``origin + 64 * target + 4096 * piece``. Squares are numbered from a1 along the ranks; ``piece`` is what a
pawn becomes: 0 nothing, 2 a knight, 3 a bishop, 4 a rook, 5 a queen.

The `chess` package is under the GPL, version 3 or later. Zermelo is under the Apache licence, and imports the package
only when this game is made. If you distribute both together, the GPL applies.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from zermelo.board import Board, Cell, Piece
from zermelo.errors import ZermeloError
from zermelo.game import MAX, MIN, Game

if TYPE_CHECKING:
    import chess as rules

WIN = 10000
VALUES = (0, 100, 320, 330, 500, 900, 0)
"""The values of a pawn, knight, bishop, rook, queen and king: C. Shannon's, with a bishop a little above a knight."""
QUIET_LIMIT = 100
"""The number of plies without a capture or a pawn's move that makes a draw."""
BOARDS_KEPT = 4096
"""How many boards are cached, so that a state is not parsed again for each rule."""


class State(NamedTuple):
    """A position, and the plies since the last capture or pawn's move."""

    position: str
    """The first four fields of a FEN: men, side to move, castling, and en passant if such a capture is legal."""
    quiet: int
    """Plies since the last capture or pawn's move."""


def chess() -> Game:
    """Chess, interpreted: mate the king; needs the package `chess`."""
    try:
        import chess as rules
    except ImportError:
        raise ZermeloError(
            "The game chess needs the package 'chess', which is not installed; "
            "pip install 'zermelo[chess]' installs it."
        ) from None

    @lru_cache(maxsize=BOARDS_KEPT)
    def board_of(state: State) -> "rules.Board":
        """Return the board of a state; callers must not change it."""
        return rules.Board(f"{state.position} {state.quiet} 1")

    def state_of(board: "rules.Board") -> State:
        return State(board.epd(en_passant="legal"), board.halfmove_clock)

    def move_of(action: int) -> "rules.Move":
        return rules.Move(action & 63, action >> 6 & 63, action >> 12 or None)

    def action_of(move: "rules.Move") -> int:
        return int(move.from_square | move.to_square << 6 | (move.promotion or 0) << 12)

    def to_move(state: State) -> int:
        return MAX if board_of(state).turn else MIN

    def actions(state: State) -> Iterator[int]:
        for move in board_of(state).generate_legal_moves():
            yield action_of(move)

    def result(state: State, action: int) -> State:
        board = board_of(state).copy(stack=False)
        board.push(move_of(action))
        return state_of(board)

    def is_terminal(state: State) -> bool:
        board = board_of(state)
        if state.quiet >= QUIET_LIMIT or board.is_insufficient_material():
            return True
        return not any(board.generate_legal_moves())

    def utility(state: State) -> int:
        return -WIN * to_move(state) if board_of(state).is_checkmate() else 0

    def evaluate(state: State) -> int:
        """Sum the values of the men, and 2 for each square that a knight, bishop, rook or queen attacks."""
        board = board_of(state)
        value = 0
        for square, piece in board.piece_map().items():
            worth = VALUES[piece.piece_type]
            if piece.piece_type not in (rules.PAWN, rules.KING):
                worth += 2 * len(board.attacks(square))
            value += worth if piece.color else -worth
        return max(1 - WIN, min(WIN - 1, value))

    def order(state: State, action: int) -> int:
        """Put captures of valuable men by less valuable ones first, then promotions."""
        board, move = board_of(state), move_of(action)
        gain = VALUES[move.promotion or 0]
        if board.is_capture(move):
            victim = board.piece_type_at(move.to_square) or rules.PAWN
            mover = board.piece_type_at(move.from_square) or rules.KING
            gain += 10 * VALUES[victim] - VALUES[mover]
        return gain

    def key(state: State) -> int:
        return int.from_bytes(state.position.encode(), "big")

    def swap(state: State) -> State:
        """Return the position with colours exchanged and the ranks in reverse order."""
        return state_of(board_of(state).mirror())

    def format_action(state: State, action: int) -> str:
        """Write standard algebraic notation: ``Nf3``, ``exd8=Q+``."""
        return str(board_of(state).san(move_of(action)))

    def parse_action(state: State, text: str) -> int:
        """Read a legal move in standard algebraic notation, ``Nf3``, or in UCI's, ``g1f3``."""
        board = board_of(state)
        for read in (board.parse_san, board.parse_uci):
            try:
                return action_of(read(text.strip()))
            except ValueError:
                continue
        raise ValueError(f"{text!r} is not a legal move; write Nf3 or g1f3")

    def to_text(state: State) -> str:
        """Write a FEN; moves are not counted, so its last number is always 1."""
        return f"{state.position} {state.quiet} 1"

    def from_text(text: str) -> State:
        """Read a FEN, whose numbers may be left out; raise ValueError for other text and for illegal positions."""
        try:
            board = rules.Board(text.strip())
        except (ValueError, IndexError) as error:
            raise ValueError(f"{text!r} is not a FEN: {error}") from None
        if not board.is_valid():
            faults = ", ".join(name.lower().replace("_", " ") for name in str(board.status().name).split("|"))
            raise ValueError(f"{text!r} is not a possible position: {faults}")
        return state_of(board)

    def draw(state: State) -> str:
        lines = str(board_of(state)).splitlines()
        numbered = [f"{8 - row} {line}" for row, line in enumerate(lines)]
        return "\n".join([*numbered, "  a b c d e f g h"])

    def clicks(action: int) -> tuple[int, ...]:
        """Return the clicks on origin and target, and for a promotion a third one.

        The third click is on the target for a queen, and on the squares behind it for the other pieces.
        """
        origin, target, piece = action & 63 ^ 56, action >> 6 & 63 ^ 56, action >> 12
        if not piece:
            return origin, target
        return origin, target, target + (rules.QUEEN - piece) * (8 if target < 8 else -8)

    def board(state: State) -> Board:
        pieces = board_of(state).piece_map()
        return Board(
            cells=tuple(Cell(i % 8, i // 8, "dark" if (i // 8 + i) % 2 else "square") for i in range(64)),
            pieces=tuple(
                Piece(square ^ 56, MAX if piece.color else MIN, piece.unicode_symbol())
                for square, piece in sorted(pieces.items())
            ),
            clicks={action: clicks(action) for action in ([] if is_terminal(state) else actions(state))},
            labels=tuple((i, 8, "abcdefgh"[i]) for i in range(8)) + tuple((-1, i, str(8 - i)) for i in range(8)),
        )

    return Game(
        name="chess",
        initial=state_of(rules.Board()),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
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
        sides=("White", "Black"),
    )
