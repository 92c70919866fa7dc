"""The command line: ``zermelo`` and ``python -m zermelo``. Arguments in, calls out, errors as sentences."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

import zermelo
from zermelo.errors import BadParameter, ZermeloError
from zermelo.game import Action, Game, parameters_of
from zermelo.play.players import Level, Options, settings_for
from zermelo.play.record import Record
from zermelo.registry import blame_file, factories, make_game
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.perft import divide as divide_perft
from zermelo.textbook.perft import perft as count_perft
from zermelo.textbook.systems import Algorithm, System, guarantee
from zermelo.ui import show
from zermelo.ui.comparing import compare_file, parse_board
from zermelo.ui.setup import Setup, ask_setup
from zermelo.ui.terminal import Session, farewell

EXIT_ERROR: Final = 1
EXIT_INTERRUPTED: Final = 130

app = typer.Typer(
    help="Two-player perfect-information games: play, search, solve.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, my_game.py or my_game.py:factory.")]
ParameterOption = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the game.")
]
MovesOption = Annotated[str, typer.Option("--moves", metavar="A,B,…", help="Moves already made.")]
DepthOption = Annotated[int | None, typer.Option(help="Plies to look ahead.")]
WidthOption = Annotated[int | None, typer.Option(help="Moves to look at in each position (path).")]
SecondsOption = Annotated[float | None, typer.Option(help="Time for each move (timed).")]
LevelOption = Annotated[Level | None, typer.Option(help="Strength of players that look only so far.")]
LetterOption = Annotated[bool, typer.Option("--letter", help="The handout's own table; it can be wrong.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def main() -> None:
    """Run the command line; a `ZermeloError` becomes its sentence and exit status 1."""
    for stream in (sys.stdout, sys.stderr):  # what an old terminal cannot show becomes a question mark
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stdin, TextIOWrapper):  # bytes that are no text must not end a game: they are no legal move
        sys.stdin.reconfigure(errors="replace")
    try:
        app()
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
    except KeyboardInterrupt:
        fail("Interrupted.", EXIT_INTERRUPTED)


def fail(sentence: str, status: int = EXIT_ERROR) -> None:
    """Say what was wrong on standard error, and leave."""
    print(f"zermelo: {sentence}", file=sys.stderr)
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

    Players: human, random, minimax, alpha-beta, heuristic, path, timed. The last three take a level:
    timed:easy, timed:medium, timed:hard.
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


def search_record(system: System, result: SearchResult) -> dict[str, Any]:
    """The JSON object of a search."""
    return {
        "game": system.game.name,
        "parameters": dict(system.game.parameters),
        "algorithm": system.algorithm,
        "letter": system.settings.letter,
        "guarantee": guarantee(system.game, result, system.settings.letter),
        **result.to_dict(),
    }


def print_search(system: System, result: SearchResult, state: Any) -> None:
    """A search for people: the board, the result, and beside a sound table's counts those of the letter."""
    console = Console()
    console.print(show.board(system.game, state), highlight=False)
    console.print()
    console.print(str(result), markup=False, highlight=False, soft_wrap=True)
    console.print(show.guarantee_sentence(guarantee(system.game, result, system.settings.letter)), highlight=False)
    if system.algorithm in ("alpha-beta", "heuristic") and not system.settings.letter:
        counts = SearchCounts()
        letter = letter_of(system)
        with show.searching(Console(stderr=True), counts):
            other = letter.search(state, counts)
        console.print(
            f"The letter of the handout, whose table can be wrong: value {other.value}, {other.nodes:,} nodes, "
            f"{other.prunings:,} prunings, {other.table_states:,} states.",
            highlight=False,
            soft_wrap=True,
        )


def letter_of(system: System) -> System:
    """The same system with the handout's own table."""
    return System(system.game, system.algorithm, replace(system.settings, letter=True))


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games with their parameters."""
    listing: list[dict[str, Any]] = [
        {"name": name, "about": about(factory), "parameters": [parameter_record(i) for i in parameters_of(factory)]}
        for name, factory in factories().items()
    ]
    if as_json:
        print(json.dumps(listing))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("game", "parameters", "about"):
        table.add_column(heading)
    for entry in listing:
        rows = (f"{p['name']}={json.dumps(p['default'])} ({allowed_text(p)})" for p in entry["parameters"])
        table.add_row(entry["name"], "\n".join(rows), entry["about"])
    Console().print(table, highlight=False)


def about(factory: Callable[..., Game]) -> str:
    """The first line of a factory's docstring."""
    return (factory.__doc__ or "").strip().split("\n")[0]


def parameter_record(info: Any) -> dict[str, Any]:
    """A parameter for JSON."""
    low, high = (info.allowed.start, info.allowed[-1]) if info.allowed is not None else (None, None)
    return {"name": info.name, "type": info.kind.__name__, "default": info.default, "min": low, "max": high}


def allowed_text(parameter: dict[str, Any]) -> str:
    """A parameter's range for people."""
    if parameter["type"] == "bool":
        return "true or false"
    return "whole number" if parameter["min"] is None else f"{parameter['min']} to {parameter['max']}"


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
    if game:
        chosen = [make_game(game, parse_parameters(parameter))]
    else:
        chosen = [make_game("connect", parse_board(text)) for text in board or ("3x3x3", "3x4x3", "4x4x4")]
    if not compare_file(student, chosen, Console()):
        sys.exit(EXIT_ERROR)


def parse_parameters(given: list[str] | None) -> dict[str, str]:
    """``-p name=value`` as names and texts."""
    pairs = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadParameter(f"-p {text} is not a parameter; write -p name=value.")
        pairs[name.strip()] = value.strip()
    return pairs


def parse_moves(game: Game, text: str, state: Any = None) -> list[Action]:
    """``--moves 3,3,4`` as actions, each legal where it is made, from ``state`` or from the start."""
    state, actions = game.initial if state is None else state, []
    for move in text.replace(",", " ").split():
        action = game.read_action(state, move)
        actions.append(action)
        state = game.result(state, action)
    return actions
