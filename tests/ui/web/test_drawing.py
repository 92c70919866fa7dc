"""Every game of the shelf draws, and what is drawn is what the board says."""

import random
import re
from xml.etree import ElementTree

import pytest

from zermelo import factories
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game
from zermelo.games import checkers, connect, kayles, othello
from zermelo.pictures.board_svg import Marks, Shade, cell_names, draw_board
from zermelo.ui.web.moving import by_cell, click, difference, drop_cell, next_cells, unclickable

NAMESPACE = "{http://www.w3.org/2000/svg}"


def groups(svg: str) -> dict[int, ElementTree.Element]:
    """The cells of a picture by their index."""
    found = ElementTree.fromstring(svg).iter(f"{NAMESPACE}g")
    return {int(one.get("data-cell", "")): one for one in found if one.get("data-cell")}


def some_game(game: Game, seed: int, plies: int = 40):
    """The states and actions of a game at random."""
    state, generator = game.initial, random.Random(seed)
    for _ in range(plies):
        if game.is_terminal(state):
            return
        action = generator.choice(list(game.actions(state)))
        yield state, action
        state = game.result(state, action)


@pytest.mark.parametrize("name", factories())
def test_every_game_draws_cells_pieces_and_targets(name: str) -> None:
    game = factories()[name]()
    for state, _ in some_game(game, seed=1):
        board = game.board(state)
        legal = next_cells(board, ())
        cells = groups(draw_board(board, Marks(legal), title=name))
        assert set(cells) == set(range(len(board.cells)))
        assert {index for index, cell in cells.items() if cell.get("role") == "button"} == legal
        assert all(cell.get("aria-label") for cell in cells.values())
        drawn = ("piece", "number", "glyph")
        shown = {
            index
            for index, cell in cells.items()
            if any((part.get("class") or "").split(" ")[0] in drawn for part in cell.iter())
        }
        assert shown == {piece.cell for piece in board.pieces}


@pytest.mark.parametrize("name", factories())
def test_clicks_make_every_action(name: str) -> None:
    game = factories()[name]()
    for state, _ in some_game(game, seed=2):
        board = game.board(state)
        assert set(board.clicks) == set(game.actions(state))
        for action, cells in board.clicks.items():
            selected: tuple[int, ...] = ()
            made = None
            for cell in cells:
                assert made is None
                done = click(board, selected, cell)
                selected, made = done.selected, done.action if done.is_move else None
            if selected:  # it could go on: the last cell once more
                made = click(board, selected, selected[-1]).action
            assert made == action or (not cells and action in unclickable(board))


def test_names_of_cells_come_from_the_labels() -> None:
    game = othello()
    assert cell_names(game.board(game.initial))[:2] == ["a1", "b1"]
    assert cell_names(Board((Cell(0, 0, "pit"), Cell(1, 0, "pit")), (), {})) == ["pit 1", "pit 2"]


def test_text_from_a_game_cannot_become_markup() -> None:
    board = Board((Cell(0, 0),), (Piece(0, MAX, "<b>"),), {}, labels=((0, 1, "<i>"),))
    svg = draw_board(board, title='"><script>')
    assert not re.search("<(b|i|script)>", svg)
    ElementTree.fromstring(svg)


def test_shades_show_their_word_and_are_heard() -> None:
    game = connect()
    board = game.board(game.initial)
    cells = groups(draw_board(board, Marks(next_cells(board, ()), shades={0: Shade("win", "7")})))
    assert cells[0].get("aria-label", "").endswith("can be played, win, 7")
    assert any((part.get("class") or "") == "shade win" for part in cells[0].iter())


def test_a_flipped_board_is_turned_round() -> None:
    game = checkers()
    board = game.board(game.initial)
    places = [groups(draw_board(board, flipped=flipped)) for flipped in (False, True)]
    assert places[0][0].get("transform") == places[1][63].get("transform")


def places(svg: str) -> dict[int, tuple[float, float]]:
    """Where each cell lies in a picture."""
    found = {}
    for index, cell in groups(svg).items():
        x, y = re.findall(r"-?\d+", cell.get("transform", ""))
        found[index] = (float(x), float(y))
    return found


def test_discs_fall_down_for_both_players() -> None:
    game = connect()
    board = game.board(game.replay([0, 0, 6]))
    seen, flipped = places(draw_board(board)), places(draw_board(board, flipped=True))
    assert all(flipped[cell][1] == y for cell, (_, y) in seen.items())  # the foot stays the foot
    assert [flipped[cell][0] for cell in seen] == [600 - x for x, _ in seen.values()]  # seen from behind
    assert seen[0][1] > seen[1][1]  # the second disc of a column lies above the first


def test_a_disc_falls_from_wherever_its_column_is_clicked() -> None:
    game = connect()
    board = game.board(game.replay([3, 3]))
    top = 3 * 6 + 5
    assert drop_cell(board, top) == 3 * 6 + 2
    assert click(board, (), top).action == 3
    assert click(board, (), 3 * 6) == ((), None, False)
    pins = kayles()
    assert drop_cell(pins.board(pins.replay([1])), 0) is None


def test_a_click_elsewhere_begins_another_move() -> None:
    game = checkers()
    board = game.board(game.initial)
    first, second = sorted(next_cells(board, ()))[:2]
    assert click(board, (first,), second).selected == (second,)
    assert click(board, (first,), first).selected == ()
    assert click(board, (first,), 0).selected == ()


def test_what_a_move_did() -> None:
    game = othello()
    state = game.initial
    action = next(iter(game.actions(state)))
    done = difference(game.board(state), game.board(game.result(state, action)), action, game.to_move(state))
    assert done.placed == {action}
    assert len(done.changed) == 1
    assert not done.captured
    jump = Board((Cell(0, 0), Cell(1, 0), Cell(2, 0)), (Piece(0, MAX, "man"), Piece(1, MIN, "man")), {7: (0, 2)})
    after = jump._replace(pieces=(Piece(2, MAX, "man"),))
    assert difference(jump, after, 7, MAX) == ({2}, {0}, {1})


def test_actions_by_the_next_cell() -> None:
    board = Board((Cell(0, 0),) * 3, (), {1: (0, 1), 2: (0, 2), 3: (1,), 4: ()})
    assert by_cell(board, (), board.clicks) == {0: [1, 2], 1: [3]}
    assert by_cell(board, (0,), board.clicks) == {1: [1], 2: [2]}
