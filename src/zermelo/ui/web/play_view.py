"""The elements of the page on which a game is played, and how they show a game."""

import asyncio
import time
from collections.abc import Callable
from html import escape
from typing import Final

from nicegui import ui

from zermelo.board import Board
from zermelo.game import MAX, MIN
from zermelo.pictures.board_svg import Marks, draw_board
from zermelo.pictures.difference import difference
from zermelo.pictures.laid import board_after
from zermelo.pictures.palette import palette_of
from zermelo.registry import sentence_of
from zermelo.ui.web import controls, fragments
from zermelo.ui.web.analysis import best_first
from zermelo.ui.web.editing import panel
from zermelo.ui.web.editing.editor import PositionEditor
from zermelo.ui.web.gallery import title_of
from zermelo.ui.web.judging import shade
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.moving import arrow_of, by_cell, next_cells, with_choices
from zermelo.ui.web.page import bar, bar_html, head
from zermelo.ui.web.sitting import Sitting

PAUSE: Final = 0.15
"""Seconds between two updates while programs think or analyse."""
COMPILER_PAUSE: Final = 1.0
"""Seconds between two updates while rules are compiled."""
MOST_LABELS: Final = 5
"""Moves whose value the board shows as a text; the others are coloured only."""
_CONTROLS: Final = """
<div class="row"><label class="sr" for="typed">Type a move</label>
<input id="typed" placeholder="Type a move" autocomplete="off">
<input id="load" class="sr" type="file" accept=".json" tabindex="-1" aria-label="Load a saved game"></div>
"""
_KEYS: Final = """
Keys: <kbd>Tab</kbd> to the board, arrows and <kbd>Enter</kbd> to move; elsewhere <kbd>←</kbd> <kbd>→</kbd> step through
the game, <kbd>u</kbd> undo, <kbd>r</kbd> redo, <kbd>h</kbd> hint, <kbd>f</kbd> flip, <kbd>a</kbd> analysis,
<kbd>n</kbd> new game.
"""


class PlayView:
    """The elements of one visitor's page; see `zermelo.ui.web.live_game.Screen`."""

    def __init__(self) -> None:
        self.is_closed = False
        self.side = 0
        """The side that the visitor plays; see `zermelo.ui.web.sharing.Seated`."""
        self.is_turned = False
        """Whether this screen shows the board from the other side than the game began."""
        self.address_of_server = ""
        """Where other machines find the server; empty if they cannot reach it."""
        self.summary: Callable[[str], str] = lambda name: ""
        """What the shelf says of a game, by its name there."""
        self.name = ""
        """What the visitor wants to be called."""
        self.editor: PositionEditor | None = None
        """The position that the visitor sets up; None while the game is shown."""
        self._painting: asyncio.TimerHandle | None = None

    def build(self) -> None:
        """Make the elements in the page of the visitor who is being served."""
        head("zermelo")
        self.client = ui.context.client
        self.bar = bar("Play", "")
        with ui.element("div").classes("page play"):
            with ui.element("section").classes("card stage").props('aria-label="Board"'):
                ui.html("Play", sanitize=False, tag="h1").classes("sr")
                self.far = ui.html("", sanitize=False)
                with ui.element("div").classes("middle"):
                    self.gauge = ui.html("", sanitize=False).classes("gauge-holder")
                    self.board = ui.html("", sanitize=False).classes("board-holder")
                self.near = ui.html("", sanitize=False)
                self.status = ui.html("", sanitize=False).classes("status").props('aria-live="polite"')
                self.told = ui.html("", sanitize=False).classes("sr").props('aria-live="assertive"')
            with ui.element("div").classes("stack side"):
                with ui.element("section").classes("card stack game"):
                    self.moves = ui.html("", sanitize=False).classes("stack")
                    self.tools = ui.html("", sanitize=False)
                    ui.html(_CONTROLS, sanitize=False)
                self.analysis = ui.html("", sanitize=False, tag="section").classes("card stack")
                ui.html(_KEYS, sanitize=False).classes("foot")
        with ui.element("div").props('id="menu" popover="auto" aria-label="Menu"'):
            self.menu = ui.html("", sanitize=False).classes("menu")
        with ui.element("dialog").props('id="setup" aria-label="New game"'):
            self.form = ui.html("", sanitize=False)

    def address(self, query: str) -> None:
        """See `Screen`."""
        self.client.run_javascript(f"zermelo.address({query!r})")

    def copy(self, query: str) -> None:
        """Copy a link to a position."""
        self.client.run_javascript(f"zermelo.copy({query!r})")

    def tell_time(self) -> None:
        """Tell the browser the server's time, to which the ends of clocks refer."""
        self.client.run_javascript(f"zermelo.skew = Date.now() - {1000 * time.time():.0f}")

    def ask_name(self) -> None:
        """Ask the browser for the name that it keeps."""
        self.client.run_javascript("zermelo.sign()")

    def open_form(self, content: str = "") -> None:
        """Show a form: with this content, or else the one that was filled in."""
        self.form.content = content or self.form.content
        self.client.run_javascript("document.getElementById('setup').showModal()")

    def close_form(self) -> None:
        """Hide the form."""
        self.client.run_javascript("document.getElementById('setup').close()")

    def paint_soon(self, game: LiveGame) -> None:
        """See `Screen`."""
        if self._painting is None and not self.is_closed:
            self._painting = asyncio.get_running_loop().call_later(PAUSE, self.paint, game)

    def paint(self, game: LiveGame) -> None:
        """See `Screen`."""
        if self._painting is not None:
            self._painting.cancel()
            self._painting = None
        if self.is_closed:
            return
        try:
            self._paint(game)
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self.status.content = f'<div class="error" role="alert">{escape(sentence)}</div>'

    def _paint(self, game: LiveGame) -> None:
        sitting = game.sitting
        flipped = sitting.flipped != self.is_turned
        near, far = (MIN, MAX) if flipped else (MAX, MIN)
        title = title_of(sitting.game, sitting.source, self.summary(sitting.source), sitting.parameters)
        self.bar.content = bar_html("Play", sitting.link(), title)
        self.menu.content = controls.menu(
            sitting, sitting.game.fingerprint in game.workshop.tables, bool(self.address_of_server)
        )
        if self.editor is not None:
            self._paint_editor(game, self.editor, flipped)
            return
        thinking = _thinking(game)
        for strip, side in ((self.far, far), (self.near, near)):
            name = game.names.get(side, "")
            strip.content = controls.seat(sitting, side, thinking, name, is_own=side == self.side)
        self.board.content = _picture(game, flipped, self.side)
        self.status.content = controls.status(sitting, game.error, game.paused, game.notice, game.is_resigning)
        self.told.content = escape(controls.announcement(sitting))
        self.moves.content = fragments.moves(sitting, game.analyst.reviewing)
        self.tools.content = controls.toolbar(sitting)
        self.gauge.content = fragments.gauge(sitting, flipped) if game.analyst.is_wanted else ""
        self.analysis.content = fragments.analysis(
            sitting,
            game.analyst.is_wanted,
            _waiting(game),
            "analysis" in game.background,
            game.workshop.engines.refusal(sitting.game),
            game.workshop.engines.share(sitting.game),
        )
        if game.workshop.engines.share(sitting.game) is not None:  # show how far the compiler is
            self._painting = asyncio.get_running_loop().call_later(COMPILER_PAUSE, self.paint, game)

    def _paint_editor(self, game: LiveGame, editor: PositionEditor, flipped: bool) -> None:
        """Show the position that is set up, in the places of the game and of its players."""
        self.far.content = self.told.content = self.gauge.content = self.tools.content = self.analysis.content = ""
        self.board.content = panel.picture(editor, flipped, f"{game.sitting.number}:{game.sitting.here}")
        self.near.content = panel.palette(editor)
        self.status.content = panel.status(editor, game.error, game.notice)
        self.moves.content = panel.form(editor)


