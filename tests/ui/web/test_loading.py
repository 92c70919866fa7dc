"""A saved game that a page sends: of a bounded size, and read where nobody waits for it."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.errors import RecordError
from zermelo.play.record import Record
from zermelo.ui.web import links, play_page
from zermelo.ui.web.play_page import LARGEST_RECORD, Pages, PlayPage
from zermelo.ui.web.sharing import SharedGames
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import Workshop


@pytest.fixture
def page() -> Iterator[PlayPage]:
    """A page that nobody looks at."""
    shelf, workshop = Shelf(), Workshop()
    sitting = Sitting.begin(shelf, links.Position("tictactoe", min="human", moves="b2"))
    page = PlayPage.begin(Pages(shelf, workshop, SharedGames()), sitting, "", "page test")
    page.game.analyst.is_wanted = False
    page.game.screen.address = lambda query: None  # type: ignore[method-assign]
    yield page
    workshop.close()


@pytest.mark.parametrize("text", ["", "x" * (LARGEST_RECORD + 1)])
def test_a_record_that_is_too_large_is_refused_by_the_server(
    page: PlayPage, in_loop: Callable[..., Any], text: str
) -> None:
    with pytest.raises(RecordError, match="at most 200,000"):
        in_loop(lambda: page._do("load", text))


def test_a_record_is_read_in_another_thread(
    page: PlayPage, in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    record, readers = page.sitting.record(), list[threading.Thread]()

    class Watched(Record):
        """A record that knows who reads it."""

        @classmethod
        def from_text(cls, text: str | bytes, path: object = "The file") -> Record:
            readers.append(threading.current_thread())
            return Record.from_text(text)

    monkeypatch.setattr(play_page, "Record", Watched)
    before = page.sitting
    loops: list[threading.Thread] = []

    async def load() -> None:
        loops.append(threading.current_thread())
        await page._do("load", record.to_text())

    in_loop(load)
    assert readers
    assert readers[0] not in loops
    assert page.sitting is not before
    assert page.sitting.moves() == ["b2"]
