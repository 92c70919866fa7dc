"""``zermelo games``: list the games with parameters, ranges and defaults."""

import json
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table as TextTable

from zermelo.game import Game
from zermelo.parameters import ParameterInfo, parameters_of
from zermelo.registry import factories
from zermelo.ui.arguments import JsonOption


def games(as_json: JsonOption = False) -> None:
    """List the games with their parameters."""
    listing = list_games()
    if as_json:
        print(json.dumps(listing))
    else:
        print_games(listing, Console())


def list_games() -> list[dict[str, Any]]:
    """Return every registered game for JSON."""
    return [
        {"name": name, "about": about(factory), "parameters": [parameter_record(i) for i in parameters_of(factory)]}
        for name, factory in factories().items()
    ]


def print_games(listing: list[dict[str, Any]], console: Console) -> None:
    """Print the list for people."""
    table = TextTable(box=None, pad_edge=False)
    for heading in ("game", "parameters", "about"):
        table.add_column(heading)
    for entry in listing:
        rows = (f"{p['name']}={json.dumps(p['default'])} ({allowed_text(p)})" for p in entry["parameters"])
        table.add_row(entry["name"], "\n".join(rows), entry["about"])
    console.print(table, highlight=False)


def about(factory: Callable[..., Game]) -> str:
    """Return the first line of a factory's docstring."""
    return (factory.__doc__ or "").strip().split("\n")[0]


def parameter_record(info: ParameterInfo) -> dict[str, Any]:
    """Return a parameter for JSON."""
    low, high = (info.allowed.start, info.allowed[-1]) if info.allowed is not None else (None, None)
    return {"name": info.name, "type": info.kind.__name__, "default": info.default, "min": low, "max": high}


def allowed_text(parameter: dict[str, Any]) -> str:
    """Return a parameter's range for people."""
    if parameter["type"] == "bool":
        return "true or false"
    return "whole number" if parameter["min"] is None else f"{parameter['min']} to {parameter['max']}"
