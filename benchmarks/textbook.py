"""Speed of the textbook searches, beside a plain version on tuples of tuples as a student would write it.

Run: ``python benchmarks/textbook.py [--repeat N]``. Each figure is the median of N runs, the runs of all
contenders interleaved; positions are nodes visited, the root included. ``--whole`` searches 5 rows x 4
columns with 4 in a row by minimax, once, and prints seconds and peak memory.
"""

import argparse
import resource
import statistics
from collections.abc import Callable
from time import perf_counter

from results import Sheet, add_save
from zermelo.game import Game
from zermelo.games import connect
from zermelo.textbook.systems import ALGORITHMS, Settings, System

Board = tuple[tuple[str, ...], ...]


class PlainConnect:
    """Connect on a tuple of rows, each a tuple of characters; every rule a loop over cells."""

    def __init__(self, rows: int, columns: int, run: int) -> None:
        self.rows, self.columns, self.run = rows, columns, run
        self.initial: Board = tuple(tuple("." for _ in range(columns)) for _ in range(rows))
        self.nodes = 0

    def moves(self, board: Board) -> int:
        return sum(cell != "." for row in board for cell in row)

    def play(self, board: Board, column: int) -> Board:
        piece = "XO"[self.moves(board) % 2]
        row = max(row for row in range(self.rows) if board[row][column] == ".")
        changed = (*board[row][:column], piece, *board[row][column + 1 :])
        return (*board[:row], changed, *board[row + 1 :])

    def winner(self, board: Board) -> str | None:
        for row in range(self.rows):
            for column in range(self.columns):
                piece = board[row][column]
                if piece == ".":
                    continue
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row, end_column = row + (self.run - 1) * down, column + (self.run - 1) * right
                    if end_row >= self.rows or not 0 <= end_column < self.columns:
                        continue
                    if all(board[row + i * down][column + i * right] == piece for i in range(self.run)):
                        return piece
        return None

    def minimax(self, board: Board, table: dict[Board, tuple[int, int | None]]) -> tuple[int, int | None]:
        self.nodes += 1
        if board in table:
            return table[board]
        winner, moves = self.winner(board), self.moves(board)
        best: tuple[int, int | None]
        if winner or moves == self.rows * self.columns:
            won = int(10000.0 * self.rows * self.columns / moves)
            best = (won if winner == "X" else -won if winner == "O" else 0, None)
        else:
            legal = [column for column in range(self.columns) if board[0][column] == "."]
            values = [(self.minimax(self.play(board, column), table)[0], column) for column in legal]
            best_value = (max if moves % 2 == 0 else min)(value for value, _ in values)
            best = next(pair for pair in values if pair[0] == best_value)
        table[board] = best
        return best


def plain(rows: int, columns: int, run: int) -> Callable[[], int]:
    def measure() -> int:
        game = PlainConnect(rows, columns, run)
        game.minimax(game.initial, {})
        return game.nodes

    return measure


def textbook(game: Game, algorithm: str, handout: bool) -> Callable[[], int]:
    settings = Settings(depth=7, width=7, seconds=1.0, handout=handout)

    def measure() -> int:
        return System(game, algorithm, settings).search(game.initial).nodes  # type: ignore[arg-type]

    return measure


def compare(repeat: int, note: str | None) -> None:
    small, large = connect(4, 4, 4), connect()
    contenders = {"minimax, tuples of tuples": plain(4, 4, 4)}
    for algorithm in ALGORITHMS:
        game = small if algorithm in ("minimax", "alpha-beta") else large
        for handout in (False, True) if algorithm in ("alpha-beta", "heuristic") else (False,):
            contenders[algorithm + (" (handout)" if handout else "")] = textbook(game, algorithm, handout)
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeat):
        for name, measure in contenders.items():
            start = perf_counter()
            nodes = measure()
            speeds[name].append(nodes / (perf_counter() - start))
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    slowest = medians["minimax, tuples of tuples"]
    sheet = Sheet("textbook", {"search": "", "positions a second": ",", "ratio": ",.1f"})
    for name, speed in medians.items():
        sheet.row(name, round(speed), speed / slowest)
    sheet.save(note)


def whole(note: str | None) -> None:
    game = connect(5, 4, 4)
    start = perf_counter()
    result = System(game, "minimax").search(game.initial)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sheet = Sheet("textbook_whole", {"search": "", "states": ",", "seconds": ",.1f", "MiB at most": ","})
    sheet.row("minimax, 5 rows, 4 columns", result.table_states, seconds, round(peak))
    sheet.save(note)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--whole", action="store_true")
    add_save(parser)
    arguments = parser.parse_args()
    if arguments.whole:
        whole(arguments.save)
    else:
        compare(arguments.repeat, arguments.save)
