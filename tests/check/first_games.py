"""Three games as people write them first, each small, and twenty-two mistakes as people make them.

King and rook against king on 4 x 4, where positions come back and only MAX can win; amazons on 4 x 3, where whoever
cannot move loses; fox and hounds on 6 x 6, where the two sides differ.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from zermelo.game import MAX, MIN, Game

WIN = 100


# --- king and rook against king: MAX is White


class Krk(NamedTuple):
    king: int
    rook: int
    """-1 where it was taken."""
    enemy: int
    player: int


SIZE = 4
CELLS = range(SIZE * SIZE)
NOWHERE = -99


def near(one: int, other: int) -> bool:
    return abs(one // SIZE - other // SIZE) <= 1 and abs(one % SIZE - other % SIZE) <= 1


def sees(rook: int, cell: int, king: int) -> bool:
    """Whether a rook attacks a cell, with a king that may stand between; no cell of the board is none."""
    if rook < 0 or rook == cell or (rook // SIZE != cell // SIZE and rook % SIZE != cell % SIZE):
        return False
    inside = min(rook, cell) < king < max(rook, cell)
    return not (inside and (king // SIZE == rook // SIZE == cell // SIZE or king % SIZE == rook % SIZE == cell % SIZE))


def in_check(state: Krk) -> bool:
    return sees(state.rook, state.enemy, state.king)


def krk_actions(state: Krk, stops: bool = True) -> Iterator[int]:
    """The king to a cell, 16 and more for the rook; where the own king does not stop the rook, it sees through it."""
    own = state.king if stops else NOWHERE
    for cell in CELLS:
        if state.player == MAX:
            if cell not in (state.king, state.rook) and near(state.king, cell) and not near(cell, state.enemy):
                yield cell
        elif cell == state.enemy or not near(state.enemy, cell) or near(cell, state.king):
            continue
        elif not sees(state.rook, cell, own):
            yield cell
    for cell in CELLS if state.player == MAX else ():
        taken = cell in (state.rook, state.king, state.enemy)
        if not taken and sees(state.rook, cell, own) and sees(state.rook, cell, state.enemy):
            yield 16 + cell


def krk_result(state: Krk, action: int) -> Krk:
    if action >= 16:
        return state._replace(rook=action - 16, player=MIN)
    if state.player == MAX:
        return state._replace(king=action, player=MIN)
    return Krk(state.king, -1 if action == state.rook else state.rook, action, MAX)


def krk_over(state: Krk) -> bool:
    return state.rook < 0 or (state.player == MIN and not list(krk_actions(state)))


def krk_utility(state: Krk) -> int:
    return WIN if state.rook >= 0 and in_check(state) else 0


def krk_evaluate(state: Krk) -> int:
    """The nearer the enemy to the edge, the better; without a rook there is nothing to hope for."""
    row, column = divmod(state.enemy, SIZE)
    return 0 if state.rook < 0 else 10 - 2 * min(row, column, SIZE - 1 - row, SIZE - 1 - column)


def krk_mirrored(state: Krk) -> Iterator[Krk]:
    yield Krk(mirror(state.king), mirror(state.rook), mirror(state.enemy), state.player)


def mirror(cell: int) -> int:
    return cell if cell < 0 else cell // SIZE * SIZE + SIZE - 1 - cell % SIZE


KRK = Game(
    name="krk", initial=Krk(0, 5, 15, MAX), utility_range=(-WIN, WIN), to_move=lambda state: state.player,
    actions=krk_actions, result=krk_result, is_terminal=krk_over, utility=krk_utility, evaluate=krk_evaluate,
    symmetries=krk_mirrored, repetition="draw",
)  # fmt: skip


# --- amazons, one each: move like a queen, then shoot an arrow like a queen


class Amazons(NamedTuple):
    mine: int
    """The queen of the player to move."""
    other: int
    blocked: int
    player: int


WIDE, HIGH = 4, 3
AREA = WIDE * HIGH
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))


def reach(cell: int, blocked: int) -> Iterator[int]:
    for down, right in WAYS:
        row, column = cell // WIDE + down, cell % WIDE + right
        while 0 <= row < HIGH and 0 <= column < WIDE and not blocked >> (row * WIDE + column) & 1:
            yield row * WIDE + column
            row, column = row + down, column + right


def amazons_actions(state: Amazons) -> Iterator[int]:
    for cell in reach(state.mine, state.blocked | 1 << state.other):
        for arrow in reach(cell, state.blocked | 1 << state.other):
            yield cell * AREA + arrow


def amazons_result(state: Amazons, action: int) -> Amazons:
    cell, arrow = divmod(action, AREA)
    return Amazons(state.other, cell, state.blocked | 1 << arrow, -state.player)


def amazons_over(state: Amazons) -> bool:
    return not list(amazons_actions(state))


def amazons_utility(state: Amazons) -> int:
    return -WIN * state.player


def amazons_key(state: Amazons) -> int:
    return ((state.blocked * AREA + state.mine) * AREA + state.other) * 2 + (state.player > 0)


def amazons_text(state: Amazons, action: int) -> str:
    return "-".join("abcdefghijkl"[cell] for cell in divmod(action, AREA))


AMAZONS = Game(
    name="amazons", initial=Amazons(0, AREA - 1, 0, MAX), utility_range=(-WIN, WIN), to_move=lambda state: state.player,
    actions=amazons_actions, result=amazons_result, is_terminal=amazons_over, utility=amazons_utility, key=amazons_key,
    format_action=amazons_text, tier=lambda state: bin(state.blocked).count("1"),
)  # fmt: skip


# --- fox and hounds: MAX is the fox and wants to the top, MIN has three hounds that only go down


class Fox(NamedTuple):
    fox: int
    hounds: int
    player: int


SIDE = 6


def steps(cell: int, ways: tuple[int, ...], full: int) -> Iterator[int]:
    for down in ways:
        for right in (-1, 1):
            row, column = cell // SIDE + down, cell % SIDE + right
            if 0 <= row < SIDE and 0 <= column < SIDE and not full >> (row * SIDE + column) & 1:
                yield row * SIDE + column


def fox_actions(state: Fox) -> Iterator[int]:
    full = state.hounds | 1 << state.fox
    for cell in range(SIDE * SIDE):
        if state.player == MAX and cell == state.fox:
            for other in steps(cell, (-1, 1), full):
                yield cell * SIDE * SIDE + other
        elif state.player == MIN and state.hounds >> cell & 1:
            for other in steps(cell, (1,), full):
                yield cell * SIDE * SIDE + other


def fox_result(state: Fox, action: int) -> Fox:
    cell, other = divmod(action, SIDE * SIDE)
    if state.player == MAX:
        return Fox(other, state.hounds, MIN)
    return Fox(state.fox, state.hounds ^ 1 << cell ^ 1 << other, MAX)


def escaped(state: Fox) -> bool:
    return state.fox < SIDE


def fox_over(state: Fox) -> bool:
    return escaped(state) or not list(fox_actions(state))


def fox_utility(state: Fox) -> int:
    return WIN if escaped(state) or state.player == MIN else -WIN


def fox_tier(state: Fox) -> int:
    """The rows that hounds have left behind: no move lowers it."""
    return sum(cell // SIDE for cell in range(SIDE * SIDE) if state.hounds >> cell & 1)


FOX = Game(
    name="fox", initial=Fox(33, 1 << 1 | 1 << 3 | 1 << 5, MAX), utility_range=(-WIN, WIN),
    to_move=lambda state: state.player, actions=fox_actions, result=fox_result, is_terminal=fox_over,
    utility=fox_utility, tier=fox_tier,
)  # fmt: skip

HEALTHY = {"krk": KRK, "amazons": AMAZONS, "fox": FOX}
"""What each was meant to be; the auditor's notes on it are true, and no finding of a mistake."""

