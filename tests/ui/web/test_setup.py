"""The form of a new game, and who plays where nobody is named."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo import make_game, solve
from zermelo.games import connect, mnk, oware
from zermelo.result import SearchCounts
from zermelo.textbook.minimax import minimax_search
from zermelo.ui.commands import serve as serving
from zermelo.ui.web import fragments, links
from zermelo.ui.web.new_game_form import filled_in
from zermelo.ui.web.opponents import MOST_MOVES, is_small, offers, usual_opponent
from zermelo.ui.web.play_page import Pages, PlayPage
from zermelo.ui.web.sharing import SharedGames
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.workshop import PLAYER_NODES, Workshop


@pytest.fixture
def workshop() -> Iterator[Workshop]:
    """A workshop in which nobody searches."""
    found = Workshop()
    yield found
    found.close()


def possible(game: Any, solved: bool = False, refusal: str = "") -> set[str]:
    """The players that can be chosen."""
    return {offer.player for offer in offers(game, solved, refusal) if not offer.reason}


def test_rules_that_turned_out_not_to_compile_are_not_offered_the_engine() -> None:
    assert usual_opponent(connect()) == "engine:easy"
    assert usual_opponent(connect(), "They use a set.") == "timed:easy"
    assert "engine:easy" in possible(connect())
    assert "engine:easy" not in possible(connect(), refusal="They use a set.")


def test_searches_to_the_end_are_offered_where_they_come_to_one() -> None:
    for game in (connect(3, 3, 3), mnk()):
        counts = SearchCounts()
        minimax_search(game, game.initial, {}, counts)
        assert is_small(game)
        assert counts.nodes <= MOST_MOVES + 1 <= PLAYER_NODES
        assert {"minimax", "alpha-beta"} <= possible(game)
    for game in (connect(), oware()):
        assert possible(game).isdisjoint({"minimax", "alpha-beta"})
    assert {offer.reason for offer in offers(oware(), False) if offer.player == "minimax"} == {
        "moves may go on for ever"
    }


def test_a_player_that_cannot_be_chosen_says_why(workshop: Workshop) -> None:
    sitting = Sitting.begin(Shelf(), links.Position("connect"))
    page = fragments.setup_form({}, filled_in(sitting, Shelf(), workshop, {}))
    assert "<option disabled>Minimax: the game is too large to search to its end</option>" in page


def test_the_form_keeps_what_was_chosen(workshop: Workshop) -> None:
    sitting = Sitting.begin(Shelf(), links.Position("connect", min="engine"))
    filled = filled_in(sitting, Shelf(), workshop, {})
    assert (filled.max, filled.min, filled.seconds) == ("human", "engine:hard", "3")
    said = {"game": "connect", "of": "connect", "p.rows": "4", "seconds": "9", "max": "random", "min": "human"}
    filled = filled_in(sitting, Shelf(), workshop, said)
    assert (filled.values["rows"], filled.max, filled.min, filled.seconds) == ("4", "random", "human", "9")
    assert filled_in(sitting, Shelf(), workshop, {**said, "game": "kalah"}).values == {}
    wrong = filled_in(sitting, Shelf(), workshop, {**said, "p.rows": "99"})
    assert "rows" in wrong.error
    assert wrong.values["rows"] == "99"


def test_a_solved_game_is_the_first_page_and_its_table_stays_a_player(workshop: Workshop) -> None:
    shelf = Shelf("connect", {"connect": {"rows": "4", "columns": "4"}})
    assert links.read([], links.opening(shelf)).parameters == {"rows": "4", "columns": "4"}
    assert links.read([("game", "connect")], links.opening(shelf)).parameters == {}
    game = shelf.game("connect", {"rows": "4", "columns": "4"})
    workshop.tables = {game.fingerprint: SimpleNamespace()}  # type: ignore[dict-item]
    position = links.Position("connect", {"rows": "4", "columns": "4"}, min="table")
    filled = filled_in(Sitting.begin(shelf, position), shelf, workshop, {})
    assert (filled.min, "table" in [offer.player for offer in filled.offers]) == ("table", True)
    chosen = filled_in(Sitting.begin(shelf, links.Position("kalah")), shelf, workshop, {"game": "connect"})
    assert (dict(chosen.values), chosen.offers[1].player) == ({"rows": "4", "columns": "4"}, "table")


@pytest.mark.parametrize(("named", "first"), [(None, "nim"), ("nim", "nim"), ("kalah", "kalah")])
def test_serve_opens_with_the_game_of_its_table(
    named: str | None, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {"first": 1, "second": 1, "third": 1, "fourth": 0}
    solve(make_game("nim", {name: str(value) for name, value in small.items()}), tmp_path / "table")
    served: list[Shelf] = []
    monkeypatch.setattr("zermelo.ui.web.serve.serve", lambda shelf, *rest: served.append(shelf))
    serving.serve(named, "127.0.0.1", 0, [str(tmp_path / "table")])
    assert served[0].first == first
    assert {name: served[0].solved["nim"][name] for name in small} == {name: str(one) for name, one in small.items()}


def test_an_answer_that_comes_after_that_to_a_later_choice_is_dropped(
    workshop: Workshop, in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf()
    page = PlayPage.begin(
        Pages(shelf, workshop, SharedGames()), Sitting.begin(shelf, links.Position("nim")), "", "test"
    )
    page.view.form = SimpleNamespace(content="")  # type: ignore[assignment]
    monkeypatch.setattr(fragments, "setup_form", lambda titles, filled: filled)

    async def choose_twice() -> None:
        answers = {"connect": asyncio.Event(), "hex": asyncio.Event()}

        async def filled(said: dict[str, Any], error: str = "") -> str:
            await answers[said["game"]].wait()
            return f"the form of {said['game']}"

        monkeypatch.setattr(page, "_filled", filled)
        choices = [asyncio.create_task(page._fill_form({"game": name})) for name in answers]
        await asyncio.sleep(0)
        for name, choice in reversed(list(zip(answers, choices, strict=True))):
            answers[name].set()
            await choice
            assert page.view.form.content == "the form of hex"

    in_loop(choose_twice)
