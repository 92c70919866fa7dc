"""A server compiles so many different games and no more: Numba cannot unload them."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient
from numba.core import event
from typer.testing import CliRunner

from screens import Screen
from zermelo.compiled import code_of, helpers
from zermelo.engine.tree.results import TreeResult
from zermelo.engine.tree.tree_search import TreeSearch
from zermelo.games import breakthrough, connect, nim, tictactoe
from zermelo.learn import Training, read_evaluation
from zermelo.play.settings import PlayerOptions
from zermelo.result import SearchResult
from zermelo.ui.cli import command_line
from zermelo.ui.web import fragments, links
from zermelo.ui.web.engines import Engines, TooManyGames
from zermelo.ui.web.live_game import LiveGame
from zermelo.ui.web.opponents import offers
from zermelo.ui.web.serve import make_api
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.sitting import Sitting
from zermelo.ui.web.stopping import Control
from zermelo.ui.web.workshop import Workshop

FULL = "This server has compiled as many different games as it may (1), so it has no engine for another one"
WORDS = "this server has compiled as many games as it may"


class FakeEngine:
    """An engine that needs no machine code."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def stop(self) -> None:
        pass

    def search(self, state: Any = None, **_: Any) -> SearchResult:
        action = None if state is None else self.game.legal_actions(state)[0]
        return SearchResult(value=0, action=action, proven=False)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The games for which an engine was made, none of which is compiled."""
    games: list[Any] = []

    def make(self: Engines, game: Any) -> FakeEngine:
        games.append(game)
        return FakeEngine(game)

    monkeypatch.setattr(Engines, "_make", make)
    return games


def test_a_thousand_games_compile_as_few_as_may_be(made: list[Any], in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        workshop, refused = Workshop(most_games=3), 0
        registered = len(helpers._registered)
        for number in range(1000):
            first, second = divmod(number, 32)
            try:
                await workshop.engines.prepare(nim(first, second, 2, 1))
            except TooManyGames:
                refused += 1
        workshop.close()
        assert len({code_of(game) for game in made}) == 3
        assert refused == 1000 - len(made) > 900
        assert len(helpers._registered) == registered  # Numba would keep the functions of every game

    in_loop(work)


def test_engines_have_the_evaluation_of_their_game() -> None:
    game, other = breakthrough(), breakthrough(6, 6)
    learned = read_evaluation("learned", game)
    with ThreadPoolExecutor(1) as threads:
        engines = Engines(threads, evaluations={game.seen_fingerprint: learned})
        engine, without = engines._make(game), engines._make(other)
    assert engine.evaluation is not None
    assert engine.evaluation.reach == learned.reach
    assert without.evaluation is None


def test_tree_search_has_the_evaluation_of_its_game(in_loop: Callable[..., Any]) -> None:
    game = tictactoe()
    learned = Training(game).run(games=300, steps=1)
    expected = TreeSearch(game, evaluation=learned).search(playouts=200)

    async def work() -> None:
        workshop = Workshop(evaluations={game.seen_fingerprint: learned})
        asked = (game, game.initial, "mcts:playouts=200", PlayerOptions(), lambda *_: None, Control())
        found = (await workshop.move(*asked)).result
        workshop.close()
        assert isinstance(found, TreeResult)
        assert found.visits == expected.visits != TreeSearch(game).search(playouts=200).visits

    in_loop(work)


def test_games_that_share_their_code_are_one_and_stay_ready(made: list[Any], in_loop: Callable[..., Any]) -> None:
    async def work() -> None:
        workshop, compiled = Workshop(most_games=1), list[int]()
        workshop.engines.on_compiled = lambda: compiled.append(len(made))
        first, again, other = connect(4, 3, 3), connect(4, 3, 3), connect(3, 4, 3)
        await workshop.engines.prepare(first)
        assert compiled == [1]
        for _ in range(2):
            with pytest.raises(TooManyGames, match=re.escape(FULL)):
                await workshop.engines.prepare(other)
        assert compiled == [1]  # what is refused is not compiled
        await workshop.engines.prepare(again)
        refusals = [workshop.engines.refusal(game) for game in (first, again, other)]
        assert refusals == ["", "", WORDS]
        options = PlayerOptions(seconds=0.1)
        for game in (first, again):
            await workshop.move(game, game.initial, "engine:hard", options, lambda *_: None, Control())
        workshop.close()

    in_loop(work)


def test_a_game_too_many_is_played_and_analysed_by_the_textbook(made: list[Any], in_loop: Callable[..., Any]) -> None:
    parameters = {"rows": "3", "columns": "4", "run": "3"}

    async def work() -> None:
        workshop = Workshop(most_games=1)
        await workshop.engines.prepare(connect(4, 3, 3))
        sitting = Sitting.begin(Shelf(), links.Position("connect", parameters, "engine:easy", "human", 0.1))
        live = LiveGame(sitting, workshop, Screen())
        await live.turn.play(live.sitting)
        assert len(sitting.moves()) == 1
        assert live.notice.startswith(FULL)
        assert live.notice.endswith("So timed:easy plays instead of the engine.")
        reasons = {offer.reason for offer in offers(sitting.game, False, workshop.engines.refusal(sitting.game))}
        assert WORDS in reasons
        await live.analyst.analyse(1, 0.5)
        shown = fragments.analysis(sitting, True, "Looking", False, workshop.engines.refusal(sitting.game))
        assert f"By a textbook search, since {WORDS}, depth" in shown
        live.close()
        workshop.close()

    in_loop(work)


def test_the_bar_shows_how_much_is_compiled(in_loop: Callable[..., Any]) -> None:
    game, shares = nim(1, 2, 0, 0), []

    class Slow(FakeEngine):
        """An engine that is made of kernels."""

        def search(self, state: Any = None, **_: Any) -> SearchResult:
            for _ in range(300):
                with event.trigger_event("numba:compile"):
                    shares.append(engines.share(game))
            assert engines.share(nim()) is None
            return super().search(state)

    async def work() -> None:
        await engines.prepare(game)

    with ThreadPoolExecutor(1) as threads:
        engines = Engines(threads)
        engines._make = Slow  # type: ignore[assignment,method-assign]
        assert engines.share(game) is None
        in_loop(work)
    assert shares == sorted(shares)
    assert (shares[0], shares[96], shares[-1]) == (0, 0.5, 0.95)
    assert engines.share(game) is None
    sitting = Sitting.begin(Shelf(), links.Position("nim"))
    shown = fragments.analysis(sitting, True, "Compiling: 40%", True, share=0.4)
    assert '<progress aria-label="Compiling" value="0.40">' in shown
    assert "Compiling: 40%…" in shown


def test_what_no_textbook_search_finds_is_said(made: list[Any]) -> None:
    sitting = Sitting.begin(Shelf(), links.Position("nim"))
    shown = fragments.analysis(sitting, True, "Looking", False, WORDS)
    assert f"found nothing; there is no engine, since {WORDS}." in shown
    assert "Looking" in fragments.analysis(sitting, True, "Looking", True, WORDS)


def test_programs_are_told_with_503() -> None:
    known, other = "rows=4,columns=3,run=3", "rows=3,columns=3,run=3"
    with TestClient(make_api(Shelf(), Workshop(most_games=1)), base_url="http://localhost") as client:

        def asked(what: str, parameters: str) -> Any:
            return client.get(f"/api/games/connect/{what}", params={"parameters": parameters})

        assert asked("analysis", known).json()["source"] == "engine"
        for _ in range(2):
            refused = asked("analysis", other)
            assert refused.status_code == 503
            assert refused.headers["content-type"] == "application/problem+json"
            assert refused.json()["detail"].startswith(FULL)
        assert asked("solved", other).status_code == 200  # a small game needs no engine
        assert asked("actions", other).status_code == 200
        assert asked("analysis", known).json()["proven"]


def test_the_limit_can_be_set_where_the_server_is_started(
    made: list[Any], in_loop: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Workshop] = []
    monkeypatch.setattr("zermelo.ui.commands.serve._check_free", lambda host, port: None)
    monkeypatch.setattr("zermelo.ui.web.serve.serve", lambda shelf, workshop, *rest: served.append(workshop))
    done = CliRunner().invoke(command_line(), ["serve", "nim", "--most-games", "2"])
    assert done.exit_code == 0, done.output

    async def work() -> None:
        for rows in (3, 4):
            await served[0].engines.prepare(connect(rows, 3, 3))
        with pytest.raises(TooManyGames, match=re.escape("as it may (2)")):
            await served[0].engines.prepare(connect(5, 3, 3))
        served[0].close()

    in_loop(work)
    assert CliRunner().invoke(command_line(), ["serve", "--most-games", "0"]).exit_code != 0
