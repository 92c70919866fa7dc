"""The command line: ``zermelo`` and ``python -m zermelo``. Arguments in, calls out, errors as sentences.

Exit statuses: 1 for a `ZermeloError` and for findings, 2 for a command line that cannot be read, 130 for Ctrl-C.
"""

import json
import sys
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import zermelo
from zermelo.errors import BadParameter
from zermelo.pictures.notebook import check_out, print_tree, write_tree
from zermelo.play.moves import read_moves
from zermelo.registry import make_game
from zermelo.textbook.explain import Method, Order, Plan
from zermelo.textbook.explain import explain as explain_search
from zermelo.textbook.observer import NODES
from zermelo.ui.arguments import (
    EXIT_ERROR,
    EXIT_INTERRUPTED,
    DepthOption,
    GameArgument,
    HandoutOption,
    JsonOption,
    MovesOption,
    ParameterOption,
    WidthOption,
    parse_parameters,
    present_name,
)
from zermelo.ui.commands.analyse import analyse
from zermelo.ui.commands.census import census
from zermelo.ui.commands.check import audit, print_report, write_new_game
from zermelo.ui.commands.compare import compare_command
from zermelo.ui.commands.export import export
from zermelo.ui.commands.games import list_games, print_games
from zermelo.ui.commands.perft import perft
from zermelo.ui.commands.play import play
from zermelo.ui.commands.probe import probe
from zermelo.ui.commands.puzzles import puzzles
from zermelo.ui.commands.search import search
from zermelo.ui.commands.solve import solve
from zermelo.ui.commands.verify import verify
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.exits import leave, say, status_of
from zermelo.ui.web.shelf import MOST_GAMES

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
    for stream in (sys.stdout, sys.stderr):  # what an old terminal cannot show becomes a question mark
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdin is None:  # closed: as good as at its end
        sys.stdin = StringIO()
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text must not end a game: they are no legal move
        sys.stdin.reconfigure(errors="replace")
    try:
        status = app(standalone_mode=False)
    except BaseException as error:
        leave(status_of(error))
    if status == EXIT_INTERRUPTED:  # what Typer makes of Ctrl-C in a command that does not catch it
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


app.command()(play)


@app.command()
def serve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game of the first page: a name, my_game.py or my_game.py:factory; "
            "else that of the table, or connect.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen at; only this machine can reach 127.0.0.1, every one 0.0.0.0."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8080,
    table: Annotated[list[str] | None, typer.Option(metavar="DIR", help="A solved table: folder or URL.")] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="One more name by which browsers may call the server.")
    ] = None,
    most_games: Annotated[
        int, typer.Option(min=1, help="How many different games may be compiled; each takes some 30 MB for good.")
    ] = MOST_GAMES,
) -> None:
    """Play, analyse and look inside searches in a browser; Ctrl-C stops it."""
    from zermelo.ui.commands.serve import serve as serve_pages

    serve_pages(game, host, port, table or (), allow_host or (), most_games)


app.command()(search)


@app.command()
def explain(
    game: GameArgument,
    out: Annotated[Path | None, typer.Option(metavar="tree.svg|tree.json", help="Where to write the tree.")] = None,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    method: Annotated[
        Method, typer.Option(help="decision is MAX-VALUE and MIN-VALUE without a table, path the two methods.")
    ] = "alpha-beta",
    handout: HandoutOption = False,
    depth: DepthOption = None,
    width: WidthOption = None,
    order: Annotated[Order, typer.Option(help="In which order to try moves.")] = "left-to-right",
    table: Annotated[bool, typer.Option("--table/--no-table", help="Answer states met again from a table.")] = True,
    nodes: Annotated[int, typer.Option(help="How many nodes to record at most.")] = NODES,
) -> None:
    """Record the tree of a real minimax or alpha-beta search."""
    if width is not None and method != "path":
        raise BadParameter(f"The method {method} takes no --width; it goes with path.")
    if out is not None:
        check_out(out)
    rules = read_game(game, parameter)
    plan = Plan(method, handout, depth, table, order, Plan.width if width is None else width)
    tree = explain_search(rules, rules.replay(read_moves(rules, moves)), plan, nodes)
    print_tree(tree, Console())
    if out is not None:
        write_tree(tree, out)
        print(f"The tree is written to {out}.")


app.command()(analyse)

cache = typer.Typer(help="Machine code of games, kept on disk.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cache, name="cache")


@cache.command()
def info() -> None:
    """Say where compiled code is kept, and how much."""
    from zermelo.compiled import cache_info

    found = cache_info()
    unfinished = f", {found.unfinished} unfinished" if found.unfinished else ""
    print(f"{found.path}: {found.entries} kernels of {found.games} games{unfinished}, {found.size / 1e6:.1f} MB")


@cache.command()
def clear() -> None:
    """Delete all compiled code; it is compiled again when needed."""
    from zermelo.compiled import clear_cache

    found = clear_cache()
    print(f"{found.path}: deleted {found.entries} kernels, {found.size / 1e6:.1f} MB")


for command in (solve, probe, census, puzzles, verify, export):
    app.command()(command)


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games with their parameters."""
    listing = list_games()
    if as_json:
        print(json.dumps(listing))
    else:
        print_games(listing, Console())


app.command()(perft)


@app.command()
def check(
    game: GameArgument,
    parameter: ParameterOption = None,
    seconds: Annotated[
        float, typer.Option(help="About how long to work; a busy machine takes up to three times as long.")
    ] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the random play.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Look for mistakes in the rules of a game, and count what an inventor wants to know.

    Exit status 1 if there are errors.
    """
    report = audit(make_game(game, parse_parameters(parameter)), seconds, seed, Console(stderr=True))
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        print_report(report, Console())
    if not report.ok:
        sys.exit(EXIT_ERROR)


@app.command()
def new(file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Where to write it; it must not exist.")]) -> None:
    """Write a small complete game to start from."""
    write_new_game(file)
    print(f"{file} is written. Now try: zermelo check {file}")


app.command("compare")(compare_command)
