"""Visitors who leave free what they held, and a page answers while many play."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from running import PATIENCE

pytest.importorskip("nicegui", reason="the extra web is not installed")
pytest.importorskip("socketio")

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
LEAVING = """
import asyncio, gc, sys
sys.path.insert(0, sys.argv[1])
import uvicorn, visitors
from zermelo.ui.web.play_page import PlayPage
from zermelo.ui.web.serve import make_app
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.workshop import Workshop

def pages():
    gc.collect()
    return sum(isinstance(one, PlayPage) for one in gc.get_objects())

async def main():
    workshop = Workshop()
    server = uvicorn.Server(uvicorn.Config(make_app(Shelf(), workshop, "127.0.0.1"), port=0, log_level="error"))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    address = "http://127.0.0.1:%d" % server.servers[0].sockets[0].getsockname()[1]
    all_ = [visitors.Visitor(address, "tictactoe", seed) for seed in range(5)]
    for one in all_:
        await one.arrive(analysis=False)
    await asyncio.gather(*(one.play(2) for one in all_))
    print("there:", pages())
    for one in all_:
        await one.socket.disconnect()
    for _ in range(2500):
        await asyncio.sleep(0.1)
        if not pages() and not workshop.searches:
            break
    print("left:", pages(), "searches:", workshop.searches)
    server.should_exit = True
    await serving

asyncio.run(main())
"""


def test_who_leaves_frees_what_they_held() -> None:
    command = [sys.executable, "-c", LEAVING, str(BENCHMARKS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "there: 5\n" in done.stdout, done.stderr
    assert "left: 0 searches: 0\n" in done.stdout


@pytest.mark.slow
def test_every_click_of_many_visitors_is_answered() -> None:
    command = [sys.executable, str(BENCHMARKS / "visitors.py"), "--visitors", "10", "--moves", "4", "--rounds", "1"]
    command += ["--rest", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "10 visitors, 40 clicks, analysis off" in done.stdout, done.stderr
    assert re.search(r"^\| 10 visitors \| \d+ ms \| \d+ ms \| \d+ ms \|$", done.stdout, re.MULTILINE), done.stdout
