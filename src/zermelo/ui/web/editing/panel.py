"""The editor of positions as HTML: the board, the men to place, what is wrong with the position, and its words."""

from html import escape
from typing import Final

from zermelo.board import Cell, Piece
from zermelo.game import MAX, MIN
from zermelo.pictures.board_svg import Marks, draw_board
from zermelo.pictures.palette import palette_of
from zermelo.pictures.pieces import content_names, draw_piece
from zermelo.ui.web.editing.editor import ERASE, FEWER, MORE, MOVE, PositionEditor

_MOST_IN_A_ROW: Final = 8
"""Tools that a telephone shows in one row; if there are more, each side's men have their own."""
_TITLES: Final = {MOVE: "Move", ERASE: "Erase", MORE: "One more", FEWER: "One fewer"}


def picture(editor: PositionEditor, flipped: bool, place: str) -> str:
    """Return the board; a click on any cell that has a place in the text changes it."""
    marks = Marks(editor.layout.places, () if editor.picked is None else (editor.picked,), said="")
    game = editor.game
    drawn = draw_board(
        editor.board, marks, flipped=flipped, palette=palette_of(game), title=f"Position of {game.name} to set up"
    )
    return f'<div class="editing" data-place="{place}:editing{int(flipped)}" data-falls="0">{drawn}</div>'


def palette(editor: PositionEditor) -> str:
    """Return the men to place, and what else a click can do."""
    rows: dict[int, list[str]] = {}
    shape = editor.board.cells[editor.layout.groups[0][0]]
    for tool in editor.tools:
        owners = [owner for owner, _ in editor.layout.looks.get(tool, ())]
        rows.setdefault(owners[0] if owners else 2, []).append(_tool(editor, tool, shape))
    end = '<span class="break"></span>' if len(editor.tools) > _MOST_IN_A_ROW else ""
    buttons = end.join("".join(row) for row in rows.values())
    return f'<div class="row palette" role="toolbar" aria-label="What a click does">{buttons}</div>'


def _tool(editor: PositionEditor, tool: str, cell: Cell) -> str:
    does = f'data-edit="tool:{escape(tool)}"{_pressed(tool == editor.tool)}'
    if tool in _TITLES:
        return f'<button class="btn" {does}>{_TITLES[tool]}</button>'
    pieces, tones = [Piece(0, *look) for look in sorted(editor.layout.looks[tool])], palette_of(editor.game)
    shape = cell._replace(x=0, y=0) if cell.shape == "edge" else Cell(0, 0, cell.shape)
    drawn = "".join(draw_piece(piece, shape) for piece in pieces)
    name = escape(", ".join(content_names(pieces, tones)))
    return (
        f'<button class="btn man" {does} aria-label="{name}" title="{name}"><svg class="board" '
        f'viewBox="-50 -50 100 100" style="{tones.css()}" aria-hidden="true">{drawn}</svg></button>'
    )


def _pressed(is_so: bool) -> str:
    return f' aria-pressed="{"true" if is_so else "false"}"'


def status(editor: PositionEditor, error: str, notice: str) -> str:
    """Return whether the position is legal, in a sentence."""
    if error or editor.fault:
        return f'<div class="error">{escape(error or editor.fault)}</div>'
    is_over = editor.game.is_terminal(editor.state())
    mover = editor.game.side_name(editor.mover)
    said = "the game is over here" if is_over else f"{mover} to move"
    return f'<div>A legal position: {escape(said)}. <span class="more">{escape(notice)}</span></div>'


def form(editor: PositionEditor) -> str:
    """Return the words of the text, the text itself, and what to do with the position."""
    game, words = editor.game, editor.parts.words
    off = " disabled" if editor.fault else ""
    turns = "".join(
        f'<button class="btn" type="button" data-edit="turn:{side}"{_pressed(editor.mover == side)}>'
        f"{escape(game.side_name(side))} to move</button>"
        for side in (MAX, MIN)
    )
    fields = "".join(
        f'<label class="field">{escape(name[:1].upper() + name[1:])}<input name="word{number}" autocomplete="off" '
        f'value="{escape(words[number])}"></label>'
        for number, name in editor.others.items()
    )
    return (
        '<form class="editor stack" data-form="edit" data-live><h2>Set a position up</h2>'
        f'<div class="row"><button class="btn main" type="button" data-edit="play"{off}>Play from here</button>'
        f'<button class="btn" type="button" data-edit="analyse"{off}>Analyse</button>'
        '<button class="btn" type="button" data-edit="close">Back to the game</button></div>'
        + (f'<div class="row" role="group" aria-label="Side to move">{turns}</div>' if editor.layout.turns else "")
        + '<div class="row"><button class="btn" type="button" data-edit="clear">Clear the board</button>'
        '<button class="btn" type="button" data-edit="start">First position</button>'
        '<button class="btn" type="button" data-command="flip">Turn the board</button></div>'
        + (f'<div class="fields">{fields}</div>' if fields else "")
        + '<label class="field">The position as a text'
        f'<input name="text" autocomplete="off" spellcheck="false" value="{escape(editor.text)}"></label>'
        f'<p class="muted">{_KEYS_OF_NUMBERS if editor.layout.form.are_numbers else _keys(editor)}</p></form>'
    )


_KEYS_OF_NUMBERS = (
    "Click a place to change its number, or drag from one to another. Keys on the board: <kbd>+</kbd>, <kbd>-</kbd>, "
    "<kbd>Del</kbd>."
)


def _keys(editor: PositionEditor) -> str:
    letters = [f"<kbd>{escape(tool)}</kbd>" for tool in editor.tools if len(tool) == 1]
    return (
        "Click a place to put the chosen man there, or to take it away again; drag a man to move it. Keys on the "
        f"board: arrows, <kbd>Enter</kbd>, <kbd>Del</kbd>{', ' if letters else ''}{', '.join(letters)}."
    )
