"""The clocks of a page: what they count, and what a side without time loses. No browser is needed."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import MAX, MIN
from zermelo.lab.clocks import TimeControl
from zermelo.ui.web import controls, links
from zermelo.ui.web.game_clock import GameClock, read_clock, shown, write_clock
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting

SMALL = {"rows": "4", "columns": "3", "run": "3"}


class Hands:
    """A time that the test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Screen:
    """It counts how often it is painted."""

    painted = 0

    def paint(self, game: LiveGame) -> None:
        self.painted += 1

    def paint_soon(self, game: LiveGame) -> None:
        pass

    def address(self, query: str) -> None:
        pass


def sit(clock: str, min_: str = "human", moves: str = "") -> Sitting:
    position = links.Position("connect", SMALL, "human", min_, 3.0, moves, clock=clock)
    return Sitting.begin(Shelf(), position)


def test_a_clock_is_read_and_written() -> None:
    assert read_clock("3+2") == TimeControl(base=180.0, increment=2.0)
    assert read_clock("0.5") == TimeControl(base=30.0)
    assert read_clock("10 5") == TimeControl(base=600.0, increment=5.0)  # as an address may hold it
    assert read_clock(" ") is None
    assert write_clock(TimeControl(base=90.0, increment=2.0)) == "1.5+2"
    for wrong in ("soon", "0+1", "nan", "3+-1", "999+0", "3+inf"):
        with pytest.raises(BadParameter, match="minutes for the game"):
            read_clock(wrong)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00.0"), (19.99, "0:19.9"), (20, "0:20"), (59.5, "1:00"), (185, "3:05"), (3601, "1:00:01")],
)
def test_a_clock_shows_tenths_when_time_is_short(seconds: float, words: str) -> None:
    assert shown(seconds) == words


def test_only_the_clock_of_the_side_to_move_runs() -> None:
    hands = Hands()
    clock = GameClock(TimeControl(base=60.0, increment=2.0), now=hands)
    clock.update(MAX, 0)
    hands.now += 30
    assert (clock.side, clock.left(MAX)) == (0, 60)  # nobody has moved yet
    clock.update(MIN, 1)
    hands.now += 10
    assert (clock.left(MAX), clock.left(MIN)) == (60, 50)
    clock.update(MIN, 2)  # MIN moves again
    assert clock.left(MIN) == 52
    hands.now += 5
    clock.update(MAX, 1)  # taken back: no increment, and no time back
    assert clock.left(MIN) == 47
    hands.now += 61
    assert clock.is_out
    clock.update(0, 1)
    assert (clock.left(MAX), clock.is_out) == (0, False)


def test_a_program_takes_a_part_of_its_time() -> None:
    hands = Hands()
    clock = GameClock(TimeControl(base=60.0, increment=1.0), now=hands)
    clock.update(MIN, 1)
    assert clock.share(MIN) == pytest.approx(2.8)
    hands.now += 59.5
    assert 0.05 <= clock.share(MIN) <= 0.2
    assert sit("1+0").move_options().seconds == pytest.approx(2.0)
    assert sit("30+0").move_options().seconds == 3.0  # not more than the form allows


def test_a_link_and_a_rematch_keep_the_clock() -> None:
    sitting = sit("3+2", moves="0,1")
    assert "clock=3%2B2" in sitting.link()
    position = links.read([("game", "connect"), ("clock", "own"), ("own-clock", "5+3")], links.opening(Shelf()))
    assert position.clock == "5+3"
    assert sitting.position(0).clock == "3+2"
    assert sit("").position().clock == ""


def test_a_side_without_time_loses_and_may_go_on_without_clocks(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        screen = Screen()
        live = LiveGame(sit("0.002+0"), None, screen)  # type: ignore[arg-type]
        live.analyst.is_wanted = False
        live.changed()
        await asyncio.sleep(0.2)
        assert not live.sitting.is_over  # the clocks wait for the first move
        live.play(0)
        await asyncio.sleep(0.2)
        assert (live.sitting.flagged, live.sitting.outcome(), screen.painted) == (MIN, "max", 1)
        loser, winner = live.sitting.game.side_name(MIN), live.sitting.game.side_name(MAX)
        assert controls.result(live.sitting) == f"{loser} ran out of time: {winner} wins."
        with pytest.raises(IllegalAction, match="over"):
            live.play(1)
        live.undo()
        live.play(1)
        assert (live.sitting.is_over, live.sitting.clock) == (False, None)
        live.close()

    in_loop(work)


def test_a_move_that_comes_too_late_does_not_count(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        hands = Hands()
        live = LiveGame(sit("1+0"), None, Screen())  # type: ignore[arg-type]
        live.sitting.clock = GameClock(TimeControl(base=60.0), now=hands)
        live.analyst.is_wanted = False
        live.play(0)
        hands.now += 60
        with pytest.raises(IllegalAction, match="over"):
            live.play(1)
        assert (live.sitting.moves(), live.sitting.flagged) == (["0"], MIN)
        live.close()

    in_loop(work)


def test_the_end_of_a_game_stops_the_clocks() -> None:
    hands = Hands()
    sitting = sit("1+0", moves="0,1,0,1")
    sitting.clock = GameClock(TimeControl(base=60.0), 4, now=hands)
    sitting.play(0)
    sitting.run_clock()
    assert (sitting.match.is_over, sitting.clock.side) == (True, 0)
    hands.now += 100
    assert not sitting.look_at_clock()
    assert sitting.outcome() == "max"
