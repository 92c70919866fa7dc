"""Nim: take as many as you like from one heap; who takes the last one wins, or loses in the misere game.

Variant: C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901-02). A game has
up to six heaps; a size of 0 means no heap. The default heaps are those of Marienbad, which is played misere. MAX ("X")
moves first.

With ``heaps`` heaps at the start, an action takes ``action // heaps + 1`` from the heap ``action % heaps``. So the
actions are first to take one from each heap, then two from each, and so on.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.bits import put
from zermelo.board import Board, Cell, Piece
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.parameters import checked

WIN = 1000


class State(NamedTuple):
    """The sizes of the heaps, and the player to move."""

    heaps: tuple[int, ...]
    player: int
    """The player to move, MAX or MIN."""


def to_move(state: State) -> int:
    return state.player


def swap(state: State) -> State:
    return State(state.heaps, -state.player)


def mover_wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """Return whether the player to move wins, by Bouton's theorem.

    Usually that is so if the exclusive or of the heaps is not 0. In the misere game, once no heap has two or more, it
    is so if the exclusive or is 0.
    """
    digits, largest = 0, 0
    for heap in heaps:
        digits ^= heap
        largest = max(largest, heap)
    if misere and largest <= 1:
        return digits == 0
    return digits != 0


def nim(
    first: Annotated[int, range(64)] = 1,
    second: Annotated[int, range(64)] = 3,
    third: Annotated[int, range(64)] = 5,
    fourth: Annotated[int, range(64)] = 7,
    fifth: Annotated[int, range(64)] = 0,
    sixth: Annotated[int, range(64)] = 0,
    misere: bool = False,
) -> Game:
    """Nim: take from one heap; whoever takes the last one wins, or loses if `misere`."""
    parameters = checked(
        nim, first=first, second=second, third=third, fourth=fourth, fifth=fifth, sixth=sixth, misere=misere
    )
    start = tuple(heap for heap in (first, second, third, fourth, fifth, sixth) if heap)
    if not start:
        raise BadParameter("Every heap of nim is 0; at least one must have something to take.")
    count, most = len(start), max(start)

    def actions(state: State) -> Iterator[int]:
        for taken in range(1, most + 1):
            for heap in range(count):
                if state.heaps[heap] >= taken:
                    yield (taken - 1) * count + heap

    def result(state: State, action: int) -> State:
        heap, taken = action % count, action // count + 1
        return State(put(state.heaps, heap, state.heaps[heap] - taken), -state.player)

    def is_terminal(state: State) -> bool:
        return max(state.heaps) == 0

    def utility(state: State) -> int:
        """The player to move has nothing to take, and has lost, or won in the misere game."""
        return state.player * (WIN if misere else -WIN)

    def evaluate(state: State) -> int:
        """Return 1 if MAX wins by Bouton's theorem, else -1."""
        return state.player if mover_wins(state.heaps, misere) else -state.player

    def order(state: State, action: int) -> int:
        """Put moves first that leave the opponent a lost position."""
        return 0 if mover_wins(result(state, action).heaps, misere) else 1

    def key(state: State) -> int:
        number = 0
        for heap in state.heaps:
            number = number * 64 + heap
        return number * 2 + (1 if state.player == MAX else 0)

    def tier(state: State) -> int:
        """Count what the players have taken."""
        return sum(start) - sum(state.heaps)

    def symmetries(state: State) -> Iterator[State]:
        """Yield the state with its heaps sorted: their order does not matter."""
        heaps = state.heaps
        for _ in range(count - 1):
            for heap in range(count - 1):
                if heaps[heap] > heaps[heap + 1]:
                    smaller = heaps[heap + 1]
                    heaps = put(put(heaps, heap + 1, heaps[heap]), heap, smaller)
        yield State(heaps, state.player)

    def format_action(state: State, action: int) -> str:
        """Write the letter of the heap and how many are taken from it: ``B-3``."""
        return f"{'ABCDEF'[action % count]}-{action // count + 1}"

    def parse_action(state: State, text: str) -> int:
        """Read ``B-3``, ``b3``, ``3B`` or ``3 from B``; raise ValueError if the text is not a legal move."""
        word = text.upper().replace("FROM", "").replace("-", "").replace(" ", "")
        for action in actions(state):
            taken, heap = action // count + 1, "ABCDEF"[action % count]
            if word in (f"{taken}{heap}", f"{heap}{taken}"):
                return action
        raise ValueError(f"{text!r} is not a legal move; write B-3")

    def to_text(state: State) -> str:
        """Write the heaps with commas between them, and who is to move: ``1,3,5,7 X``."""
        return ",".join(map(str, state.heaps)) + (" X" if state.player == MAX else " O")

    def from_text(text: str) -> State:
        """Read a state that `to_text` wrote; raise ValueError for any other text."""
        heaps, _, turn = text.partition(" ")
        words = heaps.split(",")
        right = all(word.isascii() and word.isdigit() and len(word) <= 2 and int(word) <= most for word in words)
        if len(words) != count or not right or turn not in ("X", "O"):
            example = ",".join(map(str, start))
            raise ValueError(f"{text!r} is not {count} heaps of at most {most} and X or O to move: {example} X")
        return State(tuple(map(int, words)), MAX if turn == "X" else MIN)

    def draw(state: State) -> str:
        return "\n".join(f"{name} {'| ' * heap}({heap})" for name, heap in zip("ABCDEF", state.heaps, strict=False))

    def board(state: State) -> Board:
        """Show a heap as a row; a click on the piece with ``n - 1`` pieces to its right takes ``n``."""
        return Board(
            cells=tuple(Cell(column, row, "round") for row in range(count) for column in range(most)),
            pieces=tuple(Piece(row * most + i, 0) for row, heap in enumerate(state.heaps) for i in range(heap)),
            clicks={
                action: (action % count * most + state.heaps[action % count] - action // count - 1,)
                for action in actions(state)
            },
            labels=tuple((-0.8, row, "ABCDEF"[row]) for row in range(count)),
        )

    return Game(
        name="nim",
        parameters=parameters,
        initial=State(start, MAX),
        utility_range=(-WIN, WIN),
        to_move=to_move,
        actions=actions,
        result=result,
        is_terminal=is_terminal,
        utility=utility,
        evaluate=evaluate,
        order=order,
        key=key,
        symmetries=symmetries,
        tier=tier,
        swap=swap,
        draw=draw,
        format_action=format_action,
        parse_action=parse_action,
        to_text=to_text,
        from_text=from_text,
        board=board,
        sides=("First", "Second"),
    )
