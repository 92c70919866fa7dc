"""The page that steps through a search: what it shows is what the algorithm counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.games import connect
from zermelo.pictures.tree_text import bounded, number_text, window_text
from zermelo.textbook.explain import Recipe, compared, explain, parting

GAME = connect(3, 3, 3)
PAGE = "/explain?game=connect&p.rows=3&p.columns=3&p.run=3"


def fact(page: Any, name: str) -> str:
    return str(page.locator(f'dl.facts dt:text-is("{name}") + dd').inner_text())


def test_stepping_to_a_pruning(visit: Callable[..., Any]) -> None:
    page = visit(PAGE + "&moves=1").page
    tree = explain(GAME, GAME.replay([1]), Recipe(depth=3, table=False), 600)
    page.get_by_role("button", name="To the start").click()
    page.locator("#step", has_text=f"Step 1 of {len(tree.events)}, 0 of {tree.counts.prunings} prunings").wait_for()
    page.get_by_role("button", name="Next pruning").click()
    time = next(time for time, event in enumerate(tree.events) if event.kind == "prune")
    event = tree.events[time]
    node = tree.nodes[event.node]
    page.locator("#step", has_text=f"Step {time + 1} of").wait_for()
    assert fact(page, "Node") == f"{node.number}, at ply {node.ply}"
    assert fact(page, "Window as it came in") == window_text(node.alpha, node.beta)
    assert fact(page, "Window as it stands") == window_text(event.alpha, event.beta)
    assert fact(page, "Best value so far") == number_text(event.value)
    assert "Pruned" in page.locator(".look").inner_text()
    page.wait_for_function(f"document.querySelector('#tree1 .now').dataset.node === '{node.number}'")
    shown = page.locator("#tree1 g[data-node]:not(.future)").count()
    assert shown == sum(one.kind == "enter" for one in tree.events[: time + 1])


def test_counts_are_the_algorithms_own(visit: Callable[..., Any]) -> None:
    page = visit(PAGE).page
    minimax, pruned = compared(GAME, GAME.initial, Recipe(depth=3, table=False), 600)
    for name in ("nodes", "leaves", "prunings_max", "prunings_min"):
        shown = page.locator(f'[data-count="{name}"]').all_inner_texts()
        assert shown == [f"{getattr(tree.counts, name):,}" for tree in (minimax, pruned)]
    assert page.locator("#tree0 g[data-node]").count() == minimax.counts.nodes
    assert page.locator("#tree1 g[data-node]").count() == pruned.counts.nodes
    page.locator(".counts polyline").nth(2).wait_for(state="attached")


def test_the_handout_beside_the_sound_table(visit: Callable[..., Any]) -> None:
    page = visit("/explain?game=connect&p.rows=4&p.columns=3&p.run=3&moves=0,2,0").page
    page.fill('[name="depth"]', "0")
    page.fill('[name="nodes"]', "3000")
    page.select_option('[name="table"]', "handout")
    page.get_by_role("button", name="Where they part").click()
    game = connect(4, 3, 3)
    sound, handout = compared(game, game.replay([0, 2, 0]), Recipe(handout=True), 3000)
    number = parting(sound, handout)
    assert page.locator("#tree0 .parts").get_attribute("data-node") == str(number)
    assert page.locator("#tree1 .parts").get_attribute("data-node") == str(number)
    assert fact(page, "Node").startswith(f"{number},")
    assert page.locator('[data-count="nodes"]').all_inner_texts() == [
        f"{sound.counts.nodes:,}",
        f"{handout.counts.nodes:,}",
    ]


def test_the_path_method(visit: Callable[..., Any]) -> None:
    page = visit(PAGE + "&moves=1").page
    page.select_option('[name="method"]', "path")
    tree = explain(GAME, GAME.replay([1]), Recipe("path", depth=3, table=False), 600)
    page.locator("#step", has_text=f"of {len(tree.events)}, {tree.counts.prunings} of").wait_for()
    assert page.locator("#tree1 g[data-node]").count() == tree.counts.nodes
    assert page.locator("#tree1 .value").all_text_contents() == [bounded(node) for node in tree.nodes]


def test_best_first_and_playing(visit: Callable[..., Any]) -> None:
    page = visit(PAGE).page
    page.select_option('[name="order"]', "best-first")
    tree = explain(GAME, None, Recipe(depth=3, table=False, order="best-first"), 600)
    page.locator("#step", has_text=f"of {len(tree.events)},").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("#step", has_text="Step 3 of").wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.locator('#tree0 g[data-node="5"]').click()
    page.locator("dd", has_text="5, ").first.wait_for()


def test_export(visit: Callable[..., Any], tmp_path: Path) -> None:
    page = visit(PAGE).page
    tree = explain(GAME, None, Recipe(depth=3, table=False), 600)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save JSON").click()
    download.value.save_as(tmp_path / "tree.json")
    assert json.loads((tmp_path / "tree.json").read_text()) == tree.to_dict()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SVG").click()
    download.value.save_as(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text().count("data-node=") == len(tree.nodes)


def test_wrong_requests_get_a_sentence(visit: Callable[..., Any]) -> None:
    visitor = visit(PAGE)
    page = visitor.page
    for said in (
        "{}",
        "{method: 'magic', order: 'left-to-right', depth: '3', nodes: '9'}",
        "{nodes: '9999999', depth: '1'}",
        "{depth: 'x', nodes: '5'}",
    ):
        page.evaluate(f"emitEvent('zermelo', {{kind: 'explain', value: {said}}})")
        page.wait_for_function("document.querySelector('form .error').innerText.endsWith('.')")
    over = visit(PAGE + "&moves=0,1,0,1,0").page
    over.locator(".error", has_text="game is over").wait_for()


def test_a_node_that_is_not_there_is_no_place_to_go(visit: Callable[..., Any]) -> None:
    page = visit(PAGE).page
    wide = compared(GAME, GAME.initial, Recipe(depth=3, table=False), 600)[0]
    page.locator('#tree0 g[data-node="0"]').click()
    page.locator("#step", has_text=f"Step {len(wide.events)} of {len(wide.events)},").wait_for()
    page.evaluate("emitEvent('zermelo', {kind: 'node', value: ['tree1', 99999]})")
    page.get_by_role("button", name="One step back").click()
    page.locator("#step", has_text=f"Step {len(wide.events) - 1} of {len(wide.events)},").wait_for()
