"""The page of benchmarks has the figures of the data files, and other pages that quote a figure quote the same."""

import json
import re
import sys
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"
QUOTES = [
    line.split("\t")
    for line in (BENCHMARKS / "quotes.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
NO_FIGURES = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|\{\{[^}]*\}\}"  # code, links, what is filled in
    r"|\b\d+x\d+(?:x\d+)?\b|\bFFO [\d-]+|\bL\d_R\d\b|arXiv:\S+|et al\. \d{4}|Stockfish \d+\.\d|OpenSpiel [\d.]+"
    r"|Measured elsewhere[^)]*|measured elsewhere[^)]*",
    re.DOTALL,
)
"""What may hold digits without being a figure that was measured here."""
FIGURE = re.compile(r"\d[\d,]*\d{3}|\d\.\d+(?! is (?:missed|met))|\d+ ?%|± ?\d")
"""Thousands, fractions and shares: nobody types these."""
SETTINGS = {"0.8", "2+0.02", "0.05", "10,000", "4,000", "0.02"}
"""Numbers that say how something was measured."""


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch):
    """The module that reads figures and fills the page."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module("results")
    sys.modules.pop("results")


def test_the_page_is_filled_from_the_data(results):
    template = results.TEMPLATE.read_text(encoding="utf-8")
    filled = results.FIRST + results.filled(template)
    assert results.PAGE.read_text(encoding="utf-8") == filled, "Run `python benchmarks/results.py fill`."


def test_every_result_says_where_it_comes_from_and_is_used(results):
    template = results.TEMPLATE.read_text(encoding="utf-8")
    files = sorted(results.RESULTS.glob("*.json"))
    assert len(files) > 30
    for file in files:
        result = results.Result.load(file.stem)
        assert result.format == results.FORMAT
        assert date.fromisoformat(result.date).isoformat() == result.date
        assert result.machine
        assert result.rows
        assert all(len(row) == len(result.columns) for row in result.rows)
        assert all(type(cell) in (str, int, float, type(None)) for row in result.rows for cell in row)
        assert f"{{{{{file.stem}}}}}" in template.splitlines(), file.stem
        assert not re.search(r"(?<![\w.])/(?:home|root|tmp|work)\b", file.read_text(encoding="utf-8"))


def test_nobody_types_a_figure(results):
    text = NO_FIGURES.sub("", results.TEMPLATE.read_text(encoding="utf-8"))
    assert [found for found in FIGURE.findall(text) if found not in SETTINGS] == []


@pytest.mark.parametrize(("page", "phrase"), QUOTES)
def test_quotes_agree(results, page, phrase):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert results.filled(phrase) in text, f"{page} says something else than {phrase}."


def test_tables_of_the_laboratory_and_of_the_cluster_follow_from_the_raw_figures(results, monkeypatch):
    monkeypatch.delitem(sys.modules, "laboratory", raising=False)
    laboratory = import_module("laboratory")
    figures = json.loads(laboratory.FILE.read_text(encoding="utf-8"))
    for name, table in laboratory.TABLES.items():
        head, rows = table(figures)
        assert (list(results.Result.load(name).columns), results.Result.load(name).rows) == (head, rows)


def test_a_sheet_is_a_result_that_can_be_read_again(results, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    monkeypatch.setattr(results, "fill", lambda: None)
    monkeypatch.setattr(sys, "argv", ["/somewhere/speed.py", "--repeat", "3", "/else/where.txt", "--save", "a note"])
    sheet = results.Sheet("speed", {"game": "", "nodes": ",", "seconds": ".1f"})
    sheet.row("hex", 1234567, 2.34)
    sheet.save(None)
    assert not list(tmp_path.iterdir())
    sheet.save("a note")
    read = results.Result.load("speed")
    assert read == sheet.result
    assert read.command == "python benchmarks/speed.py --repeat 3 where.txt"
    assert results.filled("{{speed/hex/nodes}} nodes", {"speed": read}) == "1,234,567 nodes"
    assert read.table().splitlines()[2] == "| hex | 1,234,567 | 2.3 |" == capsys.readouterr().out.splitlines()[-1]
    again = results.Sheet("speed", {"game": "", "nodes": ",", "seconds": ".1f"})
    again.row("othello", None, "more than a day")
    again.save("", merge=True)
    assert [row[0] for row in results.Result.load("speed").rows] == ["hex", "othello"]
    results.set_row("speed", ["hex", "7", "0.5"])
    assert results.Result.load("speed").rows[0] == ["hex", 7, 0.5]
    with pytest.raises(SystemExit, match="has 3 cells"):
        results.set_row("speed", ["hex", "7"])
    with pytest.raises(KeyError, match="no benchmarks/results/tempo"):
        results.filled("{{tempo}}", {})
