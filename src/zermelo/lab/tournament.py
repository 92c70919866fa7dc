"""Tournaments: the games of a schedule, played side by side in threads."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Final, NoReturn

from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.lab.adjudication import Adjudication, Referee
from zermelo.lab.arena import Abandoned, play_game
from zermelo.lab.clocks import TimeControl
from zermelo.lab.openings import Opening
from zermelo.lab.played import FORFEITS, PlayedGame
from zermelo.lab.schedule import Pairing
from zermelo.protocol.competitor import Competitor, Fault

Entrant = Callable[[], Competitor]
"""Makes a competitor: each thread has its own, and a faulty one is replaced by another."""
_PATIENCE: Final = 0.1
"""Seconds that the waiting main thread sleeps before it looks for Ctrl-C."""
_GOODBYE: Final = 5.0
"""Seconds that a thread has to end once it is told to stop."""


@dataclass(frozen=True)
class Hall:
    """Where games are played: everything that they have in common."""

    game: Game
    entrants: Mapping[str, Entrant]
    openings: Sequence[Opening]
    control: TimeControl
    adjudication: Adjudication


def play_all(hall: Hall, pairings: Sequence[Pairing], threads: int) -> Generator[PlayedGame, None, None]:
    """Play games in so many threads; yields each when it ends, in no fixed order.

    When the caller stops iterating, the games in progress are abandoned and every competitor is closed.

    Raises
    ------
    BadParameter
        The number of threads is out of range.
    """
    if threads < 1:
        raise BadParameter(f"The number of threads is {threads}; it must be at least 1.")
    workers = _Workers(hall, pairings, min(threads, len(pairings)))
    try:
        yield from workers.results()
    finally:
        workers.stop()


class _Workers:
    """The threads that play."""

    def __init__(self, hall: Hall, pairings: Sequence[Pairing], threads: int) -> None:
        self._expected = len(pairings)
        self._next = iter(pairings)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._news: SimpleQueue[PlayedGame | BaseException] = SimpleQueue()
        self._tables = [_Table(hall, Referee(hall.game, hall.adjudication)) for _ in range(threads)]
        self._threads = [
            threading.Thread(target=self._work, args=(table,), name="zermelo-arena", daemon=True)
            for table in self._tables
        ]
        for thread in self._threads:
            thread.start()

    def results(self) -> Iterator[PlayedGame]:
        """The games as they end."""
        for _ in range(self._expected):
            item = self._wait()
            if isinstance(item, BaseException):
                raise item
            yield item

    def _wait(self) -> "PlayedGame | BaseException":
        while True:
            try:
                return self._news.get(timeout=_PATIENCE)  # wakes up now and then, so that Ctrl-C works
            except Empty:
                continue

    def _work(self, table: "_Table") -> None:
        try:
            while not self._stopped.is_set() and (pairing := self._take()) is not None:
                self._news.put(table.play(pairing, self._stopped.is_set))
        except Abandoned:
            pass
        except BaseException as error:  # raised again in the thread that asked
            self._news.put(error)
        finally:
            table.close()

    def _take(self) -> Pairing | None:
        with self._lock:
            return next(self._next, None)

    def stop(self) -> None:
        """Abandon the games in progress, and close every competitor."""
        self._stopped.set()
        for table in self._tables:
            table.close()
        for thread in self._threads:
            thread.join(_GOODBYE)


@dataclass
class _Table:
    """Where one thread plays one game after the other, with competitors of its own."""

    hall: Hall
    referee: Referee
    seated: dict[str, Competitor] = field(default_factory=dict)

    def play(self, pairing: Pairing, stopped: Callable[[], bool]) -> PlayedGame:
        """Play one game; whoever makes a mistake is replaced before its next one."""
        hall = self.hall
        first, second = self._seat(pairing.first), self._seat(pairing.second)
        played = play_game(
            hall.game, first, second, hall.openings[pairing.opening], hall.control, self.referee, pairing, stopped
        )
        if played.ending in FORFEITS:
            self._dismiss(pairing.first if played.points == 0 else pairing.second)
        return played

    def _seat(self, name: str) -> Competitor:
        if name not in self.seated:
            try:
                self.seated[name] = self.hall.entrants[name]()
            except Fault as fault:
                return _Absent(name, fault)
        return self.seated[name]

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
