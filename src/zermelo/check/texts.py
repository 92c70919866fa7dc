"""Checks of what people see and type: pictures, boards, texts of positions and names of actions."""

from typing import Any, Final, get_args

from zermelo.board import Board, Shape
from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.errors import in_a_line
from zermelo.game import MAX, MIN, Action

NONSENSE: Final = ("", "?", "zz99", "-1", "999999999", "a b c", "\u00e9\u4e2d")
"""Texts that mean nothing in most games."""


def check_sides(inspector: Inspector, position: Position) -> None:
    """Check that the sides have two different names that are not blank."""
    sides = inspector.game.sides
    if sides[0] == sides[1] or not all(name.strip() for name in sides):
        sentence = f"The sides are called {sides[0]!r} and {sides[1]!r}."
        inspector.find("sides", None, sentence, "Give the sides two different names that are not blank.")


def check_draw(inspector: Inspector, position: Position) -> None:
    """Check that DRAW gives a str that is not blank."""
    picture = inspector.ask(position, "draw", position.state)
    if not isinstance(picture, str) or not picture.strip():
        sentence = f"draw gives {picture!r}, which shows nothing."
        inspector.find("draw", position, sentence, "Let draw return the picture as a str of one or more lines.")


def check_names(inspector: Inspector, position: Position) -> None:
    """Check that each action has a text of its own, and that PARSE-ACTION reads the action from it."""
    game, state = inspector.game, position.state
    names: dict[str, Any] = {}
    for action in position.legal:
        name = str(action) if game.format_action is None else inspector.ask(position, "format_action", state, action)
        if not isinstance(name, str) or not name.strip() or name != name.strip():
            sentence = f"format_action writes the action {action!r} as {name!r}."
            inspector.find("format_action", position, sentence, "It must be a str that neither is blank nor has edges.")
        elif name in names:
            sentence = f"The actions {names[name]!r} and {action!r} are both written {name!r}."
            inspector.find("same text", position, sentence, "Let format_action tell them apart.")
        else:
            names[name] = action
    for name, action in names.items():
        _check_read(inspector, position, name, action)


def _check_read(inspector: Inspector, position: Position, name: str, action: Action) -> None:
    """Check that PARSE-ACTION reads the text of an action as that action."""
    if inspector.game.parse_action is None:
        return
    try:
        read = inspector.guard(position, "parse_action", lambda: _parse(inspector, position, name))
    except Unanswered:
        return
    if read != action:
        sentence = f"format_action writes the action {action!r} as {name!r}, which parse_action reads as {read!r}."
        advice = "Let parse_action(state, format_action(state, action)) be the action, whatever the action."
        inspector.find("parse_action", position, sentence, advice)


def _parse(inspector: Inspector, position: Position, text: str) -> Action:
    """Return the action that PARSE-ACTION reads from a text; None if it raises ValueError, as it does for nonsense."""
    parse = inspector.game.parse_action
    assert parse is not None
    try:
        return parse(position.state, text)
    except ValueError:
        return None


def check_nonsense(inspector: Inspector, position: Position) -> None:
    """Check that PARSE-ACTION and FROM-TEXT raise no error other than ValueError for `NONSENSE`."""
    game = inspector.game
    for text in NONSENSE:
        if game.parse_action is not None:
            _refused(inspector, position, "parse_action", text, (position.state, text))
        if game.from_text is not None:
            _refused(inspector, position, "from_text", text, (text,))


def _refused(inspector: Inspector, position: Position, name: str, text: str, arguments: tuple[Any, ...]) -> None:
    """Report a function that raises an error other than ValueError for a text."""
    try:
        getattr(inspector.game, name)(*arguments)
    except (ValueError, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt):
            raise
    except BaseException as error:
        sentence = f"{name} answers the text {text!r} with {in_a_line(error)}."
        inspector.find(f"{name} nonsense", position, sentence, f"Let {name} raise ValueError where the text is wrong.")


def check_text(inspector: Inspector, position: Position) -> None:
    """Check that a state is the same after it is written as text and read again."""
    game = inspector.game
    if game.to_text is None:
        return
    text = inspector.ask(position, "to_text", position.state)
    if not isinstance(text, str) or "\n" in text:
        sentence = f"to_text gives {text!r}."
        inspector.find("text", position, sentence, "It must be a str of one line.")
    elif game.from_text is not None:
        read = inspector.ask(position, "from_text", text)
        if read != position.state:
            sentence = f"to_text writes {text!r}, which from_text reads as {read!r} and not as {position.state!r}."
            advice = "Let to_text write all that the state holds, and from_text read all of it."
            inspector.find("text", position, sentence, advice)


def check_board(inspector: Inspector, position: Position) -> None:
    """Check that BOARD gives cells, pieces that stand on them, and different clicks for each action."""
    if inspector.game.board is None or position.terminal is None:
        return
    board = inspector.ask(position, "board", position.state)
    fault = "it is no Board" if not isinstance(board, Board) else _cell_fault(board) or _click_fault(board, position)
    if fault:
        advice = "See zermelo.board: cells are named by their index, and clicks has each legal action once."
        inspector.find("board", position, f"The board is wrong: {fault}.", advice)


def _cell_fault(board: Board) -> str:
    """Return what is wrong with the cells and pieces of a board; an empty str if nothing is."""
    for cell in board.cells:
        if cell.shape not in get_args(Shape) or cell.width <= 0 or cell.height <= 0:
            return f"the cell {cell} has no such shape or size"
    for piece in board.pieces:
        if not 0 <= piece.cell < len(board.cells) or piece.owner not in (MAX, MIN, 0):
            return f"{piece} stands on none of the {len(board.cells)} cells, or has an owner other than MAX, MIN and 0"
    return ""


def _click_fault(board: Board, position: Position) -> str:
    """Return what is wrong with the clicks of a board; an empty str if nothing is."""
    if set(board.clicks) != set(position.legal):
        return f"clicks has {sorted(board.clicks)}, and the legal actions are {sorted(position.legal)}"
    meant: dict[tuple[int, ...], Any] = {}
    for action, clicks in board.clicks.items():
        if any(not 0 <= cell < len(board.cells) for cell in clicks):
            return f"the action {action!r} is clicked on cells {clicks}, and there are {len(board.cells)}"
        if clicks and clicks in meant:
            return f"the actions {meant[clicks]!r} and {action!r} have the same clicks {clicks}"
        meant[clicks] = action
    return ""


CHECKS = (check_draw, check_names, check_text, check_board)
