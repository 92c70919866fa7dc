"""Charts show the numbers that they are given, where they belong."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from zermelo.pictures.charts import Scale, column_chart, interval_chart, line_chart, standalone

SVG = "{http://www.w3.org/2000/svg}"


def test_rows_lie_in_order_and_intervals_around_their_dots() -> None:
    picture = ElementTree.fromstring(
        interval_chart({"one & only": (1.0, 0.5, 2.0), "other": (4.0, 3.0, 8.0)}, "nodes", middle=1, logarithmic=True)
    )
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in picture.iter(f"{SVG}circle")]
    lines = [line for line in picture.iter(f"{SVG}line") if "stroke-width:3" in line.get("style", "")]
    assert dots[0][1] < dots[1][1]
    assert dots[0][0] < dots[1][0]
    for (x, _), line in zip(dots, lines, strict=True):
        assert float(line.get("x1", "")) < x < float(line.get("x2", ""))
    middle = next(line for line in picture.iter(f"{SVG}line") if line.get("class") == "middle")
    assert float(middle.get("x1", "")) == dots[0][0]
    assert "one & only" in [text.text for text in picture.iter(f"{SVG}text")]


def test_a_line_has_a_point_for_each_estimate_and_a_band() -> None:
    points = [(2.0**power, (power, power - 0.5, power + 0.5)) for power in range(1, 6)]
    picture = ElementTree.fromstring(line_chart({"a": points, "b": []}, "nodes", "Elo", logarithmic=True))
    dots = list(picture.iter(f"{SVG}circle"))
    places = [float(dot.get("cx", "")) for dot in dots]
    steps = [later - sooner for sooner, later in pairwise(places)]
    assert len(dots) == 5
    assert steps == pytest.approx([steps[0]] * 4, abs=0.2), "doublings are equally far apart"
    assert len(list(picture.iter(f"{SVG}polygon"))) == 1


def test_columns_are_as_high_as_their_counts() -> None:
    picture = ElementTree.fromstring(column_chart({"1": 5, "2": 10, "3": 0}, "plies", "games"))
    heights = [float(column.get("height", "")) for column in picture.iter(f"{SVG}rect")]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.2)
    assert heights[2] == 0


def test_ticks_are_round_and_on_the_axis() -> None:
    assert Scale(0, 1, 0, 100).ticks == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert Scale(0.5, 30, 0, 100, True).ticks == [0.5, 1, 2, 5, 10, 20]
    assert Scale(0, 1, 0, 100)(7) == 100


def test_a_file_of_its_own_needs_no_page() -> None:
    text = standalone(column_chart({"1": 1}, "plies", "games"))
    ElementTree.fromstring(text)
    assert re.search(r"<style>[^<]*prefers-color-scheme:dark", text)
