"""What goes on around a game, without a browser: searches that end when they are told to, and a visitor in between."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest

from screens import Screen
from zermelo.errors import IllegalAction, NotCompilable
from zermelo.game import MAX, Action, Game, State
from zermelo.play.settings import PlayerOptions
from zermelo.ui.web import links
from zermelo.ui.web.analysis import Analysis, MoveValue, Say
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.stopping import Control, ProgramMove, Progress

SMALL = {"rows": "4", "columns": "3", "run": "3"}


class Searches:
    """A workshop whose searches wait for the test."""

    def __init__(self) -> None:
        self.moves: list[asyncio.Future[Action]] = []
        self.controls: list[Control] = []
        self.analyses: list[tuple[State, Say, asyncio.Future[Analysis | None]]] = []
        self.stopping = asyncio.Event()
        """Searches that are cancelled go on until this is set: compiling cannot be stopped."""
        self.stopping.set()

    async def move(
        self,
        game: Game,
        state: State,
        player: str,
        options: PlayerOptions,
        progress: Progress,
        control: Control,
        client: str = "",
        before: Sequence[State] = (),
    ) -> ProgramMove:
        self.moves.append(asyncio.get_running_loop().create_future())
        self.controls.append(control)
        try:
            return ProgramMove(await self.moves[-1])
        except asyncio.CancelledError:
            await self.stopping.wait()
            raise

    async def is_compiled_within(self, game: Game, seconds: float) -> bool:
        return True

    async def meanwhile(self, game: Game, state: State, say: Say, client: str = "") -> None:
        pass

    async def analyse(self, game: Game, state: State, seconds: float, say: Say, client: str = "") -> Analysis | None:
        found: asyncio.Future[Analysis | None] = asyncio.get_running_loop().create_future()
        self.analyses.append((state, say, found))
        return await found


def sit(max_: str = "human", min_: str = "human", moves: str = "", game: str = "connect") -> Sitting:
    return Sitting.begin(Shelf(), links.Position(game, SMALL if game == "connect" else {}, max_, min_, 1.0, moves))


@pytest.fixture
def with_game(in_loop: Callable[..., Any]) -> Callable[..., None]:
    """Run a test's coroutine with a live game and its searches."""

    def run(work: Callable[[LiveGame, Searches], Coroutine[Any, Any, None]], sitting: Sitting) -> None:
        async def main() -> None:
            searches = Searches()
            live = LiveGame(sitting, searches, Screen())  # type: ignore[arg-type]
            live.analyst.is_wanted = False
            try:
                await work(live, searches)
            finally:
                searches.stopping.set()
                live.close()

        in_loop(main)

    return run


async def turns() -> None:
    """Let everything that can go on do so."""
    for _ in range(20):
        await asyncio.sleep(0)


def value(game: Game, state: State, number: int, proven: bool = False) -> Analysis:
    """An analysis in which every move is worth a number."""
    return Analysis("engine", number, proven, tuple(MoveValue(one, number) for one in game.legal_actions(state)))


