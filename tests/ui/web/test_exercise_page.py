"""The page of exercises: what it calls right is what the algorithm did."""

import json
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.classroom.exercises import ALPHA_BETA, exercises, invented, leaf_tree, small_position
from zermelo.game import Game
from zermelo.games import tictactoe
from zermelo.play.moves import read_moves
from zermelo.textbook.explain import SearchTree, explain, finite

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
QUESTIONS = """async (query) => {
  const { Lesson } = await import("/static/exercises/lesson.js");
  const lesson = new Lesson(await (await fetch(`/exercises/task?${query}`)).json());
  const path = (node) => lesson.full.path(node).slice(1).map((one) => lesson.full.flat.choice[one]);
  const text = (one) => (Math.abs(one) === Infinity ? String(one).replace("Infinity", "inf") : one);
  return {
    window: lesson.questions("window").map((one) => [path(one.node), text(one.alpha), text(one.beta)]),
    value: lesson.questions("value").map((one) => [path(one.node), one.value]),
    pruned: lesson.questions("pruned").map((one) => path(one.node)),
  };
}"""


def answers(game: Game, tree: SearchTree) -> dict[str, list[Any]]:
    """What is right, of the nodes with children in the order in which they are entered or left."""

    def path(number: int) -> list[int]:
        found, state = [], tree.nodes[0].state
        for action in tree.moves(number):
            found.append(list(game.actions(state)).index(action))
            state = game.result(state, action)
        return found

    inner = [node for node in tree.nodes if node.children]
    left = [tree.nodes[event.node] for event in tree.events if event.kind == "leave"]
    pruned = []
    for node in (one for one in left if one.unsearched):
        first = list(game.actions(node.state)).index(node.unsearched[0])
        pruned.append([*path(node.number), first])
    return {
        "window": [[path(node.number), finite(node.alpha), finite(node.beta)] for node in inner if node.number],
        "value": [[path(node.number), node.value] for node in left if node.children],
        "pruned": pruned,
    }


def test_the_right_answers_are_the_algorithms(visit: Callable[..., Any]) -> None:
    page = visit("/exercises?seed=5").page
    for seed in (5, 6, 7):
        game = invented(random.Random(seed), (3, 3, 2))
        assert page.evaluate(QUESTIONS, f"seed={seed}&widths=3,3,2") == answers(game, explain(game, recipe=ALPHA_BETA))
    game = tictactoe()
    found = small_position(game, random.Random(5))
    assert found is not None
    _, state, depth = found
    recipe = type(ALPHA_BETA)(**{**vars(ALPHA_BETA), "depth": depth})
    moves = page.evaluate("fetch('/exercises/task?seed=5&game=tictactoe').then((one) => one.json())")["moves"]
    assert game.replay(read_moves(game, moves)) == state
    assert page.evaluate(QUESTIONS, "seed=5&game=tictactoe") == answers(game, explain(game, state, recipe))


def test_answering(visit: Callable[..., Any]) -> None:
    visitor = visit("/exercises?seed=5&kind=window")
    page = visitor.page
    alpha, beta = page.evaluate("[exercise.question.alpha, exercise.question.beta].map(String)")
    page.fill("#alpha", alpha.replace("Infinity", "inf"))
    page.fill("#beta", beta.replace("Infinity", "inf"))
    page.get_by_role("button", name="Check").click()
    page.locator("#verdict.right").wait_for()
    page.select_option("#kind", "value")
    page.locator("#asked", has_text="Which value").wait_for()
    page.fill("#value", str(page.evaluate("exercise.question.value") + 1))
    page.keyboard.press("Enter")
    page.locator("#verdict.wrong").wait_for()
    assert page.locator("#score").inner_text() == "1 of 2 right"
    page.select_option("#kind", "pruned")
    page.locator("#asked", has_text="Which branch").wait_for()
    branch = page.locator(f'#tree .pick[data-node="{page.evaluate("exercise.question.node")}"]')
    assert page.locator("#tree .pick").count() >= 2
    branch.focus()
    page.keyboard.press("Enter")
    page.locator("#verdict.right").wait_for()
    assert page.locator("#score").inner_text() == "2 of 3 right"
    seed = page.evaluate("exercise.seed")
    page.get_by_role("button", name="Next question").click()
    page.wait_for_function(f"exercise.seed > {seed} && !exercise.isAnswered")


