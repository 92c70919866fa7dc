"""A page for each game of the shelf: its rules, parameters and picture, all from the game itself."""

import inspect
import re
import sys
from pathlib import Path
from typing import Any, Final

import zermelo
from zermelo.parameters import parameters_of
from zermelo.ui.commands.games import about, allowed_text, parameter_record

TABLE: Final = Path(__file__).parents[1] / "reference" / "games.md"
OPTIONAL: Final = """
    evaluate is_cutoff order key symmetries swap sufficient_actions noisy_actions gain null_state urgent bounds
    window_bounds repetition position plies_left is_stopped tier pack unpack placements to_text board pgn_tags
"""
"""Functions that a game may have or not."""


def shelf() -> dict[str, Any]:
    """Return the factories of zermelo's own games, by name."""
    return {name: made for name, made in zermelo.factories().items() if made.__module__.startswith("zermelo.games.")}


def navigation() -> list[dict[str, str]]:
    """Return the entries of the games in the site's navigation."""
    return [{name: f"reference/games/{name}.md"} for name in shelf()]


def pages() -> dict[str, str]:
    """Return a page for each game, and the picture of its initial position."""
    found = {}
    for name, factory in shelf().items():
        game = zermelo.make_game(name)
        picture = ""
        if game.board is not None:
            found[f"reference/games/{name}.svg"] = zermelo.show(game).svg
            picture = f"![The initial position of {name}]({name}.svg){{ width=320 }}"
        found[f"reference/games/{name}.md"] = page(name, factory, game, picture)
    return found


def page(name: str, factory: Any, game: zermelo.Game, picture: str) -> str:
    """Return the page of a game."""
    variant, checked = row(name)
    parts = [
        f"# {name}",
        about(factory),
        picture,
        f"```\n{game.draw(game.initial)}\n```",
        f"{game.sides[0]} is MAX, {game.sides[1]} is MIN. In a terminal, `zermelo play {name}` plays it.",
        "## Rules and representation",
        markdown(inspect.getdoc(sys.modules[factory.__module__]) or ""),
        parameters(factory),
        f"## Variant and checks\n\n**Variant.** {variant}\n\n**Checked against.** {checked}",
        f"## What it declares\n\n{declared(game)}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def row(name: str) -> tuple[str, str]:
    """Return what the table of games says of one: the variant, and what it was checked against."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if f"`{name}`" in cells[0].split(", "):
            variant, checked = (re.sub(r"\]\(#", "](../games.md#", cell.strip(" |")) for cell in cells[1:3])
            return variant, checked
    raise LookupError(f"docs/reference/games.md has no row for {name}")


def parameters(factory: Any) -> str:
    """Return the table of a game's parameters."""
    records = [parameter_record(one) for one in parameters_of(factory)]
    if not records:
        return "## Parameters\n\nNone."
    rows = [f"| `{one['name']}` | {one['default']} | {allowed_text(one)} |" for one in records]
    return "\n".join(["## Parameters", "", "| parameter | default | allowed |", "|---|---|---|", *rows])


def declared(game: zermelo.Game) -> str:
    """Return which of the optional functions a game has."""
    names = [f"`{name}`" for name in OPTIONAL.split() if getattr(game, name, None) is not None]
    low, high = game.utility_range
    return (
        f"Utilities lie from {low:,} to {high:,}. [Optional functions](../functions.md) that it has: "
        f"{', '.join(names) or 'none'}."
    )


def markdown(text: str) -> str:
    """Return a docstring's reStructuredText as Markdown: literal blocks, terms with what they mean, names in quotes."""
    text = text.replace("``", "`")
    lines, literal, found = text.splitlines(), False, list[str]()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if literal and line and not line.startswith("  "):
            found.append("```\n")
            literal = False
        if literal:
            found.append(line)
            continue
        if re.fullmatch(r"[a-z_]+", line) and following.startswith("    "):
            found += ["", f"- `{line}`:"]
            continue
        if line.endswith("::"):
            found += [line[:-1], "", "```"]
            literal = True
            continue
        found.append(line)
    return "\n".join([*found, "```"] if literal else found)
