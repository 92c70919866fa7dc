"""Many visitors at once, each playing the engine at easy: how soon a page answers a click, and what memory it takes.

Run: ``python benchmarks/visitors.py [--visitors N] [--moves N] [--rounds N] [--analysis] [--trees N] [--sessions N]``,
with the extra ``web``. Visitors speak the protocol of the pages over sockets of their own, so that what is measured is
the server and not a browser: from a click to the board that shows the move. Then all leave, and what the server still
holds is printed. ``--trees`` lets so many others ask for search trees meanwhile, as the page Explain does.
``--sessions`` opens so many pages and leaves each at once, in place of playing.
"""

import argparse
import asyncio
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import socketio

from results import Sheet, add_save

GAMES = ("connect", "kalah", "othello", "tictactoe")
LISTENER = re.compile(r'"listener_id":"([^"]+)","type":"zermelo"')
CLIENT = re.compile(r"'client_id': '([^']+)'")
PATIENCE = 120
"""Seconds that a visitor waits for a connection; a busy machine takes longer than the library's five."""
LEGAL = re.compile(r'class="cell can" data-cell="(\d+)"')


class Visitor:
    """One page, without a browser."""

    def __init__(self, address: str, game: str, seed: int) -> None:
        self.address, self.game = address, game
        self.random = random.Random(seed)
        self.socket = socketio.AsyncClient(request_timeout=PATIENCE)
        self.boards: asyncio.Queue[str] = asyncio.Queue()
        self.answers: list[float] = []

    async def arrive(self, analysis: bool) -> None:
        """Load the page and connect, as its script does."""
        url = f"{self.address}/?game={self.game}&min=engine:easy&seconds=1"
        page = await asyncio.to_thread(lambda: urlopen(url).read().decode())
        client, listener = CLIENT.search(page), LISTENER.search(page)
        assert client is not None and listener is not None, "the page is not what it was"
        self.client, self.listener = client[1], listener[1]
        self.boards.put_nowait(re.sub(r"\\+(u0022|\")", '"', page))  # the first board stands in the page itself
        self.socket.on("update", self._updated)
        query = f"client_id={self.client}&next_message_id=0&implicit_handshake=true&tab_id={self.client}&document_id=1"
        await self.socket.connect(
            f"{self.address}?{query}",
            socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
            wait_timeout=PATIENCE,
        )
        if analysis:  # it is off while a person plays a program
            await self.tell("command", "analysis")

    async def tell(self, kind: str, value: Any) -> None:
        """What the page's script reports."""
        message = {"id": 0, "client_id": self.client, "listener_id": self.listener}
        await self.socket.emit("event", {**message, "args": [json.dumps({"kind": kind, "value": value})]})

    async def _updated(self, elements: dict[str, Any]) -> None:
        for element in elements.values():
            if not isinstance(element, dict):
                continue
            content = str((element.get("props") or {}).get("innerHTML") or "")
            if content.startswith("<div data-place="):
                self.boards.put_nowait(content)

    async def play(self, moves: int) -> None:
        """Click, and wait for the board with the move; then for one's turn."""
        board = await self._until_can_move("")
        await asyncio.sleep(self.random.uniform(0.3, 0.9))  # who has just come looks at the board first
        for _ in range(moves):
            cells = [int(cell) for cell in LEGAL.findall(board)]
            start = time.perf_counter()
            await self.tell("cell", [self.random.choice(cells)])
            shown = await self.boards.get()
            self.answers.append(time.perf_counter() - start)
            await asyncio.sleep(self.random.uniform(0.3, 0.9))
            board = await self._until_can_move(shown)

    async def _until_can_move(self, board: str) -> str:
        """The board on which it is one's turn; a game that is over begins again."""
        waited = 0
        while True:
            while not self.boards.empty():
                board = self.boards.get_nowait()
            if LEGAL.search(board):
                return board
            await asyncio.sleep(0.1)
            waited += 1
            if waited % 30 == 0:
                await self.tell("command", "again")