def test_changing_leaves(visit: Callable[..., Any]) -> None:
    page = visit("/exercises?mode=edit&widths=2,2,2,2&seed=3").page
    leaves = [int(one) for one in page.locator("#tree .leaf").evaluate_all("all => all.map((one) => one.value)")]
    first = explain(invented(random.Random(3), (2, 2, 2, 2)), recipe=ALPHA_BETA)
    assert f"visits {first.counts.leaves} of 16" in page.locator("#result").inner_text()
    page.locator("#tree .leaf").first.fill("42")
    page.locator("#tree .leaf").first.press("Tab")
    game = leaf_tree((2, 2, 2, 2), [42, *leaves[1:]])
    tree = explain(game, recipe=ALPHA_BETA)
    shown = f"Value {tree.value}, move {game.show_action(game.initial, tree.action)}. "
    page.locator("#result", has_text=shown.replace("-", "\N{MINUS SIGN}")).wait_for()
    assert "leaves=42%2C" in page.evaluate("location.search")


def test_games_are_called_by_their_titles(visit: Callable[..., Any], server: Any) -> None:
    visitor = visit("/exercises?game=nine_mens_morris&seed=1")
    page = visitor.page
    for select in ("#game", "#sheetgame"):
        assert page.locator(f"{select} option[value=nine_mens_morris]").text_content() == "Nine men's morris"
    with urlopen(f"{server.address}/exercises/sheet?seed=4&game=nim") as answer:
        sheet = answer.read().decode()
    assert "with a position of Nim" in sheet
    assert "A position of Nim<" in sheet
    with urlopen(f"{server.address}/exercises/sheet?seed=4&game=kayles&p.pins=5") as answer:
        assert "with a position of Kayles: pins 5" in answer.read().decode()


def test_only_invented_trees_have_widths(visit: Callable[..., Any]) -> None:
    visitor = visit("/exercises?game=tictactoe&seed=1&widths=3,3")
    page = visitor.page
    assert not page.locator("#widths").is_visible()
    assert "widths" not in page.evaluate("location.search")
    page.get_by_role("button", name="Change a tree").click()
    visitor.until(lambda: page.locator("#widths").is_visible(), "a tree of one's own has widths")
    page.get_by_role("button", name="Practise").click()
    visitor.until(lambda: not page.locator("#widths").is_visible(), "a position has none")
    page.select_option("#game", "")
    visitor.until(lambda: page.locator("#widths").is_visible(), "invented trees have widths")
    visitor.until(lambda: "widths=3%2C3" in page.evaluate("location.search"), "the address says them")


def test_a_sheet_has_each_exercise_twice(server: Any) -> None:
    address = f"{server.address}/exercises/sheet?seed=4&game=tictactoe"
    with urlopen(address) as answer:
        sheet = answer.read().decode()
    found = list(exercises(tictactoe(), 4, "Tic-tac-toe"))
    assert sheet.count("<svg") == 2 * len(found)
    assert all(one.solved[1] in sheet and one.tree[1] in sheet for one in found)
    with urlopen(f"{address}&solutions=no") as answer:
        assert answer.read().decode().count("<svg") == len(found)


