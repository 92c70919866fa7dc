"""The interface for programs: right answers, bounded, and a 4xx for whatever makes no sense."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings

from zermelo import ZermeloError, solve
from zermelo.game import MAX
from zermelo.games import connect, kalah, tictactoe
from zermelo.play.settings import PlayerOptions
from zermelo.textbook.minimax import minimax_search
from zermelo.ui.web.api_page import EXAMPLES
from zermelo.ui.web.limits import LARGEST, guard
from zermelo.ui.web.serve import make_api
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.small_games import outcomes
from zermelo.ui.web.stopping import Control
from zermelo.ui.web.workshop import Workshop

WORKSHOP = Workshop()
API = make_api(Shelf(), WORKSHOP)
guard(API, "127.0.0.1")
schema = schemathesis.openapi.from_asgi("/openapi.json", API, headers={"host": "localhost"})


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(API, base_url="http://localhost") as client:
        yield client


@schema.parametrize()
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_no_request_makes_a_server_error(case: schemathesis.Case) -> None:
    if case.query and "seconds" in case.query:
        case.query["seconds"] = 0.05
    response = case.call(headers={"host": "localhost"})
    assert response.status_code < 500
    if response.status_code >= 400 and case.path.startswith("/api"):
        assert response.headers["content-type"][0] == "application/problem+json"


def test_games_and_actions(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert {"connect", "kalah", "othello"} <= set(games)
    assert [games[name]["title"] for name in ("nine_mens_morris", "mnk")] == ["Nine men's morris", "The m,n,k-game"]
    rows = next(one for one in games["connect"]["parameters"] if one["name"] == "rows")
    assert (rows["type"], rows["default"], rows["minimum"]) == ("int", 6, 1)
    found = client.get("/api/games/connect/actions", params={"parameters": "rows=3,columns=3,run=3", "moves": "0,0,0"})
    position = found.json()
    assert [one["action"] for one in position["actions"]] == ["1", "2"]
    assert (position["player"], position["terminal"], position["utility"]) == ("MIN", False, None)
    over = client.get(
        "/api/games/connect/actions", params={"parameters": "rows=3,columns=3,run=3", "moves": "0,1,0,1,0"}
    )
    assert (over.json()["player"], over.json()["utility"], over.json()["actions"]) == (None, 18000, [])


def analysed(client: TestClient, **asked: Any) -> dict[str, Any]:
    """An analysis of connect; a busy machine may still compile, and then the server says so, and is asked again."""
    while (answer := client.get("/api/games/connect/analysis", params=asked)).status_code == 503:
        assert "detail" in answer.json()
    found: dict[str, Any] = answer.json()
    return found


def test_analysis_is_the_engines(client: TestClient) -> None:
    found = analysed(client, parameters="rows=4,columns=3,run=3", seconds=5)
    game = connect(4, 3, 3)
    assert (found["proven"], found["source"]) == (True, "engine")
    assert found["value"] == minimax_search(game, game.initial, {}).value
    for move in found["actions"]:
        child = game.play(game.initial, int(move["action"]))
        assert move["value"] == minimax_search(game, child, {}).value
    assert analysed(client, depth=3)["depth"] == 3


def test_solved_positions_in_gamescrafters_shape(client: TestClient) -> None:
    game = tictactoe()
    state = game.replay([game.read_action(game.initial, "b2")])
    found = client.get("/api/games/tictactoe/solved", params={"moves": "b2", "seconds": 10}).json()
    assert found.get("positionValue") == "tie", found
    values = {"win": -1, "tie": 0, "lose": 1}  # MIN is to move
    ranks = ["win", "tie", "lose"]
    assert [ranks.index(move["moveValue"]) for move in found["moves"]] == sorted(
        ranks.index(move["moveValue"]) for move in found["moves"]
    )
    assert len(found["moves"]) == 8
    assert found["value_of"] == "MIN"
    for move in found["moves"]:
        assert move["value_of"] == "MAX"
        child = game.play(state, game.read_action(state, move["move"]))
        value = minimax_search(game, child, {}).value
        assert (value > 0) - (value < 0) == values[move["moveValue"]]
        assert move["moveValue"] == {"win": "lose", "lose": "win", "tie": "tie"}[move["positionValue"]]
    losing = [move for move in found["moves"] if move["moveValue"] == "lose"]
    assert losing[0]["remoteness"] >= losing[-1]["remoteness"]  # who loses delays
    assert losing[0]["deltaRemoteness"] == 0
    assert losing[-1]["deltaRemoteness"] == losing[0]["remoteness"] - losing[-1]["remoteness"]


def test_a_solved_table_answers_with_remoteness(tmp_path: Path, in_loop: Callable[..., Any]) -> None:
    game = connect(4, 4)
    table = solve(game, tmp_path / "table")
    workshop = Workshop(tables={game.fingerprint: table})
    with TestClient(make_api(Shelf(), workshop), base_url="http://localhost") as client:
        asked = {"parameters": "rows=4,columns=4", "moves": "1,1"}
        found = client.get("/api/games/connect/solved", params=asked).json()
        analysis = client.get("/api/games/connect/analysis", params=asked).json()
    state = game.replay([1, 1])
    entry = table[state]
    assert (found["positionValue"], found["remoteness"]) == ("tie", entry.remoteness)
    far = {int(move["move"]): move["remoteness"] for move in found["moves"]}
    assert far == {move.action: move.remoteness for move in table.moves(state)}
    assert (analysis["source"], analysis["value"], analysis["proven"]) == ("table", entry.value, True)
    values = {int(move["action"]): move["value"] for move in analysis["actions"]}
    assert values == {move.action: move.value for move in table.moves(state)}
    thought = in_loop(lambda: workshop.move(game, state, "table", PlayerOptions(), lambda *_: None, Control()))
    assert thought.action == table.action(state)
    state = game.replay([1, 1, 2, 0])
    known = outcomes(game, state)
    assert known is not None
    assert len(known) > 1000
    for position, (value, remoteness) in list(known.items())[::50]:
        assert (table[position].value, table[position].remoteness) == (value, remoteness)
    with pytest.raises(ZermeloError, match="no solved table"):
        in_loop(
            lambda: workshop.move(
                tictactoe(), tictactoe().initial, "table", PlayerOptions(), lambda *_: None, Control()
            )
        )


def test_a_small_game_is_solved_with_the_remoteness_of_draws_too(client: TestClient) -> None:
    found = client.get("/api/games/tictactoe/solved", params={"moves": "b2", "seconds": 10}).json()
    assert (found["positionValue"], found["remoteness"]) == ("tie", 8)
    assert {move["remoteness"] for move in found["moves"] if move["moveValue"] == "tie"} == {7}
    assert all(move["remoteness"] > 0 for move in found["moves"])
    nim = client.get("/api/games/nim/solved", params={"parameters": "first=1,second=1,third=0,fourth=0"}).json()
    assert (nim["positionValue"], nim["remoteness"]) == ("lose", 2)


def test_a_solved_move_says_whose_turn_its_position_is(client: TestClient) -> None:
    asked = {"parameters": "pits=2,seeds=2"}
    game = kalah(pits=2, seeds=2)
    found = client.get("/api/games/kalah/solved", params=asked).json()
    assert found["value_of"] == "MAX"
    sides = {move["move"]: move["value_of"] for move in found["moves"]}
    children = {
        game.show_action(game.initial, one): game.result(game.initial, one) for one in game.legal_actions(game.initial)
    }
    assert sides == {move: "MAX" if game.to_move(child) == MAX else "MIN" for move, child in children.items()}
    assert set(sides.values()) == {"MAX", "MIN"}  # one of the moves ends in the store
    for move in found["moves"]:
        same = move["value_of"] == found["value_of"]
        assert (move["moveValue"] == move["positionValue"]) == (same or move["moveValue"] == "tie")


def test_positions_that_come_back_have_no_outcome() -> None:
    game = connect(3, 3, 3)
    turns = replace(game, initial=0, is_terminal=lambda state: state == 9, to_move=lambda state: 1,
                    actions=lambda state: [1, 9], result=lambda state, action: action if action == 9 else 1 - state,
                    utility=lambda state: 0)  # fmt: skip
    assert outcomes(turns, 0) is None
    assert outcomes(turns, 9) == {9: (0, 0)}


def test_what_is_not_solved_in_time_is_not_found(client: TestClient) -> None:
    answer = client.get("/api/games/connect/solved", params={"seconds": 0.1})
    assert answer.status_code == 404
    assert "not solved" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/games/nonsense/actions", 404),
        ("/api/games/..%2F..%2Fetc%2Fpasswd/actions", 404),
        ("/api/games/my_game.py/actions", 404),
        ("/api/games/os:system/analysis", 404),
        ("/api/games/connect/actions?parameters=rows=99", 422),
        ("/api/games/connect/actions?parameters=__class__=1", 422),
        ("/api/games/connect/actions?moves=9", 422),
        ("/api/games/connect/actions?moves=" + "3," * 4000, 422),
        ("/api/games/connect/analysis?seconds=1000", 422),
        ("/api/games/connect/analysis?depth=0", 422),
        ("/api/games/connect/analysis?parameters=rows=3,columns=3,run=3&moves=0,1,0,1,0", 409),
        ("/api/games/connect/actions?position=nonsense", 422),
        ("/api/games/kayles/actions?position=1", 422),
        ("/api/elsewhere", 404),
        ("/api/elsewhere?x=1", 404),
    ],
)
def test_errors_are_problems(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["status"] == status
    assert answer.json()["detail"].endswith((".", "?"))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("p.rows=4", "write parameters=rows=4"),
        ("rows=4", "no query parameter 'rows' here; there are parameters, moves, position"),
        ("moves=1&moves=2", "said 2 times"),
    ],
)
def test_what_a_request_says_in_vain_is_an_error(client: TestClient, query: str, words: str) -> None:
    answer = client.get(f"/api/games/connect/actions?{query}")
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert client.get("/api/games?x=1").status_code == 422


def test_a_position_in_the_games_own_notation(client: TestClient) -> None:
    moves = client.get("/api/games/connect/actions", params={"moves": "3,3,2"}).json()
    again = client.get("/api/games/connect/actions", params={"position": moves["position"]}).json()
    assert again == moves
    before = client.get("/api/games/connect/actions", params={"moves": "3"}).json()
    on = client.get("/api/games/connect/actions", params={"position": before["position"], "moves": "3,2"}).json()
    assert on == moves


def test_other_methods_than_get(client: TestClient) -> None:
    head, get = client.head("/api/games"), client.get("/api/games")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(get.content))
    for method in ("POST", "PUT", "DELETE"):
        answer = client.request(method, "/api/games/connect/actions")
        assert (answer.status_code, answer.headers["allow"], answer.json()["status"]) == (405, "GET, HEAD", 405)
        assert client.request(method, "/api/elsewhere").status_code == 404
    for method in ("TRACE", "PROPFIND"):  # which no address knows
        for address in ("/api/games", "/api/elsewhere"):
            answer = client.request(method, address)
            assert (answer.status_code, answer.headers["allow"], answer.json()["status"]) == (405, "GET, HEAD", 405)


@pytest.mark.parametrize("address", EXAMPLES.values())
def test_the_examples_of_the_page_are_answered(client: TestClient, address: str) -> None:
    while (answer := client.get(address)).status_code == 503:  # a busy machine still compiles
        assert "compiled" in answer.json()["detail"]
    assert answer.status_code == 200


def test_an_analysis_as_events(client: TestClient) -> None:
    asked = {"parameters": "rows=4,columns=3,run=3", "seconds": 5}
    once = analysed(client, **asked)
    with client.stream("GET", "/api/games/connect/analysis/stream", params=asked) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = list(answer.iter_lines())
    events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    found = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
    assert (events[0], events[-1]) == ("analysis", "done")
    assert (found[-1]["value"], found[-1]["proven"]) == (once["value"], True)
    assert client.get("/api/games/connect/analysis/stream", params={"moves": "9"}).status_code == 422


def test_pages_of_allowed_origins_use_the_interface_and_nothing_else() -> None:
    app = FastAPI()

    @app.get("/api/games")
    @app.get("/page")
    def anything() -> str:
        return "anything"

    guard(app, "127.0.0.1", (), ["https://games.example", "http://localhost:3000"])
    with TestClient(app, base_url="http://localhost") as client:
        for origin in ("https://games.example", "http://localhost:3000"):
            answer = client.get("/api/games", headers={"origin": origin})
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, origin)
            asked = client.options("/api/games", headers={"origin": origin, "access-control-request-method": "GET"})
            assert (asked.status_code, asked.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
            assert client.get("/page", headers={"origin": origin}).status_code == 403
        assert client.get("/api/games", headers={"origin": "https://games.example:99"}).status_code == 403
        assert "access-control-allow-origin" not in client.get("/api/games").headers
        answer = client.post("/page")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


def test_every_value_says_whose_it_is(client: TestClient) -> None:
    shapes = client.get("/openapi.json").json()["components"]["schemas"]
    worth = [
        (shape, name, one.get("description", ""))
        for shape, about in shapes.items()
        for name, one in about["properties"].items()
        if re.search("value$|utility|winby", name, re.IGNORECASE)
    ]
    assert len(worth) == 8
    silent = [one for one in worth if not re.search("[Ff]or MAX|the player (to move|who moves)", one[2])]
    assert silent == []
    position = client.get("/api/games/tictactoe/actions", params={"moves": "a1"}).json()
    assert (position["player"], position["value_of"]) == ("MIN", "MAX")
    assert analysed(client, parameters="rows=4,columns=3,run=3", moves="1", seconds=5)["value_of"] == "MAX"


def test_foreign_hosts_origins_and_large_bodies_are_refused(client: TestClient) -> None:
    assert client.get("/api/games", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/api/games", headers={"host": ""}).status_code == 400
    assert client.get("/api/games", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/games", headers={"origin": "http://localhost"}).status_code == 200
    for origin in (
        "http://localhost:1234",
        "https://localhost",
        "null",
        "http://[::1",
        "http://localhost.evil.example",
    ):
        answer = client.get("/api/games", headers={"origin": origin})
        assert (answer.status_code, answer.json()["status"]) == (403, 403)
    for host in ("[::1]evil.example", "[::1", "localhost:80:80", "localhost/", "localhost@evil.example", "192.168.7.7"):
        assert client.get("/api/games", headers={"host": host}).status_code == 400
    assert client.post("/api/games", content=b"x" * (LARGEST + 1)).status_code == 413
    assert client.get("/api/games", headers={"content-length": "-1"}).status_code in (400, 413)


def test_a_client_that_goes_away_ends_its_search(in_loop: Callable[..., Any]) -> None:
    async def go_away() -> None:
        workshop = Workshop()
        app = make_api(Shelf(), workshop)
        asked = asyncio.Event()
        scope = {
            "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "server": ("localhost", 80),
            "path": "/api/games/connect/analysis", "raw_path": b"", "query_string": b"seconds=10",
            "root_path": "", "headers": [(b"host", b"localhost")], "client": ("127.0.0.1", 1),
            "asgi": {"version": "3.0"},
        }  # fmt: skip

        async def receive() -> dict[str, object]:
            if not asked.is_set():
                asked.set()
                return {"type": "http.request", "body": b"", "more_body": False}
            while workshop.searches == 0:
                await asyncio.sleep(0.01)
            return {"type": "http.disconnect"}

        async def send(message: object) -> None:
            pass

        start = asyncio.get_running_loop().time()
        await app(scope, receive, send)  # type: ignore[arg-type]
        assert asyncio.get_running_loop().time() - start < 8
        assert workshop.searches == 0
        workshop.close()

    in_loop(go_away)
