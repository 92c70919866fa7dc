"""The page on which a game is played: one `PlayPage` for each visitor, freed when the visitor leaves."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from fastapi import Request
from nicegui import ui

from zermelo.errors import RecordError, ZermeloError
from zermelo.game import MAX, MIN
from zermelo.play.record import Record
from zermelo.registry import sentence_of
from zermelo.ui.web import controls, fragments, links
from zermelo.ui.web.editing.commands import change
from zermelo.ui.web.editing.editor import PositionEditor
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.new_game_form import NewGameForm, filled_in
from zermelo.ui.web.page import RESPONSE_SECONDS, client_of, listen
from zermelo.ui.web.pasting import pasted
from zermelo.ui.web.play_view import PlayView
from zermelo.ui.web.qr import draw_code
from zermelo.ui.web.queries import page_query
from zermelo.ui.web.sharing import NOBODY, Audience, SharedGames, check_wish, read_name
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop

_OF_GAME: Final[Mapping[str, Callable[[LiveGame], None]]] = {
    "undo": LiveGame.undo,
    "redo": LiveGame.redo,
    "ask": LiveGame.ask_to_resign,
    "resign": LiveGame.resign,
    "cancel": LiveGame.unselect,
    "swap": LiveGame.swap_sides,
    "stop": LiveGame.stop,
    "go": LiveGame.changed,
    "analysis": LiveGame.toggle_analysis,
    "review": lambda game: game.analyst.review(),
}
"""The commands that are the game's."""
FILE_SECONDS: Final = 1.0
"""Time between two looks at the file of a game."""
LARGEST_RECORD: Final = 200_000
"""Characters of a saved game; the script of the page refuses larger files before they are sent."""


def add_play_page(shelf: Shelf, workshop: Workshop, address: str = "") -> None:
    """Serve the page at ``/``; ``address`` is where other machines find it, empty if they cannot reach it."""
    shared, known = SharedGames(), [page_query(*links.NAMES, "join", of_game=True)]

    @ui.page("/", title="zermelo", reconnect_timeout=5.0, response_timeout=RESPONSE_SECONDS, dependencies=known)
    async def play_page(request: Request) -> None:
        pages = Pages(shelf, workshop, shared, address)
        joined = shared.find(request.query_params.get("join", ""))
        if joined is not None:
            PlayPage(pages, *joined).build()
            return
        sitting, error = await asyncio.to_thread(_opened, shelf, list(request.query_params.items()))
        PlayPage.begin(pages, sitting, error, client_of(request)).build()


def _opened(shelf: Shelf, query: list[tuple[str, str]]) -> tuple[Sitting, str]:
    """Return the game that a link describes; if the link is wrong, the usual game, and a sentence that says why."""
    try:
        return Sitting.begin(shelf, links.read(query, links.opening(shelf))), ""
    except ZermeloError as refusal:
        return Sitting.begin(shelf, links.opening(shelf)), str(refusal)


class Pages(NamedTuple):
    """What the pages to play share."""

    shelf: Shelf
    workshop: Workshop
    shared: SharedGames
    address: str = ""


