"""Arguments that several commands take, how they are read, and how a command ends with an error."""

import sys
from typing import Annotated, Final, NoReturn

import typer

from zermelo.errors import BadParameter, ZermeloError
from zermelo.play.settings import Level

EXIT_ERROR: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130


def complete_game(begun: str) -> list[str]:
    """Return the names of games that begin so, for completion in a shell."""
    from zermelo.registry import factories

    try:
        return [name for name in factories() if name.startswith(begun)]
    except ZermeloError:
        return []


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game's name, my_game.py or my_game.py:factory.", autocompletion=complete_game
    ),
]
ParameterOption = Annotated[
    list[str] | None, typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the game.")
]
MovesOption = Annotated[str, typer.Option("--moves", metavar="A,B,…", help="Moves already made.")]
PositionOption = Annotated[
    str, typer.Option("--position", metavar="TEXT", help="Begin from this position, in the game's notation.")
]
ClusterOption = Annotated[
    str | None, typer.Option("--cluster", metavar="auto|local|ADDRESS", help="Work on a Ray cluster.")
]
DepthOption = Annotated[int | None, typer.Option(help="Plies to look ahead.")]
WidthOption = Annotated[int | None, typer.Option(help="Moves to look at in each position (path).")]
SecondsOption = Annotated[float | None, typer.Option(help="Time for each move (timed).")]
LevelOption = Annotated[Level | None, typer.Option(help="Strength of players that look only so far.")]
HandoutOption = Annotated[bool, typer.Option("--handout", help="Exactly as the handout says; its table can be wrong.")]
ShardsOption = Annotated[int | None, typer.Option(help="With --cluster: in how many shards positions lie.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]

RENAMED_OPTIONS: Final = {"letter": "handout"}
"""Former names of options, which still work."""


def present_name(option: str) -> str:
    """Return the present name of an option."""
    return RENAMED_OPTIONS.get(option, option)


def fail(sentence: str, status: int = EXIT_ERROR) -> NoReturn:
    """Print on standard error what is wrong, and leave."""
    print(f"zermelo: {sentence}", file=sys.stderr)
    sys.exit(status)


def check_seed(seed: int) -> None:
    """Refuse a seed that NumPy does not take.

    Raises
    ------
    BadParameter
        It is negative.
    """
    if seed < 0:
        raise BadParameter(f"The seed is {seed}; it must be 0 or more.")


def parse_parameters(given: list[str] | None) -> dict[str, str]:
    """Return the parameters that ``-p name=value`` gives, as names and texts."""
    pairs = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadParameter(f"-p {text} is not a parameter; write -p name=value.")
        if name.strip() in pairs:
            raise BadParameter(f"The parameter {name.strip()} is given twice; give it once.")
        pairs[name.strip()] = value.strip()
    return pairs