def _thinking(game: LiveGame) -> str:
    """Return how far the program's search is."""
    sitting = game.sitting
    is_ready = game.workshop.engines.is_ready(sitting.game)
    if not game.turn.thinking and (sitting.computer or "").startswith("engine") and not is_ready:
        return f"compiling the rules to machine code, which is done once{_percent(game)}"
    return game.turn.thinking


def _waiting(game: LiveGame) -> str:
    """Return why there is no analysis yet."""
    if not game.workshop.engines.is_ready(game.sitting.game):
        return f"Compiling the rules to machine code, which is done once{_percent(game)}"
    return "Waiting for a free engine" if game.analyst.waiting else "Looking"


def _percent(game: LiveGame) -> str:
    """Return how far the compiler is with the game, behind a sentence; empty if it has not begun."""
    share = game.workshop.engines.share(game.sitting.game)
    return "" if share is None else f": {share:.0%}"


def _picture(live: LiveGame, flipped: bool, side: int) -> str:
    """Return the board with its marks, for a visitor who plays a side."""
    sitting, game = live.sitting, live.sitting.game
    if game.board is None:
        return f'<pre aria-label="Board">{escape(game.draw(sitting.state))}</pre>'
    board = board_after(game, sitting.match.states[: sitting.here + 1])
    shown = with_choices(board, live.selected, game.to_move(sitting.state))
    legal = next_cells(board, live.selected) if sitting.can_move and side in (0, sitting.to_move) else set()
    marks = Marks(legal, live.selected)
    if sitting.here:
        before, action = sitting.match.states[sitting.here - 1], sitting.match.actions[sitting.here - 1]
        done = difference(game.board(before), game.board(sitting.state), action, game.to_move(before))
        marks = marks._replace(placed=done.placed, changed=done.changed, captured=done.captured)
    if live.hint is not None:
        marks = marks._replace(hint=board.clicks.get(live.hint, ()))
    if live.analyst.is_wanted:
        marks = _advised(sitting, board, live.selected, marks)
    drawn = draw_board(shown, marks, flipped=flipped, palette=palette_of(game), title=f"Board of {game.name}")
    place = f"{sitting.number}:{sitting.here}:{'flipped' if flipped else ''}"
    return f'<div data-place="{place}" data-falls="{int(board.falls)}">{drawn}</div>'


def _advised(sitting: Sitting, board: Board, selected: tuple[int, ...], marks: Marks) -> Marks:
    """Return the marks with what each move loses, and an arrow for the best; if several begin on a cell, the best's."""
    found, game = sitting.analyses.get(sitting.here), sitting.game
    if found is None or not sitting.can_move or not found.moves:
        return marks
    player = game.to_move(sitting.state)
    ranked = best_first(found, player)
    cells = by_cell(board, selected, [move.action for move in ranked])
    worth = {move.action: move for move in ranked}
    shades = {cell: shade(game, found, worth[actions[0]], player) for cell, actions in cells.items()}
    labelled = sorted(cells, key=lambda cell: ranked.index(worth[cells[cell][0]]))[:MOST_LABELS]
    shades = {cell: one if cell in labelled else one._replace(text="") for cell, one in shades.items()}
    return marks._replace(shades=shades, arrow=() if selected else arrow_of(game, sitting.state, ranked[0].action))
