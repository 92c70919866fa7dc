"""The numbers of EVAL of chess, which ``benchmarks/tune_chess.py`` finds by regression on games of the engine.

`chess_weights.json` holds a value for the middle game and one for the ending of each entry, in hundredths of a pawn.
Tables of squares have eight rows of four: from the first rank up, and from the a-file to the d-file. The other half of
the board mirrors them.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

HALF: Final = 1 << 16
"""A score is the value in the ending times this, plus the value in the middle game."""
MATERIAL: Final = "material"
"""The table of the file that holds what each of `MEN` is worth on any square."""
MEN: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
SQUARES: Final = "_squares"
"""The end of the names of tables of squares."""
FILE: Final = Path(__file__).with_suffix(".json")


class Weights(NamedTuple):
    """Tables of scores."""

    pawn_squares: tuple[int, ...]
    """What a pawn is worth on each square; so for the other men. In the file these numbers are what a square adds to
    the entry of `MATERIAL`."""
    knight_squares: tuple[int, ...]
    bishop_squares: tuple[int, ...]
    rook_squares: tuple[int, ...]
    queen_squares: tuple[int, ...]
    king_squares: tuple[int, ...]
    knight_moves: tuple[int, ...]
    """By the number of squares to which a knight can move that no pawn guards; so for the other men."""
    bishop_moves: tuple[int, ...]
    rook_moves: tuple[int, ...]
    queen_moves: tuple[int, ...]
    isolated: tuple[int, ...]
    """A pawn without a pawn of its side on the files beside it; a table of one entry, as are others."""
    doubled: tuple[int, ...]
    """A pawn behind another of its side."""
    connected: tuple[int, ...]
    """A pawn that has a pawn of its side beside it, or is guarded by one, by its rank."""
    passed: tuple[int, ...]
    """A pawn whose way no rival pawn can stop, by its rank."""
    blocked: tuple[int, ...]
    """A passed pawn with a man of the opponent before it, by its rank."""
    own_king: tuple[int, ...]
    """A passed pawn, by the steps of its king to the square before it."""
    rival_king: tuple[int, ...]
    """A passed pawn, by the steps of the other king to the square before it."""
    bishop_pair: tuple[int, ...]
    open_file: tuple[int, ...]
    """A rook on a file without pawns."""
    half_open_file: tuple[int, ...]
    """A rook on a file with pawns of the opponent alone."""
    shelter: tuple[int, ...]
    """By the number of pawns on the two ranks before the king."""
    danger: tuple[int, ...]
    """By the attacks on the squares around the other king. An attack of a knight or a bishop counts 2, of a rook 3, and
    of a queen 4."""
    checks: tuple[int, ...]
    """A square from which a knight, a bishop, a rook, or the queen can give check, and that no pawn guards."""
    threat: tuple[int, ...]
    """A man of the opponent, other than a pawn, that a pawn attacks; a man that no pawn guards, attacked by a knight or
    bishop; a rook or queen that they attack; such a man attacked by a rook; by a queen."""
    supported: tuple[int, ...]
    """A passed pawn, if its side attacks the square before it, by its rank."""
    stop_open: tuple[int, ...]
    """A passed pawn, if the opponent does not attack the square before it but one behind that, by its rank."""
    way_open: tuple[int, ...]
    """A passed pawn, if the opponent attacks no square of its way, by its rank."""
    loose: tuple[int, ...]
    """A man of this side, other than the king, that no other man guards."""
    hanging: tuple[int, ...]
    """A man of the opponent that is attacked and not guarded: a pawn, a knight or a bishop, a rook or a queen. Then the
    same three for the side to move."""
    safe_checks: tuple[int, ...]
    """Whether a knight, a bishop, a rook, or a queen can give check on a square that no man of the opponent guards; or
    the king alone does, and two men attack it. Then the same four for the side to move."""
    crowded: tuple[int, ...]
    """A square around the other king that two men attack and that he alone guards."""
    space: tuple[int, ...]
    """A square of the far half of the board that this side attacks and the opponent does not."""


def score(middle: int, end: int) -> int:
    """Return a value in the middle game and one in the ending as one int."""
    return end * HALF + middle


def mirrored(half: Sequence[Any]) -> tuple[Any, ...]:
    """Return a table of 64 squares from the 32 of its left half."""
    return tuple(half[4 * row + min(column, 7 - column)] for row in range(8) for column in range(8))


def tables(terms: Mapping[str, Sequence[Any]]) -> Weights:
    """Return the tables that EVAL uses: material added to the squares, and both halves of the board.

    Parameters
    ----------
    terms
        The entries of each table of the file, one after the other. They are numbers, or whatever else can be added.
    """
    found: dict[str, Any] = {}
    for name, entries in terms.items():
        if name.endswith(SQUARES):
            man = terms[MATERIAL][MEN.index(name.removesuffix(SQUARES))]
            found[name] = mirrored([man + entry for entry in entries])
        elif name != MATERIAL:
            found[name] = tuple(entries)
    return Weights(**found)


def read_weights(path: Path = FILE) -> Weights:
    """Read the tables from a file."""
    terms = {}
    for name, phases in json.loads(path.read_text(encoding="utf-8")).items():
        middle, end = (chain.from_iterable(phases[phase]) for phase in ("middle", "end"))
        terms[name] = tuple(map(score, middle, end))
    return tables(terms)


def without_squares(weights: Weights) -> Weights:
    """Return weights in which every square counts as the middle of the board, for boards of other sizes."""
    names = [name for name in Weights._fields if name.endswith(SQUARES)]
    return weights._replace(**{name: (getattr(weights, name)[27],) * 64 for name in names})


WEIGHTS: Final = read_weights()
