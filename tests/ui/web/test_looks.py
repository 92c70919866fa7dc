"""Every page at the size of a telephone and of a desk: nothing runs off it, and axe finds no serious violation."""

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo import factories

PAGES = {
    "play": "/?game=connect&moves=3,3,2&max=human&min=human",
    "checkers": "/?game=checkers&max=human&min=human",
    "kalah": "/?game=kalah&max=human&min=human",
    "explain": "/explain?game=connect&p.rows=3&p.columns=3&p.run=3",
    "programs": "/programs",
    "games": "/games",
    "rules": "/rules?game=kalah",
    "missing": "/nowhere",
}
OF_TABLES = {"census": "/census?game=tictactoe", "puzzles": "/puzzles?game=tictactoe"}
"""Pages of a server with a solved table."""
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 860}}
OVERFLOW = """() => {
  const wide = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`page ${document.documentElement.scrollWidth}`);
  for (const one of document.querySelectorAll('.page button, .page .btn, .page select, .page input, .page h2, .bar a, .card')) {
    const box = one.getBoundingClientRect(), scrolled = one.closest('.forest, .scroll, .moves, .table, dialog, .sr');
    if (!scrolled && !one.classList.contains('sr') && box.width && (box.right > wide + 1 || box.left < -1)) found.push(one.outerHTML.slice(0, 80));
  }
  const buttons = [...document.querySelectorAll('.row .btn, .bar a')].map((one) => [one, one.getBoundingClientRect()]);
  for (const [a, first] of buttons) for (const [b, second] of buttons)
    if (a !== b && !a.contains(b) && a.closest('dialog') === b.closest('dialog') && first.width && second.width && first.left < second.right - 1 && second.left < first.right - 1
        && first.top < second.bottom - 1 && second.top < first.bottom - 1) found.push(`${a.innerText} on ${b.innerText}`);
  return found;
}"""  # noqa: E501 - it is a script


SMALL = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary, [role=button]')].filter((one) => {
  const box = one.getBoundingClientRect(), style = getComputedStyle(one);
  const seen = box.width && style.visibility !== 'hidden' && !one.closest('.sr, svg') && !one.matches('.sr');
  const in_text = one.matches('a:not(.btn)') && one.closest('p, li, dd, td');
  return seen && !in_text && !one.disabled && Math.min(box.height, Math.max(box.width, box.height)) < 43.5;
}).map((one) => `${Math.round(one.getBoundingClientRect().height)} ${one.outerHTML.slice(0, 100)}`)"""  # noqa: E501
"""Targets of a finger that are lower than 44 px; links in the middle of a text may be."""


def opened(visit: Callable[..., Any], request: pytest.FixtureRequest, page: str, **context: Any) -> Any:
    """A page, of a server with a table if it needs one."""
    if page in PAGES:
        return visit(PAGES[page], **context)
    return visit(OF_TABLES[page], at=request.getfixturevalue("with_table"), **context)


def violations(visitor: Any) -> list[Any]:
    """What axe finds that is more than minor."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = axe.Axe().run(visitor.page).response["violations"]
    return [
        (one["id"], one["impact"], [node["html"][:160] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] != "minor"
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", [*PAGES, *OF_TABLES])
def test_nothing_overlaps_or_runs_off(
    visit: Callable[..., Any], request: pytest.FixtureRequest, page: str, size: str
) -> None:
    visitor = opened(visit, request, page, viewport=SIZES[size])
    visitor.page.wait_for_timeout(400)
    assert visitor.page.evaluate(OVERFLOW) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", [*PAGES, *OF_TABLES])
def test_axe_finds_no_more_than_minor_violations(
    visit: Callable[..., Any], request: pytest.FixtureRequest, page: str, scheme: str
) -> None:
    visitor = opened(visit, request, page, color_scheme=scheme)
    visitor.page.wait_for_timeout(600)
    assert violations(visitor) == []


@pytest.mark.parametrize("page", [*PAGES, *OF_TABLES])
def test_a_finger_finds_its_targets(visit: Callable[..., Any], request: pytest.FixtureRequest, page: str) -> None:
    visitor = opened(visit, request, page, viewport=SIZES["phone"], has_touch=True)
    assert visitor.page.evaluate(SMALL) == []


def test_the_form_of_a_new_game_is_accessible(visit: Callable[..., Any]) -> None:
    visitor = visit("/", viewport=SIZES["phone"])
    visitor.page.get_by_role("button", name="New game").click()
    visitor.page.locator("#setup form").wait_for()
    assert visitor.page.evaluate(OVERFLOW) == []
    assert visitor.page.evaluate(SMALL) == []
    assert violations(visitor) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_of_positions_is_accessible(visit: Callable[..., Any], scheme: str) -> None:
    visitor = visit("/?game=chess&max=human&min=human", viewport=SIZES["phone"], color_scheme=scheme)
    visitor.menu("Set a position up")
    visitor.page.locator(".editing").wait_for()
    assert visitor.page.evaluate(OVERFLOW) == []
    assert visitor.page.evaluate(SMALL) == []
    assert violations(visitor) == []


@pytest.mark.parametrize("name", factories())
def test_every_game_has_a_page_on_which_it_is_played(visit: Callable[..., Any], name: str) -> None:
    visitor = visit(f"/?game={name}&max=human&min=human", viewport=SIZES["phone"])
    game = factories()[name]()
    board = game.board(game.initial)
    assert visitor.page.locator(".play .board [data-cell]").count() == len(board.cells)
    assert visitor.page.evaluate(OVERFLOW) == []
    assert visitor.page.locator(".play .board").bounding_box()["width"] >= 370  # of 390
    action, cells = next(iter(board.clicks.items()))
    for cell in cells:
        visitor.click_when_legal(cell)
    visitor.until(lambda: " ".join(game.show_action(game.initial, action).split()[:1]) in visitor.moves())
    assert not {"MAX", "MIN"} & set(visitor.page.inner_text("body").replace(".", " ").split())
