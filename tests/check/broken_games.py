"""Games that are broken on purpose, one mistake each, with the check that must find it.

All are made from one small healthy game that tells all a game can tell: two heaps; take one to three from either;
whoever takes the last one wins.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game

START = (5, 4)
WIN = 10


class Heaps(NamedTuple):
    left: int
    right: int
    player: int


def to_move(state: Heaps) -> int:
    return state.player


def actions(state: Heaps) -> Iterator[int]:
    """1 to 3 from the left heap, 4 to 6 for 1 to 3 from the right one."""
    for action in range(1, 7):
        if (action <= 3 and action <= state.left) or (action > 3 and action - 3 <= state.right):
            yield action


def result(state: Heaps, action: int) -> Heaps:
    if action <= 3:
        return Heaps(state.left - action, state.right, -state.player)
    return Heaps(state.left, state.right - action + 3, -state.player)


def is_terminal(state: Heaps) -> bool:
    return state.left == 0 and state.right == 0


def utility(state: Heaps) -> int:
    return -WIN * state.player


def evaluate(state: Heaps) -> int:
    return -5 * state.player if state.left % 4 == state.right % 4 else 5 * state.player


def key(state: Heaps) -> int:
    return (state.left * 16 + state.right) * 2 + (1 if state.player == MAX else 0)


def symmetries(state: Heaps) -> Iterator[Heaps]:
    yield Heaps(state.right, state.left, state.player)


def swap(state: Heaps) -> Heaps:
    return Heaps(state.left, state.right, -state.player)


def sufficient_actions(state: Heaps) -> Iterator[int]:
    """The last heap, if it can be taken whole; else anything."""
    if state.right == 0 and state.left <= 3:
        yield state.left
    else:
        for action in actions(state):
            yield action


def noisy_actions(state: Heaps) -> Iterator[int]:
    for action in actions(state):
        if action % 3 == 0:
            yield action


def bounds(state: Heaps) -> tuple[int, int]:
    if state.right == 0 and state.left <= 3:
        return state.player * WIN, state.player * WIN
    return -WIN, WIN


def tier(state: Heaps) -> int:
    return sum(START) - state.left - state.right


def order(state: Heaps, action: int) -> int:
    return action


def format_action(state: Heaps, action: int) -> str:
    return f"{'LR'[action > 3]}{(action - 1) % 3 + 1}"


def parse_action(state: Heaps, text: str) -> int:
    if len(text) != 2 or text[0] not in "LR" or text[1] not in "123":
        raise ValueError(f"{text!r} is not L or R and a number from 1 to 3")
    return int(text[1]) + 3 * (text[0] == "R")


def draw(state: Heaps) -> str:
    return f"{'|' * state.left}\n{'|' * state.right}\n{'MAX' if state.player == MAX else 'MIN'} is to move"


def to_text(state: Heaps) -> str:
    return f"{state.left},{state.right},{'x' if state.player == MAX else 'o'}"


def from_text(text: str) -> Heaps:
    left, right, player = text.split(",")
    if player not in ("x", "o"):
        raise ValueError(f"{player!r} is neither x nor o")
    return Heaps(int(left), int(right), MAX if player == "x" else MIN)


def board(state: Heaps) -> Board:
    cells = tuple(Cell(action % 3, action // 3, "pit") for action in range(6))
    pieces = (Piece(0, 0, "seeds", state.left), Piece(3, 0, "seeds", state.right))
    legal = () if is_terminal(state) else actions(state)
    return Board(cells, pieces, {action: (action - 1,) for action in legal})


HEALTHY = Game(
    name="heaps",
    initial=Heaps(*START, MAX),
    utility_range=(-WIN, WIN),
    to_move=to_move,
    actions=actions,
    result=result,
    is_terminal=is_terminal,
    utility=utility,
    evaluate=evaluate,
    is_cutoff=lambda state, depth: depth > 3,
    order=order,
    key=key,
    pack=lambda state: bytes([state.left, state.right, state.player == MAX]),
    unpack=lambda packed: Heaps(packed[0], packed[1], MAX if packed[2] else MIN),
    symmetries=symmetries,
    swap=swap,
    sufficient_actions=sufficient_actions,
    noisy_actions=noisy_actions,
    bounds=bounds,
    tier=tier,
    draw=draw,
    format_action=format_action,
    parse_action=parse_action,
    to_text=to_text,
    from_text=from_text,
    board=board,
)
PLAIN = Game(
    name="heaps",
    initial=Heaps(*START, MAX),
    utility_range=(-WIN, WIN),
    to_move=to_move,
    actions=actions,
    result=result,
    is_terminal=is_terminal,
    utility=utility,
)
"""The same game, telling nothing that it need not."""

ticking = itertools.count()


class Box:
    """A state that can be changed; equal by identity, as classes are by default."""

    def __init__(self, left: int, player: int) -> None:
        self.left, self.player = left, player


class EqualBox(Box):
    """A state that can be changed; equal by what it holds."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.left, self.player) == (other.left, other.player)

    def __hash__(self) -> int:
        return hash((self.left, self.player))


