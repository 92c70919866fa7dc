"""The notebooks of the docs run to their ends, and hold no output that could be out of date."""

import json

import matplotlib
import pytest

import notebooks


@pytest.mark.parametrize("notebook", notebooks.NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook):
    matplotlib.use("agg")
    names = notebooks.run(notebook)
    assert len(names) > 10
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert [cell for cell in cells if cell.get("outputs")] == []


def test_there_are_three():
    assert [notebook.stem for notebook in notebooks.NOTEBOOKS] == ["alpha_beta", "solving", "tuning"]
