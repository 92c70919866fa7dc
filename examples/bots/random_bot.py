"""Connect four at random, under UGI: ``zermelo match connect engine "program:python3 examples/bots/random_bot.py"``."""

import random
import sys

ROWS, COLUMNS = 6, 7


def free_columns(moves: list[int]) -> list[int]:
    """Return the columns that are not full."""
    return [column for column in range(COLUMNS) if moves.count(column) < ROWS]


def main() -> None:
    """Obey one line after another."""
    moves: list[int] = []
    for line in sys.stdin:
        match line.split():
            case ["ugi"]:
                print("id name random bot in Python")
                print("option name Seed type spin default 0 min 0 max 2147483647")
                print("ugiok")
            case ["setoption", "name", "Seed", "value", number]:
                random.seed(int(number))
            case ["isready"]:
                print("readyok")
            case ["position", "startpos", *rest]:
                moves = [int(text) for text in rest[1:]]
            case ["go", *_]:
                print("bestmove", random.choice(free_columns(moves)))
            case ["quit"]:
                return
        sys.stdout.flush()


main()
