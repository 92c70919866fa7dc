"""The playing hall: the games of a schedule, played side by side in threads."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Final, NoReturn

from zermelo.compiled.apart import DeepThread
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.lab.adjudication import Adjudication, Referee
from zermelo.lab.arena import Abandoned, play_game
from zermelo.lab.clocks import TimeControl
from zermelo.lab.openings import Opening, Openings
from zermelo.lab.played import FORFEITS, PlayedGame
from zermelo.lab.schedule import Pairing
from zermelo.protocol.competitor import Competitor, Fault

Entrant = Callable[[], Competitor]
"""Makes a competitor: each thread has its own, and a faulty one is replaced by another."""
MOST_THREADS: Final = 256
MOST_SEATED: Final = 8
"""Competitors that one thread keeps, ready for their next game."""
_PATIENCE: Final = 0.1
"""Seconds that the waiting main thread sleeps before it looks for Ctrl-C."""
_GOODBYE: Final = 5.0
"""Seconds that a thread has to end once it is told to stop."""


@dataclass(frozen=True)
class Hall:
    """What all games of a contest have in common."""

    game: Game
    entrants: Mapping[str, Entrant]
    openings: Openings
    control: TimeControl
    adjudication: Adjudication


class Workers:
    """Threads that play games; after the ``with`` block every competitor is closed.

    Parameters
    ----------
    hall
        Where they play.
    threads
        How many.

    Raises
    ------
    BadParameter
        The number of threads is out of range, or a player cannot be made.
    """

    def __init__(self, hall: Hall, threads: int) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise BadParameter(f"The number of threads is {threads}; it must be from 1 to {MOST_THREADS}.")
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._news: SimpleQueue[PlayedGame | BaseException] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._boards = [Board(hall, Referee(hall.game, hall.adjudication)) for _ in range(threads)]
        try:
            self._boards[0].try_all()
        except BaseException:
            self._boards[0].close()
            raise

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        for board in self._boards:
            board.close()
        for thread in self._threads:
            thread.join(_GOODBYE)

    def play(self, hall: Hall, pairings: Sequence[Pairing]) -> Iterator[PlayedGame]:
        """Play games, begun in their order; yields each when it ends.

        The block's end abandons games in progress.
        """
        waiting = iter(pairings)
        for board in self._boards[: len(pairings)]:
            thread = DeepThread(
                target=self._work, args=(hall.openings, board, waiting), name="zermelo-arena", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        for _ in pairings:
            item = self._wait()
            if isinstance(item, BaseException):
                raise item
            yield item

    def _wait(self) -> PlayedGame | BaseException:
        while True:
            try:
                return self._news.get(timeout=_PATIENCE)  # wakes up now and then, so that Ctrl-C works
            except Empty:
                continue

    def _work(self, openings: Openings, board: "Board", waiting: Iterator[Pairing]) -> None:
        try:
            while not self._stopped.is_set():
                with self._lock:
                    pairing = next(waiting, None)
                if pairing is None:
                    return
                place, opening = openings.pick(pairing.opening)
                self._news.put(board.play(replace(pairing, opening=place), opening, self._stopped.is_set))
        except Abandoned:
            pass
        except BaseException as error:  # raised again in the thread that asked
            self._news.put(error)
        finally:
            board.close()


@dataclass
class Board:
    """Where one thread plays one game after the other, with competitors of its own."""

    hall: Hall
    referee: Referee
    seated: dict[str, Competitor] = field(default_factory=dict)
    """The one that played last comes last."""

    def try_all(self) -> None:
        """Make each competitor once, so that a player who does not exist is found before anything is played."""
        for name in self.hall.entrants:
            self._seat(name)

    def play(self, pairing: Pairing, opening: Opening, stopped: Callable[[], bool] = lambda: False) -> PlayedGame:
        """Play one game; whoever makes a mistake is replaced before its next one.

        Raises
        ------
        Abandoned
            ``stopped`` said so.
        """
        hall = self.hall
        first, second = self._seat(pairing.first), self._seat(pairing.second)
        played = play_game(hall.game, first, second, opening, hall.control, self.referee, pairing, stopped)
        if played.ending in FORFEITS and played.ending != "time":
            self._dismiss(pairing.first if played.points == 0 else pairing.second)
        return played

    def _seat(self, name: str) -> Competitor:
        competitor = self.seated.pop(name, None)
        if competitor is None:
            try:
                competitor = self.hall.entrants[name]()
            except Fault as fault:
                return _Absent(name, fault)
            if len(self.seated) >= MOST_SEATED:
                self._dismiss(next(iter(self.seated)))
        self.seated[name] = competitor
        return competitor

    def _dismiss(self, name: str) -> None:
        competitor = self.seated.pop(name, None)
        if competitor is not None:
            competitor.close()

    def close(self) -> None:
        """Close every competitor; from any thread."""
        for name in list(self.seated):
            self._dismiss(name)


class _Absent(Competitor):
    """Stands in for a competitor that could not be started, and loses its game for that reason."""

    def __init__(self, name: str, fault: Fault) -> None:
        self.name, self._fault = name, fault

    def new_game(self, number: int) -> None:
        raise self._fault

    def choose(self, states: object, actions: object, go: object) -> NoReturn:
        raise self._fault

    def close(self) -> None:
        pass
