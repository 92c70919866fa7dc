"""Starting and stopping the server, and what it lets nobody do."""

import http.client
import importlib.util
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from running import PATIENCE, wait_until

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo.ui.web import serve as server_module
from zermelo.ui.web.heap import Heap
from zermelo.ui.web.shelf import Shelf
from zermelo.ui.web.stopping import Control
from zermelo.ui.web.workshop import Workshop

HEXAPAWN = """
from typing import NamedTuple
from zermelo import MAX, Game

class State(NamedTuple):
    left: int
    player: int

def take(stones: int = 7) -> Game:
    '''Take one or two; who takes the last one wins.'''
    def actions(state):
        yield from range(1, min(2, state.left) + 1)
    return Game(name="take", initial=State(stones, MAX), utility_range=(-1, 1), parameters={"stones": stones},
                to_move=lambda state: state.player, actions=actions,
                result=lambda state, action: State(state.left - action, -state.player),
                is_terminal=lambda state: state.left == 0, utility=lambda state: -state.player)
"""


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: dict[str, str]


def ask(port: int, path: str, at: str = "127.0.0.1", **headers: str) -> Answer:
    """One request, with whatever headers an attacker likes."""
    with closing(http.client.HTTPConnection(at, port, timeout=PATIENCE)) as connection:
        connection.putrequest("GET", path, skip_host="host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return Answer(answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()})


def test_ctrl_c_stops_it_with_one_line_and_a_new_one_takes_the_game_up(
    serve: Callable[..., Any], visit: Callable[..., Any], tmp_path: Path
) -> None:
    first = serve()
    visitor = visit("/?game=connect&max=human&min=human&moves=3,3", at=first)
    with visitor.page.expect_download() as download:
        visitor.menu("Save")
    download.value.save_as(tmp_path / "game.json")
    visitor.context.close()
    assert first.interrupt() == (0, "Stopped.\n", "")
    second = serve()
    again = visit("/", at=second)
    again.page.set_input_files("#load", str(tmp_path / "game.json"))
    again.until(lambda: again.moves() == ["3", "3"])
    again.context.close()


def test_ctrl_c_while_rules_are_compiled(
    serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    server = serve("connect")
    wait_until(lambda: any((tmp_path / "cache").glob("*/.*search_deeper-*.lock")))  # it has begun
    assert server.interrupt() == (0, "Stopped.\n", "")
    assert not any((tmp_path / "cache").glob("*/search_deeper-*.code"))  # it did not wait for the compiler


def test_the_server_settles_and_looks_at_its_heap(monkeypatch: pytest.MonkeyPatch, in_loop: Callable[..., Any]) -> None:
    looked: list[int] = []

    class Still(server_module._Server):
        """A server that ticks once and serves nobody."""

        def run(self, sockets: Any = None) -> None:
            in_loop(lambda: self.on_tick(0))

    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: None)
    monkeypatch.setattr(server_module, "_Server", Still)
    monkeypatch.setattr(server_module, "make_app", lambda *_: None)
    monkeypatch.setattr(Heap, "look", lambda self, connections: looked.append(connections))
    monkeypatch.setattr(server_module.os, "_exit", lambda status: pytest.fail("The process was ended."))
    said: list[str] = []
    workshop, other = Workshop(), Workshop()
    in_loop(lambda: other.in_thread(Control(), lambda: None))
    assert other.has_threads  # which are not this server's, so it does not wait for them
    server_module.serve(Shelf(), workshop, "127.0.0.1", 8080, said.append)
    assert looked == [0]
    assert workshop.engines.on_compiled.__func__ is Heap.settle
    assert said == ["Stopped."]
    other.close()


def test_the_end_of_a_server_waits_for_its_threads_only_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []

    class Ended(BaseException):
        """What ends the process in `os._exit`."""

    def end(status: int) -> None:
        ended.append(status)
        release.set()
        raise Ended

    monkeypatch.setattr(server_module.os, "_exit", end)
    workshop, release = Workshop(), threading.Event()
    server_module._leave(workshop)
    assert not ended

    workshop._searchers.submit(release.wait)
    workshop.close()
    with pytest.raises(Ended):
        server_module._leave(workshop)
    assert ended == [0]


def test_ctrl_c_in_the_middle_of_a_search(serve: Callable[..., Any], visit: Callable[..., Any]) -> None:
    server = serve()
    visitor = visit("/?game=connect&max=engine:hard&min=human&seconds=60", at=server)
    visitor.until(lambda: "is thinking" in visitor.status())
    visitor.context.close()
    assert server.interrupt() == (0, "Stopped.\n", "")


def test_a_file_of_ones_own(serve: Callable[..., Any], visit: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "take.py").write_text(HEXAPAWN)
    server = serve("take.py", folder=tmp_path)
    visitor = visit("/?max=human&min=human", at=server)
    visitor.page.locator('pre[aria-label="Board"]').wait_for()
    visitor.page.fill("#typed", "2")
    visitor.page.press("#typed", "Enter")
    visitor.until(lambda: visitor.moves() == ["2"])
    visitor.context.close()


def test_foreign_hosts_and_paths(server: Any) -> None:
    assert ask(server.port, "/", host="evil.example").status == 400
    assert ask(server.port, "/", origin="http://evil.example").status == 403
    for path in (
        "/static/../serve.py",
        "/static/%2e%2e/serve.py",
        "/static/..%2f..%2fcli.py",
        "/_nicegui/../../etc/passwd",
        "/etc/passwd",
    ):
        answer = ask(server.port, path)
        assert 400 <= answer.status < 500, path
        assert b"import asyncio" not in answer.body
        assert b"root:" not in answer.body
    assert ask(server.port, "/?game=/etc/passwd").status == 200  # answered with a sentence on the page
    assert ask(server.port, "/static/style.css").status == 200


def test_sockets_of_foreign_pages_are_refused(server: Any) -> None:
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    for origin in (
        "http://evil.example",
        "null",
        "http://127.0.0.1:1",
        f"https://127.0.0.1:{server.port}",
        "http://[::1",
    ):
        assert ask(server.port, path, **headers, origin=origin).status == 403


def own_address() -> str:
    """An address of this machine beside the loopback's."""
    from zermelo.ui.web.hosts import _own_address

    found = _own_address(socket.AF_INET)
    if found is None or found.startswith("127."):
        pytest.skip("this machine has no network")
    return found


def test_a_server_for_everybody_serves_at_what_it_prints(serve: Callable[..., Any]) -> None:
    address = own_address()
    server = serve("--host", "0.0.0.0", "--allow-host", "games.example")
    assert f"http://{address}:{server.port}/" in server.said[0]
    for host in (f"{address}:{server.port}", f"{socket.gethostname()}:{server.port}", "games.example", "localhost"):
        assert ask(server.port, "/api/games", host=host, at=address).status == 200, host
    assert ask(server.port, "/api/games", host="evil.example", at=address).status == 400
    assert ask(server.port, "/api/games", host="192.0.2.7", at=address).status == 400


FRAMES = (
    "garbage", "", "9", "42", "42[", "42{}", "431[1]", "44", b"\x00\xff", '42["event"]', '42["event",{}]',
    '42["event",{"client_id":[]}]', '42["handshake",{}]', '42["ack",7]', '42["log",{"level":"error","message":"boo"}]',
    '42["javascript_response",{"client_id":"x"}]',
)  # fmt: skip


def test_messages_that_no_page_sends_leave_no_trace(serve: Callable[..., Any]) -> None:
    client = pytest.importorskip("websockets.sync.client", reason="websockets is not installed")
    closed = pytest.importorskip("websockets.exceptions").ConnectionClosed
    server = serve("tictactoe")
    page = ask(server.port, "/?max=human&min=human").body.decode()
    found = re.search("'client_id': '([^']+)'", page)
    assert found is not None
    query = f"client_id={found[1]}&implicit_handshake=true&tab_id=t&document_id=1&next_message_id="
    address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket&{query}"
    half = f'42["event",{{"client_id":"{found[1]}"}}]'
    for number, frame in [("x", "40"), *(("0", frame) for frame in (half, *FRAMES))]:
        with client.connect(address + number) as connection:
            connection.recv(timeout=PATIENCE)
            connection.send("40")
            connection.recv(timeout=PATIENCE)
            connection.send(frame)
            try:
                while True:
                    connection.recv(timeout=0.2)
            except (TimeoutError, closed):
                pass
    assert ask(server.port, "/api/games").status == 200
    assert server.interrupt() == (0, "Stopped.\n", "")


def test_a_page_refuses_names_that_it_does_not_know(server: Any) -> None:
    known = {
        "/": "join", "/games": "none", "/rules": "game", "/programs": "none", "/docs": "none", "/census": "seed",
        "/puzzles": "seed", "/explain": "with.table", "/exercises": "mode, seed, kind, widths, game, leaves",
    }  # fmt: skip
    for path, name in known.items():
        answer = ask(server.port, f"{path}?foo%3Cb%3E=1")
        page = answer.body.decode()
        assert (path, answer.status, answer.headers["content-type"]) == (path, 422, "text/html; charset=utf-8")
        assert "There is no query parameter &#x27;foo&lt;b&gt;&#x27; here; " in page
        assert name in page
        assert 'href="/games"' in page
    assert ask(server.port, "/exercises?seed=1&seed=2").status == 422
    assert b"said 2 times" in ask(server.port, "/?game=nim&game=hex").body
    link = "game=nim&tree=&max=human&min=human&seconds=1&clock=3%2B2&position=&moves="
    for path in (f"/?{link}", f"/explain?{link}&with=minimax&with.order=best-first&step=3&p.heaps=2", "/docs"):
        assert ask(server.port, path).status in (200, 307)


def test_an_unknown_address_shows_a_page_that_leads_on(server: Any) -> None:
    for path in ("/nowhere", "/games/chess", "/%3Cscript%3E", "/" + "x" * 200):
        answer = ask(server.port, path)
        page = answer.body.decode()
        assert answer.status == 404
        assert "There is no page /" in page
        assert 'href="/games"' in page
        assert "NiceGUI" not in page
        assert "<script>" not in page
        assert "x" * 90 not in page


def test_where_programs_look_for_the_docs(server: Any) -> None:
    answer = ask(server.port, "/docs")
    assert (answer.status, answer.headers["location"]) == (307, "/programs")


def test_only_loopback_by_default(server: Any) -> None:
    names = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for name in names - {"127.0.0.1", "127.0.1.1"}:
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((str(name), server.port)) != 0


def test_everything_comes_from_this_server(server: Any) -> None:
    page = ask(server.port, "/").body.decode()
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
    assert "default-src 'self'" in ask(server.port, "/").headers["content-security-policy"]


def test_wrong_requests_get_a_sentence(
    refusal: Callable[..., str], server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "did you mean connect" in refusal("serve", "conect")
    assert "Nobody can listen" in refusal("serve", "--port", str(server.port))
    assert "cannot be the name of a machine" in refusal("serve", "--host", "a" * 70)
    assert "Nobody can listen" in refusal("serve", "--host", "no-such-machine.invalid")
    assert "without http://" in refusal("serve", "--allow-host", "http://games.example")
    assert "No evaluation of nim comes with zermelo" in refusal("serve", "nim", "--eval", "learned")
    for origin in ("example.org", "https://example.org/page", "ftp://example.org", "null"):
        assert "scheme, name and port" in refusal("serve", "--allow-origin", origin)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr("zermelo.ui.commands.serve.find_spec", lambda name: None)
    assert "zermelo[web]" in refusal("serve")


def test_a_rule_that_fails_is_a_sentence_on_the_page(
    serve: Callable[..., Any], visit: Callable[..., Any], tmp_path: Path
) -> None:
    broken = HEXAPAWN.replace("utility=", "parse_action=lambda state, text: {}[text], utility=")
    (tmp_path / "take.py").write_text(broken)
    server = serve("take.py", folder=tmp_path)
    visitor = visit("/?max=human&min=human", at=server)
    visitor.page.fill("#typed", "two")
    visitor.page.press("#typed", "Enter")
    line = broken[: broken.index("{}[text]")].count("\n") + 1
    visitor.until(lambda: f"The game's own code failed: take.py, line {line}: KeyError: 'two'." in visitor.status())
    visitor.page.fill("#typed", "2")
    visitor.page.press("#typed", "Enter")
    visitor.until(lambda: visitor.moves() == ["2"])
    visitor.context.close()
    assert server.interrupt() == (0, "Stopped.\n", "")


def test_the_example_of_a_client_runs(server: Any) -> None:
    command = [sys.executable, str(Path(__file__).parents[3] / "examples" / "clients" / "analysis_client.py")]
    done = subprocess.run([*command, server.address, "tictactoe"], capture_output=True, text=True, check=False)
    if "compiled" not in done.stderr:  # a busy machine may still compile
        assert done.stdout.splitlines()[-1].startswith("done: "), done.stderr
        assert "value 0 for MAX, proven" in done.stdout


def test_a_file_that_is_saved_is_read_again(
    serve: Callable[..., Any], visit: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "take.py"
    file.write_text(HEXAPAWN)
    server = serve("take.py", folder=tmp_path)
    visitor, other = (visit("/?max=human&min=human&moves=1", at=server) for _ in range(2))
    legal = visitor.page.locator("pre[aria-label=Board]")
    assert "left=6" in legal.inner_text()
    file.write_text(HEXAPAWN.replace("stones: int = 7", "stones: int ="))
    for one in (visitor, other):
        one.until(lambda one=one: "line 9: SyntaxError" in one.status())
    file.write_text(HEXAPAWN.replace("stones: int = 7", "stones: int = 11"))
    for one in (visitor, other):
        one.until(lambda one=one: "new rules" in one.status())
    assert "left=10" in legal.inner_text()
    assert visitor.moves() == ["1"]


def test_saved_rules_that_fail_while_they_run_are_told_until_they_are_mended(
    serve: Callable[..., Any], visit: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "take.py"
    file.write_text(HEXAPAWN)
    server = serve("take.py", folder=tmp_path)
    visitor = visit("/?max=human&min=human", at=server)
    assert visitor.page.locator(".bar .game").inner_text() == "Take"
    file.write_text(HEXAPAWN.replace("lambda state: state.player, actions", "lambda state: 1 // 0, actions"))
    visitor.until(lambda: "take.py, line 14: ZeroDivisionError" in visitor.status())
    newcomer = visit("/?max=human&min=human", at=server)
    newcomer.until(lambda: "ZeroDivisionError" in newcomer.status())
    file.write_text(HEXAPAWN)
    for one in (visitor, newcomer):
        one.until(lambda one=one: "new rules" in one.status())
    visitor.page.locator(".status").get_by_role("button", name="2").click()  # the game has no board
    visitor.until(lambda: visitor.moves() == ["2"])
    for one in (visitor, newcomer):
        one.context.close()
    assert server.interrupt() == (0, "Stopped.\n", "")
