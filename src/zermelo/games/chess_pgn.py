"""Games of chess as Portable Game Notation: the tags of a starting position, and games that others have written.

Others write variations, comments and errors of many kinds, so the package `chess` reads their text; it is not part of
the base install. Its moves are then read by our own rules.
"""

from io import StringIO
from typing import TYPE_CHECKING

from zermelo.games.chess_board import UNCOUNTED, State, with_clock
from zermelo.games.chess_fen import USUAL, fen, first_position, read_fen
from zermelo.games.chess_notation import Rules, read_move

if TYPE_CHECKING:
    from chess.pgn import Game as PgnGame

VARIANTS = {5: "gardner", 6: "losalamos"}
"""What other programs call chess on small boards."""


def tags_of(rules: Rules, state: State) -> dict[str, str]:
    """Return the tags by which PGN tells that a game began in a state; none for the usual start of chess."""
    counted = with_clock(state, 0) if state.halfmove_clock == UNCOUNTED else state
    text = fen(rules, counted)
    if text == first_position(8, USUAL):
        return {}
    variant = "Chess960" if rules.is_960 else VARIANTS.get(rules.size)
    return ({"Variant": variant} if variant else {}) | {"SetUp": "1", "FEN": text}


def read_games(rules: Rules, text: str) -> list[tuple[State, list[int]]]:
    """Return the games in a text, each as the position in which it began and its moves; variations are left out.

    Raises
    ------
    ValueError
        The package `chess` is not installed, or a game is not one of these rules.
    """
    try:
        from chess.pgn import GameBuilder, read_game
    except ImportError:
        raise ValueError("games in PGN need the package 'chess'; pip install 'zermelo[chess]' installs it") from None

    class Quiet(GameBuilder["PgnGame"]):
        """Notes errors in the game, and prints nothing."""

        def handle_error(self, error: Exception) -> None:
            self.game.errors.append(error)

    found, source = [], StringIO(text)
    while (game := read_game(source, Visitor=Quiet)) is not None:
        try:
            found.append(_read_game(rules, game))
        except ValueError as error:
            raise ValueError(f"game {len(found) + 1}: {str(error).rstrip('.')}") from None
    return found


def _read_game(rules: Rules, game: "PgnGame") -> tuple[State, list[int]]:
    if game.errors:
        raise ValueError(str(game.errors[0]))
    if game.next() is None and game.headers == type(game)().headers:
        raise ValueError("it has neither tags nor moves")
    board = game.board()
    start = state = read_fen(rules, board.fen(shredder=rules.is_960))
    actions = []
    for move in game.mainline_moves():
        actions.append(read_move(rules, state, board.uci(move, chess960=rules.is_960)))
        state = rules.result(state, actions[-1])
        board.push(move)
    return start, actions