def memory_mb(process: int) -> float:
    """Memory of a process that is in use."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def processor_seconds(process: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def warm_up(address: str, rest: float) -> None:
    """Let one visitor play each game, so that all is compiled."""
    for game in GAMES:
        warm = Visitor(address, game, 0)
        await warm.arrive(analysis=False)
        await warm.play(2)
        await warm.socket.disconnect()
    await asyncio.sleep(rest)


def _read(url: str) -> bytes:
    with urlopen(url) as answer:
        return bytes(answer.read())


async def look_at_trees(address: str, number: int) -> None:
    """Ask for one search tree after the other, as somebody who changes the form of the page Explain."""
    for depth in (3, 4, 5, 4, 3, 5, 4) * 100:
        url = f"{address}/explain/tree?game={GAMES[number % len(GAMES)]}&depth={depth}&nodes=5000"
        await asyncio.to_thread(_read, url)
        await asyncio.sleep(2)


async def open_and_leave(address: str, count: int, process: int, rest: float) -> None:
    """Open pages, leave each at once, and look at what is left when all have gone."""
    before, refused = memory_mb(process), 0
    for start in range(0, count, 10):
        visitors = [Visitor(address, GAMES[number % len(GAMES)], number) for number in range(start, start + 10)]
        came = await asyncio.gather(*(one.arrive(analysis=False) for one in visitors), return_exceptions=True)
        refused += sum(isinstance(one, BaseException) for one in came)
        await asyncio.gather(*(visitor.socket.disconnect() for visitor in visitors))
    during = memory_mb(process)
    await asyncio.sleep(rest)  # the server keeps a page for some seconds, in case its visitor comes back
    print(
        f"{count} sessions opened and left, {refused} of them without a socket; "
        f"memory: {before:.0f} MB before, {during:.0f} MB at the end, {memory_mb(process):.0f} MB after {rest:.0f} s"
    )


async def visit(
    address: str, count: int, moves: int, analysis: bool, process: int, rest: float, trees: int = 0
) -> list[str]:
    """Let everybody play, look at what is left when they have gone, and return the median, the 95th hundredth and the
    slowest answer to a click; ``trees`` others look at search trees meanwhile.
    """
    before = memory_mb(process)
    visitors = [Visitor(address, GAMES[number % len(GAMES)], number) for number in range(count)]
    await asyncio.gather(*(visitor.arrive(analysis) for visitor in visitors))
    others = [asyncio.create_task(look_at_trees(address, number)) for number in range(trees)]
    await asyncio.gather(*(visitor.play(moves) for visitor in visitors))
    for other in others:
        other.cancel()
    during = memory_mb(process)
    answers = sorted(answer * 1000 for visitor in visitors for answer in visitor.answers)
    quantiles = statistics.quantiles(answers, n=100)
    said = [f"{milliseconds:.0f} ms" for milliseconds in (quantiles[49], quantiles[94], answers[-1])]
    print(f"{count} visitors, {len(answers)} clicks, analysis {'on' if analysis else 'off'}, {trees} trees at once")
    await asyncio.gather(*(visitor.socket.disconnect() for visitor in visitors))
    await asyncio.sleep(rest)
    busy = processor_seconds(process)
    await asyncio.sleep(3)
    busy = (processor_seconds(process) - busy) / 3
    print(f"memory: {before:.0f} MB before, {during:.0f} MB with them, {memory_mb(process):.0f} MB when they had left")
    print(f"processor when they had left: {100 * busy:.0f} % of one")
    return said


def main() -> None:
    """Start a server and visit it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--moves", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2, help="how often all come and leave: memory must not grow")
    parser.add_argument("--rest", type=float, default=9.0, help="seconds between visitors' leaving and the next look")
    parser.add_argument("--analysis", action="store_true", help="with the live analysis of every position")
    parser.add_argument("--trees", type=int, default=0, help="others who ask for search trees meanwhile")
    parser.add_argument("--sessions", type=int, default=0, help="open so many pages and leave them, and do not play")
    add_save(parser)
    arguments = parser.parse_args()
    who = f"{arguments.visitors} visitors{' with analysis' if arguments.analysis else ''}"
    sheet = Sheet(
        "visitors", dict.fromkeys(("a click until its board is shown", "median", "95 % within", "slowest"), "")
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "zermelo", "serve", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None and server.stdout.readline()
        address = f"http://127.0.0.1:{port}"
        asyncio.run(warm_up(address, arguments.rest))
        for number in range(1, arguments.rounds + 1):
            if arguments.sessions:
                asyncio.run(open_and_leave(address, arguments.sessions, server.pid, arguments.rest))
                continue
            answers = asyncio.run(
                visit(
                    address,
                    arguments.visitors,
                    arguments.moves,
                    arguments.analysis,
                    server.pid,
                    arguments.rest,
                    arguments.trees,
                )
            )
            sheet.row(who if number == 1 else f"{who}, round {number}", *answers)
        if not arguments.sessions:
            sheet.save(arguments.save, merge=True)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
