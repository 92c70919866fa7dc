"""``zermelo engine``: the compiled engine as a program that others control, line by line."""

import sys
from collections.abc import Iterator
from typing import TextIO

import zermelo
from zermelo.protocol.server import LONGEST, Server
from zermelo.ui.arguments import GameArgument, ParameterOption
from zermelo.ui.loading import read_game


def engine(game: GameArgument, parameter: ParameterOption = None) -> None:
    """Play under the control of another program, which speaks UGI, or UCI where the game has positions as text."""
    server = Server(read_game(game, parameter), print_now, f"zermelo {zermelo.__version__}")
    server.serve(read_lines(sys.stdin))


def print_now(text: str) -> None:
    """Print, and do not wait for more to print."""
    print(text, flush=True)


def read_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream; of one that is longer than any that is read, only as much as shows that it is."""
    while line := stream.readline(LONGEST + 1):
        yield line
        while line and not line.endswith("\n"):
            line = stream.readline(LONGEST)
