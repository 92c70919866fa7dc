"""Positions as a command line names them: in a file, in the game's notation, as moves, or as the men on the board."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.play.moves import read_moves


def read_position(game: Game, text: str, place: str = "") -> State:
    """Return the position that a text means.

    Raises
    ------
    BadParameter
        The game has no notation, or the text means nothing in it.
    """
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} has no notation for positions (from_text); use --moves.")
    try:
        return game.from_text(text)
    except ValueError as error:
        raise BadParameter(f"{place}{text!r} is no position of {game.name}: {str(error).rstrip('.')}.") from None


def named_position(game: Game, position: str, moves: str) -> State:
    """Return the position after the moves of ``--moves``, from that of ``--position`` or from the start.

    Raises
    ------
    BadParameter
        The game has no notation, or the text means no position in it.
    IllegalAction
        One of the moves is not legal.
    """
    state = read_position(game, position) if position else game.initial
    return game.replay(read_moves(game, moves, state), state)


def read_starts(game: Game, file: Path) -> list[State]:
    """Return the positions in a file, one a line in the game's own notation; empty lines do not count.

    Raises
    ------
    BadParameter
        The game has no notation, or the file cannot be read, or a line of it means no position.
    """
    if game.from_text is None:
        raise BadParameter(f"The game {game.name} has no notation for positions (from_text), so --from cannot be used.")
    return [read_position(game, line, f"{place}: ") for place, line in position_lines(file)]


def placed(game: Game, men: str) -> list[State] | NDArray[np.int64]:
    """Return every placement of the men that a text names, as states or packed, as the game gives them.

    Raises
    ------
    BadParameter
        The game places no men, or the text names none.
    """
    if game.placements is None:
        raise BadParameter(f"The game {game.name} says nothing of placements, so --all-placements cannot be used.")
    try:
        found = game.placements(men)
        return found if isinstance(found, np.ndarray) else list(found)
    except ValueError as error:
        raise BadParameter(f"--all-placements: {str(error).rstrip('.')}.") from None


def beginning(game: Game, file: Path | None, men: str | None) -> list[State] | NDArray[np.int64]:
    """Return the states from which a solve begins: those in a file, and all placements of men.

    Raises
    ------
    BadParameter
        As `read_starts` and `placed`; or the game's ``pack`` has no room for a position in the file.
    """
    states = [] if file is None else read_starts(game, file)
    if men is None:
        return states
    found = placed(game, men)
    if isinstance(found, list):
        return states + found
    assert game.pack is not None
    packed = np.array([game.pack(state) for state in states], dtype=np.int64)
    if (packed < 0).any():
        text = game.show_state(states[int(np.argmin(packed))])
        raise BadParameter(f"{text} in {file} fits into no table of placements; pack gives no number for it.")
    return np.concatenate([packed, found])


def read_positions(game: Game, file: Path) -> list[tuple[str, State]]:
    """Return the positions in a file, one a line, each in the game's notation or as the moves that lead there.

    Raises
    ------
    BadParameter
        The file cannot be read or is empty, or a line of it means no position.
    """
    return [(line, _position(game, line, place)) for place, line in position_lines(file)]


def _position(game: Game, line: str, place: str) -> State:
    if game.from_text is not None:
        try:
            return game.from_text(line)
        except ValueError:
            pass
    try:
        return game.replay(read_moves(game, line))
    except Exception as error:
        raise BadParameter(f"{place}: {line!r} is no position of {game.name}: {str(error).rstrip('.')}.") from None


def position_lines(file: Path) -> list[tuple[str, str]]:
    """Return the lines of a file that are not empty, each with its place as errors name it.

    Raises
    ------
    BadParameter
        The file cannot be read, or is empty.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise BadParameter(f"{file} cannot be read: {reason}.") from None
    found = [(f"{file}, line {number}", line.strip()) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise BadParameter(f"{file} holds no position; it must hold one a line.")
    return found
