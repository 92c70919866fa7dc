"""How many positions of a test suite in EPD the engine solves: problems with their best moves, such as Win at Chess.

    python benchmarks/chess_suite.py wac.epd --seconds 1

An EPD line is a FEN without its two counters, then operations: ``bm`` names the best moves, ``am`` moves to avoid,
``id`` the position. A position is solved if the engine plays one of the best moves, or none of those to avoid.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from results import Sheet, add_save
from zermelo import Engine, make_game
from zermelo.game import Action, Game, State


class Problem(NamedTuple):
    """A position, its name, and the actions that solve it."""

    name: str
    state: State
    solutions: frozenset[Action]


def problems(game: Game, file: Path) -> Iterator[Problem]:
    """Read the positions of a file.

    Raises
    ------
    ValueError
        A line is no EPD with ``bm`` or ``am``, or names an illegal move.
    """
    assert game.from_text is not None
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        fen, operations = line.split()[:4], dict(re.findall(r"(\w+) ([^;]+);", line))
        state = game.from_text(" ".join([*fen, "0 1"]))
        kind = next((name for name in ("bm", "am") if name in operations), None)
        if kind is None:
            raise ValueError(f"{file}, line {number}: there is neither bm nor am.")
        moves = frozenset(game.read_action(state, move) for move in operations[kind].split())
        solutions = moves if kind == "bm" else frozenset(game.actions(state)) - moves
        yield Problem(operations.get("id", str(number)).strip('"'), state, solutions)


def main() -> None:
    """Read the command line, search each position, and print what was solved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each position")
    add_save(parser)
    asked = parser.parse_args()
    game = make_game("chess")
    engine = Engine(game, table_mb=64)
    engine.search(game.initial, nodes=1)
    found = list(problems(game, asked.file))
    missed = []
    for problem in found:
        engine.clear()
        answer = engine.search(problem.state, seconds=asked.seconds)
        if answer.action not in problem.solutions:
            missed.append(problem.name)
        print(
            f"{problem.name}: {game.show_action(problem.state, answer.action)}, depth {answer.depth}", file=sys.stderr
        )
    columns = {"suite": "", "seconds a position": "g", "positions": ",", "solved": ",", "share": ".1%"}
    sheet = Sheet("chess_suite", columns, "Problems of a suite")
    solved = len(found) - len(missed)
    sheet.row(asked.file.stem, asked.seconds, len(found), solved, solved / len(found))
    print("not solved:", ", ".join(missed) or "none")
    sheet.save(asked.save)


if __name__ == "__main__":
    main()
