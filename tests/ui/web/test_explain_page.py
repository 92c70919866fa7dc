"""The page that steps through a search: what it shows is what the algorithm did and counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.games import connect
from zermelo.textbook.explain import Recipe, deepened, explain
from zermelo.ui.web.searches import Stopwatch

SVG = "{http://www.w3.org/2000/svg}"

GAME = connect(3, 3, 3)
SMALL = "game=connect&p.rows=3&p.columns=3&p.run=3"
PAGE = f"/explain?{SMALL}"
FLAWED = "game=connect&p.rows=4&p.columns=3&p.run=3&moves=0,2,0"
"""A position in which the handout's table and the sound one differ."""
SEARCHES = {
    "method=minimax&depth=3": Recipe("minimax", depth=3, table=False),
    "method=minimax&depth=0&table=sound&moves=1,1,0": Recipe("minimax"),
    "method=alpha-beta&depth=4&order=best-first": Recipe(depth=4, table=False, order="best-first"),
    "method=alpha-beta&depth=0&table=sound&moves=1,1,0": Recipe(),
    "method=alpha-beta&depth=4&table=handout": Recipe(depth=4, handout=True),
    "method=decision&depth=3": Recipe("decision", depth=3, table=False),
    "method=path&depth=4&width=2&moves=1": Recipe("path", depth=4, width=2, table=False),
}
DERIVED = """async (query) => {
  const { Search, eventsOf } = await import("/static/explain/model.js");
  const { codeEvents } = await import("/static/explain/words.js");
  const search = new Search(await (await fetch(`/explain/tree?${query}`)).json()), { plan, root, code } = search.answer;
  const lines = search.trees.map((tree) => eventsOf(tree).map((_, time) => {
    const names = codeEvents(tree, time, plan.method === "path" ? root : 1);
    return code.filter(([, at]) => at.some((one) => names.includes(one))).length;
  }));
  return [search.trees.map(eventsOf), Math.min(...lines.flat()), search.trees.map((tree) => Array.from(tree.parent))];
}"""


def text(page: Any, selector: str) -> str:
    return str(page.locator(selector).inner_text())


def fact(page: Any, name: str) -> str:
    return text(page, f'#facts dt:text-is("{name}") + dd')


def test_the_script_derives_the_events_of_every_method(visit: Callable[..., Any]) -> None:
    """The page gets columns of nodes; its events, windows and parents must be those that the observer saw."""
    page = visit(PAGE).page
    for query, recipe in SEARCHES.items():
        moves = query.partition("moves=")[2]
        tree = explain(GAME, GAME.replay([int(move) for move in moves.split(",") if move]), recipe)
        (events,), fewest, (parents,) = page.evaluate(DERIVED, f"{SMALL}&{query}")
        assert events == tree.to_dict()["events"], query
        assert parents == [-1 if node.parent is None else node.parent for node in tree.nodes]
        assert fewest >= 1, f"an event of {query} is at no line of the pseudocode"
    stages, fewest, _ = page.evaluate(DERIVED, f"{SMALL}&method=timed&depth=3")
    deep = deepened(GAME, None, Recipe("decision", depth=3, table=False))
    assert stages == [tree.to_dict()["events"] for tree in deep]
    assert (len(stages), fewest >= 1) == (3, True)


@pytest.mark.parametrize("method", ["minimax", "alpha-beta", "decision", "path", "timed"])
def test_the_pseudocode_fits_beside_the_tree(visit: Callable[..., Any], method: str) -> None:
    page = visit(f"/explain?game=tictactoe&depth=2&method={method}", viewport={"width": 1440, "height": 900}).page
    page.locator("#code li").first.wait_for()
    assert (
        page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('#code'))")
        <= 0
    )
    assert text(page, ".bar .game") == "Tic-tac-toe"


