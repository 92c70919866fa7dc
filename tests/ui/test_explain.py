"""``zermelo explain``, pictures of trees and states, and what a notebook shows."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from math import inf
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo as package
from zermelo.errors import BadParameter
from zermelo.game import MAX, Game
from zermelo.games import connect, minicheckers, nim
from zermelo.pictures.tree_svg import tree_svg
from zermelo.pictures.tree_text import why, window_text
from zermelo.textbook.explain import Recipe, explain

BOARD = ("-p", "rows=3", "-p", "columns=3", "-p", "run=3")
NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_json_from_the_command_line(zermelo: Callable[..., object], tmp_path: Path) -> None:
    ran = zermelo("explain", "connect", *BOARD, "--moves", "0,1", "--depth", "4", "--out", "tree.json")
    record = json.loads((tmp_path / "tree.json").read_text())
    game = connect(3, 3, 3)
    tree = explain(game, game.replay([0, 1]), Recipe(depth=4))
    assert record == tree.to_dict()
    assert "tree.json" in ran.out
    assert f"{tree.counts.prunings} prunings" in ran.out


def test_svg_from_the_command_line(zermelo: Callable[..., object], tmp_path: Path) -> None:
    zermelo("explain", "connect", *BOARD, "--method", "minimax", "--depth", "2", "--no-table", "--out", "tree.svg")
    picture = ElementTree.fromstring((tmp_path / "tree.svg").read_text())
    assert len([one for one in picture.iter(f"{NAMESPACE}g") if one.get("data-node")]) == 1 + 3 + 9


def test_wrong_requests_get_a_sentence(refusal: Callable[..., str]) -> None:
    assert "svg" in refusal("explain", "connect", "--out", "tree.png")
    assert "folder" in refusal("explain", "connect", "--out", "nowhere/tree.svg")
    assert "depth" in refusal("explain", "connect", "--depth", "0", "--out", "tree.svg")
    assert "depth" in refusal("explain", "connect", "--method", "decision")
    assert "depth" in refusal("explain", "connect", "--method", "path")
    assert "takes no --width; it goes with path." in refusal("explain", "connect", "--depth", "2", "--width", "3")


def test_a_picture_has_every_node_and_every_pruning() -> None:
    tree = explain(connect(3, 3, 3), recipe=Recipe(depth=4, table=False))
    picture = ElementTree.fromstring(tree_svg(tree))
    nodes = {int(one.get("data-node", "")): one for one in picture.iter(f"{NAMESPACE}g") if one.get("data-node")}
    assert set(nodes) == {node.number for node in tree.nodes}
    for number, one in nodes.items():
        values = [text.text for text in one.iter(f"{NAMESPACE}text")]
        assert str(tree.nodes[number].value).replace("-", "\N{MINUS SIGN}") in values[0]
    scissors = [one.text for one in picture.iter(f"{NAMESPACE}text") if one.get("class") == "scissors"]
    assert len(scissors) == sum(bool(node.unsearched) for node in tree.nodes)


def test_nodes_do_not_overlap() -> None:
    tree = explain(connect(3, 3, 3), recipe=Recipe(depth=5))
    picture = ElementTree.fromstring(tree_svg(tree))
    places = [one.get("transform") for one in picture.iter(f"{NAMESPACE}g") if one.get("data-node")]
    assert len(set(places)) == len(places)


def test_a_node_says_why() -> None:
    tree = explain(connect(3, 3, 3), recipe=Recipe(depth=4, table=False))
    pruned = next(node for node in tree.nodes if node.unsearched)
    said = why(tree, pruned)
    edge = pruned.beta if pruned.player == MAX else pruned.alpha
    assert f"({edge})" in said
    assert "Not searched" in said
    assert "EVAL" in why(tree, next(node for node in tree.nodes if node.source == "cutoff"))
    broken = explain(connect(), nodes=5)
    assert "broken off" in why(broken, broken.nodes[0])


def test_a_notebook_shows_states_and_trees(tmp_path: Path) -> None:
    game = connect(3, 3, 3)
    picture = package.show(game)
    ElementTree.fromstring(picture._repr_svg_())
    root = ElementTree.fromstring(picture.svg)
    width, height = (float(number) for number in root.get("viewBox", "").split()[2:])
    assert float(root.get("width", "")) == pytest.approx(width / 2, abs=1)
    assert float(root.get("height", "")) == pytest.approx(height / 2, abs=1)
    assert repr(picture) == "Picture(title='connect(rows=3, columns=3, run=3)')"
    assert picture.svg in game._repr_html_()
    tree = package.explain(game, depth=2)
    assert tree_svg(tree) in tree._repr_html_()
    with pytest.raises(BadParameter):
        package.show(_without_board(game))
    assert "<pre>" in _without_board(game)._repr_html_()


def test_a_picture_shows_windows_where_there_is_room() -> None:
    def windows(picture: str) -> list[str | None]:
        texts = ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")
        return [text.text for text in texts if text.get("class") == "window"]

    small = explain(connect(3, 3, 3), recipe=Recipe("decision", depth=3))
    assert windows(tree_svg(small)) == [window_text(node.alpha, node.beta) for node in small.nodes]
    assert f"Alpha and beta: {window_text(*connect(3, 3, 3).utility_range)}. " in tree_svg(small)
    assert windows(tree_svg(small, alone=False)) == []
    assert windows(tree_svg(explain(connect(3, 3, 3), recipe=Recipe("minimax", depth=3)))) == []
    assert windows(tree_svg(explain(connect(), recipe=Recipe(depth=6)))) == []


def test_names_of_moves_stand_beside_each_other() -> None:
    game = nim()
    picture = ElementTree.fromstring(tree_svg(explain(game, recipe=Recipe("minimax", depth=1))))
    names = [one for one in picture.iter(f"{NAMESPACE}text") if one.get("class") == "move"]
    assert len(names) == len(game.legal_actions(game.initial)) > 10
    for one, other in pairwise(names):
        assert float(other.attrib["x"]) - float(one.attrib["x"]) >= 7 * len(one.text or "")


def test_a_picture_has_true_minus_signs() -> None:
    tree = package.explain(connect(3, 3, 3), method="decision", depth=4)
    picture = ElementTree.fromstring(tree_svg(tree))
    said = [one.text or "" for tag in ("text", "title") for one in picture.iter(f"{NAMESPACE}{tag}")]
    assert "(\N{MINUS SIGN}15000, 18000)" in said
    assert "≤\N{MINUS SIGN}1" in said
    assert not any(re.search(r"-[0-9∞]", one) for one in said)
    assert window_text(-inf, inf) == "(\N{MINUS SIGN}∞, ∞)"
    assert f"value {tree.value}, " in str(tree)  # a program may read it


def test_the_path_method_from_the_command_line(zermelo: Callable[..., object], tmp_path: Path) -> None:
    ran = zermelo(
        "explain", "connect", *BOARD, "--method", "path", "--depth", "3", "--width", "2", "--out", "tree.json"
    )
    assert "path, 3 plies, 2 moves wide" in ran.out
    record = json.loads((tmp_path / "tree.json").read_text())
    assert record["plan"]["width"] == 2
    assert {len(node["dropped"]) for node in record["nodes"] if node["source"] == "children"} == {1}
    game = connect(3, 3, 3)
    tree = package.explain(game, method="path", depth=3, width=2)
    assert record == tree.to_dict()
    assert "Left out by the width: 0." in tree_svg(tree) or "Left out by the width: 2." in tree_svg(tree)


def test_what_is_shown_can_be_saved(tmp_path: Path) -> None:
    game = connect(3, 3, 3)
    tree = package.explain(game, depth=2)
    tree.save(tmp_path / "tree.svg")
    tree.save(str(tmp_path / "tree.json"))
    assert (tmp_path / "tree.svg").read_text() == tree_svg(tree)
    assert json.loads((tmp_path / "tree.json").read_text()) == tree.to_dict()
    game.save(tmp_path / "state.svg", game.replay([1, 1]))
    assert (tmp_path / "state.svg").read_text() == package.show(game, game.replay([1, 1])).svg
    for name, words in (("tree.png", "must end in .svg"), ("nowhere/tree.svg", "no folder")):
        with pytest.raises(BadParameter, match=words):
            tree.save(tmp_path / name)
    with pytest.raises(BadParameter, match=r"must end in \.svg; the picture is SVG\.$"):
        game.save(tmp_path / "state.png")
    with pytest.raises(BadParameter, match=r"^'.*/nowhere/state\.svg' cannot be written: No such file or directory\.$"):
        game.save(tmp_path / "nowhere" / "state.svg")


def test_a_tree_is_described_on_a_screen() -> None:
    game = minicheckers()
    tree = package.explain(game, depth=9, nodes=5_000)
    assert repr(tree) == "explain(minicheckers(), depth=9)"
    again = package.explain(connect(3, 3, 3), connect(3, 3, 3).replay("1 1"), method="decision", depth=2)
    assert eval(
        repr(again), {"explain": package.explain, "connect": connect, "State": type(game_state())}
    ).to_dict() == (again.to_dict())
    lines = str(tree).splitlines()
    assert lines[0].startswith("alpha-beta, 9 plies, ")
    assert [line.split()[:2] for line in lines[2:]] == [
        [str(ply), f"{count:,}"] for ply, count in enumerate(tree.by_ply())
    ]
    assert len(tree.nodes) > 2_000
    assert "are too many to draw here" in tree._repr_html_()
    assert len(tree._repr_html_()) < 1_000


def game_state() -> object:
    return connect(3, 3, 3).initial


def _without_board(game: Game) -> Game:
    from dataclasses import replace

    return replace(game, board=None)
