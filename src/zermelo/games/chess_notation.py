"""Moves of chess as text: standard algebraic notation, as in PGN (S. Edwards, 1994), and coordinates, as in UCI."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from zermelo.bits import lowest_index
from zermelo.game import Game
from zermelo.games.chess_board import BISHOP, KNIGHT, QUEEN, ROOK, State, attackers, kings, men_of, sides

FILES: Final = "abcdefgh"
PROMOTIONS: Final = {KNIGHT: "N", BISHOP: "B", ROOK: "R", QUEEN: "Q"}
"""The letters of the pieces that a pawn may become."""
_SAN: Final = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?([NBRQ]))?")


class Rules(NamedTuple):
    """The rules of one board, on which notation depends."""

    size: int
    walls: int
    """The squares outside of the board."""
    is_960: bool
    """Whether to write castling in coordinates as the king's move to the square of his rook, as Chess960 does."""
    actions: Callable[[State], Iterable[int]]
    result: Callable[[State, int], State]
    with_legal_en_passant: Callable[[State], State]


def name_of(square: int) -> str:
    """Return a square's name: ``e4``."""
    return f"{FILES[square % 8]}{square // 8 + 1}"


def square_of(name: str) -> int:
    """Return the square of that name."""
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


def is_castling(state: State, action: int) -> bool:
    """Return whether a move is castling: the king moves to the square of his own rook."""
    own, _ = sides(state)
    return bool(own >> (action >> 6 & 63) & 1)


def in_check(rules: Rules, state: State) -> bool:
    """Return whether the player to move is in check."""
    own, theirs = sides(state)
    king = lowest_index(kings(state) & own)
    return attackers(state, king, own | theirs | rules.walls, theirs) != 0


def san(rules: Rules, state: State, action: int) -> str:
    """Return a move in standard algebraic notation: ``Nf3``, ``exd8=Q+``, ``O-O``."""
    origin, target, promotion = action & 63, action >> 6 & 63, action >> 12
    after = rules.result(state, action)
    mark = ("+" if any(True for _ in rules.actions(after)) else "#") if in_check(rules, after) else ""
    if is_castling(state, action):
        return ("O-O" if target > origin else "O-O-O") + mark
    men = men_of(state)
    letter = men[origin].upper()
    if letter == "P":
        takes = f"{FILES[origin % 8]}x" if (target - origin) % 8 else ""
        return takes + name_of(target) + (f"={PROMOTIONS[promotion]}" if promotion else "") + mark
    alike = {square for square, man in men.items() if man == men[origin]} - {origin}
    rivals = alike and alike & {other & 63 for other in rules.actions(state) if other >> 6 & 63 == target}
    return letter + _apart(origin, rivals) + ("x" if target in men else "") + name_of(target) + mark


def _apart(origin: int, rivals: set[int]) -> str:
    """Return what tells the man on one square from others of its kind that can move to the same square."""
    if not rivals:
        return ""
    if all(rival % 8 != origin % 8 for rival in rivals):
        return FILES[origin % 8]
    if all(rival // 8 != origin // 8 for rival in rivals):
        return str(origin // 8 + 1)
    return name_of(origin)


def arrival(rules: Rules, state: State, action: int) -> int:
    """Return the square to which people move a man: with castling, where the king arrives.

    In Chess960, and wherever king or rook do not stand as in usual chess, it is the square of the rook.
    """
    origin, target = action & 63, action >> 6 & 63
    if not is_castling(state, action) or rules.is_960 or origin % 8 != 4 or target % 8 not in (0, 7):
        return target
    return origin + 2 if target > origin else origin - 2


def uci(rules: Rules, state: State, action: int) -> str:
    """Return a move as UCI writes it: ``e2e4``, ``e7e8q``, ``e1g1``; in Chess960 ``e1h1`` to castle."""
    promotion = PROMOTIONS[action >> 12].lower() if action >> 12 else ""
    return name_of(action & 63) + name_of(arrival(rules, state, action)) + promotion


def read_move(rules: Rules, state: State, text: str) -> int:
    """Return the legal move that a text means, in algebraic notation or in coordinates.

    Raises
    ------
    ValueError
        It means none, or several.
    """
    plain = text.strip().rstrip("+#!?")
    legal = list(rules.actions(state))
    found = [action for action in legal if uci(rules, state, action) == plain] or _named(state, legal, plain)
    if len(found) == 1:
        return found[0]
    if found:
        names = [san(rules, state, action) for action in found]
        raise ValueError(f"{text!r} may mean {', '.join(names[:-1])} or {names[-1]}")
    raise ValueError(f"{text!r} is not a legal move; write Nf3 or g1f3")


def _named(state: State, legal: list[int], plain: str) -> list[int]:
    """Return the legal moves that a text in algebraic notation describes, or the king's move to his rook's square."""
    if plain.replace("0", "O") in ("O-O", "O-O-O"):
        short = len(plain) == len("O-O")
        return [a for a in legal if is_castling(state, a) and (a >> 6 & 63 > a & 63) == short]
    said = _SAN.fullmatch(plain)
    if said is None:
        return []
    letter, file, rank, target, promotion = said.groups()
    men = men_of(state)
    return [
        action
        for action in legal
        if action >> 6 & 63 == square_of(target)
        and file in ("", FILES[action % 8])
        and rank in ("", str((action & 63) // 8 + 1))
        and PROMOTIONS.get(action >> 12) == promotion
        and (
            file + rank != "" and letter == ""
            if is_castling(state, action)
            else men[action & 63].upper() == (letter or "P")
        )
    ]


def as_960(factory: Callable[..., Game]) -> Game:
    """Return usual chess whose moves are written as those of Chess960: the rules are the same."""
    return replace(factory(start=0), initial=factory().initial)
