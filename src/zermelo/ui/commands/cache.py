"""``zermelo cache``: the machine code of games that is kept on disk."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.ui.arguments import EXIT_ERROR, JsonOption, ParameterOption, complete_game
from zermelo.ui.loading import read_game

cache = typer.Typer(help="Machine code of games, kept on disk.", no_args_is_help=True, rich_markup_mode=None)

GamesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]…", help="Games; all that come with zermelo if none.", autocompletion=complete_game),
]
ProcessesOption = Annotated[
    int | None,
    typer.Option(min=1, help="How many games to compile side by side; as many as there are processors if none."),
]


@cache.command()
def info() -> None:
    """Print where compiled code is kept, and how much."""
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


@cache.command()
def warm(
    games: GamesArgument = None,
    parameter: ParameterOption = None,
    processes: ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compile games before somebody waits for them: the searches that play, and those that prove.

    With --json, it prints an object for each game. Ctrl-C keeps what is compiled. Exit status 1 if a game does not
    compile.
    """
    from zermelo.registry import factories

    names = games or list(factories())
    if parameter and len(names) > 1:
        raise BadParameter("Parameters belong to one game; name it.")
    failed = False
    compiled = (
        [compile_here(names[0], parameter)]
        if len(names) == 1
        else compile_apart(names, processes or os.cpu_count() or 1)
    )
    for name, seconds, sentence in compiled:
        failed = failed or bool(sentence)
        if as_json:
            print(json.dumps({"game": name, "seconds": round(seconds, 1), "error": sentence or None}), flush=True)
        elif sentence:
            print(f"{name}: {sentence}", file=sys.stderr)
        else:
            print(f"{name}: {seconds:.1f} s", flush=True)
    sys.exit(EXIT_ERROR if failed else 0)


def compile_here(name: str, parameter: list[str] | None) -> tuple[str, float, str]:
    """Compile one game; return its name, how many seconds that took, and no error."""
    from zermelo.engine import Engine

    began = time.monotonic()
    engine = Engine(read_game(name, parameter), table_mb=1)
    engine.search(nodes=1)
    engine.prove(nodes=1)
    return name, time.monotonic() - began, ""


def compile_apart(names: Sequence[str], processes: int) -> Iterator[tuple[str, float, str]]:
    """Compile games in processes of their own, as Numba compiles one function at a time.

    Yields
    ------
    tuple
        The name of a game, how many seconds it took, and what was wrong, "" if nothing; as each game is finished.
    """

    def compile_one(name: str) -> tuple[str, float, str]:
        began = time.monotonic()
        command = [sys.executable, "-m", "zermelo", "cache", "warm", name]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        sentence = done.stderr.strip().removeprefix("zermelo: ") or f"it ended with status {done.returncode}"
        return name, time.monotonic() - began, sentence if done.returncode else ""

    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(compile_one, name) for name in names]
        try:
            for one in as_completed(waiting):
                yield one.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
