"""What is wrong with a command line, as one sentence: Typer's own words differ with its version."""

import difflib
import re
from collections.abc import Sequence
from typing import Any

KINDS = (("integer", "a whole number"), ("number|float", "a number"))
"""How Typer's message calls a type, and how we do."""


def usage_sentence(error: Any, arguments: Sequence[str]) -> str:
    """What was wrong with ``arguments``, of which Typer has made ``error``, and what would be right."""
    command = _command(error)
    help_there = f"{command} --help explains it"
    message = " ".join(str(error.message).split()).removeprefix("Value error, ").rstrip(".")
    parameter = getattr(error, "param", None)
    option = getattr(error, "option_name", None)
    if parameter is not None:
        name = max(parameter.opts, key=len)
        if name.startswith("-"):
            value = _given(parameter.opts, arguments)
            if value is not None:
                return f"The option {name} is {value!r}; {_rule(message)}."
            return f"The option {name} is missing; {help_there}."
        name = str(parameter.metavar or name.upper()).strip("[]")
        return f"{name} is missing; {help_there}."
    if option is not None and "requires an argument" in message:
        return f"The option {option} lacks its value; {help_there}."
    if option is not None:
        near = difflib.get_close_matches(option, getattr(error, "possibilities", None) or [], n=1, cutoff=0.75)
        return f"There is no option {option}; " + (f"did you mean {near[0]}?" if near else f"{help_there}.")
    message, _, offer = message.partition(". Did you mean ")
    if offer:
        return f"{message}; did you mean {offer.replace(chr(39), '').replace(', ', ' or ')}"
    return f"{message}; {command} --help shows what there is."


def _command(error: Any) -> str:
    """The command that could not be read: ``zermelo play``."""
    path = error.ctx.command_path if error.ctx is not None else ""
    return " ".join(["zermelo", *re.findall(r"(?<= )[a-z]+(?= |$)", path.replace("python -m zermelo", "zermelo"))])


def _given(names: Sequence[str], arguments: Sequence[str]) -> str | None:
    """What an option was given as its value; None if it was not given."""
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in names:
            return value if equals else " ".join(arguments[place + 1 : place + 2])
    return None


def _rule(message: str) -> str:
    """What would be right, given Typer's message."""
    choices = re.search(r"not one of (.*)", message)
    if choices:
        return "it must be one of " + choices[1].replace("'", "")
    bound = re.search(r"(greater|less) than or equal to (\S+)", message)
    if bound:
        return f"it must be {bound[2]} or {'more' if bound[1] == 'greater' else 'less'}"
    for words, kind in KINDS:
        if re.search(words, message):
            return f"it must be {kind}"
    return message[:1].lower() + message[1:]
