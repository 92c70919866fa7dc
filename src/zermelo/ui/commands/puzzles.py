"""``zermelo puzzles``: draw positions with one saving move, and give their solutions."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from zermelo.game import ROLES, Game
from zermelo.result import plain
from zermelo.ui.arguments import JsonOption, check_seed
from zermelo.ui.tables import GameOption, TableArgument, open_table
from zermelo.ui.terminal import show
from zermelo.ui.terminal.wording import ending

if TYPE_CHECKING:
    from zermelo.solver import Puzzle


def puzzles(
    folder: TableArgument,
    count: Annotated[int, typer.Option(help="How many, up to 10,000.")] = 10,
    seed: Annotated[int, typer.Option(help="Another seed draws others.")] = 0,
    game: GameOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show positions of a solved table in which only one move saves the win or the draw, from easy to hard.

    What makes one hard: how many plies a search has to look ahead to settle on the move, then the plies to the
    end, then the number of moves.
    """
    from zermelo.solver.study.puzzles import puzzles as draw

    check_seed(seed)
    table = open_table(folder, game)
    with Console(stderr=True).status("Looking for puzzles"):
        found = draw(table, count, seed)
    if as_json:
        print(json.dumps([puzzle_record(table.game, puzzle) for puzzle in found]))
        return
    console = Console()
    for number, puzzle in enumerate(found, start=1):
        print_puzzle(table.game, number, puzzle, console)


def puzzle_record(game: Game, puzzle: "Puzzle") -> dict[str, Any]:
    """Return a puzzle for JSON."""
    return {
        "position": game.show_state(puzzle.state),
        "to_move": ROLES[game.to_move(puzzle.state)],
        "action": plain(puzzle.action),
        "move": game.show_action(puzzle.state, puzzle.action),
        "value": puzzle.value,
        "remoteness": puzzle.remoteness,
        "moves": puzzle.moves,
        "depth": puzzle.depth,
        "line": show.line(game, puzzle.state, puzzle.line),
    }


def print_puzzle(game: Game, number: int, puzzle: "Puzzle", console: Console) -> None:
    """Print a puzzle for people: the board, the task, the solution."""
    from zermelo.solver.study.puzzles import DEPTHS, result_kept

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    mover = game.to_move(puzzle.state)
    console.print(show.board(game, puzzle.state), highlight=False)
    task = f"one of {puzzle.moves} moves {result_kept(game, puzzle.value, mover)}"
    say(f"{number}. {game.side_title(mover)} to move: {task}.")
    seen = f"more than {DEPTHS} plies" if puzzle.depth is None else ending(puzzle.depth)
    say(f"   A search has to look {seen} ahead; to the end: {ending(puzzle.remoteness)}.")
    say(f"   Solution: {' '.join(show.line(game, puzzle.state, puzzle.line))}\n")
