"""The census and the puzzles of a solved table as pages."""

import threading
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest

from running import PATIENCE

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo import solve
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.games import tictactoe
from zermelo.pictures.census_bars import draw_bars, legend
from zermelo.solver import Table
from zermelo.solver.study.census import Census, Longest, Row, Saving
from zermelo.solver.study.puzzles import Puzzle
from zermelo.ui.web import table_page
from zermelo.ui.web.workshop import Workshop

GAME = tictactoe()


def a_census() -> Census:
    """The first tiers of tic-tac-toe, counted by hand."""
    tiers = [Row(0, 1, 0, 1, 0), Row(1, 9, 0, 9, 0), Row(None, 4, 1, 1, 2)]
    longest = Longest(GAME.initial, 1, 1, [GAME.legal_actions(GAME.initial)[4]])
    return Census("tictactoe()", 14, 14, 1, 11, 2, tiers, tiers, longest, Saving(14, True, 0.0, 0.0, 0))


def test_bars_stand_for_every_row() -> None:
    picture = draw_bars(GAME, a_census().by_tier, "tier")
    assert picture.count("<title>") == 3
    assert "tier ∞: 4 positions" in picture
    assert picture.count("<rect") == 1 + 1 + 3  # a part without positions has no bar
    assert "draws: 11" in legend(GAME, a_census())


def test_a_puzzle_is_asked_with_one_right_answer() -> None:
    state = GAME.replay([0, 3, 1, 4])  # X has two in the top row, and so has O below
    action = 2
    puzzle = Puzzle(state, action, 1, 1, 5, 1, [action])
    html = table_page._puzzle("tictactoe", GAME, 3, puzzle)
    assert html.count('data-answer="1"') == 1
    assert html.count("data-answer") == len(GAME.legal_actions(state))
    assert f'data-answer="1">{escape(GAME.show_action(state, action))}</button>' in html
    assert "1 ply to the end. A search finds the move at depth 1." in html
    if GAME.from_text is not None:
        assert "max=human&amp;min=table" in html


def test_the_longest_win_is_shown_with_its_line() -> None:
    html = table_page._longest("tictactoe", GAME, a_census())
    assert "wins in 1 ply, by" in html
    assert "<svg" in html


@pytest.mark.parametrize("text", ["-1", "x", "9999999999"])
def test_a_seed_is_a_number(text: str) -> None:
    with pytest.raises(BadParameter, match="whole number"):
        table_page._seed(text)


def test_what_takes_long_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, in_loop: Callable[..., Any], tmp_path: Path
) -> None:
    monkeypatch.setattr(table_page, "_WAITING", 0.01)
    read = threading.Event()

    def part(source: str, game: Game, table: Table, seed: int) -> str:
        assert read.wait(PATIENCE)
        return f"{source}, {len(table)} positions, seed {seed}"

    async def work() -> None:
        with solve(GAME, tmp_path / "table") as table:
            workshop = Workshop(tables={GAME.fingerprint: table})
            studies = table_page.Studies(workshop)
            assert await studies.ask(part, "tictactoe", GAME, 3, "") is None
            assert await studies.ask(part, "tictactoe", GAME, 3, "") is None  # the same study goes on
            read.set()
            found = None
            while found is None:
                found = await studies.ask(part, "tictactoe", GAME, 3, "")
            assert found == "tictactoe, 5478 positions, seed 3"
            workshop.close()

    in_loop(work)


def test_a_page_that_waits_says_so_and_loads_itself_again(with_table: Any, visit: Callable[..., Any]) -> None:
    asked: list[str] = []
    visitor = visit("/census?game=tictactoe", at=with_table)
    visitor.until(lambda: visitor.page.locator("svg rect").count() > 0)  # from here on, the server knows the census

    def wait_first(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) > 1:
            route.fallback()
        else:
            route.fulfill(
                content_type="text/html", body=f"<title>Census</title>{table_page._READING}{table_page._AGAIN}"
            )

    visitor.page.route("**/census?*", wait_first)
    visitor.page.goto(f"{with_table.address}/census?game=tictactoe")
    visitor.until(lambda: visitor.page.locator("svg rect").count() > 0)
    assert len(asked) == 2
    visitor.context.close()
