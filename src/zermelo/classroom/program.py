"""A student's program in any language, asked for searches by lines of text.

The protocol is UGI with one more command. The program names its searches in an option, and the parameters of the game
are options, too::

    option name Searches type string default minimax_search,alpha_beta_decision
    option name rows type spin default 6 min 1 max 31

``position startpos moves 3 3`` says where a search begins, and ``search minimax_search``, perhaps with ``depth 4`` and
``width 3``, asks for it. The answer is ``found VALUE ACTION``, then counts such as ``prunings 12 nodes 99``. A bare
value has no action; a path is its moves with commas between them, and ``-`` stands for no action.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from zermelo.classroom.submission import Allowance, Failed, Place, Submission
from zermelo.errors import IllegalAction
from zermelo.game import Action, Game, State
from zermelo.parameters import parameters_of
from zermelo.protocol.clients.ugi import UgiClient
from zermelo.protocol.competitor import Fault
from zermelo.protocol.position import read_move, write_move
from zermelo.protocol.process import Limits, Process, split_command
from zermelo.registry import find_factory, make_game
from zermelo.result import plain
from zermelo.textbook.homework.assignments import ASSIGNMENTS, COUNTERS, Assignment
from zermelo.textbook.homework.compare import Asked, Theirs
from zermelo.textbook.homework.practice import Entry

PREFIX: Final = "program:"
"""What stands before the command of a program, where a submission is named."""


class Program(Submission):
    """A program that answers over its standard input and output.

    Parameters
    ----------
    command
        The program and its arguments, as a shell would split them; no shell runs it.
    allowance
        What it may take.

    Raises
    ------
    BadParameter
        There is no such program.
    """

    takes_windows = False

    def __init__(self, command: str, allowance: Allowance) -> None:
        self.command, self.allowance, self.name = split_command(command), allowance, command

    def functions(self, place: Place) -> list[str]:  # noqa: D102
        with self._client(place) as client:
            _, _, names = client.offered.get("searches", "").partition("default ")
        return [name for name in ASSIGNMENTS if name in names.replace(",", " ").split()]

    def answer(self, assignment: Assignment, place: Place, asked: Sequence[Asked]) -> list[Theirs]:  # noqa: D102
        end, answers = time.monotonic() + self.allowance.seconds, list[Theirs]()
        try:
            with self._client(place) as client:
                whole = client.game
                for one in asked:
                    client.process.send(" ".join(["position startpos", *_moves(whole, one.question.actions(whole))]))
                    client.process.send(request(assignment, one))
                    left = end - time.monotonic()
                    line = client.process.wait_for(lambda line: line.split()[:1] == ["found"], max(0.0, left))
                    answers.append(read_found(assignment, one.game, line))
        except Failed as failure:
            raise Failed(failure.verdict, str(failure), answers) from None
        return answers

    @contextmanager
    def _client(self, place: Place) -> Iterator[UgiClient]:
        """The running program, told of the game's parameters.

        Raises
        ------
        Failed
            It cannot be started, ends, or does not answer in time.
        """
        game = make_game(place.game, place.parameters)
        limits = Limits(self.allowance.memory_mb, start_seconds=self.allowance.seconds)
        try:
            with Process(self.command, limits=limits, name=self.name) as process:
                client = UgiClient(process, game)
                for name, value in unusual(place, game).items():
                    if name not in client.offered:
                        raise Failed("crashed", f"{self.name} has no option {name}, which is {value} here.")
                    process.send(f"setoption name {name} value {value}")
                client.new_game(0)
                yield client
        except Fault as fault:
            slow = "; --seconds allows it more" if fault.kind == "hang" else ""
            raise Failed("too slow" if fault.kind == "hang" else "crashed", f"{str(fault)[:-1]}{slow}.") from None


def unusual(place: Place, game: Game) -> dict[str, int]:
    """The parameters of a game that are not as its factory has them by default, by their names in small letters."""
    usual = {info.name: info.default for info in parameters_of(find_factory(place.game))}
    return {name.lower(): int(value) for name, value in game.parameters.items() if usual.get(name) != value}


def _moves(game: Game, actions: Sequence[Action]) -> Iterator[str]:
    """Yield the words that tell moves from the start of the game."""
    state = game.initial
    if actions:
        yield "moves"
    for action in actions:
        yield write_move(game, state, action)
        state = game.result(state, action)


def request(assignment: Assignment, asked: Asked) -> str:
    """The line that asks for a search."""
    limits = asked.question.limits
    words = ["search", assignment.name]
    if assignment.needs_eval:
        words += ["depth", str(limits.depth)]
    if assignment.system == "path":
        words += ["width", str(limits.width)]
    return " ".join(words)


def read_found(assignment: Assignment, game: Game, line: str) -> Theirs:
    """The answer in a line that begins with ``found``.

    Raises
    ------
    Failed
        It has no value, or counts that are no numbers.
    """
    _, *words = line.split()
    try:
        value = int(words[0])
        has_action = len(words) % 2 == 0
        counts = dict(zip(words[1 + has_action :: 2], map(int, words[2 + has_action :: 2]), strict=True))
    except (IndexError, ValueError):
        raise Failed(
            "crashed", f"{line[:80]!r} is no answer; write found VALUE ACTION, then names and counts."
        ) from None
    counts = {name: count for name, count in counts.items() if name in COUNTERS}
    if assignment.bare or not has_action:
        return Theirs(Entry(value, ...), {}, counts, shows_table=False)
    return Theirs(Entry(value, _action(assignment, game, words[1])), {}, counts, shows_table=False)


def _action(assignment: Assignment, game: Game, text: str) -> Action:
    """The action that a text means, or the path as a list; the text itself if it means none."""
    if assignment.system != "path":
        return None if text == "-" else _meant(game, game.initial, text)
    state, path = game.initial, []
    for word in [] if text == "-" else text.split(","):
        action = _meant(game, state, word)
        path.append(action)
        if isinstance(action, str):
            return path
        state = game.result(state, action)
    return plain(tuple(path))


def _meant(game: Game, state: State, text: str) -> Action:
    try:
        return plain(read_move(game, state, text))
    except IllegalAction:
        return text
