"""Calls a game's functions so that no error of theirs ends the audit.

If a function raises, hangs or yields without end, that becomes a finding, and `Unanswered` is raised; the audit goes on
with something else.
"""

import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from time import monotonic, thread_time
from types import FrameType
from typing import Any, Final

from zermelo.check.answers import LISTS, fault, item_fault
from zermelo.check.clock import Clock
from zermelo.check.report import Finding, Severity
from zermelo.errors import in_a_line
from zermelo.game import Action, Game, State

MANY: Final = 20_000
"""More actions or symmetries of one position than this are said to be a loop without end."""
PATIENCE: Final = 1.0
"""Seconds of processor time after which a call of a rule is said never to return."""
IDLE_PATIENCE: Final = 10.0
"""The same in seconds that pass, for rules that wait, such as for input."""


class Unanswered(Exception):
    """A function of the game failed; there is a finding already that says so."""


class _Hangs(BaseException):
    """Raised within a rule that does not return. It is not an Exception, so that no rule catches it."""


class Position:
    """A reachable state, and the position and the action that lead to it."""

    __slots__ = ("action", "children", "legal", "parent", "ply", "state", "terminal")

    def __init__(self, state: State, parent: "Position | None" = None, action: Action = None) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.terminal: bool | None = None
        """Whether the game is over; None until the rules have been asked."""
        self.legal: list[Action] = []
        self.children: list[Position] = []
        """One for each legal action, in order, once the position has been expanded."""

    def line(self) -> "list[Position]":
        """The positions from the start to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


class Inspector:
    """A game under audit, and the findings so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.clock = Clock()
        self._found: dict[str, tuple[Finding, Position | None]] = {}
        self._calling: tuple[float, float] | None = None

    @property
    def findings(self) -> list[Finding]:
        """One finding of each kind."""
        return [finding for finding, _ in self._found.values()]

    @property
    def sound(self) -> bool:
        """Whether no error has been found yet."""
        return not any(finding.severity == "error" for finding in self.findings)

    def has(self, check: str) -> bool:
        """Whether that check has a finding."""
        return check in self._found

    def find(
        self, check: str, position: Position | None, sentence: str, advice: str, severity: Severity = "error"
    ) -> None:
        """Keep a finding, unless there is one of the same check after fewer actions; count how often it was made."""
        before, shorter = self._found.get(check, (None, None))
        if before is not None and shorter is not None and (position is None or shorter.ply <= position.ply):
            self._found[check] = (_again(before), shorter)
            return
        state = self.draw(position) if position is not None else ""
        times = 1 if before is None else before.times + 1
        finding = Finding(check, severity, sentence, advice, state, self.describe_line(position), times)
        self._found[check] = (finding, position)

    def ask(self, position: Position, name: str, *arguments: object) -> Any:
        """Call a function of the game and return its answer; what it yields comes as a list.

        Raises
        ------
        Unanswered
            It raised, hung or yielded without end; there is a finding now.
        """
        function = getattr(self.game, name)

        def call() -> Any:
            answer = function(*arguments)
            return list(islice(answer, MANY + 1)) if name in LISTS and fault(name, answer) is None else answer

        answer = self.guard(position, name, call, arguments)
        asked = _asked(name, arguments)
        items = (item_fault(f"{name} gives", item, asked) for item in answer) if isinstance(answer, list) else ()
        wrong = fault(name, answer, asked) or next(filter(None, items), None)
        if wrong is not None:
            self.find(name, position, *wrong)
            raise Unanswered
        if name in LISTS and len(answer) > MANY:
            sentence = f"{name} yields more than {MANY:,} items here, so it probably never ends."
            self.find(f"{name} endless", position, sentence, f"Make sure that the loop in {name} ends.")
            raise Unanswered
        return answer

    def peek(self, name: str, *arguments: object) -> list[Any]:
        """The first item of a list, or none, where the contract asks for no answer; an error is no finding."""
        try:
            self._calling = (thread_time(), monotonic())
            return list(islice(getattr(self.game, name)(*arguments), 1))
        except KeyboardInterrupt:
            raise
        except BaseException:
            return []
        finally:
            self._calling = None

    def guard(self, position: Position, name: str, call: Callable[[], Any], arguments: tuple[Any, ...] = ()) -> Any:
        """The result of ``call``, which runs a function of the game; if that fails, as `ask`."""
        try:
            self._calling = (thread_time(), monotonic())
            return call()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # rules may raise even SystemExit
            self._calling = None
            self._blame(position, name, arguments, error)
            raise Unanswered from None
        finally:
            self._calling = None

    def _blame(self, position: Position, name: str, arguments: tuple[Any, ...], error: BaseException) -> None:
        asked = _asked(name, arguments)
        if isinstance(error, _Hangs):
            sentence = f"{name} does not return{asked}{_place(error)}."
            self.find(f"{name} hangs", position, sentence, "Make sure that the loop there ends in every position.")
            return
        kind, colon, said = in_a_line(error).partition(":")
        sentence = f"{name} raises {kind}{asked}{_place(error)}{colon}{said}."
        advice = f"Let {name} answer in every position of the game."
        if name == "result":
            sentence = f"{sentence[:-1]}, though ACTIONS gave that action."
            advice = "Either actions must not yield it here, or result must know what to do with it."
        self.find(f"{name} raises", position, sentence, advice)

    def draw(self, position: Position) -> str:
        """The picture of a position, or its repr if DRAW fails."""
        picture: object = None
        with _whatever_happens():
            picture = self.game.draw(position.state)
        return picture if isinstance(picture, str) and picture.strip() else repr(position.state)

    def show(self, state: State, action: Action) -> str:
        """An action as people write it, or its repr if FORMAT_ACTION fails."""
        shown: object = None
        with _whatever_happens():
            shown = self.game.show_action(state, action)
        return shown if isinstance(shown, str) else repr(action)

    def describe_line(self, position: Position | None) -> tuple[str, ...]:
        """The actions that lead to a position, as people write them."""
        if position is None:
            return ()
        line = position.line()
        return tuple(self.show(a.state, b.action) for a, b in pairwise(line))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Interrupt rules that do not return. Only the main thread can; in others nothing is interrupted."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        def look(_signal: int, _frame: FrameType | None) -> None:
            if self._calling is None:
                return
            worked, waited = thread_time() - self._calling[0], monotonic() - self._calling[1]
            if worked > PATIENCE or waited > IDLE_PATIENCE:  # on a busy machine, time that passed proves little
                # Begin anew: if a callback that ignores errors catches this one, it is raised again later.
                self._calling = (thread_time(), monotonic())
                raise _Hangs

        before = signal.signal(signal.SIGALRM, look)
        timer = signal.setitimer(signal.ITIMER_REAL, PATIENCE / 4, PATIENCE / 4)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *timer)


@contextmanager
def _whatever_happens() -> Iterator[None]:
    """Go on after any error but Ctrl-C; rules may raise even SystemExit."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException:
        return


def _asked(name: str, arguments: tuple[Any, ...]) -> str:
    """The words of a sentence that name the action with which a function was called."""
    return f" for the action {arguments[1]!r}" if name in ("result", "order", "format_action") else ""


def _again(finding: Finding) -> Finding:
    return Finding(**{**vars(finding), "times": finding.times + 1})


def _place(error: BaseException) -> str:
    """Where an error came from: the innermost function and line outside this package."""
    here = str(Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(here)]
    if not frames:
        return ""
    return f" ({frames[-1].name}, {Path(frames[-1].filename).name} line {frames[-1].lineno})"
