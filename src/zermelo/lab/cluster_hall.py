"""The playing hall on a Ray cluster: each game of a schedule is a task.

A game depends on its number and on the seed alone, so the results of deterministic players do not depend on how many
nodes the cluster has.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from itertools import islice
from types import TracebackType
from typing import Any, Final

from zermelo.cluster.connect import RETRIES, connected, imported, processors
from zermelo.cluster.source import GameSource, check_rules, source_of
from zermelo.compiled.apart import apart
from zermelo.errors import BadParameter, ClusterError, ZermeloError
from zermelo.lab.adjudication import Adjudication, Referee
from zermelo.lab.clocks import TimeControl
from zermelo.lab.contest import Contest
from zermelo.lab.hall import Board, Entrant, Hall
from zermelo.lab.openings import Opening
from zermelo.lab.played import PlayedGame
from zermelo.lab.schedule import Pairing

_AHEAD: Final = 2
"""Tasks for each processor that are started before the first result is awaited."""
_STORE: Final = 1 << 30
"""Bytes of memory that a local cluster may take."""


@dataclass(frozen=True)
class Orders:
    """What a worker needs to know of a contest."""

    name: str
    """Of this run of the contest, different from all others."""
    source: GameSource
    rules: str
    """The fingerprint of the rules."""
    players: tuple[str, ...]
    makers: tuple[str, ...]
    """The players' texts."""
    control: TimeControl
    adjudication: Adjudication
    seed: int
    named: str
    """The game as the command line names it."""
    parameters: dict[str, str]

    def board(self) -> Board:
        """Return where a worker plays.

        Raises
        ------
        ClusterError
            The worker's machine has other rules of the game.
        """
        game = self.source.make()
        check_rules(game, game.fingerprint, self.rules)
        contest = Contest(
            game, self.players, "round robin", 2, ((),), self.control, self.adjudication, self.seed,
            source=self.named, parameters=self.parameters,
        )  # fmt: skip
        hall = contest.hall(self.makers)
        return Board(hall, Referee(game, hall.adjudication))


class ClusterWorkers:
    """A cluster that plays games; like `zermelo.lab.hall.Workers`.

    Parameters
    ----------
    contest
        What is played.
    makers
        For each player its text.
    cluster
        As in `zermelo.cluster.connect.connected`.

    Raises
    ------
    BadParameter
        A player is not given as a text, or there is no such player.
    """

    def __init__(self, contest: Contest, makers: Sequence[str | Entrant], cluster: str) -> None:
        texts = tuple(maker for maker in makers if isinstance(maker, str))
        if len(texts) < len(makers):
            raise BadParameter("On a cluster players are given as text, such as engine:depth=6.")
        for entrant in contest.entrants(texts).values():
            entrant().close()  # a player that does not exist is found before anything is played
        self._cluster, self._contest, self._texts = cluster, contest, texts
        self._stack = ExitStack()
        self._running: list[Any] = []

    def __enter__(self) -> "ClusterWorkers":
        self._stack.enter_context(connected(self._cluster, None, _STORE))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ray = imported()
        for task in self._running:
            with suppress(Exception):  # the cluster may be gone
                ray.cancel(task)
        self._stack.close()

    def play(self, hall: Hall, pairings: Sequence[Pairing]) -> Iterator[PlayedGame]:
        """Play games, begun in their order; yields each when it ends.

        Raises
        ------
        ClusterError
            The cluster failed; the same command goes on with the games in its file.
        """
        ray = imported()
        task = ray.remote(_play).options(max_retries=RETRIES, name=f"play {self._contest.game!r}")
        orders, waiting = ray.put(self._orders()), iter(pairings)

        def begin(count: int) -> None:
            for pairing in islice(waiting, count):
                place, opening = hall.openings.pick(pairing.opening)
                self._running.append(task.remote(orders, replace(pairing, opening=place), opening))

        begin(_AHEAD * processors())
        while self._running:
            try:
                (done, *_), self._running = ray.wait(self._running)
                played = ray.get(done)
            except ray.exceptions.RayError as error:
                what = str(error).strip().splitlines()[-1]
                raise ClusterError(f"A game failed on the cluster: {what}") from error
            if isinstance(played, ZermeloError):
                raise played
            begin(1)
            yield played

    def _orders(self) -> Orders:
        contest = self._contest
        return Orders(
            secrets.token_hex(8), source_of(contest.game), contest.game.fingerprint, contest.players, self._texts,
            contest.control, contest.adjudication, contest.seed, contest.source, dict(contest.parameters or {}),
        )  # fmt: skip


_BOARDS: Final[dict[str, Board]] = {}
"""Where this worker plays the latest contest, by its name."""


def _play(orders: Orders, pairing: Pairing, opening: Opening) -> PlayedGame | ZermeloError:
    """Play a game on a worker; an error that a user can understand is returned."""
    try:
        if orders.name not in _BOARDS:
            for board in _BOARDS.values():
                board.close()
            _BOARDS.clear()
            _BOARDS[orders.name] = orders.board()
        return apart(lambda: _BOARDS[orders.name].play(pairing, opening))
    except ZermeloError as error:
        return error
