"""Positions of chess as text: FEN (S. Edwards, 1994), and the starting positions.

The castling field names the outermost rooks K and Q, and other rooks by their files, as in X-FEN (R. Scharnagl). When
read, any rook may also be named by its file, as in Shredder-FEN. A halfmove clock of ``-`` is not counted.
"""

import re
from itertools import combinations

from zermelo.bits import lowest_index
from zermelo.game import MAX, MIN
from zermelo.games.chess_board import LETTERS, RANK, UNCOUNTED, State, kings, men_of, sides, state_of
from zermelo.games.chess_notation import FILES, Rules, in_check, name_of, square_of

USUAL = 518
"""The number of the usual starting position in Chess960."""


def first_position(size: int, start: int) -> str:
    """Return the FEN of a starting position."""
    if size == 5:
        return "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"
    if size == 6:
        return "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"
    rank = first_rank(start)
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


def first_rank(start: int) -> str:
    """Return the men of White's first rank in Chess960, by the numbering of R. Scharnagl."""
    rest, light = divmod(start, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1], rank[2 * dark] = "B", "B"
    free = [file for file in range(8) if not rank[file]]
    rank[free.pop(queen)] = "Q"
    first, second = list(combinations(range(5), 2))[knights]
    rank[free[first]] = rank[free[second]] = "N"
    rook, king, other = (file for file in range(8) if not rank[file])
    rank[rook], rank[king], rank[other] = "R", "K", "R"
    return "".join(rank)


def fen(rules: Rules, state: State) -> str:
    """Return a position as a FEN. A state does not count moves, so the last number is always 1."""
    men = men_of(state)
    rows = []
    for row in reversed(range(rules.size)):
        line = "".join(men.get(8 * row + column, ".") for column in range(rules.size))
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), line))
    turn = "w" if state.player == MAX else "b"
    passed = name_of(lowest_index(state.en_passant)) if state.en_passant else "-"
    clock = "-" if state.halfmove_clock == UNCOUNTED else state.halfmove_clock
    return f"{'/'.join(rows)} {turn} {_castling_field(state, men)} {passed} {clock} 1"


def _castling_field(state: State, men: dict[int, str]) -> str:
    """Return the castling field: K and Q for the outermost rooks, else the files of the rooks."""
    field = ""
    for letter, own in (("R", state.white), ("r", state.black)):
        rights = [square for square in range(64) if state.castling & own & 1 << square]
        if not rights:
            continue
        king = lowest_index(kings(state) & own)
        rooks = [square for square in _rank_of(king) if men.get(square) == letter]
        for square in reversed(rights):
            outermost = square == (max(rooks) if square > king else min(rooks))
            name = ("K" if square > king else "Q") if outermost else FILES[square % 8].upper()
            field += name if letter == "R" else name.lower()
    return field or "-"


def _rank_of(square: int) -> range:
    """Return the squares of the rank of a square."""
    return range(square & 56, (square & 56) + 8)


def read_fen(rules: Rules, text: str) -> State:
    """Return the position that a FEN means. All fields but the first may be left out; operations of EPD are ignored.

    Raises
    ------
    ValueError
        The text is no FEN, or no game can come to the position.
    """
    fields = text.split()
    if fields and fields[-1].endswith(";"):
        fields = fields[:4]
    if not 1 <= len(fields) <= 6:
        raise ValueError(f"a FEN has one to six fields, and this text has {len(fields)}")
    rows, turn, rights, passed, clock, number = [*fields, *("", "w", "-", "-", "0", "1")[len(fields) :]]
    men = _read_rows(rows, rules.size)
    if turn not in ("w", "b"):
        raise ValueError(f"the second field must be w or b, the side to move, and not {turn}")
    for each in ("0" if clock == "-" else clock, number):
        if not (each.isascii() and each.isdecimal() and len(each) < 6):
            raise ValueError(f"the last two fields must be numbers of moves, and not {each}")
    words = {letter: sum(1 << square for square, man in men.items() if man == letter) for letter in LETTERS}
    state = state_of(words, MAX if turn == "w" else MIN, UNCOUNTED if clock == "-" else int(clock))
    _require_possible(rules, state)
    state = state._replace(castling=_read_castling(rights, rules.size, men))
    if passed == "-":
        return state
    return rules.with_legal_en_passant(state._replace(en_passant=_read_en_passant(rules, state, passed)))


def _read_rows(rows: str, size: int) -> dict[int, str]:
    """Return the men of the first field; ValueError if it is wrong."""
    men, widths = {}, []
    for row, line in enumerate(rows.split("/")):
        column = 0
        for mark in line:
            if mark in "12345678":
                column += int(mark)
            elif mark in LETTERS:
                men[8 * (size - 1 - row) + column] = mark
                column += 1
            else:
                raise ValueError(f"the first field has a {mark!r}, which is no man")
        widths.append(column)
    if widths != [size] * size:
        raise ValueError(f"the first field must have {size} ranks of {size} squares")
    return men


def _require_possible(rules: Rules, state: State) -> None:
    """Refuse men with whom no game goes on; ValueError says why."""
    last = RANK | RANK << 8 * (rules.size - 1)
    for name, own in (("White", state.white), ("Black", state.black)):
        if (kings(state) & own).bit_count() != 1:
            raise ValueError(f"{name} must have one king")
        if (state.pawns & own).bit_count() > rules.size:
            raise ValueError(f"{name} has more than {rules.size} pawns")
        if own.bit_count() > 2 * rules.size:
            raise ValueError(f"{name} has more than {2 * rules.size} men")
    if state.pawns & last:
        raise ValueError("a pawn stands on a last rank")
    if in_check(rules, state._replace(player=-state.player)):
        raise ValueError("the side that is not to move is in check")


def _read_castling(rights: str, size: int, men: dict[int, str]) -> int:
    """Return the rooks that the third field names; ValueError if one of them cannot castle."""
    if rights == "-":
        return 0
    found: dict[tuple[int, bool], int] = {}
    for letter in rights:
        own = str.upper if letter.isupper() else str.lower
        home = range(8) if letter.isupper() else range(56, 64)
        king = next((square for square in home if men.get(square) == own("k")), None)
        rooks = [square for square in home if men.get(square) == own("r")]
        if letter in "Kk":
            rooks = [square for square in rooks[-1:] if king is not None and square > king]
        elif letter in "Qq":
            rooks = [square for square in rooks[:1] if king is not None and square < king]
        else:
            rooks = [square for square in rooks if FILES[square % 8] == letter.lower()]
        if king is None or not rooks or size != 8:
            raise ValueError(f"there is no king and rook that can castle for {letter!r} in the third field")
        if found.setdefault((king, rooks[0] > king), rooks[0]) != rooks[0]:
            raise ValueError(f"the third field, {rights}, names two rooks on the same side of a king")
    return sum(1 << rook for rook in found.values())


def _read_en_passant(rules: Rules, state: State, passed: str) -> int:
    """Return the passed square that the fourth field names; ValueError if no pawn has just passed it."""
    if re.fullmatch("[a-h][36]", passed) and rules.size == 8:
        square = square_of(passed)
        _, theirs = sides(state)
        pawn, behind = 1 << square - 8 * state.player, 1 << square + 8 * state.player
        came = passed[1] == ("6" if state.player == MAX else "3") and theirs & state.pawns & pawn
        if came and not (state.white | state.black) & (1 << square | behind):
            return 1 << square
    raise ValueError(f"the fourth field must be - or a square that a pawn has just passed, and not {passed}")
