"""The tables in docs/benchmarks/laboratory.md are those of the figures in docs/benchmarks/laboratory.json."""

import json
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_page_has_the_tables_of_the_figures() -> None:
    program = runpy.run_path(str(ROOT / "benchmarks" / "laboratory.py"))
    page = (ROOT / "docs" / "benchmarks" / "laboratory.md").read_text()
    assert page.count("<!-- end -->") == len(program["TABLES"])
    assert program["filled"](page, json.loads((ROOT / "docs" / "benchmarks" / "laboratory.json").read_text())) == page
