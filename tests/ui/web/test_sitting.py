"""What needs no browser: a sitting, links, judgements, analyses, and who may search when."""

import asyncio
import gc
import os
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import pytest

from running import PATIENCE
from zermelo.compiled.apart import apart
from zermelo.engine import Engine
from zermelo.errors import BadParameter, IllegalAction, UnknownGame, ZermeloError
from zermelo.game import MAX, MIN
from zermelo.games import connect, kalah, nim, oware, tictactoe
from zermelo.pictures.plots import count_plot, value_plot
from zermelo.play.match import Match, play_out
from zermelo.play.players import make_player
from zermelo.play.settings import PlayerOptions
from zermelo.result import SearchCounts, SearchResult
from zermelo.textbook.minimax import minimax_search
from zermelo.ui.web import controls, fragments, links
from zermelo.ui.web.analysis import (
    Analysis,
    EngineProvider,
    MoveValue,
    TableProvider,
    TextbookProvider,
    best_first,
)
from zermelo.ui.web.engines import ENGINES, Engines
from zermelo.ui.web.history import FARTHEST, history
from zermelo.ui.web.judging import height, in_words, judge, shade, worth
from zermelo.ui.web.shelf import KEPT, Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.stopping import Control
from zermelo.ui.web.watch import Stopped, Watch
from zermelo.ui.web.workshop import NICENESS, Workshop

SMALL = {"rows": "4", "columns": "3", "run": "3"}
GAME = connect(4, 3, 3)


def sit(max_: str = "human", min_: str = "human", moves: str = "") -> Sitting:
    return Sitting.begin(Shelf(), links.Position("connect", SMALL, max_, min_, 1.0, moves))


def test_undo_goes_to_a_persons_turn_and_redo_back() -> None:
    sitting = sit("human", "random", "0,1,2,0")
    sitting.undo()
    assert sitting.moves() == ["0", "1"]
    sitting.redo()
    assert sitting.moves() == ["0", "1", "2", "0"]
    with pytest.raises(IllegalAction):
        sitting.redo()


def test_redo_makes_every_move_again_that_was_taken_back_one_by_one() -> None:
    sitting = sit(moves="0,1,2")
    for _ in range(3):
        sitting.undo()
    for _ in range(3):
        sitting.redo()
    assert sitting.moves() == ["0", "1", "2"]


def test_playing_from_the_past_gives_up_what_followed() -> None:
    sitting = sit(moves="0,1,2")
    sitting.analyses = {ply: Analysis("engine", 0, False) for ply in range(4)}
    sitting.go_to(1)
    assert sitting.can_move
    sitting.play(1)  # as it was
    assert (sitting.here, sitting.moves()) == (2, ["0", "1", "2"])
    sitting.go_to(1)
    sitting.play(2)
    assert sitting.moves() == ["0", "2"]
    assert set(sitting.analyses) == {0, 1}


def test_a_program_answers_while_one_looks_back() -> None:
    sitting = sit("human", "random", "0")
    assert sitting.computer == "random"
    sitting.go_to(0)
    assert sitting.computer is None
    sitting.answer(1)
    assert (sitting.here, sitting.moves()) == (0, ["0", "1"])


def test_resigning_ends_the_game_and_undo_takes_it_back() -> None:
    sitting = sit("human", "random", "0,1")
    sitting.resign()
    assert (sitting.outcome(), sitting.is_over, sitting.record().outcome) == ("min", True, "min")
    resumed = Sitting.resume(Shelf(), sitting.record())
    assert (resumed.resigned, resumed.moves()) == (MAX, ["0", "1"])
    sitting.undo()
    assert not sitting.is_over


def is_marked(sitting: Sitting, side: int) -> bool:
    """Whether a player's strip says that it is their turn."""
    return 'class="seat turn"' in controls.seat(sitting, side, "")


def test_the_turn_shown_is_that_of_the_position_shown() -> None:
    sitting = sit("human", "random", "0,1")
    assert (is_marked(sitting, MAX), is_marked(sitting, MIN)) == (True, False)
    sitting.go_to(1)
    assert (is_marked(sitting, MAX), is_marked(sitting, MIN)) == (False, True)
    sitting.resign()
    assert is_marked(sitting, MIN)  # the game goes on in the position that is shown
    sitting.go_to(2)
    assert not is_marked(sitting, MAX)


