"""Comparing a game's rules in a second process, and compiling small kernels there, while this one compiles a search.

Before a game is first searched, its compiled rules are compared with the interpreted ones (`compiled.agreement`). That
needs machine code of its own, which takes up to two fifths of the time before the first search, and Numba compiles in
one thread at a time. So where a processor is idle, a second Python process does it. It leaves files in the cache and
nothing else, as any process does that uses the game. If there is no second process, or it fails for whatever reason,
this process does all of the work.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from numba.core import config

from zermelo.compiled.agreement import is_compared, require_agreement
from zermelo.compiled.game import CompiledGame, compiled
from zermelo.registry import factories, make_game

Compile = Callable[[CompiledGame], None]
"""Compiles a kernel of a game, or loads its code."""
_COMMAND: Final = "from zermelo.compiled.beside import do_as_asked; do_as_asked()"


@contextlib.contextmanager
def agreeing(game: CompiledGame, *others: Compile) -> Iterator[None]:
    """Compile kernels of a game in the block; after it, compiled and interpreted rules are known to agree.

    The block must not run compiled rules, since they may never return.

    Parameters
    ----------
    game
        The compiled game.
    others
        Top-level functions of this package that compile other kernels, or load their code; they are called, too.

    Raises
    ------
    NotCompilable
        As `require_agreement`.
    """
    helper = _begin(game, others)
    try:
        yield
        if helper is not None:
            helper.wait()
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()
    _do(game, others)


def _do(game: CompiledGame, others: Sequence[Compile]) -> None:
    """Compare the rules, and compile the other kernels; what the second process has done is found in the cache."""
    require_agreement(game)
    for compile_other in others:
        compile_other(game)


def _begin(game: CompiledGame, others: Sequence[Compile]) -> "subprocess.Popen[bytes] | None":
    """Start a process that compares the rules; None if they are compared already, or it would not help."""
    if config.DISABLE_JIT or is_compared(game) or game.game.name not in factories():
        return None
    if "python" not in Path(sys.executable or "").name or not _is_processor_idle():  # a program may embed Python
        return None
    kind = [game.open_words, game.has_network, game.has_tables]
    names = [(compile_other.__module__, compile_other.__name__) for compile_other in others]
    asked = [game.game.name, dict(game.game.parameters), kind, game.code, names]
    try:
        text = json.dumps(asked).encode()
        helper = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)},
            start_new_session=True,  # Ctrl-C reaches this process alone, which then ends the other
        )
    except (OSError, TypeError):  # no such process can be started, or JSON has no such parameters
        return None
    assert helper.stdin is not None
    with contextlib.suppress(BrokenPipeError), helper.stdin as given:  # it may have ended already
        given.write(text)
    return helper


def do_as_asked() -> None:
    """Do what standard input asks for, if this process finds the same code for the game."""
    name, parameters, (open_words, network, tables), code, names = json.load(sys.stdin)
    game = compiled(make_game(name, parameters), tuple(open_words), network, tables)
    if game.code == code:
        _do(game, [getattr(import_module(module), function) for module, function in names])


def _is_processor_idle() -> bool:
    """Return whether the system has a processor for a second process; no, if it does not tell how many are busy."""
    try:
        running = Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[0]
        return int(running) < len(os.sched_getaffinity(0))
    except (OSError, IndexError, ValueError, AttributeError):  # only Linux has both
        return False
