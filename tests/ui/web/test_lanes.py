"""Who gets the next place."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from running import PATIENCE
from zermelo.ui.web.lanes import Busy, Lane


async def turns() -> None:
    """Let everything that can go on do so."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_clients_take_turns_however_much_each_asks_for(in_loop: Callable[..., Any]) -> None:
    async def main() -> None:
        lane, served = Lane(1), list[str]()

        async def work(client: str) -> None:
            async with lane.turn(client):
                served.append(client)
                await asyncio.sleep(0)

        await asyncio.gather(*map(work, "aaaabbc"))
        assert "".join(served) == "abcabaa"
        assert lane.waiting == 0

    in_loop(main)


def test_nobody_takes_the_last_of_several_places_beside_others(in_loop: Callable[..., Any]) -> None:
    async def main() -> None:
        lane = Lane(3)
        for _ in range(2):
            await lane.enter("a")
        third = asyncio.create_task(lane.enter("a"))
        await turns()
        assert (third.done(), lane.waiting) == (False, 1)
        await asyncio.wait_for(lane.enter("b"), PATIENCE)
        lane.leave("a")
        await asyncio.wait_for(third, PATIENCE)
        assert lane.waiting == 0

    in_loop(main)


def test_who_stops_waiting_leaves_no_hole(in_loop: Callable[..., Any]) -> None:
    async def main() -> None:
        lane = Lane(1)
        await lane.enter("a")
        waiting = [asyncio.create_task(lane.enter(client)) for client in "bcb"]
        await turns()
        waiting[0].cancel()
        await turns()
        assert lane.waiting == 2
        lane.leave("a")
        waiting[1].cancel()  # it has its place by now, and does not know yet
        await turns()
        await asyncio.wait_for(waiting[2], PATIENCE)
        lane.leave("b")
        await asyncio.wait_for(lane.enter("a"), PATIENCE)

    in_loop(main)


def test_a_client_may_have_so_many_waiting_even_if_they_come_at_once(in_loop: Callable[..., Any]) -> None:
    async def main() -> None:
        lane = Lane(1)
        await lane.enter("somebody")
        asked = [asyncio.create_task(lane.enter("a", most=3)) for _ in range(50)]
        await turns()
        refused = [task for task in asked if task.done()]
        assert (len(refused), lane.waiting) == (47, 3)
        with pytest.raises(Busy, match="3 of your searches"):
            await refused[0]
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert lane.waiting == 0

    in_loop(main)
