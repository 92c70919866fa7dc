"""Who can take part in a match, by name: players in this process, and programs in processes of their own.

Compiled players, the engine, tree search and solved tables, play in this process: their searches run without the
interpreter's lock. All other players run in a process of their own, under `zermelo engine`, so that a match can use all
cores and a search in plain Python can be stopped. Foreign programs are written ``program:COMMAND``.
"""

import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from zermelo.errors import BadParameter, in_a_line
from zermelo.game import Action, Game, State
from zermelo.lab.clocks import seconds_waited
from zermelo.play.players import Player, make_player
from zermelo.play.settings import PlayerOptions
from zermelo.protocol.clients.client import Client
from zermelo.protocol.clients.gtp import GtpClient
from zermelo.protocol.clients.nboard import NboardClient
from zermelo.protocol.clients.program import ProgramCompetitor
from zermelo.protocol.clients.ugi import UgiClient
from zermelo.protocol.clients.xboard import XboardClient
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Competitor, Fault
from zermelo.protocol.process import Limits, Process, split_command
from zermelo.protocol.scores import score_of
from zermelo.protocol.thinkers import warm_up

COMPILED: Final = ("engine", "mcts", "table")
"""Players whose searches are machine code."""
_START_SECONDS: Final = 300.0
"""For zermelo's own programs, which may have to compile a game."""


class PlayerCompetitor(Competitor):
    """A player in this process.

    Parameters
    ----------
    player
        The player.
    """

    def __init__(self, player: Player) -> None:
        self.name, self.player = player.name, player

    def new_game(self, number: int) -> None:  # noqa: D102
        self.player.new_game(number)
        warm_up(self.player)

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:  # noqa: D102
        game, state = self.player.game, states[-1]
        first_moves = game.to_move(state) == game.to_move(game.initial)
        limits = go.limits(first_moves, len(states) - 1)
        clock_runs = limits.seconds is not None
        began, waited = time.monotonic(), seconds_waited() if clock_runs else 0.0
        try:
            thought = self.player.think(state, limits=limits, before=states[:-1])
        except KeyboardInterrupt:
            raise Fault("crash", f"{self.name} was interrupted.") from None
        except Exception as error:
            raise Fault("crash", f"{self.name} failed: {in_a_line(error)}.") from error
        seconds, result, waited = (
            time.monotonic() - began,
            thought.result,
            seconds_waited() - waited if clock_runs else 0.0,
        )
        if result is None:
            return Answer(thought.action, seconds, waited=waited)
        return Answer(thought.action, seconds, score_of(game, state, result), result.depth, result.nodes, waited)

    def close(self) -> None:  # noqa: D102
        for name in ("engine", "tree"):
            search = getattr(self.player, name, None)
            if search is not None:
                search.stop()


def make_competitor(
    description: str,
    game: Game,
    *,
    source: str = "",
    parameters: Mapping[str, str] | None = None,
    log: Path | None = None,
    seed: int = 0,
    limits: Limits | None = None,
) -> Competitor:
    """Return the competitor that ``description`` names; it is started when its first game begins.

    Parameters
    ----------
    description
        A player, as `zermelo.play.make_player` reads it; a Python file with a player, ``my_player.py``; or
        ``program:COMMAND``, a program that speaks UGI or UCI; ``xboard:``, ``gtp:`` and ``nboard:`` for other
        protocols. Options of the program stand in brackets: ``program[Hash=64,Threads=2]:COMMAND``.
    game
        What it is to play.
    source, parameters
        The game as a command line names it, for processes that have to load it; the game's own name and parameters if
        ``source`` is empty.
    log
        A file for what processes write to their standard error.
    seed
        What its randomness begins with, together with the numbers of its games.
    limits
        What a foreign program may take.

    Raises
    ------
    BadParameter
        There is no such player or program, or the player is a person.
    """
    kind, brackets, command = _read_program(description)
    if kind in CLIENTS:
        words, options = split_command(command), _read_options(description, brackets)
        client = CLIENTS[kind]
        return ProgramCompetitor(
            description,
            lambda: Process(words, log, limits, description),
            lambda process: client(process, game, options),
            seed,
        )
    if not description.endswith(".py"):
        player = make_player(description, game, PlayerOptions(seed=seed))
        if kind == "human":
            raise BadParameter("A person cannot take part in a match of programs; name another player.")
        if kind in COMPILED:
            return PlayerCompetitor(player)
    elif not Path(description).is_file():
        raise BadParameter(f"There is no file {description}; a player in a file needs its path.")
    own = _own_command(description, game, source, parameters or {})
    own_limits = Limits(start_seconds=_START_SECONDS, ready_seconds=_START_SECONDS)
    return ProgramCompetitor(
        description, lambda: Process(own, log, own_limits, description), lambda process: UgiClient(process, game), seed
    )


CLIENTS: Final[Mapping[str, Callable[[Process, Game, Mapping[str, str]], Client]]] = {
    "program": UgiClient,
    "xboard": XboardClient,
    "gtp": GtpClient,
    "nboard": NboardClient,
}
"""How to talk to a foreign program, by the word before its command."""


def _own_command(player: str, game: Game, source: str, parameters: Mapping[str, str]) -> list[str]:
    """Our own program that plays as a player in a process of its own."""
    plain = source in ("", game.name) and not parameters
    given = {name: str(value).lower() for name, value in game.parameters.items()} if plain else parameters
    values = [word for name, value in given.items() for word in ("-p", f"{name}={value}")]
    place = _absolute(player) if player.endswith(".py") else player
    return [sys.executable, "-m", "zermelo", "engine", _absolute(source or game.name), *values, "--player", place]


def _absolute(text: str) -> str:
    """The full path of a file that text begins with, before a colon; other text unchanged."""
    file, colon, rest = text.partition(":")
    return f"{Path(file).absolute()}{colon}{rest}" if file.endswith(".py") else text


def _read_program(description: str) -> tuple[str, str, str]:
    """The kind, the options and the command in ``kind[options]:command``; no command where there is no colon."""
    found = re.fullmatch(r"(\w+)(?:\[([^\]]*)\])?(?::(.*))?", description, re.DOTALL)
    return (found[1], found[2] or "", found[3] or "") if found else ("", "", "")


def _read_options(description: str, text: str) -> dict[str, str]:
    """A program's options: ``Hash=64,Threads=2``."""
    options: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not (equals and name.strip()):
            raise BadParameter(f"{part!r} in {description} is no option; write NAME=VALUE, such as Hash=64.")
        options[name.strip()] = value.strip()
    return options
