"""Asks a running ``zermelo serve`` for an analysis, and prints what it finds while it searches.

Run: ``python examples/clients/analysis_client.py [ADDRESS [GAME [MOVES]]]``; it needs only Python's standard library.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen


def events(address: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and the content of each server-sent event."""
    name = ""
    with urlopen(address) as answer:
        for line in answer:
            field, _, text = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = text
            elif field == "data":
                yield name, json.loads(text)


def main(server: str = "http://127.0.0.1:8080", game: str = "connect", moves: str = "") -> None:
    """Print a line for each result, the best action first; values are MAX's."""
    query = urlencode({"moves": moves, "seconds": 2})
    for name, found in events(f"{server}/api/games/{game}/analysis/stream?{query}"):
        if name == "problem":
            sys.exit(found["detail"])
        best = found["actions"][0]["action"] if found["actions"] else "-"
        proven = ", proven" if found["proven"] else ""
        print(f"{name}: depth {found['depth']}, value {found['value']} for MAX{proven}, best {best}")


if __name__ == "__main__":
    main(*sys.argv[1:])
