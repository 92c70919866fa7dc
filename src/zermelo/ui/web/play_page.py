"""The page on which a game is played: one `PlayPage` for each visitor, freed when the visitor leaves."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from fastapi import Request
from nicegui import ui

from zermelo.errors import IllegalAction, RecordError, ZermeloError
from zermelo.game import MAX, MIN, Action
from zermelo.play.record import Record
from zermelo.result import SearchResult
from zermelo.ui.web import fragments, links
from zermelo.ui.web.analysis import Analysis, best_first
from zermelo.ui.web.drawing import Marks, Shade, draw_board
from zermelo.ui.web.judging import shade
from zermelo.ui.web.moving import by_cell, click, difference, next_cells
from zermelo.ui.web.page import bar, bar_html, head, listen
from zermelo.ui.web.palette import palette_of
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.thinking import Control, Workshop, can_play

ANALYSIS_SECONDS: Final = 5.0
REVIEW_SECONDS: Final = 0.4
HINT_SECONDS: Final = 1.0
PAUSE: Final = 0.15
"""Seconds that a position stands before its analysis begins, and between two pictures of it."""


def add_play_page(shelf: Shelf, workshop: Workshop) -> None:
    """Serve the page at ``/``."""

    @ui.page("/", title="zermelo", reconnect_timeout=5.0)
    def play_page(request: Request) -> None:
        page = PlayPage(shelf, workshop, list(request.query_params.items()))
        page.build()


class PlayPage:
    """One visitor's page."""

    def __init__(self, shelf: Shelf, workshop: Workshop, query: list[tuple[str, str]]) -> None:
        self.shelf, self.workshop = shelf, workshop
        self.error, self.notice, self.thinking, self.reviewing = "", "", "", ""
        self.selected: tuple[int, ...] = ()
        self.hint: Action = None
        self.is_analysing, self.waiting, self.paused = True, False, False
        self.control: Control | None = None
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.is_closed = False
        self._painting: asyncio.TimerHandle | None = None
        try:
            self.sitting = Sitting.begin(shelf, links.read(query, shelf.first))
        except ZermeloError as error:
            self.sitting, self.error = Sitting.begin(shelf, links.Position(shelf.first)), str(error)

    def build(self) -> None:
        """Make the page's elements."""
        head("zermelo")
        self.client = ui.context.client
        self.bar = bar("Play", "")
        with ui.element("div").classes("page play"):
            with ui.element("section").classes("card stage").props('aria-label="Board"'):
                self.far = ui.html("", sanitize=False)
                self.board = ui.html("", sanitize=False)
                self.near = ui.html("", sanitize=False)
                self.status = ui.html("", sanitize=False).classes("status").props('aria-live="polite"')
                ui.html(_CONTROLS, sanitize=False)
            with ui.element("div").classes("stack"):
                self.analysis = ui.html("", sanitize=False, tag="section").classes("card stack")
                with ui.element("section").classes("card stack"):
                    ui.html("Moves", sanitize=False, tag="h2")
                    self.moves = ui.html("", sanitize=False).classes("stack")
                ui.html(_KEYS, sanitize=False).classes("foot")
        with ui.element("dialog").props('id="setup" aria-label="New game"'):
            self.form = ui.html("", sanitize=False)
        listen(self.heard)
        self.client.on_connect(self._arrived)
        self.client.on_delete(self.close)
        self.paint()

    def _arrived(self) -> None:
        """The page is alive: what the position asks for may begin."""
        self.changed()
        self.paint()

    def close(self) -> None:
        """The visitor has left: stop what runs for them."""
        self.is_closed = True
        for task in self.tasks.values():
            task.cancel()
        self.tasks.clear()

    # What the visitor does

    async def heard(self, kind: str, value: Any) -> None:
        """Something from the page's script; what makes no sense is answered with a sentence."""
        self.error = self.notice = ""
        try:
            await self._do(kind, value)
        except ZermeloError as error:
            self.error = str(error)
        self.paint()

    async def _do(self, kind: str, value: Any) -> None:
        if kind == "cell" and isinstance(value, list):
            self._cells(value[:2])
        elif kind == "type" and isinstance(value, str):
            self._require_turn()
            self.play(self.sitting.game.read_action(self.sitting.state, value[:200]))
        elif kind == "play" and isinstance(value, int):
            legal = self.sitting.game.legal_actions(self.sitting.state)
            self._require_turn()
            if 0 <= value < len(legal):
                self.play(legal[value])
        elif kind == "line" and isinstance(value, int):
            self._play_line(value)
        elif kind in ("goto", "step") and isinstance(value, int):
            self.sitting.go_to(value if kind == "goto" else self.sitting.here + value)
            self.changed()
        elif kind == "command" and value in _COMMANDS:
            await getattr(self, f"do_{value}")()
        elif kind == "cancel":
            self.selected = ()
        elif kind == "choose" and isinstance(value, dict):
            self._fill_form(value)
        elif kind == "start" and isinstance(value, dict):
            self._start(value)
        elif kind == "load" and isinstance(value, str):
            if not value:
                raise RecordError("That file is too large to be a saved game.")
            self._sit(Sitting.resume(self.shelf, Record.from_text(value)))

    def _cells(self, cells: list[Any]) -> None:
        """Clicks on cells, one or, for a drag, two."""
        sitting = self.sitting
        board = None if sitting.game.board is None else sitting.game.board(sitting.state)
        if board is None or not sitting.can_move:
            return
        if len(cells) == 2:
            self.selected = ()
        for cell in cells:
            if not isinstance(cell, int) or not 0 <= cell < len(board.cells):
                return
            done = click(board, self.selected, cell)
            self.selected = done.selected
            if done.is_move:
                self.play(done.action)
                return

    def _require_turn(self) -> None:
        if not self.sitting.can_move:
            raise IllegalAction("It is not your turn." if not self.sitting.is_over else "The game is over.")

    def play(self, action: Action) -> None:
        """Make a person's move."""
        self._cancel("move")
        self.sitting.play(action)
        self.changed()

    def _play_line(self, count: int) -> None:
        """Play the first moves of the principal variation, whoever's turn it is."""
        found = self.sitting.analyses.get(self.sitting.here)
        if found is not None:
            self._cancel("move")
            for action in found.line[: max(0, count)]:
                self.sitting.play(action)
            self.changed()

    async def do_undo(self) -> None:
        """Take back."""
        self._cancel("move")
        self.sitting.undo()
        self.changed()

    async def do_redo(self) -> None:
        """Make again what was taken back."""
        self.sitting.redo()
        self.changed()

    async def do_flip(self) -> None:
        """Turn the board round."""
        self.sitting.flipped = not self.sitting.flipped

    async def do_resign(self) -> None:
        """Give up."""
        self._cancel("move")
        self.sitting.resign()
        self.changed()

    async def do_stop(self) -> None:
        """Make the computer move now; one that cannot yet waits until it is told to go on."""
        if self.control is not None:
            self.control.stop()

    async def do_go(self) -> None:
        """Let the computer think again."""
        self.changed()

    async def do_hint(self) -> None:
        """Show what is best, as far as a short search finds."""
        sitting, here = self.sitting, self.sitting.here
        if sitting.game.is_terminal(sitting.state):
            raise IllegalAction("The game is over; there is nothing to hint at.")
        found = sitting.analyses.get(here)
        if found is None or not (found.depth or found.proven):
            self.notice = "Looking for a hint…"
            self.paint()
            found = await self.workshop.analyse(sitting.game, sitting.state, HINT_SECONDS, lambda _: None)
        if found is not None and (sitting, here) == (self.sitting, self.sitting.here):
            self.hint = best_first(found, sitting.game.to_move(sitting.state))[0].action
            self.notice = f"Hint: {sitting.game.show_action(sitting.state, self.hint)}"

    async def do_new(self) -> None:
        """Ask for a new game."""
        self._fill_form({})
        self.client.run_javascript("document.getElementById('setup').showModal()")

    async def do_again(self) -> None:
        """The same game from the start."""
        old = self.sitting
        seconds = old.options.seconds or 3.0
        position = links.Position(old.source, old.parameters, old.seat(MAX), old.seat(MIN), seconds)
        self._sit(Sitting.begin(self.shelf, position))

    async def do_save(self) -> None:
        """Download the game as a record."""
        ui.download.content(self.sitting.record().to_text(), f"{self.sitting.game.name}.json", "application/json")

    async def do_link(self) -> None:
        """Copy a link to the position."""
        self.client.run_javascript(f"zermelo.copy({self.sitting.link()!r})")
        self.notice = "The link to this position is copied."

    async def do_analysis(self) -> None:
        """Show or hide the analysis."""
        self.is_analysing = not self.is_analysing
        if self.is_analysing:
            self.changed()
        else:
            self._cancel("analysis")

    async def do_review(self) -> None:
        """Judge every move, or stop doing so."""
        if "review" in self.tasks:
            self._cancel("review")
            self.reviewing = ""
        else:
            self._begin("review", self._review())

    def _fill_form(self, said: dict[str, Any]) -> None:
        """The form of a new game: as the present one, or for the game that was chosen in it."""
        sitting, chosen = self.sitting, str(said.get("game") or self.sitting.source)
        values = sitting.parameters if not said else {}
        game = self.shelf.game(chosen)
        players = can_play(game, game.fingerprint in self.workshop.tables)
        seats = (str(said.get("max") or sitting.seat(MAX)), str(said.get("min") or sitting.seat(MIN)))
        self.form.content = fragments.setup_form(
            self.shelf.names(),
            chosen,
            self.shelf.parameters(chosen),
            values,
            players,
            seats,
            sitting.options.seconds or 3.0,
            self.error,
        )

    def _start(self, said: dict[str, Any]) -> None:
        """A new game as the form says."""
        try:
            position = links.read([(str(name), str(value)[:200]) for name, value in said.items()], self.shelf.first)
            self._sit(Sitting.begin(self.shelf, position))
        except ZermeloError as error:
            self.error = str(error)
            self._fill_form(said)
            self.error = ""
        else:
            self.client.run_javascript("document.getElementById('setup').close()")

    def _sit(self, sitting: Sitting) -> None:
        """Begin another game."""
        for name in list(self.tasks):
            self._cancel(name)
        self.reviewing = ""
        self.sitting = sitting
        self.changed()

    # What goes on meanwhile

    def changed(self) -> None:
        """The position is another one: let whose turn it is think, and look at it."""
        self.selected, self.hint, self.paused = (), None, False
        if self.sitting.computer is not None and "move" not in self.tasks:
            self._begin("move", self._computer())
        self._cancel("analysis")
        if self.is_analysing and not self.sitting.game.is_terminal(self.sitting.state):
            found = self.sitting.analyses.get(self.sitting.here)
            if found is None or not found.proven:
                self._begin("analysis", self._look())
        self.client.run_javascript(f"zermelo.address({self.sitting.link()!r})")

    def _begin(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something in the background, until it is done or the visitor leaves."""
        if self.is_closed:
            work.close()
            return
        self._cancel(name)
        task = self.tasks[name] = asyncio.create_task(work)

        def done(task: asyncio.Task[None]) -> None:
            if self.tasks.get(name) is task:
                del self.tasks[name]
            if not task.cancelled() and (error := task.exception()) is not None:
                self.error = str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}."
                self.paint()
            elif name == "analysis" and not task.cancelled():
                self.paint()

        task.add_done_callback(done)

    def _cancel(self, name: str) -> None:
        task = self.tasks.pop(name, None)
        if task is not None:
            task.cancel()

    async def _computer(self) -> None:
        """The programs' moves, until a person's turn comes or the game ends."""
        sitting = self.sitting
        while (player := sitting.match.mover.name) != "human" and not sitting.is_over:
            loop = asyncio.get_running_loop()
            control = self.control = Control()

            def progress(nodes: int, result: SearchResult | None, loop: asyncio.AbstractEventLoop = loop) -> None:
                loop.call_soon_threadsafe(self._thinks, nodes, result)

            try:
                thought = await self.workshop.move(
                    sitting.game, sitting.match.state, player, sitting.move_options(), progress, control
                )
            except ZermeloError:
                self.paused = True
                raise
            finally:
                self.control, self.thinking = None, ""
            sitting.answer(thought.action)
            del self.tasks["move"]  # what follows may begin another
            self.error = ""
            self.changed()
            self.paint()
            return

    def _thinks(self, nodes: int, result: SearchResult | None) -> None:
        """What the computer is at, beside its name."""
        said = f"{nodes:,} nodes"
        if result is not None and result.depth:
            game, state, line = self.sitting.game, self.sitting.match.state, []
            with suppress(Exception):
                for action in result.principal_variation[:6]:
                    line.append(game.show_action(state, action))
                    state = game.result(state, action)
            said = f"depth {result.depth}, {said}: {' '.join(line)}"
        if self.control is not None:
            self.thinking = said
            self.paint_soon()

    async def _look(self) -> None:
        """Analyse the position shown, live."""
        await asyncio.sleep(PAUSE)
        self.waiting = True
        await self._analyse(self.sitting.here, ANALYSIS_SECONDS)

    async def _analyse(self, ply: int, seconds: float) -> None:
        sitting, loop = self.sitting, asyncio.get_running_loop()

        def keep(found: Analysis) -> None:
            old = sitting.analyses.get(ply)
            better = old is None or (found.proven, found.depth or 0) >= (old.proven, old.depth or 0)
            if sitting is self.sitting and ply <= len(sitting.match.actions) and better:
                sitting.analyses[ply] = found
                self.waiting = False
                self.paint_soon()

        def say(found: Analysis) -> None:
            loop.call_soon_threadsafe(keep, found)

        found = await self.workshop.analyse(sitting.game, sitting.match.states[ply], seconds, say)
        if found is not None:
            keep(found)

    async def _review(self) -> None:
        """Look at every position of the game that is not known yet."""
        sitting = self.sitting
        for ply in range(len(sitting.match.actions)):
            self.reviewing = f"Judging move {ply + 1} of {len(sitting.match.actions)}: stop"
            if ply not in sitting.analyses:
                await self._analyse(ply, REVIEW_SECONDS)
                self.paint_soon()
        self.reviewing = ""
        self.paint_soon()

    # What the visitor sees

    def paint_soon(self) -> None:
        """Paint, but not more often than eyes can follow."""
        if self._painting is None and not self.is_closed:
            self._painting = asyncio.get_running_loop().call_later(PAUSE, self.paint)

    def paint(self) -> None:
        """Bring every part of the page up to date."""
        if self._painting is not None:
            self._painting.cancel()
            self._painting = None
        if self.is_closed:
            return
        sitting = self.sitting
        near, far = (MIN, MAX) if sitting.flipped else (MAX, MIN)
        self.bar.content = bar_html("Play", sitting.link(), repr(sitting.game))
        thinking = self.thinking
        if not thinking and (sitting.computer or "").startswith("engine") and not self.workshop.is_ready(sitting.game):
            thinking = "compiling the rules to machine code, which is done once"
        self.far.content = fragments.seat(sitting, far, thinking)
        self.near.content = fragments.seat(sitting, near, thinking)
        self.board.content = self._picture()
        self.status.content = fragments.status(sitting, self.error, self.paused, self.notice)
        self.moves.content = fragments.moves(sitting, self.reviewing)
        self.analysis.content = fragments.analysis(
            sitting, self.is_analysing, self._wait_words(), "analysis" in self.tasks
        )

    def _wait_words(self) -> str:
        """Why there is no analysis yet."""
        if not self.workshop.is_ready(self.sitting.game):
            return "Compiling the rules to machine code, which is done once"
        return "Waiting for a free engine" if self.waiting else "Looking"

    def _picture(self) -> str:
        """The board with its marks."""
        sitting, game = self.sitting, self.sitting.game
        if game.board is None:
            from html import escape

            return f'<pre aria-label="Board">{escape(game.draw(sitting.state))}</pre>'
        board = game.board(sitting.state)
        legal = next_cells(board, self.selected) if sitting.can_move else set()
        marks = Marks(legal, self.selected, shades=self._shades())
        if sitting.here:
            before, action = sitting.match.states[sitting.here - 1], sitting.match.actions[sitting.here - 1]
            done = difference(game.board(before), board, action, game.to_move(before))
            marks = marks._replace(placed=done.placed, changed=done.changed, captured=done.captured)
        if self.hint is not None:
            marks = marks._replace(hint=board.clicks.get(self.hint, ()))
        return draw_board(
            board, marks, flipped=sitting.flipped, palette=palette_of(game.name), title=f"Board of {game.name}"
        )

    def _shades(self) -> dict[int, Shade]:
        """The colour of each move on the board: where several begin on one cell, that of the best."""
        sitting = self.sitting
        found = sitting.analyses.get(sitting.here)
        game = sitting.game
        if found is None or not self.is_analysing or not sitting.can_move or game.board is None:
            return {}
        player = game.to_move(sitting.state)
        ranked = best_first(found, player)
        cells = by_cell(game.board(sitting.state), self.selected, [move.action for move in ranked])
        worth = {move.action: move for move in ranked}
        return {cell: shade(game, found, worth[actions[0]], player) for cell, actions in cells.items()}


_COMMANDS: Final = tuple(name.removeprefix("do_") for name in vars(PlayPage) if name.startswith("do_"))
_CONTROLS: Final = """
<div class="row" role="toolbar" aria-label="Game">
<button class="btn main" data-command="new">New game…</button><button class="btn" data-command="again">Again</button>
<button class="btn" data-command="undo">Undo</button><button class="btn" data-command="redo">Redo</button>
<button class="btn" data-command="hint">Hint</button><button class="btn" data-command="stop">Stop</button>
<button class="btn" data-command="flip">Flip</button><button class="btn" data-command="resign">Resign</button>
<button class="btn" data-command="save">Save</button>
<label class="btn" tabindex="0" onkeydown="if(event.key==='Enter')this.querySelector('input').click()">Load
<input id="load" class="sr" type="file" accept=".json" tabindex="-1"></label>
<button class="btn" data-command="link">Copy link</button>
<label class="sr" for="typed">Type a move</label>
<input id="typed" placeholder="Type a move" autocomplete="off" style="width:130px"></div>
"""
_KEYS: Final = """
Keys: <kbd>Tab</kbd> to the board, arrows and <kbd>Enter</kbd> to move; elsewhere <kbd>←</kbd> <kbd>→</kbd> step through
the game, <kbd>u</kbd> undo, <kbd>r</kbd> redo, <kbd>h</kbd> hint, <kbd>f</kbd> flip, <kbd>n</kbd> new game.
"""