def test_what_a_program_is_at_stands_beside_it_while_one_looks_back() -> None:
    sitting = sit("human", "random", "0")
    sitting.go_to(0)
    assert "12 nodes" in controls.seat(sitting, MIN, "12 nodes")
    assert "12 nodes" not in controls.seat(sitting, MAX, "12 nodes")


def test_links_come_back() -> None:
    sitting = sit("engine:hard", "human", "1,1")
    position = links.read(parse_qsl(sitting.link()), links.Position("kalah"))
    assert position == links.Position("connect", SMALL, "engine:hard", "human", 1.0, "1,1")


def test_a_link_may_set_depth_nodes_and_time_of_a_player() -> None:
    sitting = sit("engine:depth=3,nodes=500,seconds=0.5", "path:easy,width=2")
    position = links.read(parse_qsl(sitting.link()), links.Position("kalah"))
    assert (position.max, position.min) == ("engine:depth=3,nodes=500,seconds=0.5", "path:easy,width=2")


def test_an_engine_on_the_page_obeys_its_settings(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        workshop = Workshop()
        game = Shelf().game("connect", SMALL)

        async def move(player: str) -> SearchResult:
            options = PlayerOptions(seconds=60.0)  # never reached, also on a busy machine
            found = await workshop.move(game, game.initial, player, options, lambda *_: None, Control())
            assert found.result is not None
            return found.result

        assert (await move("engine:depth=3")).depth == 3
        assert (await move("engine:nodes=400")).stopped_by == "nodes"
        workshop.close()

    in_loop(work)


@pytest.mark.parametrize(
    "pairs",
    [
        {"max": "os.system"},
        {"seconds": "1e9"},
        {"seconds": "nan"},
        {"moves": "1," * 9000},
        {"min": "engine:godlike"},
        {"min": "engine:table_mb=100000"},
        {"min": "engine:threads=64"},
        {"min": "engine:history=off"},
        {"min": "engine:seconds=3600"},
        {"min": "timed:seconds=61"},
        {"max": "table:/etc"},
    ],
)
def test_links_that_make_no_sense_are_refused(pairs: dict[str, str]) -> None:
    with pytest.raises(BadParameter, match=r"\.$"):
        links.read(pairs.items(), links.Position("connect"))


def test_a_shelf_knows_games_by_name_only() -> None:
    shelf = Shelf()
    assert shelf.game("connect", SMALL) is shelf.game("connect", SMALL)
    for name in ("/etc/passwd", "connect.py", "os:system", "../connect"):
        with pytest.raises(UnknownGame):
            shelf.game(name)
    with pytest.raises(BadParameter):
        shelf.game("connect", {"rows": "1000"})


def test_a_shelf_keeps_the_games_that_were_asked_for_last() -> None:
    shelf = Shelf()
    first = weakref.ref(shelf.game("nim", {"first": "9"}))
    kept = shelf.game("connect")
    for pieces in range(10, 10 + 2 * KEPT):
        shelf.game("nim", {"first": str(pieces)})
        assert shelf.game("connect") is kept
    assert shelf.names()
    assert shelf.game("connect") is kept  # to list games puts none on the shelf
    gc.collect()
    assert first() is None


def analysed(moves: dict[int, int], proven: bool = True) -> Analysis:
    values = tuple(MoveValue(action, value, proven=proven) for action, value in moves.items())
    return Analysis("engine", max(moves.values()), proven, values)


@pytest.mark.parametrize(
    ("values", "proven", "player", "verdicts"),
    [
        ({0: 15000, 1: 14000, 2: 0}, True, MAX, ("best", "good", "blunder")),
        ({0: 15000, 1: 0, 2: -15000}, True, MIN, ("blunder", "blunder", "best")),
        ({0: 50, 1: 0, 2: -30000}, False, MAX, ("best", "good", "blunder")),
        ({0: 0, 1: 0, 2: -4000}, False, MAX, ("best", "best", "slip")),
    ],
)
def test_judgements(values: dict[int, int], proven: bool, player: int, verdicts: tuple[str, ...]) -> None:
    found = analysed(values, proven)
    assert tuple(judge(connect(), found, action, player) for action in values) == verdicts
    assert judge(connect(), found, 6, player) is None


def test_shades_words_and_heights() -> None:
    moves = (MoveValue(0, 12000, 5, proven=True), MoveValue(1, 0, proven=True))
    won = Analysis("table", 12000, True, moves, remoteness=5)
    assert shade(GAME, won, moves[0], MAX) == ("best", "W5", "wins in 5")
    assert shade(GAME, won, moves[0], MIN) == ("blunder", "L5", "loses in 5")
    assert shade(GAME, won, moves[1], MAX) == ("blunder", "=", "draw")
    assert shade(GAME, won, MoveValue(1, 0, 16, proven=True), MAX)[1:] == ("=16", "draw in 16")
    assert worth(kalah(), MoveValue(0, 0, 9, proven=True), MIN) == "draw in 9"
    assert [worth(GAME, MoveValue(2, value), MAX) for value in (-35, -1500)] == ["\N{MINUS SIGN}35", "\N{MINUS SIGN}2k"]
    assert (worth(GAME, MoveValue(2, -35), MIN), worth(GAME, MoveValue(2, -50000), MAX)) == ("+35", "likely loss")
    assert worth(kalah(), MoveValue(0, 4, 9, proven=True), MIN) == "loses by 4 in 9"
    assert (in_words(GAME, won), height(GAME, won)) == ("Red wins in 5 plies", 1.0)
    guess = Analysis("engine", -3, False)
    assert in_words(GAME, guess) == "Yellow is ahead (+3)"
    assert in_words(GAME, replace(guess, bound="lower")) == "Yellow is ahead (at most +3)"
    assert in_words(GAME, replace(guess, value=3, bound="lower")) == "Red is ahead (at least +3)"
    assert -1 < height(GAME, guess) < 0
    assert in_words(kalah(), Analysis("engine", -6, True)) == "North wins by 6"
    assert in_words(GAME, replace(won, remoteness=1)) == "Red wins in 1 ply"


def win_in_one() -> Any:
    """A position of connect four on the usual board in which MAX wins at once; other moves cannot be proven soon."""
    game = connect()
    return game, game.replay([3, 0, 3, 0, 3, 6])


def test_a_win_at_once_is_a_proof_though_other_moves_are_guesses() -> None:
    game, state = win_in_one()
    found = EngineProvider(Engine(game, table_mb=4), depth=2).analyse(game, state, 30, lambda _: None)
    assert found is not None
    assert (found.proven, found.is_decided, in_words(game, found), height(game, found)) == (
        False, True, "Red wins in 1 ply", 1.0,
    )  # fmt: skip
    assert [move.action for move in found.moves if move.proven] == [3]
    assert shade(game, found, best_first(found, MAX)[0], MAX) == ("best", "W1", "wins in 1")
    assert worth(game, best_first(found, MAX)[1], MAX) == "+11"
    deeper = EngineProvider(Engine(game, table_mb=4), depth=3).analyse(game, state, 30, lambda _: None)
    assert deeper is not None
    assert [worth(game, deeper.moves[action], MAX) for action in (0, 2, 3)] == ["+19", "likely win", "wins in 1"]
    textbook = TextbookProvider()._to_depth(game, state, 2, SearchCounts())
    assert (textbook.is_decided, [move.action for move in textbook.moves if move.proven]) == (True, [3])


def test_the_engine_tells_the_lines_of_the_next_best_moves() -> None:
    game = connect()
    found = EngineProvider(Engine(game, table_mb=4), depth=6).analyse(game, game.initial, 30, lambda _: None)
    assert found is not None
    first, *others = [move.action for move in best_first(found, MAX)[:3]]
    assert found.line[0] == first
    assert [line[0] for line in found.others] == others
    for line in found.others:
        assert len(line) == 6
        game.replay(line)
    quick = EngineProvider(Engine(game, table_mb=4), depth=6).analyse(game, game.initial, 1, lambda _: None)
    assert quick is not None
    assert quick.others == ()


def test_the_textbook_tells_the_lines_of_the_next_best_moves() -> None:
    found = TextbookProvider()._to_depth(GAME, GAME.initial, None, SearchCounts())
    ranked = [move.value for move in best_first(found, MAX)]
    assert [found.of(line[0]).value for line in (found.line, *found.others)] == ranked[:3]  # type: ignore[union-attr]


def test_the_lines_of_several_moves_are_shown_with_their_values() -> None:
    sitting = sit(moves="")
    moves = tuple(MoveValue(action, 5 - action) for action in range(3))
    found = Analysis("engine", 5, False, moves, line=(0, 1, 0), others=((1, 1), (2,)))
    sitting.analyses = {0: found}
    page = fragments.analysis(sitting, True, "", False)
    assert re.findall(r'data-line="(\d+)"[^>]*>(\d)<', page) == [
        ("1", "0"), ("2", "1"), ("3", "0"), ("4", "1"), ("5", "1"), ("6", "2"),
    ]  # fmt: skip
    assert re.findall(r'<div class="line[^"]*"><b>([^<]*)', page) == ["+5", "+4", "+3"]
    sitting.analyses = {0: replace(found, others=())}
    assert "<b>+5</b><button" not in fragments.analysis(sitting, True, "", False)


def test_a_move_that_lost_for_certain_is_a_blunder_whatever_was_guessed_before() -> None:
    sitting = sit(moves="0,1")
    guess = Analysis("engine", 5, False, tuple(MoveValue(action, 5 - action) for action in range(3)))
    sitting.analyses = {0: guess, 1: replace(guess, value=0)}
    assert fragments.verdicts(sitting)[0] == "best"
    sitting.analyses[1] = Analysis("engine", -15000, True, (MoveValue(0, -15000, 4, proven=True),), remoteness=4)
    assert fragments.verdicts(sitting)[0] == "blunder"
    sitting.go_to(1)
    assert "0: blunder; better was 1, by an estimate." in fragments.moves(sitting, "")
    won = Analysis("engine", 15000, False, (MoveValue(1, 15000, 1, proven=True),), has_proven_win=True)
    sitting.analyses[1] = replace(won, value=-15000)
    assert fragments.verdicts(sitting)[0] == "blunder"


def test_the_last_move_of_a_game_is_known_for_certain() -> None:
    sitting = sit(moves="0,1,0,1,0")
    assert sitting.is_over
    sitting.analyses[4] = Analysis("engine", 9, False, (MoveValue(0, 1), MoveValue(1, 9), MoveValue(2, 0)))
    assert fragments.verdicts(sitting)[4] == "best"


def test_a_guess_does_not_call_another_good_move_better() -> None:
    sitting = sit(moves="1")
    sitting.analyses = {0: Analysis("engine", 9, False, tuple(MoveValue(action, 9 - action) for action in range(3)))}
    assert "1: good, by an estimate." in fragments.moves(sitting, "")


@pytest.mark.parametrize(("player", "value", "best"), [(MAX, 9, 1), (MIN, -9, 1), (MIN, 9, 2), (MAX, -9, 2)])
def test_a_win_at_once_comes_before_one_of_unknown_length_and_a_late_loss_too(
    player: int, value: int, best: int
) -> None:
    moves = (MoveValue(0, value), MoveValue(1, value, 1), MoveValue(2, value, 3), MoveValue(3, value))
    assert best_first(Analysis("engine", value, True, moves), player)[0].action == best


@pytest.mark.parametrize("moves", [[], [1], [0, 2, 0]])
def test_the_textbook_knows_every_move(moves: list[int]) -> None:
    state = GAME.replay(moves)
    heard: list[Analysis] = []
    found = TextbookProvider().analyse(GAME, state, 60, heard.append)
    assert found is not None
    assert found.proven
    assert heard[-1].moves == found.moves
    for move in found.moves:
        assert move.value == minimax_search(GAME, GAME.result(state, move.action), {}).value
    assert best_first(found, GAME.to_move(state))[0].value == found.value == minimax_search(GAME, state, {}).value


def test_a_solved_table_is_asked_first(in_loop: Callable[..., Any]) -> None:
    game = tictactoe()
    known: dict[Any, Any] = {}
    minimax_search(game, game.initial, known)

    class Table:
        def __getitem__(self, state: Any) -> Any:
            return SimpleNamespace(value=known[state].value, remoteness=None)

        def moves(self, state: Any) -> Any:
            player = game.to_move(state)
            worth = [(action, known[game.result(state, action)].value) for action in game.actions(state)]
            for action, value in sorted(worth, key=lambda pair: -player * pair[1]):
                yield SimpleNamespace(action=action, value=value, remoteness=None)

    async def ask() -> Analysis | None:
        workshop = Workshop(tables={game.fingerprint: Table()})  # type: ignore[dict-item]
        found = await workshop.analyse(game, game.initial, 1.0, lambda _: None)
        workshop.close()
        return found

    found = in_loop(ask)
    assert found is not None
    assert (found.source, found.proven, found.value, len(found.moves), len(found.line)) == ("table", True, 0, 9, 9)
    assert TableProvider(Table()).analyse(game, "nothing", 1.0, lambda _: None) is None  # type: ignore[arg-type]


def test_a_workshop_keeps_few_engines_and_stops_what_nobody_waits_for(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        workshop = Workshop(players=2, analyses=1, table_mb=1)
        game = Shelf().game("connect")
        search = asyncio.create_task(workshop.analyse(game, game.initial, 60, lambda _: None))
        while workshop.searches == 0:
            await asyncio.sleep(0.02)
        second = asyncio.create_task(workshop.analyse(game, game.initial, 60, lambda _: None))
        while workshop.lanes["analysis"].waiting == 0:
            await asyncio.sleep(0.02)
        for task in (second, search):
            task.cancel()
        await asyncio.gather(search, second, return_exceptions=True)
        assert (workshop.lanes["analysis"].waiting, workshop.searches) == (0, 0)
        moves = [
            workshop.move(
                game, game.initial, "engine:easy", PlayerOptions(seconds=1), lambda nodes, result: None, Control()
            )
            for _ in range(ENGINES + 4)
        ]
        assert {thought.action for thought in await asyncio.gather(*moves)} <= set(range(7))
        assert 0 < len(workshop.engines) <= ENGINES
        small, control = Shelf().game("tictactoe"), Control()
        move = await workshop.move(
            small, small.initial, "mcts:playouts=200", PlayerOptions(), lambda nodes, result: None, control
        )
        assert move.result is not None and move.result.nodes == 200
        with pytest.raises(ZermeloError, match="limit"):
            await workshop.move(
                game, game.initial, "minimax", PlayerOptions(seconds=60), lambda nodes, result: None, Control()
            )
        workshop.close()

    in_loop(work)


class FakeEngine:
    """An engine that searches until it is stopped or its time is up, and finds nothing."""

    def __init__(self, game: Any) -> None:
        self.game, self.stopped = game, threading.Event()

    def stop(self) -> None:
        self.stopped.set()

    def search(self, state: Any = None, *, seconds: float | None = None, depth: int | None = None, **_: Any) -> Any:
        self.stopped.wait(0 if depth == 1 else seconds)
        self.stopped.clear()
        return SearchResult(value=0, action=0, proven=False)


def asked(workshop: Workshop, game: Any, client: str, seconds: float) -> "asyncio.Task[Any]":
    """Ask for an engine's move."""
    options = PlayerOptions(seconds=seconds)
    search = workshop.move(game, game.initial, "engine:hard", options, lambda *_: None, Control(), client)
    return asyncio.create_task(search)


def test_a_client_with_many_searches_delays_nobody_elses_move(
    in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engines, "_make", lambda self, game: FakeEngine(game))

    async def work() -> None:
        workshop = Workshop(players=4)
        greedy = [asked(workshop, GAME, "greedy", 60) for _ in range(8)]
        while workshop.searches < 3:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        await asked(workshop, GAME, "other", 0.05)
        assert time.monotonic() - start < 30  # there was a place for it, though eight were asked for before
        for task in greedy:
            task.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
        workshop.close()

    in_loop(work)


@pytest.mark.skipif(sys.platform != "linux", reason="only there, a thread has a priority of its own")
def test_searches_have_a_lower_priority_than_the_threads_that_answer_clicks_and_compile(
    in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def make(self: Engines, game: Any) -> FakeEngine:
        made.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return FakeEngine(game)

    def priorities() -> tuple[int, int]:
        own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        return own, apart(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    async def work() -> None:
        workshop = Workshop()
        usual = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        lower = min(usual + NICENESS, 19)
        assert await workshop.in_thread(Control(), priorities) == (lower, lower)
        assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == usual
        await workshop.engines.prepare(GAME)
        assert made == [usual]
        workshop.close()

    monkeypatch.setattr(Engines, "_make", make)
    in_loop(work)


@pytest.mark.skipif(sys.platform != "linux", reason="only there, a thread has a priority of its own")
def test_searches_run_where_the_system_forbids_to_change_priorities(
    in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[int] = []

    def forbid(which: int, who: int, priority: int) -> None:
        asked_for.append(priority)
        raise PermissionError

    async def work() -> None:
        workshop = Workshop()
        assert await workshop.in_thread(Control(), lambda: 42) == 42
        assert asked_for
        workshop.close()

    monkeypatch.setattr(os, "setpriority", forbid)
    in_loop(work)


def test_a_long_search_gives_way_to_whoever_waits(in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engines, "_make", lambda self, game: FakeEngine(game))
    monkeypatch.setattr("zermelo.ui.web.workshop.USUAL_SECONDS", 0.3)

    async def work() -> None:
        workshop = Workshop(players=1)
        alone = asked(workshop, GAME, "a", 2 * PATIENCE)
        while not workshop.searches:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.6)
        assert not alone.done()  # nobody waits: it may have all its time
        await asyncio.wait_for(asked(workshop, GAME, "b", 0.05), PATIENCE)
        assert (await alone).action == 0
        workshop.close()

    in_loop(work)


def test_rules_that_are_being_compiled_keep_nobody_else_waiting(
    in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling, go_on = threading.Event(), threading.Event()

    def make(self: Engines, game: Any) -> FakeEngine:
        if game.parameters["first"] > 1:
            compiling.set()
            go_on.wait(2 * PATIENCE)
        return FakeEngine(game)

    monkeypatch.setattr(Engines, "_make", make)

    async def work() -> None:
        workshop, ready = Workshop(players=1), nim(1)
        await workshop.engines.prepare(ready)
        slow = [asked(workshop, nim(pieces), "greedy", 0.05) for pieces in (2, 3, 4)]
        while not compiling.is_set():
            await asyncio.sleep(0.01)
        await asyncio.wait_for(asked(workshop, ready, "other", 0.05), PATIENCE)
        slow[0].cancel()  # the compiler goes on, and keeps its place
        await asyncio.sleep(0.1)
        go_on.set()
        await asyncio.gather(*slow, return_exceptions=True)
        assert [task.cancelled() for task in slow] == [True, False, False]
        workshop.close()

    in_loop(work)


def test_an_engine_whose_search_failed_is_not_missed_when_others_come(
    in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engines, "_make", lambda self, game: FakeEngine(game))

    async def work() -> None:
        workshop = Workshop()
        async with workshop.engines.use(GAME):
            pass
        with pytest.raises(RuntimeError, match="aborted"):
            async with workshop.engines.use(GAME):
                raise RuntimeError("aborted")
        for pieces in range(1, 2 * ENGINES):
            async with workshop.engines.use(nim(pieces)) as engine:
                assert engine.game.parameters["first"] == pieces
        assert len(workshop.engines) == ENGINES
        workshop.close()

    in_loop(work)


def test_a_watched_search_counts_as_usual_and_can_be_ended() -> None:
    usual, watch = SearchCounts(), Watch()
    minimax_search(GAME, GAME.initial, {}, usual)
    minimax_search(watch.rules(GAME), GAME.initial, {}, watch.counts)
    assert watch.counts == usual
    for ended in (Watch(nodes=100), Watch(seconds=0)):
        with pytest.raises(Stopped):
            minimax_search(ended.rules(GAME), GAME.initial, {}, ended.counts)
        assert ended.counts.nodes < 200
    stopped = Watch()
    stopped.stop()
    with pytest.raises(Stopped):
        minimax_search(stopped.rules(GAME), GAME.initial, {}, stopped.counts)
    assert stopped.counts.nodes <= 1


def test_plots_are_drawn() -> None:
    picture = value_plot({0: 0.0, 2: 1.0}, 3, 1, {2: "<won>"}, ("Red", "<Blue>"))
    assert picture.count("data-goto") == 4
    assert "&lt;won&gt;" in picture
    assert ">Red<" in picture
    assert ">&lt;Blue&gt;<" in picture
    scaled = value_plot({0: 0.0}, 30, 1, {}, ("Red", "Blue"), ((1.0, "+12"), (0.0, "0")), "points")
    assert ">+12<" in scaled
    assert "at the left: points" in scaled
    assert ">30<" in scaled
    assert ">29<" not in scaled
    assert count_plot({"minimax": [1, 10, 100], "alpha-beta": [1, 5, None]}).count("<polyline") == 2


def test_a_win_stands_the_higher_the_nearer_it_is() -> None:
    sitting = sit(moves="0,1,0,1,0")  # MAX has three in a column
    sitting.analyses = {
        0: Analysis("engine", 40, False),
        1: Analysis("table", 1, True, remoteness=8),
        2: Analysis("table", 1, True, remoteness=3),
        3: Analysis("table", -1, True, remoteness=2),
    }
    told = history(sitting)
    assert told.heights[5] == 1
    assert 0 < told.heights[0] < told.heights[1] < told.heights[2] < 1
    assert told.heights[1] == pytest.approx(FARTHEST)
    assert told.heights[3] == pytest.approx(-(1 - 0.7 * 2 / 8))
    assert {said for _, said in told.ticks} == {"0", "4", "8", "even"}
    sitting.analyses = {}
    assert history(sitting).ticks[0] == (1.0, "wins")


def test_points_have_a_scale_of_points() -> None:
    sitting = Sitting.begin(Shelf(), links.Position("oware", {}, "human", "human"))
    sitting.analyses = {0: Analysis("engine", -6, False)}
    told = history(sitting)
    assert (told.heights, told.unit) == ({0: -1.0}, "points")
    assert told.ticks[0] == (1.0, "+6")


def test_a_game_that_counts_and_comes_round_is_won_by_what_the_match_says() -> None:
    game, sitting = oware(split_cycle=True), None
    for seed in range(40):
        match = Match(game, *(make_player("random", game, PlayerOptions(seed=seed + more)) for more in (0, 100)))
        play_out(match)
        if match.ending == "repetition" and match.value and abs(match.value) != abs(game.utility(match.state)):
            sitting = Sitting("oware", {}, match, PlayerOptions(), here=len(match.actions))
            break
    assert sitting is not None
    assert f"wins by {abs(sitting.match.value or 0)}." in controls.status(sitting, "", False, "")


def test_what_there_is_to_say_is_said_of_the_past_too_and_escaped() -> None:
    sitting = sit(moves="0,1")
    assert "Hint: &lt;b&gt;" in controls.status(sitting, "", False, "Hint: <b>")
    sitting.go_to(1)
    assert "begins a variation" in controls.status(sitting, "", False, "")
    assert "The link is copied." in controls.status(sitting, "", False, "The link is copied.")


def test_who_is_stopped_before_the_search_begins_does_not_search(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        workshop, control = Workshop(), Control()
        control.stop()
        with pytest.raises(BadParameter, match="minimax was stopped"):
            await workshop.move(GAME, GAME.initial, "minimax", PlayerOptions(), lambda nodes, result: None, control)
        workshop.close()

    in_loop(work)


class FarTable:
    """A table that answers when it is told to."""

    def __init__(self) -> None:
        self.asked, self.waited = threading.Event(), list[bool]()
        self.answer = threading.Event()

    def __getitem__(self, state: Any) -> Any:
        return SimpleNamespace(value=0, remoteness=None)

    def moves(self, state: Any) -> Any:
        self.asked.set()
        self.waited.append(self.answer.wait(PATIENCE))
        return [SimpleNamespace(action=action, value=0, remoteness=None) for action in GAME.legal_actions(state)]


def test_a_table_far_away_keeps_nobody_else_waiting(in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        table = FarTable()
        workshop = Workshop(tables={GAME.fingerprint: table})  # type: ignore[dict-item]
        asking = asyncio.create_task(workshop.analyse(GAME, GAME.initial, 1.0, lambda _: None))
        while not table.asked.is_set():
            await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.sleep(0.01)
        table.answer.set()
        await asyncio.gather(asking, return_exceptions=True)
        assert table.waited == [True]  # and nothing more is asked for who has left
        thought = await workshop.move(
            GAME, GAME.initial, "table", PlayerOptions(), lambda nodes, result: None, Control()
        )
        assert thought.action == 0
        workshop.close()

    in_loop(work)


@pytest.mark.parametrize(("said", "granted"), [(30, 30), (600, 3.0), (0.001, 3.0), (None, 3.0)])
def test_a_saved_game_has_the_time_that_a_server_grants(said: float | None, granted: float) -> None:
    record = replace(sit().record(), options={} if said is None else {"seconds": said})
    assert Sitting.resume(Shelf(), record).options.seconds == granted
