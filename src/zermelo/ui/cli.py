"""The command line: ``zermelo`` and ``python -m zermelo``. Arguments in, calls out, errors as sentences.

Exit statuses: 1 for a `ZermeloError` and for findings, 2 for a command line that cannot be read, 130 for Ctrl-C.
`zermelo grade` has statuses of its own, one for each verdict.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO, TextIOWrapper
from typing import Annotated, Final

import typer

import zermelo
from zermelo.ui.arguments import EXIT_INTERRUPTED, present_name
from zermelo.ui.installation import versions
from zermelo.ui.terminal.exits import leave, say, status_of

COMMANDS: Final = (
    *("play", "serve", "search", "explain", "analyse", "solve", "probe", "census", "puzzles", "verify", "export"),
    *("match", "tournament", "rate", "openings", "report", "accuracy", "ablate", "levels", "learn", "tune"),
    *("games", "atlas", "perft", "playouts", "mcts", "check", "new", "grade", "course", "engine", "cache", "doctor"),
)
"""In the order of ``zermelo --help``. Each is a function or a Typer of this name in a module of this name."""


def main() -> None:
    """Run the command line; every error of a user, of rules or of the system becomes a sentence and a status."""
    for stream in (sys.stdout, sys.stderr):  # an old terminal shows a question mark for a character that it lacks
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdin is None:  # a closed input counts as one that has ended
        sys.stdin = StringIO()
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are not text are an illegal move, and must not end a game
        sys.stdin.reconfigure(errors="replace")
    try:
        # The imports of all commands take a third of a second, so only the command that is asked for is imported.
        asked = [name for name in sys.argv[1:2] if name in COMMANDS]
        status = command_line(asked or COMMANDS)(prog_name="zermelo", standalone_mode=False)
    except BaseException as error:
        leave(status_of(error))
    if status == EXIT_INTERRUPTED:  # Typer's status for Ctrl-C in a command that does not catch it
        say("zermelo: Interrupted.")
    leave(status or 0)


def print_version(wanted: bool) -> None:
    """``--version``."""
    if wanted:
        print("\n".join([f"zermelo {zermelo.__version__}", *versions()]))
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print versions and extras.")
    ] = False,
) -> None:
    """Two-player perfect-information games: play, search, solve."""


def command_line(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """The program with these commands."""
    app = typer.Typer(
        help="Two-player perfect-information games: play, search, solve.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"token_normalize_func": present_name},
    )
    app.callback()(root)
    for name in names:
        command = getattr(import_module(f"zermelo.ui.commands.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command()(command)
    return app
