"""The errors that zermelo raises on purpose; each is a `ZermeloError`.

Each message is a full sentence that names what was wrong and what would be right, so that a
program for people can print it as it is.
"""


class ZermeloError(Exception):
    """Base of all errors that zermelo raises on purpose."""


class UnknownGame(ZermeloError):
    """No game of that name is registered."""


class BadParameter(ZermeloError):
    """A parameter of a game, a player or a search is unknown, of the wrong type or out of range."""


class IllegalAction(ZermeloError):
    """An action that the rules do not allow in that state; the message names the legal ones."""


class TerminalState(ZermeloError):
    """A search was asked for an action in a state where the game is over."""


class BadGame(ZermeloError):
    """A `Game` lacks a function or breaks the contract that every game keeps."""


class GameFileError(ZermeloError):
    """A file that should hold a game cannot be read, imported, or holds none."""


class RecordError(ZermeloError):
    """A saved game cannot be read, is damaged, or belongs to other rules."""


class Indescribable(ZermeloError):
    """A game's rules depend on something that no fingerprint can describe, so they have no name on disk."""


class NotCompilable(ZermeloError):
    """A game's rules use Python that cannot become machine code; the message says where and what to write instead."""


class Unsolvable(ZermeloError):
    """A game cannot be solved as asked: its states do not fit, or endless play has no single value."""


class TableError(ZermeloError):
    """A solved table cannot be read, is damaged, or belongs to other rules."""


class ClusterError(ZermeloError):
    """A cluster cannot be joined, its nodes do not agree, or it failed."""


def in_a_line(error: BaseException) -> str:
    r"""The class and the message of an error, in one line and without a full stop.

    >>> in_a_line(ValueError("no such\n\n cell."))
    'ValueError: no such cell'
    """
    try:
        said = " ".join(f": {error}".split()).rstrip(".: ")
    except Exception:  # its own __str__ fails
        said = ""
    return f"{type(error).__name__}{said}"