class PlayPage:
    """One visitor's page, which turns what the visitor does into calls of the game."""

    def __init__(self, pages: Pages, game: LiveGame, audience: Audience, view: PlayView | None = None) -> None:
        self.shelf, self.workshop, self.shared = pages.shelf, pages.workshop, pages.shared
        self.version = self.shelf.version
        self.game, self.audience = game, audience
        self.view = view or PlayView()
        self.has_arrived = False
        """Whether the browser has been connected; it connects again after a pause of the network."""
        self._edited = game.sitting.position(0)
        """The game that the visitor left when it set a position up."""
        self._said: dict[str, Any] = {}  # what was chosen last in the form of a new game
        self.view.address_of_server, self.view.summary = pages.address, pages.shelf.summary
        if view is None:
            audience.seat(self.view)
            if self.view.side != NOBODY:
                game.show_analysis(False)  # as against a computer
            game.clear_messages()  # they were for those who were here before
            self.view.is_turned = (self.view.side == MIN) != game.sitting.flipped

    @classmethod
    def begin(cls, pages: Pages, sitting: Sitting, error: str, client: str) -> "PlayPage":
        """Return the page of a game that begins."""
        view = PlayView()
        audience = Audience(view)
        game = LiveGame(sitting, pages.workshop, audience, client)
        game.refuse(error)
        return cls(pages, game, audience, view)

    def build(self) -> None:
        """Make the page's elements."""
        self.view.build()
        listen(self.heard)
        if self.shelf.is_from_file:
            ui.timer(FILE_SECONDS, self._look_at_file)
        self.view.client.on_connect(self._arrived)
        self.view.client.on_delete(self.close)
        self.view.paint(self.game)

    def _arrived(self) -> None:
        """Start what the position needs, because the page is connected; if it was before, the game only goes on."""
        self.view.tell_time()
        if not self.has_arrived:
            self.has_arrived = True
            self.view.ask_name()
            try:
                self.game.changed()
            except Exception as error:
                self._refuse(error)
        self.view.paint(self.game)

    async def _look_at_file(self) -> None:
        """Go on under the new rules if the file of the game was saved; say what is wrong with it if it cannot be."""
        try:
            await asyncio.to_thread(self.shelf.read_again)
            if self.version == self.shelf.version:
                return
            self.version = self.shelf.version
            if self.sitting.source != self.shelf.first:
                return
            if self.shelf.fault is not None:
                raise self.shelf.fault
            try:
                begun = await asyncio.to_thread(Sitting.begin, self.shelf, self.sitting.position())
            except ZermeloError:  # its moves are not legal any more
                begun = await asyncio.to_thread(Sitting.begin, self.shelf, self.sitting.position(0))
            self.game.clear_messages()
            self.view.editor = None
            self.game.begin(begun)
            self.game.tell("The file was saved; the game goes on under its new rules.")
        except Exception as error:
            self._refuse(error)
        self.audience.paint(self.game)

    def _refuse(self, error: Exception) -> None:
        """Tell the visitor about an error of theirs or of their rules; raise any other again."""
        sentence = sentence_of(error)
        if sentence is None:
            raise error
        self.game.refuse(sentence)

    def close(self) -> None:
        """Stop everything, because the visitor has left."""
        self.view.is_closed = True
        self.shared.leave(self.game, self.audience, self.view)

    @property
    def sitting(self) -> Sitting:
        """The game as it stands."""
        return self.game.sitting

    async def heard(self, kind: str, value: Any) -> None:
        """Handle an event from the page's script; answer with a sentence if it is wrong."""
        if kind != "name":  # which a browser may send by itself
            self.game.clear_messages()
        try:
            await self._do(kind, value)
        except Exception as error:
            self._refuse(error)
        self.game.names = self.audience.names(self.sitting)
        self.audience.paint(self.game)

    async def _do(self, kind: str, value: Any) -> None:
        wish = value if kind == "command" and isinstance(value, str) else kind
        check_wish(wish, self.view.side, self.sitting.to_move)
        if self.view.editor is not None and kind != "name":
            await self._edit(self.view.editor, kind, value)
        elif kind == "cell" and isinstance(value, list):
            self.game.click(value[:2])
        elif kind == "type" and isinstance(value, str):
            self.game.require_turn()
            self.game.play(self.sitting.game.read_action(self.sitting.state, value[:200]))
        elif kind in ("play", "line") and isinstance(value, list) and value[1:] == [self.sitting.here]:
            self._numbered(kind, value[0])
        elif kind in ("goto", "step") and isinstance(value, int):
            self.game.go_to(value if kind == "goto" else self.sitting.here + value)
        elif kind == "command" and isinstance(value, str):
            await self._command(value)
        elif kind == "cancel":
            self.game.unselect()
        elif kind == "choose" and isinstance(value, dict):
            await self._fill_form(value)
        elif kind == "start" and isinstance(value, dict):
            await self._start(value)
        elif kind == "players" and isinstance(value, dict):
            self._seat(value)
        elif kind == "name" and isinstance(value, dict):
            self.view.name = read_name(str(value.get("name", ""))[:200])
            if value.get("by") != "browser":
                self.view.close_form()
        elif kind == "paste" and isinstance(value, dict):
            await self._set_up(str(value.get("text", "")))
        elif kind == "other" and isinstance(value, str):
            self._follow(value)
        elif kind == "load" and isinstance(value, str):
            if not 0 < len(value) <= LARGEST_RECORD:
                raise RecordError(f"A saved game has at most {LARGEST_RECORD:,} bytes; that file has more.")
            resumed = asyncio.to_thread(lambda: Sitting.resume(self.shelf, Record.from_text(value)))
            self.game.begin(await resumed)  # a long game takes a while

    def _numbered(self, kind: str, number: Any) -> None:
        """Play a legal move by its number, or a line of the analysis up to a move of that number."""
        if not isinstance(number, int):
            return
        if kind == "line":
            self.game.play_line(number)
            return
        legal = self.sitting.game.legal_actions(self.sitting.state)
        self.game.require_turn()
        if 0 <= number < len(legal):
            self.game.play(legal[number])

    # The commands of buttons and keys

    async def _command(self, name: str) -> None:
        """Do what a button or a key asks for; nothing if there is no such command."""
        own = {
            "again": self._again,
            "swapped": self._swapped,
            "save": self._save,
            "pgn": self._save_pgn,
            "link": self._link,
            "new": self._new,
            "players": self._players,
            "edit": self._open_editor,
            "paste": self._paste,
            "name": self._name,
            "address": self._address,
            "invite": self._invite,
        }
        if name == "flip":
            self.view.is_turned = not self.view.is_turned
        elif name == "hint":
            await self.game.look_for_hint()
        elif name in own:
            await own[name]()
        elif name in _OF_GAME:
            _OF_GAME[name](self.game)

    async def _again(self) -> None:
        """Begin the same game again."""
        self._begin_anew(self.sitting.seat(MAX), self.sitting.seat(MIN))

    async def _swapped(self) -> None:
        """Begin the same game again, with the players on the other sides."""
        self._begin_anew(self.sitting.seat(MIN), self.sitting.seat(MAX))

    def _begin_anew(self, max_player: str, min_player: str) -> None:
        start = replace(self.sitting.position(0), max=max_player, min=min_player)
        self.game.begin(Sitting.begin(self.shelf, start))

    async def _save(self) -> None:
        """Download the game as a record."""
        ui.download.content(self.sitting.record().to_text(), f"{self.sitting.game.name}.json", "application/json")

    async def _save_pgn(self) -> None:
        """Download the game in Portable Game Notation."""
        if self.sitting.game.pgn_tags is not None:
            ui.download.content(self.sitting.pgn(), f"{self.sitting.game.name}.pgn", "text/plain")

    async def _link(self) -> None:
        """Copy a link to the position."""
        sitting = self.sitting
        self.view.copy(sitting.link())
        is_short = len(sitting.tree()) <= links.LONGEST
        without = ", without the variations, which are too long for a link; Save keeps them"
        self.game.tell(f"The link to this position is copied{'' if is_short else without}.")

    async def _invite(self) -> None:
        """Copy a link with which another visitor of this server plays the other side."""
        sitting = self.sitting
        if self.view.side == 0:
            people = sitting.match.humans() or [MAX]
            self.view.side = people[0] if len(people) == 1 else MIN if sitting.flipped != self.view.is_turned else MAX
        token = self.shared.share(self.game, self.audience)
        self.game.seat_players("human", "human")
        self.view.copy(f"{sitting.link()}&join={token}")
        self.game.tell(f"The link for the other player is copied; you play {sitting.game.side_name(self.view.side)}.")
        if self.view.address_of_server:
            self._show_address("Invite another player", f"?join={token}")

    async def _new(self) -> None:
        """Open the form of a new game."""
        await self._fill_form({})
        self.view.open_form()

    async def _players(self) -> None:
        """Open the form of the players."""
        self.view.open_form(controls.players_form(await self._filled({})))

    def _seat(self, said: dict[str, Any]) -> None:
        """Let the players go on that the form names."""
        players = [links.check_player(str(said.get(side, "human"))[:200]) for side in ("max", "min")]
        seconds = links.read_seconds(str(said.get("seconds", "")))
        self.sitting.options = replace(self.sitting.options, seconds=seconds)
        self.view.close_form()
        self.game.seat_players(*players)

    async def _paste(self) -> None:
        """Open the form for a text."""
        self.view.open_form(controls.paste_form(self.sitting))

    async def _address(self) -> None:
        """Show where other machines find the server."""
        if self.view.address_of_server:
            self._show_address("Address of this server", "")

    def _show_address(self, title: str, query: str) -> None:
        address = self.view.address_of_server + query
        self.view.open_form(controls.address_form(title, address, draw_code(address)))

    async def _name(self) -> None:
        """Open the form for the visitor's name."""
        self.view.open_form(controls.name_form(self.view.name))

    async def _set_up(self, text: str) -> None:
        """Begin the game that a text means."""
        try:
            position = pasted(self.shelf, self.sitting.game, self.sitting.position(), text)
            begun = await asyncio.to_thread(Sitting.begin, self.shelf, position)
        except ZermeloError as error:
            self.view.form.content = controls.paste_form(self.sitting, str(error), text)
        else:
            self.view.close_form()
            self.game.begin(begun)

    async def _open_editor(self) -> None:
        """Let the visitor change the position that is shown."""
        self._edited = self.sitting.position(0)
        self.view.editor = await asyncio.to_thread(PositionEditor.of, self.sitting.game, self.sitting.state)

    async def _edit(self, editor: PositionEditor, kind: str, value: Any) -> None:
        """Change the position that is set up, or go on with it."""
        if kind == "edit" and value == "close":
            self.view.editor = None
        elif kind == "edit" and value in ("play", "analyse"):
            start = replace(self._edited, moves="", position=editor.game.show_state(editor.state()))
            if value == "analyse":
                start = replace(start, max="human", min="human", clock="")
            self.game.begin(await asyncio.to_thread(Sitting.begin, self.shelf, start))
            self.view.editor = None
            if value == "analyse":
                self.game.show_analysis(True)
        elif kind == "command" and value == "flip":
            self.view.is_turned = not self.view.is_turned
        else:
            change(editor, kind, value)

    def _follow(self, text: str) -> None:
        """Take up the variation with a number, at a move: ``3:0``."""
        ply, _, number = text.partition(":")
        if ply.isdecimal() and number.isdecimal() and int(ply) < len(self.sitting.match.actions):
            others = self.sitting.others(int(ply))
            if int(number) < len(others):
                self.game.follow(int(ply), others[int(number)])

    # The form of a new game

    async def _fill_form(self, said: dict[str, Any], error: str = "") -> None:
        """Fill the form of a new game in: as the present game, or as what was chosen in the form."""
        self._said = said
        titles = {name: self.shelf.title(name) for name in self.shelf.names()}
        filled = await self._filled(said, error)
        if self._said is said:  # something else was chosen meanwhile, whose answer may have come first
            self.view.form.content = fragments.setup_form(titles, filled)

    async def _filled(self, said: dict[str, Any], error: str = "") -> NewGameForm:
        return await asyncio.to_thread(filled_in, self.sitting, self.shelf, self.workshop, said, error)

    async def _start(self, said: dict[str, Any]) -> None:
        """Begin a new game as the form says."""
        try:
            pairs = [(str(name), str(value)[:200]) for name, value in said.items()]
            self.game.begin(Sitting.begin(self.shelf, links.read(pairs, links.opening(self.shelf))))
        except ZermeloError as error:
            await self._fill_form(said, str(error))
        else:
            self.view.close_form()