PLANTED: dict[str, Game] = {
    "krk: the winner's sign is reversed": replace(KRK, utility=lambda s: -krk_utility(s)),
    "krk: the rook sees through a king": replace(
        KRK,
        actions=lambda s: krk_actions(s, False),
        is_terminal=lambda s: over_through(s),
        utility=lambda s: utility_through(s),
    ),
    "krk: repetition is forgotten": replace(KRK, repetition=None),
    "krk: no moves, and not over": replace(KRK, is_terminal=lambda s: s.rook < 0),
    "krk: a draw forgets its return": replace(KRK, utility=lambda s: krk_utility(s) or None),
    "krk: the mirror forgets the rook": replace(
        KRK, symmetries=lambda s: [next(krk_mirrored(s))._replace(rook=s.rook)]
    ),
    "krk: EVAL is for MIN": replace(KRK, evaluate=lambda s: -krk_evaluate(s)),
    "krk: a static evaluation like a win": replace(KRK, evaluate=lambda s: 11 * krk_evaluate(s)),
    "amazons: utility is the mover's": replace(AMAZONS, utility=lambda s: -WIN),
    "amazons: over although it has moves": replace(AMAZONS, is_terminal=lambda s: len(list(amazons_actions(s))) < 2),
    "amazons: the turn never changes": replace(AMAZONS, result=lambda s, a: kept_turn(s, a)),
    "amazons: arrows leave no trace": replace(AMAZONS, result=lambda s, a: amazons_result(s, a)._replace(blocked=0)),
    "amazons: an action twice": replace(
        AMAZONS, actions=lambda s: [*amazons_actions(s), *list(amazons_actions(s))[:1]]
    ),
    "amazons: utility beyond the range": replace(AMAZONS, utility_range=(-WIN // 2, WIN // 2)),
    "amazons: a key without the other queen": replace(AMAZONS, key=lambda s: s.blocked * AREA + s.mine),
    "amazons: two actions of one name": replace(AMAZONS, format_action=lambda s, a: amazons_text(s, a)[0]),
    "amazons: a tier that falls": replace(AMAZONS, tier=lambda s: -bin(s.blocked).count("1")),
    "fox: to_move is negated": replace(FOX, to_move=lambda s: -s.player),
    "fox: the winner's sign is reversed": replace(FOX, utility=lambda s: -fox_utility(s)),
    "fox: three players": replace(FOX, to_move=lambda s: s.player + 1),
    "fox: bounds that do not hold": replace(FOX, bounds=lambda s: (0, WIN) if s.player == MAX else (-WIN, 0)),
    "fox: a needless repetition": replace(FOX, repetition="draw"),
}
NOT_FOUND = ("krk: the rook sees through a king", "krk: EVAL is for MIN")
"""The first are the rules of another game, in which nothing is wrong; of the second, no ending is small enough."""
TRUE_NOTES = {"krk": {"one winner"}, "amazons": set(), "fox": {"utility alike", "over with actions"}}
"""What is said of the games as they were meant: a rook cannot lose, random hounds never win, and a fox that has
escaped ends a game that being stuck ends, too."""


def over_through(state: Krk) -> bool:
    return state.rook < 0 or (state.player == MIN and not list(krk_actions(state, stops=False)))


def utility_through(state: Krk) -> int:
    return WIN if sees(state.rook, state.enemy, NOWHERE) else 0


def kept_turn(state: Amazons, action: int) -> Amazons:
    after = amazons_result(state, action)
    return Amazons(after.other, after.mine, after.blocked, state.player)
