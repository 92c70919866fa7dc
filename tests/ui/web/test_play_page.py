"""The page as people use it, in a real browser."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo import Engine, make_game
from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, Game
from zermelo.games import connect, kalah, minicheckers, nim, nine_mens_morris, othello
from zermelo.play.record import Record
from zermelo.ui.web import links
from zermelo.ui.web.pasting import pasted
from zermelo.ui.web.shelf import Shelf

SMALL = "/?game=connect&p.rows=4&p.columns=3&p.run=3"


def outcome_words(game: Game, moves: list[str]) -> str:
    """What the page should say of a game that is over."""
    state = game.initial
    for move in moves:
        state = game.play(state, game.read_action(state, move))
    assert game.is_terminal(state)
    value = game.utility(state)
    return "draw" if value == 0 else f"{game.side_name(MAX if value > 0 else MIN)} wins"


def play_by_mouse(visitor: Any, choose: Callable[[list[int]], int], plies: int = 200) -> None:
    """Click legal cells until the game is over."""
    while "to move" in visitor.status() and len(visitor.moves()) < plies:
        _move(visitor, choose)
        visitor.until_my_turn()


def _move(visitor: Any, choose: Callable[[list[int]], int]) -> None:
    """One move, in as many clicks as it takes."""
    before = len(visitor.moves())
    selected = visitor.page.locator(".play .board .selected")
    while len(visitor.moves()) == before:
        chosen = selected.count()
        visitor.click(choose(visitor.legal()))
        visitor.until(lambda was=chosen: len(visitor.moves()) > before or selected.count() != was, "a move")


def test_a_whole_game_of_connect_by_mouse(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=connect&p.rows=4&p.columns=4&min=engine:easy&seconds=1")
    play_by_mouse(visitor, random.Random(5).choice)
    assert outcome_words(connect(4, 4), visitor.moves()) in visitor.status()


def test_a_whole_game_of_minicheckers_by_mouse(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=minicheckers&min=engine:easy&seconds=1")
    play_by_mouse(visitor, random.Random(2).choice)
    assert outcome_words(minicheckers(), visitor.moves()) in visitor.status()


def test_a_whole_game_by_keyboard_alone(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=tictactoe&min=random")
    page = visitor.page
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.closest('.board')"):
            break
    generator = random.Random(1)
    while "to move" in visitor.status():
        before = len(visitor.moves())
        while not page.evaluate("document.activeElement.matches('.board .can')"):
            page.keyboard.press(generator.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]))
        page.keyboard.press("Enter")
        visitor.until_moves(before + 1)
        visitor.until_my_turn()
    assert outcome_words(make_game("tictactoe"), visitor.moves()) in visitor.status()


def test_drag_type_and_a_column_from_above(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=minicheckers&max=human&min=human")
    game = minicheckers()
    cells = next(iter(game.board(game.initial).clicks.values()))
    page = visitor.page
    page.drag_and_drop(f'[data-cell="{cells[0]}"]', f'[data-cell="{cells[1]}"]')
    visitor.until_moves(1)
    page.fill("#typed", "nonsense")
    page.press("#typed", "Enter")
    visitor.until(lambda: "not a legal action" in visitor.status())
    state = game.replay([next(iter(game.actions(game.initial)))])
    move = game.show_action(state, next(iter(game.actions(state))))
    page.fill("#typed", move)
    page.press("#typed", "Enter")
    visitor.until_moves(2)
    visitor.go("/?game=connect&max=human&min=human")
    visitor.click(3 * 6 + 5)
    visitor.until(lambda: visitor.moves() == ["3"])


def test_kalah_moves_again(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=kalah&max=human&min=human")
    game = kalah()
    action = next(a for a in game.actions(game.initial) if game.to_move(game.result(game.initial, a)) == MAX)
    visitor.click(game.board(game.initial).clicks[action][0])
    visitor.until(lambda: "South moves again" in visitor.status())
    visitor.click(visitor.legal()[0])
    visitor.until_moves(2)
    assert "North to move" in visitor.status()


def position(game: Game, wanted: Callable[[Any], bool], seeds: int = 400) -> tuple[Any, str]:
    """A state that random play comes to, and its moves as a link has them."""
    for seed in range(seeds):
        state, moves, generator = game.initial, [], random.Random(seed)
        while not game.is_terminal(state):
            if wanted(state):
                return state, ",".join(moves)
            action = generator.choice(list(game.actions(state)))
            moves.append(game.show_action(state, action))
            state = game.result(state, action)
    raise AssertionError("no such position")


def test_othello_passes(visit: Callable[..., Any]) -> None:
    game = othello(size=4)
    state, moves = position(game, lambda state: () in game.board(state).clicks.values())
    visitor = visit(f"/?game=othello&p.size=4&max=human&min=human&moves={moves}")
    assert not visitor.legal()
    visitor.page.get_by_role("button", name="Play pass").click()
    visitor.until(lambda: "had to pass" in visitor.status())
    assert len(visitor.moves()) == moves.count(",") + 2
    assert game.to_move(state) != game.to_move(game.result(state, next(iter(game.actions(state)))))


def test_a_mill_takes_a_man(visit: Callable[..., Any]) -> None:
    game = nine_mens_morris()
    state, moves = position(game, lambda state: max(map(len, game.board(state).clicks.values())) == 2)
    action, cells = max(game.board(state).clicks.items(), key=lambda pair: len(pair[1]))
    visitor = visit(f"/?game=nine_mens_morris&max=human&min=human&moves={moves}")
    assert visitor.page.locator(".bar .game").inner_text() == "Nine men's morris"
    count = visitor.page.locator(".play .board .piece").count()
    for cell in cells:
        visitor.click_when_legal(cell)
    visitor.until_moves(moves.count(",") + 2)
    assert visitor.page.locator(".play .board .captured").count() == 1
    assert visitor.page.locator(".play .board .piece").count() == count  # one more, one less
    assert visitor.moves()[-1] == game.show_action(state, action)


def test_undo_redo_and_stepping(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=connect&max=human&min=random")
    visitor.click(0)
    visitor.until_moves(2)
    played = visitor.moves()
    page = visitor.page
    page.get_by_role("button", name="Undo").click()
    visitor.until(lambda: not visitor.moves())
    page.get_by_role("button", name="Redo").click()
    visitor.until(lambda: visitor.moves() == played)
    page.locator('[data-goto="1"]').first.click()
    visitor.until(lambda: "Move 1 of 2" in visitor.status())
    page.locator("body").press("ArrowRight")
    visitor.until(lambda: "to move" in visitor.status())
    page.locator("body").press("u")
    visitor.until(lambda: not visitor.moves())
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert page.evaluate("document.activeElement !== document.body")


def test_a_link_brings_the_position_back(visit: Callable[..., Any]) -> None:
    visitor = visit(SMALL + "&max=human&min=human&moves=1,1")
    visitor.click(0)
    visitor.until_moves(3)
    visitor.until(lambda: "moves=1,1,0" in visitor.page.url)
    again = visit(visitor.page.url.removeprefix(visitor.server.address))
    assert again.moves() == ["1", "1", "0"]
    assert "Yellow to move" in again.status()
    broken = visit(SMALL + "&moves=7")
    assert "Move 1" in broken.status()


def test_a_record_goes_to_the_terminal_and_back(visit: Callable[..., Any], tmp_path: Path) -> None:
    visitor = visit(SMALL + "&max=human&min=human&moves=1,1,0")
    page = visitor.page
    with page.expect_download() as download:
        visitor.menu("Save")
    file = tmp_path / "game.json"
    download.value.save_as(file)
    record = Record.load(file)
    assert (record.game, record.moves, record.max) == ("connect", ["1", "1", "0"], "human")
    assert len(record.actions(connect(4, 3, 3))) == 3
    other = visit("/?game=kalah&max=human&min=human")
    other.page.set_input_files("#load", str(file))
    other.until(lambda: other.moves() == ["1", "1", "0"])
    changed = json.loads(file.read_text())
    changed["moves"] = ["0"]
    file.write_text(json.dumps(changed))
    other.page.set_input_files("#load", str(file))
    other.until(lambda: "checksum" in other.status())
    assert other.moves() == ["1", "1", "0"]


def test_a_record_cannot_name_a_file(visit: Callable[..., Any], tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("raise SystemExit('this must not run')\n")
    file = tmp_path / "game.json"
    Record(str(secret), {}, "0" * 16, "human", "human", []).save(file)
    visitor = visit("/")
    visitor.page.set_input_files("#load", str(file))
    visitor.until(lambda: "no game called" in visitor.status())


def test_analysis_is_what_the_engine_proves(visit: Callable[..., Any]) -> None:
    visitor = visit(SMALL + "&max=human&min=human&moves=0,2")
    page = visitor.page
    page.wait_for_selector(".badge.proven")
    game = connect(4, 3, 3)
    state = game.replay([0, 2])
    proof = Engine(game, table_mb=8).prove(state, root_values=True)
    board = game.board(state)
    for action, value in (proof.root_values or {}).items():
        kind = "best" if value == proof.value else "blunder"
        shade = page.locator(f'.play .board [data-cell="{board.clicks[action][0]}"] .shade')
        assert kind in (shade.get_attribute("class") or "").split()
    first = page.locator(".table button").first
    assert first.locator("span").inner_text() in [
        game.show_action(state, action) for action in proof.best_actions or ()
    ]
    assert ("Red wins" if proof.value > 0 else "Yellow wins" if proof.value else "draw") in page.locator(
        "span.value"
    ).inner_text()
    page.locator('[data-line="1"]').click()
    visitor.until_moves(3)


def test_every_move_is_judged(visit: Callable[..., Any]) -> None:
    game = connect(4, 3, 3)
    state = game.replay([0])
    player, values = game.to_move(state), Engine(game, table_mb=8).prove(state, root_values=True).root_values or {}
    best, blunder = (choose(values, key=lambda action: player * values[action]) for choose in (max, min))
    assert player * values[blunder] < 0 == values[best]
    visitor = visit(SMALL + f"&max=human&min=human&moves=0,{blunder},0")
    visitor.until(partial(is_reviewed, visitor.page))
    for ply, verdict in enumerate(("best", "blunder")):  # all first moves are draws
        visitor.until(partial(is_judged, visitor.page, ply, verdict))
    visitor.until(partial(is_explained, visitor.page, 1, f"{blunder}: blunder; better was {best}."))


def is_reviewed(page: Any) -> bool:
    """Return whether something is known of every move; ask for it unless that is under way."""
    page.evaluate(  # a search may have ended before it found a move; and the button may go while it is looked at
        """() => {
            const button = document.querySelector('[data-command="review"]');
            if (button?.textContent === "Judge every move") button.click();
        }"""
    )
    page.wait_for_timeout(500)
    return not page.locator('[data-command="review"]').count()


def is_judged(page: Any, ply: int, verdict: str) -> bool:
    """Return whether a move soon has its verdict; if not, look at the position before it.

    To judge all moves takes a short time for each. On a busy machine that is too short for a proof, and a position that
    is shown is analysed for longer.
    """
    for _ in range(100):
        if page.locator(f'.moves [data-goto="{ply + 1}"] [title="{verdict}"]').count():
            return True
        page.wait_for_timeout(100)
    for shown in (ply + 1, ply):
        page.locator(f'.moves [data-goto="{shown}"]').click()
    return False


def is_explained(page: Any, ply: int, words: str) -> bool:
    """Return whether the page soon says of a move what it says when all is proven; if not, look as `is_judged` does."""
    page.locator(f'.moves [data-goto="{ply + 1}"]').click()
    for _ in range(100):
        if page.get_by_text(words).count():
            return True
        page.wait_for_timeout(100)
    page.locator(f'.moves [data-goto="{ply}"]').click()
    page.wait_for_timeout(10_000)
    return False


def test_new_game_resign_flip_hint(visit: Callable[..., Any]) -> None:
    visitor = visit("/")
    page = visitor.page
    page.get_by_role("button", name="New game").click()
    page.select_option('#setup select[name="game"]', label="Tic-tac-toe")
    page.wait_for_function("document.querySelectorAll('#setup [name^=\"p.\"]').length === 0")
    page.select_option('#setup select[name="min"]', "human")
    page.get_by_role("button", name="Start", exact=True).last.click()
    visitor.until(lambda: page.locator(".play .board [data-cell]").count() == 9)
    place = page.locator('.board [data-cell="0"]').bounding_box()
    page.get_by_role("button", name="Flip").click()
    visitor.until(lambda: page.locator('.board [data-cell="0"]').bounding_box() != place)
    page.get_by_role("button", name="Hint").click()
    visitor.until(lambda: page.locator(".board .hint").count() == 1)
    visitor.menu("Resign…")
    page.get_by_role("button", name="No, play on").click()
    visitor.menu("Resign…")
    page.get_by_role("button", name="Yes, resign").click()
    visitor.until(lambda: "X resigned: O wins" in visitor.status())
    page.get_by_role("button", name="Rematch", exact=True).click()
    visitor.until(lambda: "X to move" in visitor.status())


def test_a_wrong_form_gets_a_sentence(visit: Callable[..., Any]) -> None:
    visitor = visit("/")
    page = visitor.page
    page.get_by_role("button", name="New game").click()
    page.locator('#setup [name="p.rows"]').wait_for()
    page.evaluate("document.querySelector('#setup form').noValidate = true")
    page.fill('#setup [name="p.rows"]', "99")
    page.get_by_role("button", name="Start", exact=True).last.click()
    page.locator("#setup .error", has_text="rows").wait_for()


def test_thinking_shows_and_can_be_stopped(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=connect&max=engine:hard&min=human&seconds=60")
    page = visitor.page
    page.locator(".seat.turn .thinking", has_text="nodes").wait_for()
    page.get_by_role("button", name="Flip").click()  # the page is not frozen meanwhile
    began = time.monotonic()
    page.get_by_role("button", name="Stop").click()
    visitor.until(lambda: len(visitor.moves()) == 1)
    assert time.monotonic() - began < 30  # and not because its time was up


def test_a_textbook_player_that_meets_its_limit_says_so(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=connect&max=alpha-beta&min=human")
    visitor.until(lambda: "met its limit" in visitor.status())
    visitor.page.get_by_role("button", name="Let it think").click()
    visitor.until(lambda: "is thinking" in visitor.status())
    visitor.page.get_by_role("button", name="Stop").click()
    visitor.until(lambda: "stopped" in visitor.status())


def test_chess_is_played_without_naming_an_opponent(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=chess&seconds=1")
    game = make_game("chess")
    for cell in game.board(game.initial).clicks[game.read_action(game.initial, "e2e4")]:
        visitor.click_when_legal(cell)
    visitor.until_moves(2)
    visitor.until_my_turn()
    assert "White to move" in visitor.status()


def test_a_pawn_that_arrives_is_shown_what_it_may_become(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=chess&max=human&min=human&moves=a2a4,b7b5,a4b5,a7a6,b5a6,c8b7,a6b7,b8c6")
    game = make_game("chess")
    state = game.replay("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6")
    *clicks, last = game.board(state).clicks[game.read_action(state, "bxa8=N")]
    for cell in clicks:
        visitor.click_when_legal(cell)
    knight = visitor.page.locator(f'.play .board [data-cell="{last}"]')
    visitor.until(lambda: "piece ♘" in (knight.get_attribute("aria-label") or ""))
    visitor.click_when_legal(last)
    visitor.until_moves(9)
    assert "bxa8=N" in visitor.page.locator("body").inner_text()


NONSENSE = (
    "[]",
    "{kind: 7}",
    "{kind: 'cell', value: [1e9]}",
    "{kind: 'cell', value: 'x'}",
    "{kind: 'goto', value: {}}",
    "{kind: 'command', value: '__init__'}",
    "{kind: 'command', value: ['undo']}",
    "{kind: 'start', value: {game: '/etc/passwd'}}",
    "{kind: 'start', value: {game: 'os:system', 'p.x': {}}}",
    "{kind: 'choose', value: {game: '../x.py'}}",
    "{kind: 'load', value: '{}'}",
    "{kind: 'line', value: -5}",
    "{kind: 'play', value: 99}",
    "{kind: 'play', value: [99, 0]}",
    "{kind: 'play', value: [0, 1]}",
    "{kind: 'line', value: [{}, 0]}",
)


@pytest.mark.parametrize("events", NONSENSE)
def test_nonsense_from_a_page_does_nothing(visit: Callable[..., Any], events: str) -> None:
    visitor = visit("/?game=tictactoe&max=human&min=human")
    visitor.page.evaluate(f"emitEvent('zermelo', {events})")
    visitor.click(4)
    visitor.until_moves(1)
    assert visitor.moves() == ["b2"]


HELD = "(one => { const holder = document.querySelector(one).parentElement; holder.innerHTML += ''; })('%s')"


@pytest.mark.parametrize("button", [".table button", "[data-line]", "[data-goto]", "[popovertarget]"])
def test_a_press_on_what_is_drawn_anew_meanwhile_is_a_click(visit: Callable[..., Any], button: str) -> None:
    visitor = visit("/?game=tictactoe&max=human&min=human&moves=b2,a1,c3")
    page = visitor.page
    page.wait_for_selector(".badge.proven")
    visitor.press(button)
    page.evaluate(HELD % button)
    page.mouse.up()
    if button == "[popovertarget]":
        page.get_by_role("button", name="Resign…").wait_for()
    elif button == "[data-goto]":
        visitor.until(lambda: "Move 0 of 3" in visitor.status())
    else:
        visitor.until(lambda: len(visitor.moves()) == 4)


def test_a_pause_of_the_network_forgets_neither_a_hint_nor_a_question(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=tictactoe&max=human&min=human&moves=b2,a1")
    page = visitor.page
    page.get_by_role("button", name="Hint").click()
    visitor.until(lambda: page.locator(".board .hint").count() == 1)
    visitor.menu("Resign…")
    page.get_by_role("button", name="No, play on").wait_for()
    page.evaluate("""new Promise((done) => {
      window.socket.once('connect', done); window.socket.disconnect(); window.socket.connect(); })""")
    place = page.locator('.board [data-cell="0"]').bounding_box()
    page.get_by_role("button", name="Flip").click()  # the server hears this after the new connection
    visitor.until(lambda: page.locator('.board [data-cell="0"]').bounding_box() != place)
    assert page.locator(".board .hint").count() == 1
    page.get_by_role("button", name="No, play on").click()


def test_the_list_of_moves_shows_the_current_move_and_the_page_stays(visit: Callable[..., Any]) -> None:
    moves = "f5,f6,e6,f4,g6,d7,c3,c5,d3,g4,c6,c4,e8,g7,f3,c7,h4,b2,g5,h3"
    visitor = visit(f"/?game=othello&max=human&min=human&moves={moves}", viewport={"width": 390, "height": 844})
    page = visitor.page
    seen = """() => { const here = document.querySelector('.moves .here').getBoundingClientRect();
      const list = document.querySelector('.moves').getBoundingClientRect();
      return here.top >= list.top - 1 && here.bottom <= list.bottom + 1; }"""
    page.wait_for_function(seen)
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("ArrowLeft")
    visitor.until(lambda: "Move 19 of 20" in visitor.status())
    page.wait_for_function(seen)
    assert page.evaluate("scrollY") == 0


def test_a_button_of_a_position_that_is_past_makes_no_move(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=tictactoe&max=human&min=human&moves=b2,a1")
    visitor.page.evaluate("emitEvent('zermelo', {kind: 'play', value: [0, 1]})")
    visitor.page.evaluate("emitEvent('zermelo', {kind: 'line', value: [1, 1]})")
    visitor.page.evaluate("emitEvent('zermelo', {kind: 'play', value: [0, 2]})")
    visitor.until_moves(3)
    assert visitor.moves()[:2] == ["b2", "a1"]
    assert len(visitor.moves()) == 3


def test_the_form_shows_who_can_play_as_its_fields_change(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=connect&min=engine:hard&seconds=2")
    page = visitor.page
    page.get_by_role("button", name="New game").click()
    assert page.locator('#setup [name="min"]').input_value() == "engine:hard"
    assert page.locator("#setup option", has_text="Minimax: the game is too large").count() == 2
    page.fill('#setup [name="seconds"]', "7")
    page.fill('#setup [name="p.rows"]', "3")
    page.fill('#setup [name="p.columns"]', "3")
    page.keyboard.press("Tab")
    page.locator('#setup option[value="minimax"]').first.wait_for(state="attached")
    assert page.evaluate("document.activeElement.name") == "p.run"
    assert page.locator('#setup [name="seconds"]').input_value() == "7"


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_is_typed_while_the_form_changes_is_kept(when: str, visit: Callable[..., Any]) -> None:
    """The answer to a choice comes while the next field is filled in, or just before, as on a slow network."""
    page = visit("/?game=connect&min=engine:hard&seconds=2").page
    page.get_by_role("button", name="New game").click()
    page.locator("#setup form").wait_for()
    late = """() => { const tell = zermelo.tell.bind(zermelo);
      zermelo.tell = (kind, value) => { setTimeout(() => tell(kind, value), kind === 'choose' ? 500 : 0); };
      document.querySelector('#setup form').dataset.old = 'true'; }"""
    page.evaluate(late)
    page.fill('#setup [name="p.rows"]', "3")
    page.keyboard.press("Tab")  # the server learns of the rows, and the whole of the next field is selected
    if when == "before":  # as browsers do that report no change of a field that they remove
        typed = """field => { field.value = '3'; field.dispatchEvent(new Event('input', {bubbles: true})); }"""
        page.locator('#setup [name="p.columns"]').evaluate(typed)
    else:
        page.evaluate("zermelo.typed.set('min', 'nobody')")  # as if the new form did not offer what was chosen
    page.wait_for_function("document.querySelector('#setup form').dataset.old === undefined")
    if when == "after":
        assert page.locator('#setup [name="min"]').input_value() == "engine:hard"
        page.keyboard.type("3")
        page.keyboard.press("Tab")
    page.locator('#setup option[value="minimax"]').first.wait_for(state="attached")
    values = {name: page.locator(f'#setup [name="p.{name}"]').input_value() for name in ("rows", "columns")}
    assert values == {"rows": "3", "columns": "3"}


def test_keys_are_for_the_form_while_it_is_open(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=tictactoe&max=human&min=human")
    page = visitor.page
    place = page.locator('.board [data-cell="0"]').get_attribute("transform")
    page.locator("body").press("n")
    page.get_by_role("button", name="Cancel").focus()
    for key in ("f", "n", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    visitor.click(0)
    visitor.until_moves(1)
    assert page.locator('.board [data-cell="0"]').get_attribute("transform") == place


def test_a_click_on_a_board_that_is_drawn_anew_meanwhile_is_a_click(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=minicheckers&max=human&min=human")
    page, game = visitor.page, minicheckers()
    for cell in next(iter(game.board(game.initial).clicks.values())):
        page.wait_for_selector(f'.board .can[data-cell="{cell}"]')
        visitor.press(f'.board [data-cell="{cell}"]')
        page.evaluate("(holder => holder.innerHTML += '')(document.querySelector('.play .board').parentElement)")
        page.mouse.up()
    visitor.until(lambda: len(visitor.moves()) == 1)


def test_a_game_goes_on_with_other_players_and_keeps_its_variations(visit: Callable[..., Any]) -> None:
    visitor = visit(SMALL + "&max=human&min=human&moves=1,1,0")
    page = visitor.page
    page.locator('[data-goto="2"]').first.click()
    visitor.until(lambda: "Move 2 of 3" in visitor.status())
    visitor.click(2 * 4)
    visitor.until(lambda: visitor.moves() == ["1", "1", "2", "(0)"])
    page.get_by_role("button", name="variation 0").click()
    visitor.until(lambda: visitor.moves() == ["1", "1", "0", "(2)"])
    page.locator(".seat .who").first.click()
    page.select_option('#setup select[name="min"]', "random")
    page.get_by_role("button", name="Play on").click()
    visitor.until(lambda: len(visitor.moves()) > 4)
    assert "Yellow played" in page.locator('[aria-live="assertive"]').inner_text()


@pytest.mark.parametrize("text", ["1 1 0", "1. 1 1 2. 0", "...|X..|XX.|OO."])
def test_a_text_sets_the_game_up(visit: Callable[..., Any], text: str) -> None:
    visitor = visit(SMALL + "&max=human&min=human")
    game = connect(4, 3, 3)
    visitor.menu("Position or game from a text…")
    text = game.show_state(game.replay([1, 1, 0])) if "|" in text else text
    for wrong in ("nonsense", text):
        visitor.page.fill("#setup textarea", wrong)
        visitor.page.get_by_role("button", name="Set up").click()
        if wrong != text:
            visitor.page.locator("#setup .error", has_text="no position, link or list").wait_for()
    visitor.until(lambda: visitor.page.locator(".play .board .piece").count() == 3)
    assert "Yellow to move" in visitor.status()


@pytest.mark.parametrize("text", ["A-1, B-2", "1. A-1 B-2", "1 from A, 2 from B", "1. 1 from A 2. 2 from B", "a1 b2"])
def test_a_list_of_moves_may_have_spaces_in_its_moves(text: str) -> None:
    shelf = Shelf()
    now = links.Position("nim", {}, "human", "human")
    assert pasted(shelf, shelf.game("nim"), now, text).moves == "A-1,B-2"


def test_a_pasted_list_of_moves_that_no_list_can_hold_becomes_numbers() -> None:
    spoken = replace(nim(), format_action=lambda state, action: f"{action // 4 + 1} from {'ABCD'[action % 4]}")
    now = links.Position("nim", {}, "human", "human")
    assert pasted(Shelf(), spoken, now, "1 from A\n2 from B").moves == "0,5"
    with pytest.raises(BadParameter, match="list of moves of nim: Action 2: '99' is not a legal action"):
        pasted(Shelf(), spoken, now, "0,99")


def test_games_that_were_played_can_be_continued(visit: Callable[..., Any]) -> None:
    visitor = visit(SMALL + "&max=human&min=human&moves=1")
    visitor.click(0)
    visitor.until_moves(2)
    visitor.until(lambda: "moves=1,0" in visitor.page.url)
    visitor.go("/games")
    visitor.page.locator("#recent a").click()
    visitor.page.wait_for_url("**moves=1,0**")


def test_a_wrong_text_leaves_the_form_in_the_window(visit: Callable[..., Any]) -> None:
    visitor = visit("/?game=chess&max=human&min=human", viewport={"width": 390, "height": 844})
    visitor.menu("Position or game from a text…")
    visitor.page.locator("textarea").fill("hello")
    visitor.page.get_by_role("button", name="Set up").click()
    visitor.page.locator("#setup .error", has_text="hello").wait_for()
    assert visitor.page.evaluate("(one => one.scrollWidth - one.clientWidth)(document.getElementById('setup'))") == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_the_board_stays_where_it_is_while_the_computer_thinks(visit: Callable[..., Any], width: int) -> None:
    visitor = visit("/?game=connect&max=human&min=engine:hard", viewport={"width": width, "height": 900})
    board = visitor.page.locator(".play .board")
    before = board.bounding_box()
    visitor.click(3)
    visitor.page.locator(".seat .thinking").wait_for()
    assert board.bounding_box() == before


def test_two_visitors_play_one_game(visit: Callable[..., Any]) -> None:
    host = visit(SMALL + "&max=human&min=engine:easy")
    host.menu("Invite another player")
    host.until(lambda: "you play Red" in host.status())
    host.until(lambda: "join=" in host.page.url)
    guest, watcher = (visit(host.page.url.removeprefix(host.server.address)) for _ in range(2))
    assert guest.legal() == watcher.legal() == [] != host.legal()
    for one, own in ((host, "Red"), (guest, "Yellow")):
        one.until(lambda one=one, own=own: f"You\n{own}" in one.page.locator(".seat").all_inner_texts())
    assert "You" not in watcher.page.locator(".seat").first.inner_text()
    hidden = "[data-command=analysis][aria-pressed=false]"
    host.until(lambda: host.page.locator(hidden).count() > 0)
    assert "you play Red" not in guest.status()
    guest.click(0)
    guest.until(lambda: "other player's turn" in guest.status())
    host.click(0)
    guest.until(lambda: guest.moves() == ["0"])
    guest.click(4)
    for one in (host, guest, watcher):
        one.until(lambda one=one: one.moves() == ["0", "1"])
    watcher.click(1)
    watcher.until(lambda: "You watch this game" in watcher.status())


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pieces_move_visibly_unless_the_system_asks_for_rest(visit: Callable[..., Any], motion: str) -> None:
    visitor = visit(SMALL + "&max=human&min=human", reduced_motion=motion)
    visitor.page.evaluate(
        "window.flew = 0; new MutationObserver(() => { flew += document.querySelectorAll('.flying').length; })"
        ".observe(document.body, {childList: true, subtree: true})"
    )
    visitor.click(0)
    visitor.until_moves(1)
    visitor.until(lambda: visitor.page.locator(".board .flying").count() == 0)
    assert (visitor.page.evaluate("flew") > 0) == (motion == "no-preference")