def box_game(box: type[Box], result: Callable[[Any, int], Any]) -> Game:
    return Game(
        name="boxes",
        initial=box(5, MAX),
        utility_range=(-WIN, WIN),
        to_move=lambda state: state.player,
        actions=lambda state: range(1, min(3, state.left) + 1),
        result=result,
        is_terminal=lambda state: state.left <= 0,
        utility=lambda state: -WIN * state.player,
        draw=lambda state: f"{state.left}",
    )


def take_in_place(state: Any, action: int) -> Any:
    state.left -= action
    state.player = -state.player
    return state


def change_and_copy(state: Any, action: int) -> Any:
    state.left -= action
    changed = EqualBox(state.left, -state.player)
    state.left += action - (state.left == 2)
    return changed


def list_game() -> Game:
    return replace(
        PLAIN,
        initial=[5, 1],
        to_move=lambda state: state[1],
        actions=lambda state: range(1, min(3, state[0]) + 1),
        result=lambda state, action: [state[0] - action, -state[1]],
        is_terminal=lambda state: state[0] == 0,
        utility=lambda state: -WIN * state[1],
    )


def never_ending(state: Heaps) -> Iterator[int]:
    while state.left >= 0:
        yield 1


def stuck(state: Heaps) -> int:
    while state.left == 3 and state.right == 4:  # in few positions: each takes the audit's whole patience
        pass
    return 0


def only_odd(state: Heaps, action: int) -> int:
    return (1, 2)[action - 1]


def may_wait(state: Heaps, action: int) -> Heaps:
    return Heaps(state.left, state.right, -state.player) if action == 3 else result(state, action)


def counting(state: Heaps, action: int) -> Heaps:
    return Heaps(state.left + 1, state.right, -state.player)


def crowded_board(state: Heaps) -> Board:
    whole = board(state)
    return whole._replace(clicks=dict.fromkeys(whole.clicks, (0,)))


def wide(state: Heaps) -> int:
    return 1 if (state.left << 62) >> 62 == state.left else 0


def with_a_dict(state: Heaps) -> int:
    return len(state._asdict())


def eval_for_mover(state: Heaps) -> int:
    return -5 if state.left % 4 == state.right % 4 else 5


