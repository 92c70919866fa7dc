"""The command line: ``zermelo`` and ``python -m zermelo``. Arguments in, calls out, errors as sentences.

Exit statuses: 1 for a `ZermeloError` and for findings, 2 for a command line that cannot be read, 130 for Ctrl-C.
"""

import json
import sys
from io import StringIO, TextIOWrapper
from pathlib import Path
from time import perf_counter
from typing import Annotated, Final

import typer
from rich.console import Console

import zermelo
from zermelo.errors import BadParameter, ZermeloError
from zermelo.play.players import Level, Options, settings_for
from zermelo.play.record import Record
from zermelo.registry import blame_file, make_game
from zermelo.result import SearchCounts
from zermelo.textbook.explain import Method, Order, Plan
from zermelo.textbook.explain import explain as explain_search
from zermelo.textbook.observer import NODES
from zermelo.textbook.perft import divide as divide_perft
from zermelo.textbook.perft import perft as count_perft
from zermelo.textbook.systems import Algorithm, System, guarantee
from zermelo.ui import analysing, show
from zermelo.ui.analysing import Request, analyse_aloud, make_engine, require_unfinished
from zermelo.ui.arguments import (
    EXIT_ERROR,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    ClusterOption,
    GameArgument,
    JsonOption,
    MovesOption,
    ParameterOption,
    fail,
    parse_moves,
    parse_parameters,
)
from zermelo.ui.checking import audit, print_report, write_new_game
from zermelo.ui.clustering import analyse_positions, prove_clustered
from zermelo.ui.comparing import compare_file, parse_board
from zermelo.ui.counting import census
from zermelo.ui.explaining import check_out, print_tree, write_tree
from zermelo.ui.exporting import export
from zermelo.ui.listing import list_games, print_games
from zermelo.ui.probing import probe
from zermelo.ui.puzzling import puzzles
from zermelo.ui.searching import check_options, print_search, search_record
from zermelo.ui.setup import Setup, ask_setup
from zermelo.ui.solving import solve
from zermelo.ui.terminal import Session, farewell
from zermelo.ui.usage import usage_sentence
from zermelo.ui.verifying import verify

UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""The base of what Typer raises where a command line cannot be read; it has no public name."""
ANALYSE_SECONDS: Final = 5.0

app = typer.Typer(
    help="Two-player perfect-information games: play, search, solve.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

DepthOption = Annotated[int | None, typer.Option(help="Plies to look ahead.")]
WidthOption = Annotated[int | None, typer.Option(help="Moves to look at in each position (path).")]
SecondsOption = Annotated[float | None, typer.Option(help="Time for each move (timed).")]
LevelOption = Annotated[Level | None, typer.Option(help="Strength of players that look only so far.")]
LetterOption = Annotated[bool, typer.Option("--letter", help="The handout's own table; it can be wrong.")]


def main() -> None:
    """Run the command line; a `ZermeloError` becomes its sentence and exit status 1."""
    for stream in (sys.stdout, sys.stderr):  # what an old terminal cannot show becomes a question mark
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if sys.stdin is None:  # closed: as good as at its end
        sys.stdin = StringIO()
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text must not end a game: they are no legal move
        sys.stdin.reconfigure(errors="replace")
    try:
        status = app(standalone_mode=False)
    except UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a command alone: its help is the answer
            print(error, file=sys.stderr)
            sys.exit(EXIT_USAGE)
        fail(usage_sentence(error, sys.argv[1:]), EXIT_USAGE)
    except ZermeloError as error:
        fail(str(error))
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        sys.stderr.close()
        sys.exit(EXIT_ERROR)
    except Exception as error:
        blame = blame_file(error)
        if blame is None:
            raise
        fail(f"The game's own code failed: {blame}")
    except (KeyboardInterrupt, typer.Abort):
        fail("Interrupted.", EXIT_INTERRUPTED)
    if status == EXIT_INTERRUPTED:  # what Typer makes of Ctrl-C in a command that does not catch it
        fail("Interrupted.", EXIT_INTERRUPTED)
    sys.exit(status)


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


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game's name, my_game.py or my_game.py:factory.")
    ] = None,
    parameter: ParameterOption = None,
    max_: Annotated[str | None, typer.Option("--max", metavar="PLAYER[:LEVEL]", help="Who plays MAX.")] = None,
    min_: Annotated[str | None, typer.Option("--min", metavar="PLAYER[:LEVEL]", help="Who plays MIN.")] = None,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: SecondsOption = None,
    level: LevelOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the random player.")] = 0,
    letter: LetterOption = False,
    table: Annotated[bool, typer.Option("--table", help="Show the table before the game.")] = False,
    moves: MovesOption = "",
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
) -> None:
    """Play a game in the terminal; with no GAME, questions are asked.

    Players: human, random, minimax, alpha-beta, heuristic, path, timed, engine. The last four take a
    level: engine:easy, engine:medium, engine:hard. table:FOLDER plays from a solved table.
    """
    console = Console()
    options = Options(depth, width, seconds, level, seed, letter)
    said = Setup(game or "", parse_parameters(parameter), max_, min_, options, table)
    try:
        if resume is not None:
            session = resumed_session(said, resume, console)
        else:
            setup = said if game else ask_setup(console, said)
            session = Session(setup, console)
        for action in parse_moves(session.game, moves, session.match.state):
            session.match.play(action)
    except EOFError:
        fail("Input ended before the questions did; zermelo play GAME asks none.")
    try:
        session.run()
    except KeyboardInterrupt:
        farewell(session, "Interrupted.")
        sys.exit(EXIT_INTERRUPTED)
    except EOFError:
        farewell(session, "Input ended before the game did.")
        sys.exit(EXIT_ERROR)


def resumed_session(said: Setup, file: Path, console: Console) -> Session:
    """The session that a record describes, with what the command line says taking precedence."""
    record = Record.load(file)
    parameters = {name: str(value).lower() for name, value in record.parameters.items()}
    setup = Setup(
        said.source or record.game,
        said.parameters or parameters,
        said.max or record.max,
        said.min or record.min,
        Options(**{**record.options, **said.options.said()}),  # type: ignore[arg-type]
        said.show_table,
    )
    return Session(setup, console, record.actions(setup.make_game()))


@app.command()
def serve(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game's name, my_game.py or my_game.py:factory.")
    ] = "connect",
    host: Annotated[
        str, typer.Option(help="The address to listen at; only this machine can reach 127.0.0.1.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen at.")] = 8080,
    table: Annotated[list[str] | None, typer.Option(metavar="DIR", help="A solved table: folder or URL.")] = None,
) -> None:
    """Play, analyse and look inside searches in a browser; Ctrl-C stops it."""
    from zermelo.ui.serving import serve as serve_pages

    serve_pages(game, host, port, table or ())


@app.command()
def search(
    game: GameArgument,
    parameter: ParameterOption = None,
    algorithm: Annotated[Algorithm, typer.Option(help="Which of the handouts' systems.")] = "alpha-beta",
    letter: LetterOption = False,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: SecondsOption = None,
    level: LevelOption = None,
    moves: MovesOption = "",
    table: Annotated[bool, typer.Option("--table", help="Print the table: states, values, actions.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Search a position with one of the handouts' systems."""
    options = Options(depth, width, seconds, level, letter=letter)
    check_options(algorithm, options)
    rules = make_game(game, parse_parameters(parameter))
    system = System(rules, algorithm, settings_for(algorithm, "", options))
    state = rules.replay(parse_moves(rules, moves))
    console = Console(stderr=True)
    counts = SearchCounts()
    with show.searching(console, counts):
        result = system.search(state, counts)
    if as_json:
        record = search_record(system, result)
        rows = [line.split("\t") for line in show.table_lines(rules, system.table)] if table else None
        print(json.dumps(record if rows is None else {**record, "table": rows}))
        return
    if table:
        for line in show.table_lines(rules, system.table):
            print(line)
    print_search(system, result, state)


@app.command()
def explain(
    game: GameArgument,
    out: Annotated[Path | None, typer.Option(metavar="tree.svg|tree.json", help="Where to write the tree.")] = None,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    method: Annotated[
        Method, typer.Option(help="decision is MAX-VALUE and MIN-VALUE, without a table.")
    ] = "alpha-beta",
    letter: LetterOption = False,
    depth: DepthOption = None,
    order: Annotated[Order, typer.Option(help="In which order to try moves.")] = "left-to-right",
    table: Annotated[bool, typer.Option("--table/--no-table", help="Answer states met again from a table.")] = True,
    nodes: Annotated[int, typer.Option(help="How many nodes to record at most.")] = NODES,
) -> None:
    """Record the tree of a real minimax or alpha-beta search."""
    if out is not None:
        check_out(out)
    rules = make_game(game, parse_parameters(parameter))
    plan = Plan(method, letter, depth, table, order)
    tree = explain_search(rules, rules.replay(parse_moves(rules, moves)), plan, nodes)
    print_tree(tree, Console())
    if out is not None:
        write_tree(tree, out)
        print(f"The tree is written to {out}.")


