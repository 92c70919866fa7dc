"""A server in a process of its own, and the system's Chromium to visit it with."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from running import PATIENCE, interruptible
from zermelo import solve
from zermelo.games import tictactoe

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
REQUIRED = bool(os.environ.get("ZERMELO_REQUIRE_BROWSER") or os.environ.get("CI"))


@dataclass
class Server:
    """``zermelo serve`` as a person starts it."""

    process: "subprocess.Popen[str]"
    port: int
    said: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def interrupt(self) -> tuple[int, str, str]:
        """Ctrl-C: the exit status, and what it said."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def start(*arguments: str, folder: Path | None = None) -> Server:
    """Start a server and wait until it says where it is."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with interruptible():
        process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "serve", *arguments, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert f"http://127.0.0.1:{port}/" in line, line or process.communicate()[1]
    return Server(process, port, [line])


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Start servers that end with the test."""
    started: list[Server] = []

    def begin(*arguments: str, folder: Path | None = None) -> Server:
        started.append(start(*arguments, folder=folder))
        return started[-1]

    yield begin
    for server in started:
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate()


@pytest.fixture
def in_loop() -> Callable[..., Any]:
    """Run a coroutine in a loop and a thread of its own: the browser's driver has a loop in this one."""

    def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(work())).result()

    return run


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests that only visit."""
    pytest.importorskip("nicegui", reason="the extra web is not installed")
    server = start()
    yield server
    status, _, err = server.interrupt()
    assert (status, err) == (0, "")


@pytest.fixture(scope="session")
def with_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has a solved table, of tictactoe."""
    folder = tmp_path_factory.mktemp("solved") / "table"
    solve(tictactoe(), folder)
    server = start("--table", str(folder))
    yield server
    server.interrupt()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        assert not REQUIRED, "There is no Chromium, and these tests may not be skipped here."
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


class Visitor:
    """A page of the browser, and what people do on it."""

    def __init__(self, context: Any, server: Server) -> None:
        self.context, self.server = context, server
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._check)

    def _check(self, request: Any) -> None:
        if not request.url.startswith((self.server.address, "data:", "blob:", f"ws://127.0.0.1:{self.server.port}")):
            self.problems.append(f"it asked for {request.url}")

    def go(self, address: str) -> "Visitor":
        """Open a page of the server and wait until it is alive."""
        self.page.goto(self.server.address + address)
        if address.startswith(("/explain", "/exercises")):  # pages without a socket
            self.page.wait_for_selector("body[data-ready]")
        elif address == "/nowhere":  # a page without a script
            self.page.wait_for_selector("main h1")
            self.problems.clear()  # a browser calls the status 404 an error
        else:
            self.page.wait_for_function("window.socket && window.socket.connected")
        return self

    def moves(self) -> list[str]:
        """The moves that the page lists."""
        return [text.split()[0] for text in self.page.locator(".moves button").all_inner_texts()[1:]]

    def legal(self) -> list[int]:
        """The cells that can be clicked."""
        return [
            int(one)
            for one in self.page.locator(".play .board .can").evaluate_all("all => all.map(x => x.dataset.cell)")
        ]

    def click(self, cell: int) -> None:
        self.page.locator(f'.play .board [data-cell="{cell}"]').click()

    def click_when_legal(self, cell: int) -> None:
        """Click a cell of an action, once the page has taken the cell before."""
        self.page.locator(f'.play .board .can[data-cell="{cell}"]').click()

    def menu(self, entry: str) -> None:
        """Choose from the menu of a game."""
        self.page.get_by_role("button", name="Menu", exact=True).click()
        self.page.get_by_role("button", name=entry, exact=True).click()

    def press(self, selector: str) -> None:
        """Press the mouse on the first such element, and hold it; it may be drawn anew while it is looked for."""
        box = self.until(lambda: self.page.locator(selector).first.bounding_box(), f"{selector} is shown")
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()

    def status(self) -> str:
        return str(self.page.locator(".status").inner_text())

    def until(self, condition: Callable[[], Any], what: str = "it happened", seconds: float = PATIENCE) -> Any:
        """Wait until something is so."""
        deadline = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < deadline, f"not so within {seconds} s: {what}; the page says {self.status()!r}"
            self.page.wait_for_timeout(25)
        return found

    def until_moves(self, count: int) -> None:
        self.until(lambda: len(self.moves()) >= count, f"{count} moves")

    def until_my_turn(self) -> None:
        """Wait until a person is to move, or the game is over."""
        self.until(lambda: "is thinking" not in self.status(), "a person's turn")


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Open a page of the server; at the end nothing may have gone wrong in the browser."""
    visitors: list[Visitor] = []

    def begin(address: str = "/", *, at: Server | None = None, **context: Any) -> Visitor:
        options = {"viewport": {"width": 1280, "height": 860}, "reduced_motion": "reduce", **context}
        visitors.append(Visitor(browser.new_context(**options), at or server))
        return visitors[-1].go(address)

    yield begin
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.context.close()
    assert not problems
