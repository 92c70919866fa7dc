"""What the page's script reports while a position is set up, as changes of the editor."""

from typing import Any

from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN
from zermelo.ui.web.editing.editor import PositionEditor
from zermelo.ui.web.editing.forms import LONGEST_TEXT


def change(editor: PositionEditor, kind: str, value: Any) -> None:
    """Do what an event asks for; nothing if it asks for nothing that the editor can do.

    Raises
    ------
    BadParameter
        A text is no text of a position.
    """
    if kind == "cell" and isinstance(value, list) and all(isinstance(cell, int) for cell in value):
        if len(value) > 1:
            editor.drag(*value[:2])
        elif value:
            editor.click(value[0])
    elif kind == "cancel":
        editor.picked = None
    elif kind == "edit" and isinstance(value, str):
        _command(editor, value)
    elif kind == "edit" and isinstance(value, dict):
        _words(editor, value)


def _command(editor: PositionEditor, value: str) -> None:
    name, _, rest = value.partition(":")
    if name == "tool":
        editor.choose(rest)
    elif name == "turn":
        editor.set_turn({"1": MAX, "-1": MIN}.get(rest, 0))
    elif name == "clear":
        editor.clear()
    elif name == "start":
        editor.take(editor.game.initial)
    elif name == "key":
        cell, _, key = rest.partition(":")
        if cell.isdecimal():
            editor.key(int(cell), key)


def _words(editor: PositionEditor, said: dict[str, Any]) -> None:
    """Take the fields of the form over; a text that was changed counts more than words."""
    text = str(said.get("text", ""))
    if len(text) > LONGEST_TEXT:
        raise BadParameter(f"The text of a position has at most {LONGEST_TEXT:,} characters.")
    if text.strip() and text.strip() != editor.text:
        editor.read(text)
        return
    for number in editor.others:
        editor.set_word(number, str(said.get(f"word{number}", "")))
