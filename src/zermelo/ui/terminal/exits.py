"""How the program ends: errors become one sentence and an exit status, also if output cannot be written."""

import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import typer

from zermelo.registry import sentence_of
from zermelo.ui.arguments import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_USAGE
from zermelo.ui.loading import blame_rules
from zermelo.ui.terminal.usage import UsageError, is_alone, usage_sentence


def status_of(error: BaseException) -> int:
    """Print on standard error why the program ends, and return its exit status; raise again what is our own mistake."""
    if isinstance(error, SystemExit) and sentence_of(error) is None:  # a command ended the program itself
        return error.code if isinstance(error.code, int) else EXIT_ERROR if error.code else 0
    if isinstance(error, BrokenPipeError):  # the program that read our output has ended, as `head` does
        _silence(sys.stderr)
        return EXIT_ERROR
    if isinstance(error, UsageError):
        say(str(error) if is_alone(error) else f"zermelo: {usage_sentence(error, sys.argv[1:])}")
        return EXIT_USAGE
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        say("zermelo: Interrupted.")
        return EXIT_INTERRUPTED
    sentence = None
    if isinstance(error, AttributeError | TypeError) and "NoneType" in str(error):
        sentence = blame_rules()  # a rule without a return makes another function fail
    sentence = sentence or sentence_of(error) or _of_system(error) or blame_rules() or _of_numbers(error)
    if sentence is None:
        raise error
    say(f"zermelo: {sentence}")
    return EXIT_ERROR


def _of_system(error: BaseException) -> str | None:
    """Return what the operating system refused; None if the error is another one."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    if isinstance(error, OSError):
        lost = _lost_output() if error.filename is None else None
        if lost is not None and lost.errno == error.errno:
            return f"The output cannot be written: {lost.strerror}."
        what = "Something" if error.filename is None else f"{error.filename}"
        return f"{what} cannot be read or written: {error.strerror or error}."
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "The system allows no more threads."
    return None


def _of_numbers(error: BaseException) -> str | None:
    """Return a sentence for an error of arithmetic, for which machine code names no place; None for other errors."""
    if isinstance(error, ArithmeticError):
        return f"The compiled rules failed: {type(error).__name__}: {error}. zermelo check looks for the position."
    return None


def leave(status: int) -> NoReturn:
    """End the program; output that cannot be written is an error."""
    lost = _lost_output()
    if lost is not None:
        if not isinstance(lost, BrokenPipeError):
            say(f"zermelo: The output cannot be written: {lost.strerror}.")
        status = status or EXIT_ERROR
    sys.exit(status)


def _lost_output() -> OSError | None:
    """Write what standard output still holds; return why that fails, and discard it, so that it fails once only."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _silence(sys.stdout)
        return error
    return None


def say(text: str) -> None:
    """Print on standard error, unless it is closed."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: Any) -> None:
    """Discard what a stream still holds, so that Python does not fail again when it exits."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
