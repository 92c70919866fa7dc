"""Calling a game's functions so that no error in them ends the audit.

If a function raises an error, never returns, or yields without end, the inspector makes a finding and raises
`Unanswered`. The audit then goes on with another check.
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
"""The most items of a list; a function that yields more of them counts as one that never ends."""
PATIENCE: Final = 1.0
"""Seconds of processor time after which a call of a rule counts as one that never returns."""
IDLE_PATIENCE: Final = 10.0
"""Seconds of elapsed time after which it counts so, too: a rule may wait, such as for input."""


class Unanswered(Exception):
    """A function of the game failed, and a finding says so already."""


class _Hangs(BaseException):
    """Raised within a rule that does not return. It is not an Exception, so that no rule catches it."""


class Position:
    """A reachable state, with the position and the action that lead to it."""

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
        """The positions after each legal action, in the order of the actions; empty until the position is expanded."""

    def line(self) -> "list[Position]":
        """Return the positions from the start to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]


class Inspector:
    """The game that is audited, and the findings so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.clock = Clock()
        self._found: dict[str, tuple[Finding, Position | None]] = {}
        self._calling: tuple[float, float] | None = None

    @property
    def findings(self) -> list[Finding]:
        """The findings, one for each check."""
        return [finding for finding, _ in self._found.values()]

    @property
    def sound(self) -> bool:
        """Whether no error has been found yet."""
        return not any(finding.severity == "error" for finding in self.findings)

    def has(self, check: str) -> bool:
        """Return whether this check has a finding."""
        return check in self._found

    def find(
        self, check: str, position: Position | None, sentence: str, advice: str, severity: Severity = "error"
    ) -> None:
        """Add a finding. Of each check, keep only the finding after the fewest actions, and count all of them.

        Parameters
        ----------
        check
            The name of the check.
        position
            The position that shows the mistake; None if no single position does.
        sentence, advice, severity
            As in `Finding`.
        """
        before, shorter = self._found.get(check, (None, None))
        if before is not None and shorter is not None and (position is None or shorter.ply <= position.ply):
            self._found[check] = (_again(before), shorter)
            return
        state = self.draw(position) if position is not None else ""
        times = 1 if before is None else before.times + 1
        finding = Finding(check, severity, sentence, advice, state, self.describe_line(position), times)
        self._found[check] = (finding, position)

    def ask(self, position: Position, name: str, *arguments: object) -> Any:
        """Call a function of the game and return its answer; if it yields items, return a list of them.

        Raises
        ------
        Unanswered
            The function raised an error, never returned, yielded without end, or gave a wrong type; a finding says so.
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
        """Return a list of the first item that a function yields; empty if there is none or the function fails."""
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
        """Call ``call``, which runs a function of the game, and return its result; if it fails, do as `ask` does."""
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
        """Add a finding about a function that raised an error or never returned."""
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
        """Return the picture of a position, or the repr of its state if DRAW fails."""
        picture: object = None
        with _whatever_happens():
            picture = self.game.draw(position.state)
        return picture if isinstance(picture, str) and picture.strip() else repr(position.state)

    def show(self, state: State, action: Action) -> str:
        """Return an action as people write it, or its repr if FORMAT-ACTION fails."""
        shown: object = None
        with _whatever_happens():
            shown = self.game.show_action(state, action)
        return shown if isinstance(shown, str) else repr(action)

    def describe_line(self, position: Position | None) -> tuple[str, ...]:
        """Return the actions that lead to a position, as people write them."""
        if position is None:
            return ()
        line = position.line()
        return tuple(self.show(a.state, b.action) for a, b in pairwise(line))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Interrupt rules that do not return, within the ``with`` block; do nothing outside the main thread."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        def look(_signal: int, _frame: FrameType | None) -> None:
            if self._calling is None:
                return
            worked, waited = thread_time() - self._calling[0], monotonic() - self._calling[1]
            if worked > PATIENCE or waited > IDLE_PATIENCE:  # on a busy machine, elapsed time proves little
                # Measure anew, so that this error is raised again if a callback that ignores errors catches it.
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
    """Ignore any error in the ``with`` block except Ctrl-C; rules may raise even SystemExit."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException:
        return


def _asked(name: str, arguments: tuple[Any, ...]) -> str:
    """Return the words of a sentence that name the action in the arguments; empty if the function takes no action."""
    of_action = ("result", "order", "proof_order", "gain", "format_action")
    return f" for the action {arguments[1]!r}" if name in of_action else ""


def _again(finding: Finding) -> Finding:
    """Return a finding that was made once more."""
    return Finding(**{**vars(finding), "times": finding.times + 1})


def _place(error: BaseException) -> str:
    """Return where an error was raised: the innermost function and line outside this package, if there are any."""
    here = str(Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(here)]
    if not frames:
        return ""
    return f" ({frames[-1].name}, {Path(frames[-1].filename).name} line {frames[-1].lineno})"