def test_stepping_by_keys_and_buttons(visit: Callable[..., Any]) -> None:
    page = visit(PAGE + "&moves=1").page
    tree = explain(GAME, GAME.replay([1]), Recipe(depth=3, table=False))
    page.keyboard.press("Home")
    assert text(page, "#step") == f"Step 1 of {len(tree.events)}"
    page.get_by_role("button", name="Next pruning").click()
    time = next(time for time, event in enumerate(tree.events) if event.kind == "prune")
    event = tree.events[time]
    node = tree.nodes[event.node]
    assert text(page, "#step") == f"Step {time + 1} of {len(tree.events)}"
    assert fact(page, "Node") == f"{node.number}, at ply {node.ply}"
    assert fact(page, "Pruned because") in text(page, "#said")
    assert page.locator("#view0").get_attribute("data-now") == str(node.number)
    assert page.locator("#code li.at").count() >= 1
    assert f"step={time}" in page.evaluate("new Promise((done) => setTimeout(() => done(location.search), 400))")
    page.keyboard.press("ArrowRight")
    assert text(page, "#step").startswith(f"Step {time + 2} ")
    page.keyboard.press("End")
    page.keyboard.press("p")
    last = max(time for time, event in enumerate(tree.events) if event.kind == "prune")
    assert text(page, "#step").startswith(f"Step {last + 1} ")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play").click()
    page.locator("#step", has_text="Step 3 of").wait_for()
    page.get_by_role("button", name="Pause").click()
    page.locator("#look svg.board").wait_for()


def test_two_searches_step_together_and_part(visit: Callable[..., Any]) -> None:
    page = visit(f"/explain?{FLAWED}&depth=0&table=handout&with=alpha-beta&with.table=sound").page
    page.get_by_role("button", name="Where the two differ").click()
    game = connect(4, 3, 3)
    state = game.replay([0, 2, 0])
    handout, sound = explain(game, state, Recipe(handout=True)), explain(game, state, Recipe())
    time = next(time for time, pair in enumerate(zip(handout.events, sound.events, strict=False)) if pair[0] != pair[1])
    assert text(page, "#step").startswith(f"Step {time + 1} ")
    assert page.locator("#view0").get_attribute("data-now") == str(handout.events[time].node)
    counts = page.locator('td[data-count="nodes"]').all_text_contents()
    assert counts == [f"{tree.counts.nodes:,}" for tree in (handout, sound)]
    hit = next(node for node in handout.nodes if node.source == "table")
    page.evaluate(f"explained.pick(0, {hit.number})")
    page.get_by_role("button", name="To the node that stored it").click()
    assert fact(page, "Node").startswith(f"{hit.stored},")


STROKES = """async () => {
  const { SvgPen } = await import("/static/explain/pens.js");
  const { Scene } = await import("/static/explain/scene.js");
  const { camera, layout, now, time } = explained.views[0], pen = new SvgPen(camera.width, camera.height);
  new Scene(layout, explained.views[0].readColours()).paint(pen, camera, time, { now });
  return new DOMParser().parseFromString(pen.svg("white", "tree"), "image/svg+xml").querySelectorAll("*").length;
}"""
"""How many elements the picture of a tree has."""


def test_a_large_tree_is_sent_once_and_drawn_in_part(visit: Callable[..., Any]) -> None:
    page = visit("/explain?game=connect&depth=8&nodes=40000").page
    assert page.evaluate("explained.search.trees[0].n") == 40000
    assert "broken off" in text(page, "#view0 .result")
    page.keyboard.press("f")
    page.wait_for_function("explained.views[0].painted > 0")
    page.keyboard.press("Home")
    for _ in range(30):
        page.keyboard.press("n")
    page.wait_for_function("""() => { const { camera, layout, now } = explained.views[0];
      const across = camera.px(layout.x[now]) / camera.width, down = camera.py(layout.tree.ply[now]) / camera.height;
      return now > 0 && 0 < across && across < 1 && 0 < down && down < 1; }""")  # the view glides to the current node
    strokes = page.evaluate(STROKES)
    assert 10 < strokes < 4000  # of 40,000 nodes, only those in the picture are drawn


def test_choosing_a_search_in_the_form(visit: Callable[..., Any]) -> None:
    page = visit(
        "/explain?max=human&min=engine&seconds=3&clock=3%2B2&tree=3(2)"
    ).page  # as a link of the page Play has it
    shown = page.evaluate("['game', 'method', 'depth', 'p.rows'].map((one) => asked.elements[one].value)")
    assert shown == ["connect", "alpha-beta", "3", "6"]
    assert page.locator('[name="game"] option[value=nine_mens_morris]').text_content() == "Nine men's morris"
    visitor = visit(PAGE)
    page = visitor.page
    page.select_option('[name="method"]', "path")
    tree = explain(GAME, None, Recipe("path", depth=3, table=False))
    page.locator("#view0 h2", has_text=f"{len(tree.nodes)} nodes").wait_for()
    page.select_option('[name="game"]', "kalah")
    page.locator(".bar .game", has_text="kalah").wait_for()
    page.wait_for_function("location.search.includes('game=kalah') && location.search.includes('method=path')")
    page.fill('[name="depth"]', "99")
    page.locator('[name="depth"]').dispatch_event("change")
    page.locator("#error", has_text="it must be a whole number").wait_for()
    assert all("422" in problem for problem in visitor.problems)
    visitor.problems.clear()


