"""Holding a contest: its games are played, here or on a cluster, and kept in a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from zermelo.lab.contest import Contest, Tally
from zermelo.lab.hall import Entrant, Hall, Workers
from zermelo.lab.ledger import Ledger
from zermelo.lab.played import PlayedGame

if TYPE_CHECKING:
    from zermelo.lab.cluster_hall import ClusterWorkers

_PAUSE: Final = 0.2
"""Seconds between two reports of progress."""


def hold(
    contest: Contest,
    makers: Sequence[str | Entrant],
    *,
    threads: int = 1,
    cluster: str | None = None,
    file: Path | str | None = None,
    progress: Callable[[tuple[PlayedGame, ...]], None] | None = None,
) -> tuple[PlayedGame, ...]:
    """Play a contest, or go on with one.

    Parameters
    ----------
    contest
        What is played.
    makers
        For each player its text, or a function that makes a competitor.
    threads
        How many games are played side by side on this machine.
    cluster
        The Ray cluster on which the games are played, as in `zermelo.cluster.connect.connected`; None for this machine.
    file
        Where to keep the games; those that it holds are not played again.
    progress
        Called now and then with the games so far.

    Returns
    -------
    tuple of PlayedGame
        The games that count, in the order of their numbers.

    Raises
    ------
    BadParameter
        A player cannot be made, or the number of threads is out of range.
    ClusterError
        The cluster cannot be joined, or it failed.
    RecordError
        The file holds another contest, or is damaged.
    """
    tally, pairings = Tally(contest.players[0], contest.sprt), contest.pairings()
    hall = contest.hall(makers)
    hall.openings.pick(0)  # if there are none, nothing is begun
    with _workers(contest, makers, hall, threads, cluster) as workers, Ledger(file, contest.header) as ledger:
        for game in ledger.games:
            tally.add(game)
        done = {game.number for game in ledger.games}
        left = [] if tally.verdict else [pairing for pairing in pairings if pairing.number not in done]
        report = 0.0
        for game in workers.play(hall, left):
            ledger.append(game)
            tally.add(game)
            if tally.verdict is not None:
                break
            if progress is not None and monotonic() >= report:
                progress(tally.games())
                report = monotonic() + _PAUSE
    return tally.games()


def _workers(
    contest: Contest, makers: Sequence[str | Entrant], hall: Hall, threads: int, cluster: str | None
) -> "Workers | ClusterWorkers":
    if cluster is None:
        return Workers(hall, threads)
    from zermelo.lab.cluster_hall import ClusterWorkers  # the import of a cluster's modules takes a second

    return ClusterWorkers(contest, makers, cluster)
