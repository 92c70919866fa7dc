"""The page of the command line, written from the program's own commands."""

import inspect
from typing import Any

import click
import typer

from zermelo.ui.cli import command_line


def pages() -> dict[str, str]:
    """Return the page of all commands."""
    program = typer.main.get_command(command_line())
    parts = [
        "# The command line",
        "The program says the same with `--help`. Exit statuses: 0 if all went well, 1 for an error or for findings, "
        "2 for a command line that cannot be read, 130 for Ctrl-C. [zermelo grade](../how-to/grade.md#what-it-prints) "
        "has statuses of its own.",
    ]
    for name, command in members(program).items():
        parts += [*described(command, f"zermelo {name}")]
    return {"reference/commands.md": "\n\n".join(parts) + "\n"}


def members(command: Any) -> dict[str, click.Command]:
    """Return the commands of a group; none of a single command."""
    return dict(getattr(command, "commands", {}))


def described(command: click.Command, name: str, level: int = 2) -> list[str]:
    """Return a command's section, and those of its own commands."""
    context = click.Context(command, info_name=name)
    usage = f"{name} {' '.join(command.collect_usage_pieces(context))}"
    parts = [f"{'#' * level} {name}", inspect.cleandoc(command.help or ""), f"```\n{usage}\n```"]
    rows = [row for one in command.get_params(context) if (row := parameter(one, context))]
    if rows:
        parts.append("\n".join(["| argument or option | what |", "|---|---|", *rows]))
    for inner, own in members(command).items():
        parts += described(own, f"{name} {inner}", level + 1)
    return parts


def parameter(one: click.Parameter, context: click.Context) -> str:
    """Return the row of an argument or an option; empty for ``--help``."""
    if one.name == "help":
        return ""
    record = one.get_help_record(context)
    head, text = record if record else (one.human_readable_name, getattr(one, "help", None) or "")
    head, text = (part.replace("|", "\\|").replace("\n", " ") for part in (head, text))
    return f"| `{head}` | {text.replace('<', '&lt;')} |"
