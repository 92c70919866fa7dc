"""How the program ends: an error as one sentence and a status, and output that could not be written."""

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
    """Say on standard error why the program ends, and with which status; an error that is our own is raised again."""
    if isinstance(error, SystemExit) and sentence_of(error) is None:  # a command's own
        return error.code if isinstance(error.code, int) else EXIT_ERROR if error.code else 0
    if isinstance(error, BrokenPipeError):  # the reader of our output went away, as `head` does
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
        sentence = blame_rules()  # where a return is missing, another function stumbles
    sentence = sentence or sentence_of(error) or _of_system(error) or blame_rules() or _of_numbers(error)
    if sentence is None:
        raise error
    say(f"zermelo: {sentence}")
    return EXIT_ERROR


def _of_system(error: BaseException) -> str | None:
    """What the operating system refused, if it was that."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this."
    if isinstance(error, OSError):
        what = "Something" if error.filename is None else f"{error.filename}"
        return f"{what} cannot be read or written: {error.strerror or error}."
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return "The system allows no more threads."
    return None


def _of_numbers(error: BaseException) -> str | None:
    """An error of arithmetic, which machine code raises without saying where."""
    if isinstance(error, ArithmeticError):
        return f"The compiled rules failed: {type(error).__name__}: {error}. zermelo check looks for the position."
    return None


def leave(status: int) -> NoReturn:
    """End the program; what could not be written down to here is an error."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        _silence(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            say(f"zermelo: The output cannot be written: {error.strerror}.")
        status = status or EXIT_ERROR
    sys.exit(status)


def say(text: str) -> None:
    """Print on standard error, where there is one that takes it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def _silence(stream: Any) -> None:
    """Send what a stream still holds nowhere, so that Python does not fail once more as it ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
