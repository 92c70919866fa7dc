"""``zermelo probe``: look up a position and its moves in a solved table."""

import json
from typing import TYPE_CHECKING, Any

from rich.console import Console

from zermelo.errors import TableError
from zermelo.game import ROLES, Game, State
from zermelo.result import plain
from zermelo.ui.arguments import JsonOption, MovesOption, PositionOption
from zermelo.ui.positions import named_position
from zermelo.ui.tables import GameOption, TableArgument, open_table
from zermelo.ui.terminal import show
from zermelo.ui.terminal.wording import ending, verdict

if TYPE_CHECKING:
    from zermelo.solver import Table


def probe(
    folder: TableArgument,
    moves: MovesOption = "",
    position: PositionOption = "",
    game: GameOption = "",
    as_json: JsonOption = False,
) -> None:
    """Look a position up in a solved table: its value, and every move, best first."""
    table = open_table(folder, game)
    rules = table.game
    state = named_position(rules, position, moves)
    record = probe_record(table, state)
    if as_json:
        print(json.dumps(record))
    else:
        print_probe(rules, state, record, Console())


def probe_record(table: "Table", state: State) -> dict[str, Any]:
    """Return a table's entries of a position and its moves, for JSON; a move has the remoteness after it.

    Raises
    ------
    TableError
        The table does not hold the position.
    """
    game = table.game
    entry = table.get(state)
    if entry is None:
        raise TableError(f"{table.place} does not hold this position; it holds what can be reached from its start.")
    over = game.is_terminal(state)
    moves = [] if over else table.moves(state)
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "position": game.show_state(state),
        "to_move": None if over else ROLES[game.to_move(state)],
        "value": entry.value,
        "remoteness": entry.remoteness,
        "action": plain(moves[0].action) if moves else None,
        "best_actions": [plain(action) for action in table.best_actions(state)] if moves else [],
        "moves": [
            {
                "action": plain(move.action),
                "move": game.show_action(state, move.action),
                "value": move.value,
                "remoteness": move.remoteness,
            }
            for move in moves
        ],
        "line": [] if over else show.line(game, state, table.line(state)),
    }


def print_probe(game: Game, state: State, record: dict[str, Any], console: Console) -> None:
    """Print the board, its value, and the moves."""
    console.print(show.board(game, state), highlight=False)
    console.print()

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    over = game.is_terminal(state)
    turn = "the game is over" if over else f"{game.side_title(game.to_move(state))} is to move"
    say(f"value {record['value']}: {verdict(game, record['value'])}, {ending(record['remoteness'])}; {turn}")
    if not record["moves"]:
        return
    say(f"\n{'move':<12} {'value':>8} {'remoteness':>10}")
    for move in record["moves"]:
        mark = "*" if move["action"] in record["best_actions"] else " "
        far = "-" if move["remoteness"] is None else move["remoteness"]
        say(f"{move['move']:<12} {move['value']:>8} {far:>10} {mark}")
    say("\n* keeps the value; remoteness is that of the position after the move.")
    say(f"line: {' '.join(record['line'])}")
