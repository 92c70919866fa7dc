"""``zermelo play``: play a game in the terminal, from the start or from a saved position."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.play.match import Match
from zermelo.play.moves import read_moves
from zermelo.play.pgn import SUFFIX, read_pgn
from zermelo.play.record import Record
from zermelo.play.settings import PlayerOptions
from zermelo.ui.arguments import (
    EXIT_ERROR,
    EXIT_INTERRUPTED,
    DepthOption,
    HandoutOption,
    LevelOption,
    MovesOption,
    ParameterOption,
    PositionOption,
    SecondsOption,
    WidthOption,
    complete_game,
    fail,
    parse_parameters,
)
from zermelo.ui.terminal.session import Session, farewell
from zermelo.ui.terminal.setup import Setup, ask_setup


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]", help="A game's name, my_game.py or my_game.py:factory.", autocompletion=complete_game
        ),
    ] = None,
    parameter: ParameterOption = None,
    max_: Annotated[str | None, typer.Option("--max", metavar="PLAYER", help="Who plays MAX.")] = None,
    min_: Annotated[str | None, typer.Option("--min", metavar="PLAYER", help="Who plays MIN.")] = None,
    depth: DepthOption = None,
    width: WidthOption = None,
    seconds: SecondsOption = None,
    level: LevelOption = None,
    seed: Annotated[int, typer.Option(help="Seed of the random player.")] = 0,
    handout: HandoutOption = False,
    table: Annotated[bool, typer.Option("--table", help="Show the table before the game.")] = False,
    moves: MovesOption = "",
    position: PositionOption = "",
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved game; of FILE.pgn, the first.")
    ] = None,
) -> None:
    """Play a game in the terminal; with no GAME, questions are asked.

    Players: human, random, minimax, alpha-beta, heuristic, path, decision, timed, engine, mcts. The five before mcts
    take a level: engine:easy, engine:medium, engine:hard. Settings follow the name, too: timed:seconds=0.1,
    engine:nodes=20000,history=off, mcts:rave=on, random:seed=7. table:FOLDER plays from a solved table.
    """
    console = Console()
    options = PlayerOptions(depth, width, seconds, level, seed, handout)
    said = Setup(game or "", parse_parameters(parameter), max_, min_, options, table)
    try:
        if resume is not None:
            if position:
                raise BadParameter("--position goes without --resume; a saved game says where it began.")
            session = resumed_session(said, resume, console)
        else:
            setup = said if game else ask_setup(console, said)
            session = Session(setup, console, position=position)
        for action in read_moves(session.game, moves, session.match.state):
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


def record_in(said: Setup, file: Path) -> Record:
    """Return the first game in a file in PGN as a record.

    Raises
    ------
    BadParameter
        The command line names no game, or the file holds none of that game.
    """
    if not said.source:
        raise BadParameter(f"PGN does not tell which game it is of; write zermelo play GAME --resume {file}.")
    game = said.make_game()
    start, actions = read_pgn(game, file)[0]
    match = Match(game, "human", "human", actions, start)
    return Record.of(match, said.source)


def resumed_session(said: Setup, file: Path, console: Console) -> Session:
    """Return the session that a record describes; what the command line says overrides the record."""
    if file.suffix == SUFFIX:
        return Session(said, console, record_in(said, file))
    record = Record.load(file)
    parameters = {name: str(value).lower() for name, value in record.parameters.items()}
    setup = Setup(
        said.source or record.game,
        said.parameters or parameters,
        said.max or record.max,
        said.min or record.min,
        PlayerOptions.of({**record.options, **said.options.said()}),
        said.show_table,
    )
    return Session(setup, console, record)