@app.command()
def analyse(
    game: GameArgument,
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    seconds: Annotated[float | None, typer.Option(help="Stop after this time; 5 if no limit is given.")] = None,
    depth: Annotated[int | None, typer.Option(help="Stop after this depth, in plies.")] = None,
    nodes: Annotated[int | None, typer.Option(help="Stop after so many nodes.")] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Search until the exact value is proven.")] = False,
    threads: Annotated[int, typer.Option(help="Threads that search together.")] = 1,
    table_mb: Annotated[float, typer.Option(help="Memory of the tables, in MiB.")] = 256.0,
    root_values: Annotated[bool, typer.Option("--root-values", help="The value of every move.")] = False,
    cluster: ClusterOption = None,
    positions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Analyse these positions, one a line: text or moves.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="For --positions: .jsonl or .arrow.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Analyse a position with the compiled engine, ever deeper."""
    rules = make_game(game, parse_parameters(parameter))
    state = rules.replay(parse_moves(rules, moves))
    if seconds is None and depth is None and nodes is None and not prove:
        seconds = ANALYSE_SECONDS
    request = Request(seconds, depth, nodes, prove, root_values, threads, table_mb)
    if positions is None and out is not None:
        raise BadParameter("--out goes with --positions; a single position is printed, with --json as JSON.")
    if positions is not None:
        if moves:
            raise BadParameter(
                "--moves goes without --positions; a line of the file says from the start what was played."
            )
        analyse_positions(rules, positions, out, request, cluster)
        return
    if cluster is not None:
        result = prove_clustered(rules, state, request, cluster)
        record = {"game": rules.name, "parameters": dict(rules.parameters), "guarantee": guarantee(rules, result)}
        print(json.dumps({**record, **result.to_dict()}) if as_json else result)
        return
    require_unfinished(rules, state)
    engine = make_engine(rules, request, Console(stderr=True))
    if as_json:
        result = analysing.analyse(engine, state, request, lambda result: None)
        record = {"game": rules.name, "parameters": dict(rules.parameters), "guarantee": guarantee(rules, result)}
        print(json.dumps({**record, **result.to_dict()}))
    else:
        result = analyse_aloud(engine, state, request, Console())
    if result.stopped_by == "interrupted":
        sys.exit(EXIT_INTERRUPTED)


cache = typer.Typer(help="Machine code of games, kept on disk.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cache, name="cache")


@cache.command()
def info() -> None:
    """Say where compiled code is kept, and how much."""
    from zermelo.compiled import cache_info

    found = cache_info()
    print(f"{found.path}: {found.entries} kernels of {found.games} games, {found.size / 1e6:.1f} MB")


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


@app.command()
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option(help="Plies to count down to.")],
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the nodes of the game tree at a depth."""
    rules = make_game(game, parse_parameters(parameter))
    if depth < 0 or (divide and depth < 1):
        raise BadParameter(f"The depth is {depth}; it must be {1 if divide else 0} or more.")
    state = rules.replay(parse_moves(rules, moves))
    start = perf_counter()
    parts = {rules.show_action(state, a): n for a, n in divide_perft(rules, state, depth).items()} if divide else {}
    nodes = sum(parts.values()) if divide else count_perft(rules, state, depth)
    seconds = perf_counter() - start
    if as_json:
        print(json.dumps({"nodes": nodes, "seconds": seconds, **({"divide": parts} if divide else {})}))
        return
    for move, count in parts.items():
        print(f"{move}: {count:,}")
    print(f"{nodes:,} nodes at depth {depth}, {seconds:.2f} seconds")


@app.command()
def check(
    game: GameArgument,
    parameter: ParameterOption = None,
    seconds: Annotated[float, typer.Option(help="About how long to look.")] = 10.0,
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


@app.command()
def compare(
    student: Annotated[
        Path, typer.Argument(metavar="STUDENT.py", help="A file with minimax_search or alpha_beta_search.")
    ],
    board: Annotated[
        list[str] | None, typer.Option(metavar="ROWSxCOLUMNSxRUN", help="A board of connect; may be repeated.")
    ] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="Another game than connect.")] = "",
    parameter: ParameterOption = None,
) -> None:
    """Compare a student's own search with the handout's: table sizes, prunings, the first difference.

    The file's functions are minimax_search(game, state, table) and
    alpha_beta_search(game, state, alpha, beta, table), with a plain dict as table; a global named
    prunings is read as the student's count. Exit status 1 if anything differs.
    """
    if board and (game or parameter):
        raise BadParameter("--board goes without --game and -p; it is a board of connect, and says all of it.")
    if parameter and not game:
        raise BadParameter("-p goes with --game; a board of connect is --board ROWSxCOLUMNSxRUN.")
    if game:
        chosen = [make_game(game, parse_parameters(parameter))]
    else:
        chosen = [make_game("connect", parse_board(text)) for text in board or ("3x3x3", "3x4x3", "4x4x4")]
    if not compare_file(student, chosen, Console()):
        sys.exit(EXIT_ERROR)
