"""Every page at the size of a telephone and of a desk: nothing runs off it, and axe finds no serious violation."""

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

import looks
from zermelo import factories
from zermelo.pictures.board_svg import Marks, Shade, draw_board

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
OPENINGS = {"connect": "3,3,2,4", "tictactoe": "4,0", "hex": "f6,e5"}
"""Moves before a picture of some games, for pieces on their boards."""
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


@pytest.mark.parametrize("name", ["hex", "pentago", "kayles", "dawson", "nine_mens_morris"])
def test_a_board_twice_as_large_has_targets_for_a_finger(visit: Callable[..., Any], name: str) -> None:
    visitor = visit(f"/?game={name}&max=human&min=human", viewport=SIZES["phone"], has_touch=True)
    cells = visitor.page.locator(".play .board .can")

    def width() -> float:
        box = cells.first.bounding_box()  # there is none while the board is drawn anew
        return box["width"] if box else 0.0

    visitor.until(lambda: width() > 0)
    before = width()
    visitor.menu("Board twice as large")
    visitor.until(lambda: width() > 1.9 * before)

    def least() -> float:
        sizes: list[float] = cells.evaluate_all(
            "all => all.map((one) => (one.querySelector('.hit') ?? one).getBoundingClientRect().width)"
        )
        return min(sizes, default=0)

    visitor.until(lambda: least() >= 43.5)  # while the board is drawn anew, its cells have no size
    if name == "hex":  # where a tap is a move; the last cell is scrolled to
        cells.last.tap()
        visitor.until(lambda: visitor.moves() == ["k11"])
    assert visitor.page.evaluate(OVERFLOW) == []
    assert violations(visitor) == []
    visitor.page.reload()
    visitor.until(lambda: visitor.page.locator(".large .board").count() > 0)
    visitor.menu("Board twice as large")
    visitor.until(lambda: visitor.page.locator(".large").count() == 0)


@pytest.mark.parametrize("name", factories())
def test_every_game_is_played_by_mouse_touch_and_keyboard(visit: Callable[..., Any], name: str) -> None:
    visitor = visit(f"/?game={name}&max=human&min=human", viewport=SIZES["phone"], has_touch=True)
    game, page = factories()[name](), visitor.page
    board = game.board(game.initial)
    assert page.locator(".play .board [data-cell]").count() == len(board.cells)
    assert page.evaluate(OVERFLOW) == []
    box = visitor.until(page.locator(".play .board").bounding_box)  # None while the board is drawn anew
    assert box["width"] >= 370  # of 390

    def press(cell: int) -> None:
        page.locator(f'.play .board .can[data-cell="{cell}"]').focus()
        page.keyboard.press("Enter")

    def tap(cell: int) -> None:
        page.locator(f'.play .board .can[data-cell="{cell}"]').tap()

    state = game.initial
    for count, way in enumerate((visitor.click_when_legal, tap, press), start=1):
        action, cells = next((action, cells) for action, cells in game.board(state).clicks.items() if cells)
        for number, cell in enumerate(cells):
            if number:
                page.locator(f'.play .board [data-cell="{cells[number - 1]}"] .selected').first.wait_for(
                    state="attached"
                )
            way(cell)
        visitor.until_moves(count)
        assert visitor.moves()[-1] == game.show_action(state, action).split()[0]
        state = game.result(state, action)
    assert not {"MAX", "MIN"} & set(page.inner_text("body").replace(".", " ").split())


COVERED = """() => {
  const ink = ({ left, right, top, bottom, height }, rest) => ({ left, right, top: top + rest * height, bottom: bottom - rest * height });
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) =>
    ink(one.getBoundingClientRect(), one.tagName === "text" ? 0.15 : 0)); // digits do not fill the height of their line
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const values = boxes(".value"), under = boxes(".seed, .number");
  return [values.length, under.length, values.filter((one, place) =>
    [...under, ...values.slice(place + 1)].some((other) => meet(one, other))).length];
}"""  # noqa: E501 - it is a script


@pytest.mark.parametrize("width", [1440, 768, 390])
@pytest.mark.parametrize("name", ["kalah", "oware"])
def test_values_of_moves_cover_neither_seeds_nor_their_numbers(browser: Any, name: str, width: int) -> None:
    game = factories()[name]()
    state = game.from_text("1,12,24,2,3,0,0/1,1,1,1,1,1,0 S")
    board = game.board(state)
    shades = {cells[0]: Shade("slip", "\N{MINUS SIGN}26") for cells in board.clicks.values()}
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(draw_board(board, Marks(board.clicks, shades=shades), alone=True))
    page.add_style_tag(content="svg { width: 100%; height: auto; }")
    assert page.evaluate(COVERED) == [5, 48 + 11, 0]
    page.close()


@pytest.mark.parametrize("name", factories())
def test_every_game_looks_as_it_did(visit: Callable[..., Any], name: str) -> None:
    visitor = visit(f"/?game={name}&max=human&min=human&moves={OPENINGS.get(name, '')}")
    page, pictures = visitor.page, {}
    page.keyboard.press("a")  # an analysis looks different every time
    page.get_by_role("button", name="Show", exact=True).wait_for()
    page.locator(".play .board .shade").first.wait_for(state="detached")
    scratch = visitor.context.new_page()
    for width, height in ((390, 844), (768, 1024), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            pictures[f"{width} {scheme}"] = looks.shrunk(page, scratch)
    assert looks.changed(name, pictures) == []


def test_a_change_of_looks_is_noticed() -> None:
    one = bytes(100 for _ in range(3 * looks.SIDE**2))
    assert looks.difference(one, bytes(102 for _ in one)) == ""
    assert "differs by 10.0 of 255" in looks.difference(one, bytes(110 for _ in one))
    piece = bytes(200 if place < len(one) // 25 else 100 for place in range(len(one)))
    assert "4% of it differs clearly" in looks.difference(one, piece)