def test_exports(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit(PAGE).page
    tree = explain(GAME, None, Recipe(depth=3, table=False))
    found = {}
    for kind in ("SVG", "PNG", "PDF", "JSON, the whole tree"):
        page.locator("#view0 summary", has_text="Save").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=kind, exact=True).click()
        download.value.save_as(tmp_path / kind[:3])
        found[kind[:3]] = (tmp_path / kind[:3]).read_bytes()
    assert json.loads(found["JSO"]) == tree.to_dict()
    assert found["SVG"].count(b"data-node=") == len(tree.nodes)
    assert b'viewBox="0 0 1280 720"' in found["SVG"]
    assert found["PNG"].startswith(b"\x89PNG")
    start = int(found["PDF"].rpartition(b"startxref\n")[2].split()[0])
    assert (found["PDF"][:8], found["PDF"][start : start + 4]) == (b"%PDF-1.4", b"xref")
    page.get_by_text("Nodes against depth").click()
    page.locator("#plot polyline").nth(3).wait_for(state="attached")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the plot").click()
    download.value.save_as(tmp_path / "plot.svg")
    assert "polyline" in (tmp_path / "plot.svg").read_text()


KEPT_WITHIN = """async ([width, plies, x, y]) => {
  const { Camera } = await import("/static/explain/scene.js");
  const camera = Object.assign(new Camera(1280, 720), { x, y });
  camera.setZoom(1, plies);
  camera.keepWithin({ width, tree: { plies } });
  return [camera.px(0), camera.px(width), camera.py(0), camera.py(plies - 1)];
}"""
"""Where the sides of a tree lie on a slide."""


def test_a_slide_cuts_no_tree_off_that_has_room_on_it(visit: Callable[..., Any]) -> None:
    page = visit(PAGE).page
    left, right, top, bottom = page.evaluate(KEPT_WITHIN, [600, 5, 900, 4])  # seen from its lower right corner
    assert (left + right) / 2 == 640
    assert 46 <= round(top) < round(bottom) <= 720 - 52
    left, _, top, _ = page.evaluate(KEPT_WITHIN, [3000, 40, 0, 0])  # a larger one, from its upper left corner
    assert (round(left), round(top)) == (18, 46)
    middle = page.evaluate(KEPT_WITHIN, [3000, 40, 1500, 20])
    assert (middle[0], middle[2]) == (640 - 1500, 360 - 20 * 48)  # and where no room is left empty, as it was


CROWDED = """async () => {
  const { boardSize } = await import("/static/explain/scene.js");
  const { camera, layout } = explained.views[0], { tree, ghosts, x } = layout, found = [];
  let compared = 0;
  for (let node = 1; node < tree.n; node++) {
    const half = boardSize(layout, camera, node) / 2, row = tree.byPly[tree.ply[node] - 1];
    for (const place of row.flatMap((one) => ghosts.get(one) ?? [])) {
      compared += 1;
      if (Math.abs(place - x[node]) * camera.zoom < half + 8) found.push(node);
    }
  }
  return [compared, found];
}"""
"""How many pairs of a board and a pruned move in its row there are, and the boards that touch one."""


def test_boards_cover_no_pruned_moves(visit: Callable[..., Any]) -> None:
    page = visit("/explain?game=tictactoe&depth=2&moves=b2,a1,c1").page
    compared, covered = page.evaluate(CROWDED)
    assert compared > 100
    assert covered == []


ORDER = """async () => {
  const { SvgPen } = await import("/static/explain/pens.js");
  const { Scene } = await import("/static/explain/scene.js");
  const view = explained.views[0], { camera, layout, now, time } = view, pen = new SvgPen(camera.width, camera.height);
  new Scene(layout, view.readColours()).paint(pen, camera, time, { now });
  const parts = [...new DOMParser().parseFromString(pen.svg("white", "tree"), "image/svg+xml").querySelectorAll("path, text")];
  const labels = parts.filter((one) => one.getAttribute("font-size") === "11").map((one) => parts.indexOf(one));
  const links = parts.filter((one) => /^M[^Z]*L[^LZ]*$/.test(one.getAttribute("d") ?? "") && !one.hasAttribute("stroke-dasharray"));
  const tied = links.filter((one) => Number(one.getAttribute("stroke-width")) !== 2.4).map((one) => parts.indexOf(one));
  return [labels.length, tied.length, Math.max(...tied) < Math.min(...labels)];
}"""  # noqa: E501 - it is a script
"""The numbers of labels and of links, and whether all labels are drawn after all links."""


