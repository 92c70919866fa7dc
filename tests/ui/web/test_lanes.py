"""Who gets the next place."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


def test_who_stops_waiting_as_a_place_becomes_free_does_not_take_it_along(in_loop: Callable[..., Any]) -> None:
    async def main() -> None:
        lane = Lane(1)
        await lane.enter("a")
        gone, waits = (asyncio.create_task(lane.enter(client)) for client in "bc")
        await turns()
        gone.cancel()
        lane.leave("a")  # before the task that was cancelled goes on
        await asyncio.wait_for(waits, PATIENCE)
        assert lane.waiting == 0 and gone.cancelled()
        lane.leave("c")
        await asyncio.wait_for(lane.enter("b"), PATIENCE)

    in_loop(main)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.integers(1, 3), st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.integers(0, 6)), max_size=12)
)
def test_all_places_are_free_in_the_end(
    in_loop: Callable[..., Any], places: int, visits: list[tuple[str, int, int]]
) -> None:
    """Whoever comes, works for some turns of the loop, and is cancelled at some turn, perhaps while waiting."""

    async def main() -> None:
        lane = Lane(places)

        async def visit(client: str, work: int) -> None:
            async with lane.turn(client):
                for _ in range(work):
                    await asyncio.sleep(0)

        tasks = [asyncio.create_task(visit(client, work)) for client, work, _ in visits]
        for turn in range(7):
            for task, (_, _, end) in zip(tasks, visits, strict=True):
                if end == turn:
                    task.cancel()
            await asyncio.sleep(0)
        found = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE)
        assert {type(one) for one in found} <= {type(None), asyncio.CancelledError}
        assert lane.waiting == 0
        for number in range(places):
            await asyncio.wait_for(lane.enter(f"client {number}"), PATIENCE)

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
