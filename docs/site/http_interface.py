"""The page of the interface over HTTP, written from the server's own description of it."""

import json
from typing import Any

from zermelo.games import USUAL
from zermelo.ui.web.serve import make_api
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.workshop import Workshop


def pages() -> dict[str, str]:
    """Return the page of all addresses and all shapes of answers."""
    schema = make_api(Shelf(USUAL), Workshop()).openapi()
    parts = [
        "# HTTP",
        "`zermelo serve` answers these addresses with JSON; errors are problem JSON (RFC 9457). "
        "[The browser](../how-to/browser.md#for-programs) says how positions are written, and what the limits are.",
    ]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            parts += [f"## {method.upper()} `{path}`", operation.get("description", "")]
            parts.append(table(operation.get("parameters", [])))
    parts.append("## Shapes")
    for name, shape in schema["components"]["schemas"].items():
        parts += [f"### {name}", shape.get("description", ""), fields(shape)]
    return {"reference/http.md": "\n\n".join(part for part in parts if part) + "\n"}


def table(parameters: list[dict[str, Any]]) -> str:
    """Return the parameters of an address."""
    rows = [f"| `{one['name']}` | {one['in']} | {one.get('description', '')} |" for one in parameters]
    return "\n".join(["| parameter | in | what |", "|---|---|---|", *rows]) if rows else ""


def fields(shape: dict[str, Any]) -> str:
    """Return the fields of an object."""
    rows = [
        f"| `{name}` | {kind(one)} | {one.get('description', '')} |"
        for name, one in shape.get("properties", {}).items()
    ]
    return "\n".join(["| field | type | what |", "|---|---|---|", *rows]) if rows else ""


def kind(schema: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(kind(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(one)}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