def test_no_link_crosses_the_name_of_a_move(visit: Callable[..., Any]) -> None:
    page = visit("/explain?game=nim&depth=2&step=20").page
    labels, tied, is_after = page.evaluate(ORDER)
    assert labels > 0
    assert tied > 16
    assert is_after


def test_the_value_of_the_current_node_is_outside_of_its_ring(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit(PAGE).page
    page.keyboard.press("End")
    page.locator("#view0 summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG", exact=True).click()
    download.value.save_as(tmp_path / "tree.svg")
    picture = ElementTree.parse(tmp_path / "tree.svg").getroot()
    (ring,) = (one for one in picture.iter(f"{SVG}circle") if one.get("stroke-width") == "3")
    (root,) = (one for one in picture.iter(f"{SVG}g") if one.get("data-node") == "0")
    (value,) = root.iter(f"{SVG}text")
    top = float(value.get("y") or 0) - 0.75 * float(value.get("font-size") or 0)  # of its digits
    assert top > float(ring.get("cy") or 0) + float(ring.get("r") or 0) + 1.5


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_the_form_shows_whole_names(visit: Callable[..., Any], width: int) -> None:
    address = "/explain?game=connect&p.rows=3&p.columns=3&p.run=3&method=path&with=timed&depth=2"
    page = visit(address, viewport={"width": width, "height": 900}).page
    found = page.evaluate(CUT)
    assert len(found) >= 6
    assert [name for name, needed, room in found if needed > room] == []


CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("#asked select")].filter((one) => one.offsetWidth).map((one) => {
    const style = getComputedStyle(one);
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    const arrow = 20, inset = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + 2;
    return [one.name, pen.measureText(one.selectedOptions[0].text).width, one.offsetWidth - inset - arrow];
  });
}"""
"""For each choice of the form its name, the width of what is chosen, and the room for it."""


def test_the_current_line_of_the_pseudocode_is_seen(visit: Callable[..., Any]) -> None:
    address = f"/explain?{FLAWED}&depth=4&table=sound&with=path&step=0"
    page = visit(address, viewport={"width": 1440, "height": 900}).page
    for _ in range(40):
        page.keyboard.press("ArrowRight")
        line, panel = page.evaluate("""['#code li.at', '.steps'].map((one) => {
          const { top, bottom } = document.querySelector(one).getBoundingClientRect(); return [top, bottom]; })""")
        assert panel[0] <= line[0] < line[1] <= panel[1]


def test_a_search_has_its_time_on_a_busy_machine_too() -> None:
    spent = iter([100.0, 101.0, 119.9, 120.1])
    watch = Stopwatch(20.0, lambda: next(spent))
    assert [watch(), watch(), watch(), watch()] == [False, False, False, True]
    watch = Stopwatch(0.0)
    assert not watch()
    while not watch():  # each question takes some time of the processor
        pass
    watch = Stopwatch()
    assert not watch()
    watch.stop()
    assert watch()


def test_boards_are_in_what_is_saved(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit("/explain?game=tictactoe&method=minimax&depth=2&table=none&step=9999").page
    page.locator('#view0 [data-view="boards"]').click()
    page.locator("#view0 .boards svg.board").first.wait_for()
    for kind, board in (("SVG", b"<svg x="), ("PDF", b"/Subtype /Image"), ("PNG", b"")):
        page.locator("#view0 summary", has_text="Save").click()
        with page.expect_download() as download:
            page.get_by_role("button", name=kind, exact=True).click()
        download.value.save_as(tmp_path / kind)
        found = (tmp_path / kind).read_bytes()
        if kind == "PNG":
            assert len(set(found)) == 256  # it is a picture; its pixels are looked at in the other two
        else:
            assert found.count(board) == 1 + 9
    boards = ElementTree.parse(tmp_path / "SVG").getroot().findall("{http://www.w3.org/2000/svg}svg")
    assert [float(board.get("width") or 0) > 20 for board in boards] == 10 * [True]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Callable[..., Any], scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    visitor = visit(f"{PAGE}&with=minimax", color_scheme=scheme)
    for details in visitor.page.locator(".lesson details > summary").all():
        details.click()
    visitor.page.wait_for_timeout(300)
    found = axe.Axe().run(visitor.page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found if one["impact"] != "minor"] == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("method=magic", "no method 'magic'"),
        ("depth=x", "whole number, 0 to 20"),
        ("method=path&depth=0", "whole number, 1 to 20"),
        ("nodes=9999999", "1 to 100,000"),
        ("table=oak", "no table 'oak'"),
        ("rows=3", "no query parameter 'rows'"),
        ("moves=0,1,0,1,0", "game is over"),
        ("moves=1&moves=2", "is said 2 times"),
        ("position=nonsense", "no position"),
    ],
)
def test_wrong_requests_get_a_sentence(server: Any, query: str, words: str) -> None:
    from urllib.error import HTTPError

    with pytest.raises(HTTPError) as refused:
        urlopen(f"{server.address}/explain/tree?{SMALL}&{query}")
    assert refused.value.code in (409, 422)
    assert words in json.load(refused.value)["detail"]


def test_boards_of_positions_after_the_root(server: Any) -> None:
    with urlopen(f"{server.address}/explain/boards?{SMALL}&moves=1&after=,0.2,2") as answer:
        boards = json.load(answer)
    assert len(set(boards)) == 3
    assert all(board.startswith("<svg") for board in boards)


DRAWN = """async () => {
  const { SvgPen } = await import("/static/explain/pens.js");
  const { Scene } = await import("/static/explain/scene.js");
  const view = explained.views[0], { camera, layout, now, time } = view, pen = new SvgPen(camera.width, camera.height);
  new Scene(layout, view.readColours()).paint(pen, camera, time, { now });
  return [new DOMParser().parseFromString(pen.svg("white", "tree"), "image/svg+xml").documentElement.textContent,
    layout.ghosts.has(now), camera.row, camera.px(layout.x[now]), camera.py(layout.tree.ply[now])];
}"""
"""The texts on the picture of a tree, and where the current node stands on it."""


@pytest.mark.parametrize("width", [390, 1440])
def test_the_pruning_that_happens_now_is_always_drawn(visit: Callable[..., Any], width: int) -> None:
    page = visit("/explain?game=connect&depth=6&step=0", viewport={"width": width, "height": 900}).page
    for _ in range(6):
        page.keyboard.press("n")
        said, has_pruned, *_ = page.evaluate(DRAWN)
        assert fact(page, "Pruned because") in said or not has_pruned


def test_the_current_node_has_room_and_is_not_under_the_map(visit: Callable[..., Any]) -> None:
    page = visit(f"/explain?{FLAWED}&depth=0&with=minimax&step=0", viewport={"width": 1024, "height": 720}).page
    for _ in range(60):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(20)
        _, _, row, x, y = page.evaluate(DRAWN)
        assert row >= 48
        covering = "([x, y]) => !!document.elementFromPoint(x, y)?.closest('canvas.map')"
        box = page.locator("#view0 canvas.picture").bounding_box()
        assert box is not None
        assert (0 < x < box["width"], 0 < y < box["height"]) == (True, True)
        assert not page.evaluate(covering, [box["x"] + x, box["y"] + y])


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_no_room_is_left_empty_below_a_tree_that_is_cut_off_above(visit: Callable[..., Any], width: int) -> None:
    page = visit("/explain?game=othello&depth=6&step=300", viewport={"width": width, "height": 900}).page
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        top, bottom, height, row = page.evaluate("""() => { const { camera, layout } = explained.views[0];
          return [camera.py(0), camera.py(layout.tree.plies - 1), camera.height, camera.row]; }""")
        assert top > 0 or bottom >= height - max(52, 124 + row)  # the current node may have to lie above the small map


def test_a_wrong_address_leaves_the_form_alone(visit: Callable[..., Any]) -> None:
    visitor = visit("/explain?game=tictactoe&depth=99")
    page = visitor.page
    visitor.problems.clear()  # a browser calls the status 422 an error
    assert "0 to 20" in text(page, "#error")
    assert not page.locator(".desk").is_visible()
    assert page.locator("[name=method]").input_value() == "alpha-beta"
    page.fill("[name=depth]", "2")
    page.keyboard.press("Enter")
    page.locator("#step", has_text="Step").wait_for()
    assert fact(page, "Node").startswith("0,")
