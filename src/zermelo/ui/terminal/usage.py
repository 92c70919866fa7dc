"""What is wrong with a command line, as one sentence.

Typer words its errors differently from version to version, so the sentences are made here: from the parameter and the
command that an error names, and from the annotations of our own commands. Typer has no public name for these errors, so
all that is asked of them is asked here.
"""

import difflib
import inspect
import re
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, Final, Literal, Protocol, Union, cast, get_args, get_origin, get_type_hints

import typer


def base_of_usage_errors() -> type[Exception]:
    """The class of all errors in a command line: `typer.BadParameter` is public, and this is one of its bases.

    It is ``click.exceptions.UsageError`` up to Typer 0.28, and a private copy of it in later versions.
    """
    for kind in typer.BadParameter.__mro__:
        if kind.__name__ == "UsageError":
            return cast(type[Exception], kind)
    raise ImportError("This version of Typer has no UsageError; install another one.")


UsageError: Final = base_of_usage_errors()


class Parameter(Protocol):
    """What is asked of an argument or an option of a command."""

    name: str
    opts: list[str]
    metavar: str | None


def usage_sentence(error: Exception, arguments: Sequence[str]) -> str:
    """What was wrong with ``arguments``, of which Typer has made the `UsageError`, and what would be right."""
    command = command_of(error)
    help_there = f"{command} --help explains it"
    parameter: Parameter | None = getattr(error, "param", None)
    option: str | None = getattr(error, "option_name", None)
    if parameter is not None:
        return _of_parameter(parameter, error, arguments, help_there)
    if option is not None and hasattr(error, "possibilities"):
        near = difflib.get_close_matches(option, error.possibilities or [], n=1, cutoff=0.75)
        return f"There is no option {option}; " + (f"did you mean {near[0]}?" if near else f"{help_there}.")
    if option is not None:
        return f"The option {option} lacks its value; {help_there}."
    unknown = _unknown_command(error, command, arguments)
    if unknown is not None:
        return unknown
    return f"{message_of(error)}; {command} --help shows what there is."


def is_alone(error: Exception) -> bool:
    """Whether a command that needs arguments was given none; the error's text is then the command's help."""
    return type(error).__name__ == "NoArgsIsHelpError"


def message_of(error: Exception) -> str:
    """What Typer says, in one line and without a full stop."""
    return " ".join(str(getattr(error, "message", error)).split()).removeprefix("Value error, ").rstrip(".")


def command_of(error: Exception) -> str:
    """The command that could not be read: ``zermelo play``."""
    context = getattr(error, "ctx", None)
    path = "" if context is None else context.command_path
    return " ".join(["zermelo", *re.findall(r"(?<= )[a-z]+(?= |$)", path.replace("python -m zermelo", "zermelo"))])


def _of_parameter(parameter: Parameter, error: Exception, arguments: Sequence[str], help_there: str) -> str:
    """What was wrong with an argument or an option that the command has."""
    name = max(parameter.opts, key=len)
    if not name.startswith("-"):
        return f"{str(parameter.metavar or name.upper()).strip('[]')} is missing; {help_there}."
    value = _given(parameter.opts, arguments)
    if value is None:
        return f"The option {name} is missing; {help_there}."
    message = message_of(error)
    rule = _rule(_annotation(error, parameter), value) or message[:1].lower() + message[1:]
    return f"The option {name} is {value!r}; {rule}."


def _given(names: Sequence[str], arguments: Sequence[str]) -> str | None:
    """What an option was given as its value; None if it was not given."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in names:
            return value if equals else " ".join(arguments[place + 1 : place + 2])
    return None


def _rule(annotation: Any, value: str) -> str | None:
    """What a value should have been, given how the command's function annotates it; None if that does not say."""
    kind, *settings = get_args(annotation)
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    choices = [choice for one in kinds if get_origin(one) is Literal for choice in get_args(one)]
    if choices:
        return f"it must be one of {', '.join(choices)}"
    number = int if int in kinds else float if float in kinds else None
    if number is None:
        return None
    try:
        read = number(value)
    except ValueError:
        return "it must be a whole number" if number is int else "it must be a number"
    for setting in settings:
        if setting.min is not None and read < setting.min:
            return f"it must be {setting.min} or more"
        if setting.max is not None and read > setting.max:
            return f"it must be {setting.max} or less"
    return None


def _annotation(error: Exception, parameter: Parameter) -> Any:
    """How the function of the command annotates the parameter."""
    context: Any = getattr(error, "ctx", None)
    function = inspect.unwrap(context.command.callback)
    return get_type_hints(function, include_extras=True)[parameter.name]


def _unknown_command(error: Exception, command: str, arguments: Sequence[str]) -> str | None:
    """A sentence about a command that does not exist; None if the error is another one."""
    group = getattr(getattr(error, "ctx", None), "command", None)
    known: Mapping[str, object] | None = getattr(group, "commands", None)
    words = [argument for argument in arguments if not argument.startswith("-")][len(command.split()) - 1 :]
    if not known or not words or words[0] in known:
        return None
    near = difflib.get_close_matches(words[0], known)
    offer = f"did you mean {' or '.join(near)}?" if near else f"{command} --help shows what there is."
    return f"No such command {words[0]!r}; {offer}"
