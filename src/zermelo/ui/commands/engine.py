"""``zermelo engine``: a player as a program that others control, line by line."""

import os
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Annotated, TextIO

import typer

import zermelo
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.protocol.server import LONGEST, Say, Server
from zermelo.protocol.thinkers import PlayerThinker, Thinker
from zermelo.ui.arguments import GameArgument, ParameterOption
from zermelo.ui.loading import read_game

PlayerOption = Annotated[
    str | None, typer.Option(metavar="PLAYER", help="Who plays: such as alpha-beta, random or my_player.py.")
]

VariantOption = Annotated[str, typer.Option(metavar="NAME", help="What programs that speak UCI call the game.")]


def engine(
    game: GameArgument, parameter: ParameterOption = None, player: PlayerOption = None, variant: VariantOption = ""
) -> None:
    """Play under the control of another program, which speaks UGI, or UCI where the game has positions as text."""
    lines, say = take_over()
    rules = read_game(game, parameter)
    thinker = None if player is None else thinker_of(player, rules)
    server = Server(rules, say, f"zermelo {zermelo.__version__}", thinker, variant)
    server.serve(lines)
    sys.stderr.flush()
    if player is not None:
        os._exit(0)  # a search in plain Python cannot be stopped, and would keep the program alive


def thinker_of(text: str, game: Game) -> Thinker:
    """Return what chooses the moves of a player, which is made when it is first needed.

    Raises
    ------
    BadParameter
        The player is a person.
    """
    from zermelo.play.file_player import FilePlayer
    from zermelo.play.players import Human, make_player

    if text.endswith(".py"):
        return PlayerThinker(game, lambda: FilePlayer(text, game, Path(text)))
    if text.partition(":")[0] in (
        "engine",
        "mcts",
        "table",
    ):  # whose import takes half a second, and ugi is answered at once
        return PlayerThinker(game, lambda: make_player(text, game))
    player = make_player(text, game)
    if isinstance(player, Human):
        raise BadParameter("A person cannot play under the control of a program; name another player.")
    return PlayerThinker(game, lambda: player)


def take_over() -> tuple[Iterator[str], Say]:
    """Return the lines of the standard input, and what prints to the standard output.

    A player in a file may print and read, too. What it prints goes to the standard error, and it reads nothing.
    """
    source, target = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = StringIO(), sys.stderr

    def say(text: str) -> None:
        print(text, file=target, flush=True)

    return read_lines(source), say


def read_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream; of one that is longer than any that is read, only as much as shows that it is."""
    while line := stream.readline(LONGEST + 1):
        yield line
        while line and not line.endswith("\n"):
            line = stream.readline(LONGEST)