BROKEN: dict[str, tuple[str, Game]] = {
    "result rejects an action": (
        "result raises",
        replace(PLAIN, actions=lambda s: range(1, 8), result=lambda s, a: only_odd(s, a)),
    ),
    "is_terminal raises": ("is_terminal raises", replace(PLAIN, is_terminal=lambda s: 1 // s.left == 1)),
    "to_move raises": ("to_move raises", replace(PLAIN, to_move=lambda s: s.whose)),
    "actions raises": (
        "actions raises",
        replace(PLAIN, actions=lambda s: [a for a in actions(s) if 6 // (s.left - 2)]),
    ),
    "changed in place": ("changed in place", box_game(EqualBox, take_in_place)),
    "changed by the way": ("changed in place", box_game(EqualBox, change_and_copy)),
    "a list as state": ("unhashable", list_game()),
    "a list as action": (
        "unhashable action",
        replace(PLAIN, actions=lambda s: ([a] for a in actions(s)), result=lambda s, a: result(s, a[0])),
    ),
    "equal by identity": ("equality", box_game(Box, lambda s, a: Box(s.left - a, -s.player))),
    "no utility": ("utility", replace(PLAIN, utility=lambda s: None)),
    "utility raises": ("utility raises", replace(PLAIN, utility=lambda s: WIN // s.left)),
    "no actions": ("no actions", replace(PLAIN, actions=lambda s: (a for a in actions(s) if a <= 3))),
    "the same action twice": (
        "duplicate actions",
        replace(PLAIN, actions=lambda s: (a for a in actions(s) for _ in (0, 1))),
    ),
    "actions without end": ("actions endless", replace(PLAIN, actions=never_ending)),
    "utility too large": ("utility_range", replace(PLAIN, utility=lambda s: -11 * s.player)),
    "a static evaluation like a win": ("evaluate range", replace(PLAIN, evaluate=lambda s: 2 * evaluate(s))),
    "a static evaluation beyond the margin": (
        "evaluate range",
        replace(PLAIN, outcomes="margin", evaluate=lambda s: 3 * evaluate(s)),
    ),
    "a float as static evaluation": ("evaluate", replace(PLAIN, evaluate=lambda s: evaluate(s) / 2)),
    "a wrong number of plies": ("plies_to_end", replace(PLAIN, plies_to_end=lambda s, value: 2)),
    "features in a list": ("features", replace(PLAIN, features=lambda s: [s.left, s.right])),
    "features that are floats": ("features", replace(PLAIN, features=lambda s: (s.left / 2,))),
    "a feature too many": ("features", replace(PLAIN, features=lambda s: (s.left,) * (2 if s.left > 1 else 1))),
    "evaluate raises": ("evaluate raises", replace(PLAIN, evaluate=lambda s: 5 // s.right)),
    "evaluate hangs": ("evaluate hangs", replace(PLAIN, evaluate=stuck)),
    "evaluation for the mover, with swap": ("evaluate view", replace(PLAIN, swap=swap, evaluate=eval_for_mover)),
    "evaluation for the mover, without swap": ("evaluate view", replace(PLAIN, evaluate=eval_for_mover)),
    "evaluation for MIN": ("evaluate view", replace(PLAIN, evaluate=lambda s: -evaluate(s))),
    "is_cutoff raises": ("is_cutoff raises", replace(PLAIN, is_cutoff=lambda s, depth: depth > s.limit)),
    "key without the player": ("key", replace(PLAIN, key=lambda s: s.left * 16 + s.right)),
    "key with overlapping fields": ("key", replace(PLAIN, key=lambda s: (s.left * 4 + s.right) * 2 + (s.player > 0))),
    "a text as key": ("key", replace(PLAIN, key=lambda s: f"{s}")),
    "symmetries change the mover": ("symmetries", replace(PLAIN, symmetries=lambda s: [swap(s)])),
    "symmetries change the actions": ("symmetries", replace(PLAIN, symmetries=lambda s: [s._replace(left=s.right)])),
    "symmetries change the value": (
        "symmetries",
        replace(PLAIN, symmetries=lambda s: [s._replace(left=s.left ^ 4) if s.left > 3 else s]),
    ),
    "sufficient actions lose value": (
        "sufficient_actions",
        replace(PLAIN, sufficient_actions=lambda s: list(actions(s))[:1]),
    ),
    "sufficient actions are illegal": ("sufficient_actions", replace(PLAIN, sufficient_actions=lambda s: [3])),
    "no sufficient actions": ("sufficient_actions", replace(PLAIN, sufficient_actions=lambda s: [])),
    "noisy actions are illegal": ("noisy_actions", replace(PLAIN, noisy_actions=lambda s: [3])),
    "bounds do not hold": ("bounds", replace(PLAIN, bounds=lambda s: (s.player * WIN, s.player * WIN))),
    "only the upper bound does not hold": ("bounds", replace(PLAIN, bounds=lambda s: (-WIN, -WIN))),
    "only the lower bound does not hold": ("bounds", replace(PLAIN, bounds=lambda s: (WIN, WIN))),
    "bounds the wrong way round": ("bounds", replace(PLAIN, bounds=lambda s: (WIN, -WIN))),
    "window bounds do not hold": ("window_bounds", replace(PLAIN, window_bounds=lambda s, a: (a + 1, WIN))),
    "window bounds the wrong way round": ("window_bounds", replace(PLAIN, window_bounds=lambda s, a: (WIN, -WIN))),
    "no window bounds": ("window_bounds", replace(PLAIN, window_bounds=lambda s, a: None)),
    "a tier that falls": ("tier", replace(PLAIN, tier=lambda s: s.left + s.right)),
    "no tier": ("tier", replace(PLAIN, tier=lambda s: None)),
    "order raises": ("order raises", replace(PLAIN, order=lambda s, a: 6 // (a - 3))),
    "a float as order": ("order", replace(PLAIN, order=lambda s, a: a / 2)),
    "a float as proof_order": ("proof_order", replace(PLAIN, proof_order=lambda s, a: a / 2)),
    "draw raises": ("draw raises", replace(PLAIN, draw=lambda s: "|||||"[s.left - 1 : s.up])),
    "nothing drawn": ("draw", replace(PLAIN, draw=lambda s: "")),
    "no board": ("board", replace(PLAIN, board=lambda s: None)),
    "a piece beside the board": ("board", replace(PLAIN, board=lambda s: board(s)._replace(pieces=(Piece(6, 0),)))),
    "clicks for no action": ("board", replace(PLAIN, board=lambda s: board(s)._replace(clicks={}))),
    "the same clicks": ("board", replace(PLAIN, board=crowded_board)),
    "a cell without a shape": (
        "board",
        replace(PLAIN, board=lambda s: board(s)._replace(cells=(Cell(0, 0, "star"),) * 6)),
    ),  # type: ignore[arg-type]
    "text without the player": ("text", replace(PLAIN, to_text=lambda s: to_text(s)[:-1] + "x", from_text=from_text)),
    "two lines of text": ("text", replace(PLAIN, to_text=draw)),
    "text that raises": ("to_text raises", replace(PLAIN, to_text=lambda s: s.text)),
    "nonsense raises IndexError": (
        "from_text nonsense",
        replace(
            PLAIN,
            to_text=to_text,
            from_text=lambda t: Heaps(int(t.split(",")[0]), int(t.split(",")[1]), MAX if t[-1] == "x" else MIN),
        ),
    ),
    "nonsense action raises KeyError": (
        "parse_action nonsense",
        replace(
            PLAIN,
            format_action=format_action,
            parse_action=lambda s, t: {format_action(s, a): a for a in range(1, 7)}[t],
        ),
    ),
    "two actions of one name": ("same text", replace(PLAIN, format_action=lambda s, a: format_action(s, a)[1])),
    "a blank name": ("format_action", replace(PLAIN, format_action=lambda s, a: "")),
    "a name read as another": (
        "parse_action",
        replace(PLAIN, format_action=format_action, parse_action=lambda s, t: 7 - parse_action(s, t)),
    ),
    "swap twice is something else": ("swap", replace(PLAIN, swap=lambda s: Heaps(s.left, 0, -s.player))),
    "swap keeps the mover": ("swap", replace(PLAIN, swap=lambda s: s)),
    "swap keeps the utility": ("swap", replace(PLAIN, swap=swap, utility=lambda s: WIN)),
    "pack forgets": ("pack", replace(PLAIN, pack=lambda s: s.left, unpack=lambda packed: Heaps(packed, 0, MAX))),
    "positions come back": ("repetition", replace(PLAIN, result=may_wait)),
    "counting for ever": ("too long", replace(PLAIN, result=counting)),
    "endless value out of range": ("endless_value", replace(PLAIN, endless_value=99)),
    "cycles that do not agree": (
        "cycles_agree",
        replace(PLAIN, result=may_wait, repetition=lambda s: s.player, cycles_agree=True),
    ),
    "chance in result": (
        "determinism",
        replace(PLAIN, result=lambda s, a: result(s, a)._replace(left=max(0, s.left - 1 - next(ticking) % 2))),
    ),
    "chance in evaluate": ("determinism", replace(PLAIN, evaluate=lambda s: next(ticking) % 5)),
    "chance in actions": (
        "determinism",
        replace(PLAIN, actions=lambda s: list(actions(s))[:: 1 if next(ticking) % 2 else -1]),
    ),
    "the mover is 0 and 1": ("to_move", replace(PLAIN, to_move=lambda s: (s.player + 1) // 2)),
    "wider than 64 bits": ("compiled", replace(PLAIN, evaluate=wide)),
    "a dict in the rules": ("not compilable", replace(PLAIN, evaluate=with_a_dict)),
}
"""What is wrong -> the check that must say so, and the game."""
NEEDS_COMPILING = ("wider than 64 bits", "a dict in the rules")