@pytest.mark.parametrize(
    "query", ["widths=9,9", "widths=x", "widths=2,2&leaves=1,2", "leaves=1000", "seed=x", "game=go7"]
)
def test_wrong_requests_get_a_sentence(server: Any, query: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{server.address}/exercises/task?{query}")
    assert refused.value.code in (404, 422)
    assert json.load(refused.value)["detail"].endswith(".")


@pytest.mark.parametrize(("mode", "scheme", "width"), [("", "light", 390), ("edit", "dark", 1440)])
def test_axe_finds_nothing(visit: Callable[..., Any], mode: str, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    address = f"/exercises?seed=6&kind=pruned&mode={mode}"
    visitor = visit(address, color_scheme=scheme, viewport={"width": width, "height": 860})
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(visitor.page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found if one["impact"] != "minor"] == []


LOOK = """() => {
  const box = (one) => one.getBoundingClientRect(), found = [];
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const meet = (one, other) => across(box(one), box(other)) > 1 && down(box(one), box(other)) > 3;
  const texts = [...document.querySelectorAll("#tree svg text")];
  const shapes = [...document.querySelectorAll("#tree svg [data-node] > :first-child:not(text)")];
  const windows = texts.filter((one) => one.textContent.startsWith("["));
  for (const [place, one] of texts.entries()) {
    const others = [...texts.slice(place + 1), ...(windows.includes(one) ? shapes : [])];
    found.push(...others.filter((other) => meet(one, other)).map((other) => [one.textContent, other.textContent]));
  }
  const { lesson, mode, time, question } = exercise, now = lesson.run.node[mode === "edit" ? time : question.time];
  const node = box(document.querySelector(`#tree g[data-node="${lesson.there[now]}"]`));
  const scroll = box(document.querySelector(".treebox .scroll"));
  if (node.left < scroll.left || node.right > scroll.right) found.push("the node in question is out of sight");
  return [windows.length, found];
}"""
"""How many windows the picture shows, and what is wrong: texts upon each other or upon a node, a node out of sight."""
STEPS = f"""() => {{
  const all = [];
  for (let time = 0; time < exercise.lesson.run.length; time++) {{
    exercise.step(time, true);
    all.push(({LOOK})());
  }}
  return all;
}}"""
"""The same at each step of a search."""
FITS = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.treebox .scroll'))"


def test_a_telephone_begins_with_a_tree_that_fits(visit: Callable[..., Any]) -> None:
    page = visit("/exercises?seed=3", viewport=PHONE).page
    page.locator("#tree svg").wait_for()
    assert page.evaluate(FITS)
    assert page.locator("#widths").input_value() == "3,3"
    wide = visit("/exercises?seed=3&widths=3,3,2", viewport=PHONE).page
    wide.locator("#tree svg").wait_for()
    assert wide.locator("#widths").input_value() == "3,3,2"


@pytest.mark.parametrize(("widths", "fits"), [("3,3", True), ("3,2,2", True), ("3,3,2", False), ("2,2,2,2", False)])
@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_nothing_overlaps_at_any_step(
    visit: Callable[..., Any], widths: str, fits: bool, viewport: dict[str, int]
) -> None:
    page = visit(f"/exercises?mode=edit&seed=1&widths={widths}", viewport=viewport).page
    page.locator("#tree .leaf").first.wait_for()
    assert page.evaluate(FITS) or (viewport is PHONE and not fits)
    steps = page.evaluate(STEPS)
    assert [found for _, found in steps] == [[]] * len(steps)
    assert sum(windows for windows, _ in steps) > 20


@pytest.mark.parametrize(
    ("game", "viewport"),
    [("tictactoe", PHONE), ("connect", PHONE), ("nim", PHONE), *((game, DESK) for game in ("nim", "othello", "chess"))],
)
def test_positions_of_games_do_not_overlap(visit: Callable[..., Any], game: str, viewport: dict[str, int]) -> None:
    page = visit(f"/exercises?game={game}&seed=1&kind=window", viewport=viewport).page
    page.locator("#tree svg").wait_for()
    for _ in range(12):
        assert page.evaluate(LOOK)[1] == []
        seed = page.evaluate("exercise.seed")
        page.get_by_role("button", name="Next question").click()
        page.wait_for_function(f"exercise.seed > {seed}")


@pytest.mark.parametrize("viewport", [PHONE, DESK])
@pytest.mark.parametrize("widths", ["3,3", "3,3,3"])
def test_fields_stand_below_their_leaves(visit: Callable[..., Any], widths: str, viewport: dict[str, int]) -> None:
    page = visit(f"/exercises?mode=edit&seed=3&widths={widths}", viewport=viewport, has_touch=viewport is PHONE).page
    page.locator("#tree .leaf").first.wait_for()
    boxes = "all => all.map((e) => e.getBoundingClientRect()).map((e) => [e.left, e.right, e.top, e.bottom])"
    fields = page.locator("#tree .leaf").evaluate_all(boxes)
    shapes = page.locator("#tree svg [data-node] > rect, #tree svg [data-node] > path").evaluate_all(boxes)
    leaves = [shapes[node] for node in page.evaluate("exercise.lesson.leaves()")]
    for (left, right, top, bottom), leaf in zip(fields, leaves, strict=True):
        assert (left + right) / 2 == pytest.approx((leaf[0] + leaf[1]) / 2, abs=1)
        assert top >= leaf[3]
        assert bottom - top >= (44 if viewport is PHONE else 20)
    assert all(one[1] <= other[0] for one, other in pairwise(fields))


def test_the_picture_stays_while_leaves_are_changed(visit: Callable[..., Any]) -> None:
    page = visit("/exercises?mode=edit&seed=3&widths=3,3,3", viewport=PHONE).page
    page.locator("#tree .leaf").last.fill("42")
    page.locator("#tree .leaf").last.blur()
    page.wait_for_function("location.search.includes('%2C42')")
    assert page.evaluate("document.querySelector('.treebox .scroll').scrollLeft") > 100