def test_programs_play_in_turn_until_a_person_is_to_move(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.changed()
        await turns()
        searches.moves[0].set_result(1)
        await turns()
        searches.moves[1].set_result(2)
        await turns()
        assert live.sitting.moves() == ["1", "2"]
        assert len(searches.moves) == 3

    with_game(work, sit("random", "random"))


def test_what_cannot_be_taken_back_leaves_the_program_thinking(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.changed()
        await turns()
        with pytest.raises(IllegalAction, match="no move of yours"):
            live.undo()
        await turns()
        searches.moves[0].set_result(1)
        await turns()
        assert live.sitting.moves() == ["1"]

    with_game(work, sit("random", "human"))


def test_a_move_made_again_while_the_program_thinks_ends_its_search(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.undo()
        live.play(0)
        await turns()
        live.redo()
        assert live.sitting.moves() == ["0", "1"]
        await turns()
        assert searches.moves[0].cancelled()
        await turns()
        assert (live.sitting.moves(), live.error) == (["0", "1"], "")

    with_game(work, sit("human", "random", "0,1"))


def test_a_search_that_ends_late_leaves_the_next_one_alone(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        searches.stopping.clear()
        live.changed()
        await turns()
        live.begin(sit("random", "human"))
        await turns()
        searches.stopping.set()
        await turns()
        live.stop()
        assert [control.is_stopped for control in searches.controls] == [False, True]

    with_game(work, sit("random", "human"))


def test_an_error_of_any_kind_lets_the_program_think_again(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.changed()
        await turns()
        searches.moves[0].set_exception(ZeroDivisionError("division by zero"))
        await turns()
        assert (live.error, live.paused) == ("ZeroDivisionError: division by zero.", True)
        live.changed()
        await turns()
        assert (len(searches.moves), live.paused) == (2, False)

    with_game(work, sit("random", "human"))


def test_somebody_else_plays_where_the_engine_turns_out_not_to_be_able_to(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.changed()
        await turns()
        searches.moves[0].set_exception(NotCompilable("The rules use a set."))
        await turns()
        assert live.sitting.seat(MAX) == "timed:easy"
        assert "The rules use a set. So timed:easy plays" in live.notice
        searches.moves[1].set_result(2)
        await turns()
        assert (live.sitting.moves(), live.paused) == (["2"], False)

    with_game(work, sit("engine:easy", "human"))


def test_what_was_found_of_a_position_is_not_said_of_another(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        game = live.sitting.game
        live.show_analysis(True)
        await asyncio.sleep(0.3)
        state, say, _ = searches.analyses[0]
        live.go_to(0)
        live.play(2)
        say(value(game, state, 99))
        await turns()
        assert live.sitting.analyses == {}
        await asyncio.sleep(0.3)
        state, _, found = searches.analyses[-1]
        assert state == live.sitting.state
        found.set_result(value(game, state, 7))
        await turns()
        assert live.sitting.analyses[1].value == 7

    with_game(work, sit(moves="0"))


def test_moves_are_judged_while_the_game_is_taken_back(with_game: Callable[..., None]) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.analyst.review()
        await turns()
        assert live.analyst.reviewing.startswith("Stop judging (move 1 of 3)")
        live.undo()
        live.undo()
        for state, _, found in searches.analyses:
            found.set_result(value(live.sitting.game, state, 5))
        await turns()
        assert (set(live.sitting.analyses), live.analyst.reviewing, live.error) == ({0}, "", "")

    with_game(work, sit(moves="0,1,2"))


@pytest.mark.parametrize(("count", "moves"), [(2, [0, 1]), (3, [1]), (4, [1, 2]), (5, [2]), (0, []), (-1, []), (6, [])])
def test_a_click_plays_the_line_of_which_the_move_is(
    with_game: Callable[..., None], count: int, moves: list[int]
) -> None:
    async def work(live: LiveGame, searches: Searches) -> None:
        live.sitting.analyses[0] = Analysis("engine", 0, False, line=(0, 1), others=((1, 2), (2,)))
        live.play_line(count)
        assert live.sitting.match.actions == moves

    with_game(work, sit())


def test_a_line_is_played_to_where_the_position_comes_back(with_game: Callable[..., None]) -> None:
    there = "g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1"  # in chess a game ends when a position stands there for the third time

    async def work(live: LiveGame, searches: Searches) -> None:
        game = live.sitting.game
        back = game.read_action(live.sitting.state, "f6g8")
        on = game.read_action(game.initial, "e2e4")
        live.sitting.analyses[7] = Analysis("engine", 0, False, line=(back, on))
        live.play_line(2)
        assert len(live.sitting.moves()) == 8
        assert live.sitting.is_over

    with_game(work, sit(moves=there, game="chess"))
