"""Connect four, one ply ahead: the bot wins if it can, else it stops the opponent's win, else it moves at random."""

import random
import sys

ROWS, COLUMNS = 6, 7
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))
Discs = dict[tuple[int, int], int]


def play(moves: list[int]) -> Discs:
    """Return whose disc lies on each cell: 0 for the player who began, 1 for the other."""
    discs: Discs = {}
    heights = [0] * COLUMNS
    for number, column in enumerate(moves):
        discs[column, heights[column]] = number % 2
        heights[column] += 1
    return discs


def wins(discs: Discs, column: int, player: int) -> bool:
    """Whether a disc in this column makes four in a row."""
    row = sum((column, y) in discs for y in range(ROWS))
    for dx, dy in LINES:
        count = 1
        for sign in (1, -1):
            step = sign
            while discs.get((column + step * dx, row + step * dy)) == player:
                count, step = count + 1, step + sign
        if count >= 4:
            return True
    return False


def choose(moves: list[int]) -> int:
    """Return the column to play."""
    discs, player = play(moves), len(moves) % 2
    free = [column for column in range(COLUMNS) if moves.count(column) < ROWS]
    winning = [column for column in free if wins(discs, column, player)]
    saving = [column for column in free if wins(discs, column, 1 - player)]
    return random.choice(winning or saving or free)


moves: list[int] = []
for line in sys.stdin:
    match line.split():
        case ["ugi"]:
            print("id name one-ply bot in Python\noption name Seed type spin default 0 min 0 max 2147483647\nugiok")
        case ["setoption", "name", "Seed", "value", number]:
            random.seed(int(number))
        case ["isready"]:
            print("readyok")
        case ["position", "startpos", *rest]:
            moves = [int(text) for text in rest[1:]]
        case ["go", *_]:
            print("bestmove", choose(moves))
        case ["quit"]:
            break
    sys.stdout.flush()
