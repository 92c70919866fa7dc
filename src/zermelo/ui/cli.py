"""The command line: ``zermelo`` and ``python -m zermelo``. Arguments in, calls out, errors as sentences.

Exit statuses: 1 for a `ZermeloError` and for findings, 2 for a command line that cannot be read, 130 for Ctrl-C.
"""

import sys
from io import StringIO, TextIOWrapper
from typing import Annotated

import typer

import zermelo
from zermelo.ui.arguments import EXIT_INTERRUPTED, present_name
from zermelo.ui.commands.analyse import analyse
from zermelo.ui.commands.cache import cache
from zermelo.ui.commands.census import census
from zermelo.ui.commands.check import check
from zermelo.ui.commands.compare import compare
from zermelo.ui.commands.explain import explain
from zermelo.ui.commands.export import export
from zermelo.ui.commands.games import games
from zermelo.ui.commands.new import new
from zermelo.ui.commands.perft import perft
from zermelo.ui.commands.play import play
from zermelo.ui.commands.probe import probe
from zermelo.ui.commands.puzzles import puzzles
from zermelo.ui.commands.search import search
from zermelo.ui.commands.serve import serve
from zermelo.ui.commands.solve import solve
from zermelo.ui.commands.verify import verify
from zermelo.ui.terminal.exits import leave, say, status_of

app = typer.Typer(
    help="Two-player perfect-information games: play, search, solve.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"token_normalize_func": present_name},
)


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
        status = app(standalone_mode=False)
    except BaseException as error:
        leave(status_of(error))
    if status == EXIT_INTERRUPTED:  # Typer's status for Ctrl-C in a command that does not catch it
        say("zermelo: Interrupted.")
    leave(status or 0)


def print_version(wanted: bool) -> None:
    """``--version``."""
    if wanted:
        print(f"zermelo {zermelo.__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Two-player perfect-information games: play, search, solve."""


for command in (
    *(play, serve, search, explain, analyse, solve, probe, census, puzzles, verify, export),
    *(games, perft, check, new, compare),
):
    app.command()(command)
app.add_typer(cache, name="cache")
