"""Matches: games a minute, answers that come late, files that survive kill -9, and endurance with faulty programs.

    python benchmarks/matches.py --tasks speed --games 500 --peer 'fastchess -engine cmd=./trivial ...'
    python benchmarks/matches.py --tasks late
    python benchmarks/matches.py --tasks kill --kills 20
    python benchmarks/matches.py --tasks endurance --games 20000

With ``--save``, the tables of ``speed``, ``late`` and ``endurance`` are kept, and the page is filled.

``speed`` plays connect at 1,000 nodes a move in one thread and in two. The peer is a command that plays as many games
of another game between two copies of a trivial engine; all are timed one after the other, on the same machine.
``endurance`` mixes games at 10 ms a move with games against programs that hang, crash, flood and so on; see
tests/protocol/faulty.py.
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from results import Cell, Sheet, add_save
from zermelo.games import connect, tictactoe
from zermelo.lab import TimeControl, play_match, play_tournament, random_openings
from zermelo.lab.match import MatchResult

FAULTY: Final = Path(__file__).parents[1] / "tests" / "protocol" / "faulty.py"
MISTAKES: Final = (
    "hang", "crash", "illegal", "flood", "slow_start", "close", "wrong_encoding", "endless_line", "fork", "eat_memory"
)  # fmt: skip
NODES: Final = 1000
"""For each move, in the task ``speed``."""
SECONDS: Final = 0.01
"""For each move, in the tasks ``late`` and ``endurance``."""


def speed(games: int, peer: str, note: str | None) -> None:
    """Games a minute of connect at 1,000 nodes a move, with large and small tables; and of a peer's command."""
    game, control = connect(), TimeControl(nodes=NODES)
    openings = random_openings(game, games // 2, 8)
    play_match(game, "engine", "engine", games=8, openings=openings, control=control, threads=2)  # compiles

    columns = {"players": "", "threads": "", "games a minute": ",.0f", "games a minute of processor time": ",.0f"}
    sheet = Sheet("match_speed", columns)
    for player in ("engine", "engine:table_mb=4"):
        for threads in (1, 2):

            def match(player: str = player, threads: int = threads) -> MatchResult:
                return play_match(
                    game, player, player, games=games, openings=openings, control=control, threads=threads
                )

            result, rates = timed(games, match)
            sheet.row(player, str(threads), *rates)
    print(f"{sum(len(one.seconds) for one in result.games) / games:.1f} searches a game")
    if peer:
        _, rates = timed(games, lambda: subprocess.run(shlex.split(peer), check=True, stdout=subprocess.DEVNULL))
        sheet.row(Path(shlex.split(peer)[0]).name, "1", *rates)
    sheet.save(note)


def timed(games: int, play: Callable[[], Any]) -> tuple[Any, list[Cell]]:
    """Play games; return what came of it, and how many a minute, and a minute of one processor."""
    began, before = time.perf_counter(), os.times()
    result = play()
    seconds, after = time.perf_counter() - began, os.times()
    processor = sum(after[:4]) - sum(before[:4])  # user and system, of this process and of those that have ended
    return result, [60 * games / seconds, 60 * games / processor]


LATENESS: Final = {"answers": ",", "median, ms": "+.1f", "99 %, ms": "+.1f", "latest, ms": "+.1f"}


def late(games: int, busy: int, note: str | None) -> None:
    """How much later than asked the engine answers: on this machine as it is, and while processes keep it busy."""
    sheet = Sheet("match_late", {"other busy processes": "", "threads": "", **LATENESS})
    for others in dict.fromkeys((0, busy)):
        with busied(others):
            for threads in (1, 2):
                control = TimeControl(move_seconds=SECONDS, margin=60)
                result = play_match(connect(), "engine", "engine", games=games, control=control, threads=threads)
                sheet.row(str(others), str(threads), *lateness(result))
    sheet.save(note)


@contextmanager
def busied(processes: int) -> Iterator[None]:
    """Keep processors busy meanwhile."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def lateness(result: MatchResult) -> list[Cell]:
    """How late the answers came: the columns of `LATENESS`."""
    found = 1000 * (np.array([seconds for game in result.games for seconds in game.seconds]) - SECONDS)
    median, rare = np.quantile(found, (0.5, 0.99))
    return [len(found), float(median), float(rare), float(found.max())]


def kill(kills: int, games: int) -> None:
    """Kill a match so many times at random moments; in the end its table is the same as that of an undisturbed one."""
    chance = random.Random(0)
    match = ["match", "connect", "engine:depth=5", "engine:depth=4", "--games", str(games), "--threads", "2", "--json"]
    command = [sys.executable, "-m", "zermelo", *match]
    began = time.perf_counter()
    undisturbed = table(command)
    took = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.jsonl"
        for _ in range(kills):
            process = subprocess.Popen([*command, "--out", str(file)], stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, 2 * took / kills + 2))
            process.kill()
            process.wait()
            lines = file.read_bytes().splitlines() if file.exists() else []
            print(f"killed with {max(0, len(lines) - 1)} games")
        same = table([*command, "--out", str(file)]) == undisturbed
    print(f"the table is {'the same' if same else 'ANOTHER ONE'} after {kills} kills")
    sys.exit(not same)


def table(command: list[str]) -> Any:
    """What a match prints as JSON."""
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def endurance(games: int, mixed: int, note: str | None) -> None:
    """Games at 10 ms a move, and between them games of tic-tac-toe against faulty programs."""
    faulty = [f"program:{sys.executable} {FAULTY} {mistake}" for mistake in MISTAKES]
    control = TimeControl(move_seconds=SECONDS)
    parts = max(1, games // mixed)
    columns = {"games": ",", "lost by the engine by a fault or on time": ",", "lost by faulty programs": ","}
    sheet = Sheet("match_endurance", columns | LATENESS)
    forfeits = faults = played = 0
    for part in range(parts):
        result = play_match(
            connect(), "engine", "engine", games=games // parts // 2 * 2, control=control, threads=2, seed=part
        )
        forfeits += len(result.faults)
        played += len(result.games)
        mixed_in = play_tournament(
            tictactoe(), ["engine", *faulty], kind="gauntlet", games=2, openings=[()], control=control, threads=2
        )
        ours = [game for game in mixed_in.faults if game.loser == "engine"]
        forfeits += len(ours)
        faults += len(mixed_in.faults) - len(ours)
        played += len(mixed_in.games)
        sheet.row(played, forfeits, faults, *lateness(result))
    print(f"left running: {children() or 'nothing'}")
    sheet.save(note)


def children() -> list[str]:
    """The commands of the faulty programs that are still running, where the system has /proc."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if FAULTY.name in command and str(os.getpid()) not in entry.parts:
            found.append(command)
    return found


def main() -> None:
    """Read the command line and run what it asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["speed"], choices=["speed", "late", "kill", "endurance"])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--peer", default="", help="the peer's command; it has to play --games games")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--mixed", type=int, default=1000, help="faulty programs play after so many games")
    parser.add_argument("--busy", type=int, default=0, help="task late: other busy processes beside the second half")
    add_save(parser)
    asked = parser.parse_args()
    for task in asked.tasks:
        if task == "speed":
            speed(asked.games, asked.peer, asked.save)
        elif task == "late":
            late(asked.games, asked.busy, asked.save)
        elif task == "kill":
            kill(asked.kills, asked.games)
        else:
            endurance(asked.games, asked.mixed, asked.save)


if __name__ == "__main__":
    main()
