"""Setting a position up by placing men, in every game of the shelf."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("nicegui", reason="the extra web is not installed")

from zermelo import MIN, Game, factories
from zermelo.errors import BadParameter
from zermelo.games import chess, connect, kalah, nim
from zermelo.ui.web.editing import panel
from zermelo.ui.web.editing.commands import change
from zermelo.ui.web.editing.editor import ERASE, FEWER, MORE, MOVE, PositionEditor
from zermelo.ui.web.editing.layout import layout_of

ALL = pytest.mark.parametrize("name", factories())


@cache
def game_of(name: str) -> Game:
    """A game of the shelf; what was learned of its board is kept with it."""
    return factories()[name]()


def some_position(game: Game, seed: int, plies: int = 12) -> Any:
    """A position of a game that is played at random."""
    chance, state = random.Random(seed), game.initial
    for _ in range(plies):
        after = game.result(state, chance.choice(game.legal_actions(state)))
        if game.is_terminal(after):
            break
        state = after
    return state


@ALL
def test_every_position_can_be_set_up_from_an_empty_board(name: str) -> None:
    game = game_of(name)
    wanted = some_position(game, seed=5)
    text = game.show_state(wanted)
    goal = PositionEditor.of(game, wanted)
    editor = PositionEditor.of(game, game.initial)
    editor.clear()
    assert editor.board.pieces == () or set(editor.parts.symbols) == {editor.layout.empty}
    cells = sorted(editor.layout.places, key=lambda cell: -editor.board.cells[cell].y)  # discs fall
    for cell in {editor.layout.places[cell]: cell for cell in cells}.values():
        symbol = goal.parts.symbols[editor.layout.places[cell]]
        if editor.layout.form.are_numbers:
            editor.choose(MORE)
            for _ in range(int(symbol)):
                editor.click(cell)
        elif symbol != editor.layout.empty:
            editor.choose(symbol)
            editor.click(cell)
    editor.set_turn(game.to_move(wanted))
    for number in editor.others:
        editor.set_word(number, goal.parts.words[number])
    assert editor.text == text
    assert editor.fault == ""
    assert editor.state() == game.from_text(text)  # type: ignore[misc] # every game of the shelf has it
    assert editor.mover == game.to_move(wanted)


@ALL
def test_what_is_set_up_looks_like_the_games_own_board(name: str) -> None:
    game = game_of(name)
    state = some_position(game, seed=6, plies=8)
    editor, board = PositionEditor.of(game, state), game.board(state)  # type: ignore[misc]
    places = editor.layout.places
    assert sorted(editor.board.pieces) == sorted(piece for piece in board.pieces if piece.cell in places)
    assert editor.board.cells == board.cells
    palette, shown = panel.palette(editor), panel.picture(editor, False, "x:0")
    assert palette.count("<button") == len(editor.tools)
    assert shown.count('role="button"') == len(places)
    assert "can be played" not in shown


@given(clicks=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 70), st.integers(0, 70)), max_size=12))
@settings(max_examples=8)
@pytest.mark.parametrize("name", ["chess", "connect", "kalah"])
def test_no_click_breaks_anything(name: str, clicks: list[tuple[int, int, int]]) -> None:
    game = game_of(name)
    editor = PositionEditor.of(game, game.initial)
    for tool, cell, other in clicks:
        editor.choose(editor.tools[tool % len(editor.tools)])
        change(editor, "cell", [cell] if tool % 2 else [cell, other])
        assert editor.layout.form.split(editor.text) == editor.parts
    assert panel.status(editor, "", "").startswith('<div class="error">' if editor.fault else "<div>A legal")
    assert panel.form(editor)
    if not editor.fault:
        assert game.show_state(editor.state())


def test_men_move_and_go_away() -> None:
    editor = PositionEditor.of(chess(), chess().initial)
    e2, e4, a1 = 52, 36, 56
    editor.choose(MOVE)
    editor.click(a1 - 16)  # an empty square
    assert editor.picked is None
    editor.click(e2)
    assert editor.picked == e2
    editor.click(e4)
    assert editor.text.startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq")
    editor.key(e4, "q")
    editor.choose("q")
    editor.click(e4)  # his like goes away again
    editor.key(e2, "P")
    assert editor.state() == chess().initial
    editor.choose(ERASE)
    editor.click(a1)
    assert editor.text == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"
    editor.drag(60, 52)
    assert editor.parts.words[1] == "kq"
    editor.clear()
    assert editor.fault == "This is no position yet: White must have one king."
    with pytest.raises(BadParameter, match="one king"):
        editor.state()


def test_discs_fall_and_words_say_whose_turn_it_is() -> None:
    game = connect()
    editor = PositionEditor.of(game, game.initial)
    editor.click(5)
    assert editor.text.endswith("|X......")
    assert editor.mover == MIN
    editor.click(5)
    assert editor.fault == "This is no position yet: it must hold as many X as O, or one more."
    assert 'data-edit="play" disabled' in panel.form(editor)
    sown = PositionEditor.of(kalah(), kalah().initial)
    sown.set_turn(MIN)
    assert (sown.mover, sown.text.endswith(" N")) == (MIN, True)
    sown.choose(FEWER)
    sown.click(0)
    assert sown.fault == "This is no position yet: it has 47 seeds; it must have 48, stores included."
    sown.drag(1, 0)
    sown.key(1, "+")
    assert (sown.parts.symbols[:2], sown.fault) == (("4", "4"), "")
    heaps = PositionEditor.of(nim(), nim().initial)
    heaps.choose(MORE)
    for _ in range(9):
        heaps.click(8)
    assert heaps.text == "1,7,5,7 X"


def test_texts_and_words_are_taken() -> None:
    game = chess()
    editor = PositionEditor.of(game, game.initial)
    change(editor, "edit", {"text": "8/8/8/4k3/8/8/8/4K2R w K - 0 1"})
    assert editor.fault == ""
    change(editor, "edit", {"text": editor.text, "word1": "-", "word3": " 7 ", "word99": "x"})
    assert editor.text == "8/8/8/4k3/8/8/8/4K2R w - - 7 1"
    change(editor, "edit", {"text": "8/8/8/8/8/8/8/8 w - - 0 1"})
    assert "one king" in editor.fault
    for wrong in ("nonsense", "8/8 w", "x" * 3_000):
        with pytest.raises(BadParameter):
            change(editor, "edit", {"text": wrong})
    before = editor.parts
    for nothing in (None, 5, "key:x:y", "tool:nothing", "turn:7", "what", {"text": ""}):
        change(editor, "edit", nothing)
    change(editor, "cell", [999])
    change(editor, "cell", ["a"])
    assert editor.parts == before
    change(editor, "edit", "start")
    assert editor.state() == game.initial


def test_games_with_other_texts_are_not_offered_an_editor() -> None:
    base = nim()
    for changed in ({"to_text": None, "from_text": None}, {"to_text": lambda state: str(sum(state.heaps))}):
        other = Game(**{**vars(base), **changed})
        assert layout_of(other) is None
        with pytest.raises(BadParameter, match="set up from a text or by moves"):
            PositionEditor.of(other, other.initial)


def visit_editor(visit: Callable[..., Any], address: str, **context: Any) -> Any:
    visitor = visit(address, **context)
    visitor.menu("Set a position up")
    visitor.page.locator(".editing").wait_for()
    return visitor


def test_a_position_is_placed_with_the_mouse_and_played(visit: Callable[..., Any]) -> None:
    visitor = visit_editor(visit, "/?game=chess&max=human&min=human")
    page = visitor.page
    page.get_by_role("button", name="Clear the board").click()
    visitor.until(lambda: "one king" in visitor.status())
    for symbol, cell in (("K", 60), ("k", 4), ("Q", 59)):
        page.locator(f'[data-edit="tool:{symbol}"]').click()
        page.locator(f'[data-edit="tool:{symbol}"][aria-pressed=true]').wait_for()
        visitor.click(cell)
    visitor.until(lambda: "A legal position" in visitor.status())
    visitor.until(lambda: page.locator(".editor [name=text]").input_value().startswith("4k3/8/8/8/8/8/8/3QK3 w"))
    end = page.locator('.play .board [data-cell="35"]').bounding_box()
    visitor.press('.play .board [data-cell="59"]')
    page.mouse.move(end["x"] + 9, end["y"] + 9, steps=4)
    page.mouse.up()
    visitor.until(lambda: page.locator(".editor [name=text]").input_value().startswith("4k3/8/8/8/3Q4/8/8/4K3 w"))
    page.get_by_role("button", name="Black to move", exact=True).click()
    visitor.until(lambda: "Black to move" in visitor.status())
    page.get_by_role("button", name="Play from here").click()
    visitor.until(lambda: "position=4k3%2F8" in page.url)
    assert "Black to move" in visitor.status()


def test_a_position_is_placed_with_the_keyboard_and_analysed(visit: Callable[..., Any]) -> None:
    visitor = visit_editor(visit, "/?game=tictactoe&max=human&min=engine")
    page = visitor.page
    page.locator('.play .board [data-cell="4"]').focus()
    page.keyboard.press("X")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("O")
    visitor.until(lambda: page.locator(".editor [name=text]").input_value() == "...|OX.|...")
    page.keyboard.press("u")  # no letter of the game's page acts here
    page.get_by_role("button", name="Analyse", exact=True).focus()
    page.keyboard.press("Enter")
    visitor.until(lambda: page.locator(".table button").count() == 7)
    assert "X to move" in visitor.status()


def test_a_position_is_placed_by_touch_and_left_again(visit: Callable[..., Any]) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    visitor = visit_editor(visit, "/?game=connect&max=human&min=human", **phone)
    page = visitor.page
    page.locator('.play .board [data-cell="3"]').tap()
    visitor.until(lambda: page.locator(".editor [name=text]").input_value().count("X") == 1)
    for button in page.locator(".palette .btn").all():
        assert button.bounding_box()["height"] >= 44
    page.get_by_role("button", name="Back to the game").tap()
    page.locator(".tools").wait_for()
    assert visitor.moves() == []
