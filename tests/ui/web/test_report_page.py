"""The report of a tournament in a browser, from a file: its games can be replayed, and everybody can read it."""

from pathlib import Path
from typing import Any

import pytest

from positions import random_moves
from zermelo import make_game
from zermelo.lab.played import PlayedGame
from zermelo.lab.report import tournament_page
from zermelo.lab.tournament import TournamentResult
from zermelo.protocol.position import write_move

OFF = """() => [...document.querySelectorAll('section, h1, h3, p, button, select')].filter((one) =>
  one.getBoundingClientRect().right > document.documentElement.clientWidth + 1
  && !one.closest('.scroll, .moves')).length
  + (document.documentElement.scrollWidth > document.documentElement.clientWidth ? 1 : 0)"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six games of checkers between three players with long names."""
    game = make_game("checkers")
    players = ["engine:depth=6,history=off", "students/lovelace.py", "program:java Bot"]
    games = []
    for number in range(6):
        moves = list(random_moves(game, number, 30))
        written = tuple(write_move(game, *one) for one in moves)
        first, second = players[number // 2], players[(number // 2 + 1) % 3]
        if number % 2:
            first, second = second, first
        crashed = {"ending": "crash", "reason": f"{second}: it ended with status 1."} if number == 4 else {}
        games.append(
            PlayedGame(
                **{
                    "number": number,
                    "first": first,
                    "second": second,
                    "opening": number // 2,
                    "plies": 4,
                    "moves": written,
                    "seconds": (0.01,) * (len(written) - 4),
                    "scores": tuple(range(len(written) - 4)),
                    "nodes": (100,) * (len(written) - 4),
                    "points": 1.0,
                    "value": None,
                    "ending": "plies",
                    **crashed,
                }
            )
        )
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(tournament_page(game, TournamentResult(tuple(players), tuple(games))), encoding="utf-8")
    return file


@pytest.fixture
def page(browser: Any, report: Path, request: pytest.FixtureRequest) -> Any:
    """The report at a size and in a scheme; it may ask for nothing else, and its script may not fail."""
    size, scheme = getattr(request, "param", ({"width": 1180, "height": 900}, "light"))
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page, problems = context.new_page(), []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda asked: None if asked.url.startswith("file://") else problems.append(asked.url))
    page.goto(report.as_uri())
    yield page
    context.close()
    assert problems == []


def wait_for_game(page: Any, number: int) -> None:
    """Wait for a game to be shown: a browser tells the page of a new link some time after the click."""
    page.locator("#title", has_text=f"Game {number}: ").wait_for()


def test_games_are_replayed(page: Any) -> None:
    """Steps by button, key, slider and list of moves show the same position, and links show their game."""
    said = page.locator("#said")
    assert said.inner_text().startswith("Move 4 of 30: ")
    pieces = page.locator("#board .piece").count()
    page.get_by_role("button", name="End", exact=True).click()
    at_end = page.locator("#board").inner_html()
    assert page.locator("#board .piece").count() < pieces
    page.keyboard.press("ArrowLeft")
    assert said.inner_text().startswith("Move 29 of 30: ")
    page.get_by_role("button", name="30.").click()
    assert page.locator("#board").inner_html() == at_end
    page.keyboard.press("Home")
    assert said.inner_text() == "The start."
    page.locator("#ply").fill("30")
    assert page.locator("#board").inner_html() == at_end
    page.locator("#faults").get_by_role("link").click()
    wait_for_game(page, 4)
    assert "it ended with status 1." in page.locator("#outcome").inner_text()


def test_the_list_of_games_is_filtered(page: Any) -> None:
    rows = page.locator("#list tr")
    assert rows.count() == 6
    page.locator("[data-filter=ending]").select_option(label="forfeit: crash")
    assert rows.count() == 1
    rows.get_by_role("link").click()
    wait_for_game(page, 4)
    page.locator("[data-filter=result]").select_option(label="drawn")
    assert page.locator("#listed").inner_text() == "There is no such game."


@pytest.mark.parametrize(
    "page", [({"width": 390, "height": 844}, "dark"), ({"width": 1180, "height": 900}, "light")], indirect=True
)
def test_everybody_can_read_it(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    assert page.evaluate(OFF) == 0
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical", "moderate")] == []
