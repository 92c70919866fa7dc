"""Every game of the shelf draws, and what is drawn is what the board says."""

import re
from xml.etree import ElementTree

import pytest

from positions import random_moves
from zermelo import factories
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX
from zermelo.games import checkers, connect, othello
from zermelo.pictures.board_svg import Marks, Shade, cell_names, draw_board
from zermelo.pictures.palette import palette_of
from zermelo.ui.web.moving import next_cells

NAMESPACE = "{http://www.w3.org/2000/svg}"


def groups(svg: str) -> dict[int, ElementTree.Element]:
    """The cells of a picture by their index."""
    found = ElementTree.fromstring(svg).iter(f"{NAMESPACE}g")
    return {int(one.get("data-cell", "")): one for one in found if one.get("data-cell")}


@pytest.mark.parametrize("name", factories())
def test_every_game_draws_cells_pieces_and_targets(name: str) -> None:
    game = factories()[name]()
    for state, _ in random_moves(game, seed=1):
        board = game.board(state)
        legal = next_cells(board, ())
        svg = draw_board(board, Marks(legal), title=name)
        cells = groups(svg)
        assert set(cells) == set(range(len(board.cells)))
        assert {index for index, cell in cells.items() if cell.get("role") == "button"} == legal
        assert all(cell.get("aria-label") for cell in cells.values())
        drawn = ("piece", "number", "glyph", "figure")
        shown = {
            index
            for index, cell in cells.items()
            if any((part.get("class") or "").split(" ")[0] in drawn for part in cell.iter())
        }
        assert shown == {piece.cell for piece in board.pieces}


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
    cells = groups(draw_board(board, Marks(next_cells(board, ()), shades={0: Shade("best", "W7", "wins in 7")})))
    assert cells[0].get("aria-label", "").endswith("can be played, best, wins in 7")
    assert any((part.get("class") or "") == "shade best hollow" for part in cells[0].iter())


def test_values_lie_over_the_arrow_of_the_best_move() -> None:
    game = factories()["chess"]()
    board = game.board(game.initial)
    shades = {52: Shade("best", "+30", "+30"), 51: Shade("good", "+20", "+20")}
    svg = draw_board(board, Marks({52, 51}, shades=shades, arrow=(52, 36)))
    parts = [one.get("class", "") for one in ElementTree.fromstring(svg).iter()]
    assert parts.count("value") == 2
    assert parts.index("advice-head") < parts.index("value")


@pytest.mark.parametrize(
    ("height", "hollow", "above"), [(1.6, 86, 30), (1.45, 86, 15), (1.3, 86, 0), (1.0, 56, 0), (3.2, 246, 30)]
)
def test_the_hollow_of_a_pit_is_round_if_there_is_room(height: float, hollow: int, above: int) -> None:
    board = Board((Cell(0, 0, "pit", 1, height),), (Piece(0, MAX, "seeds", 12),), {})
    (cell,) = groups(draw_board(board)).values()
    (pit,) = (one for one in cell.iter() if one.get("class") == "pit")
    top, tall = float(pit.get("y") or 0), float(pit.get("height") or 0)
    assert (float(pit.get("width") or 0), tall) == (86, hollow)
    assert abs(top + 50 * height - (above + 7)) <= 0.5  # 7 is half of what the hollow is narrower than its cell
    seeds = [float(one.get("cy") or 0) for one in cell.iter() if one.get("class") == "seed"]
    assert top < min(seeds) < max(seeds) < top + tall


@pytest.mark.parametrize(
    ("name", "text", "size"), [("dawson", "L4", 35), ("dawson", "L12", 35), ("hex", "+296", 36), ("hex", "=", 40)]
)
def test_values_on_wide_boards_have_larger_letters(name: str, text: str, size: int) -> None:
    game = factories()[name]()
    board = game.board(game.initial)
    (cell, *_) = next(iter(board.clicks.values()))
    picture = draw_board(board, Marks(board.clicks, shades={cell: Shade("best", text)}))
    (value,) = re.findall(r'<text class="value"[^>]*>', picture)
    assert f"font-size:{size}px" in value


def test_values_on_other_boards_have_the_usual_letters() -> None:
    board = othello().board(othello().initial)
    picture = draw_board(board, Marks(board.clicks, shades={19: Shade("best", "+8")}))
    (value,) = re.findall(r'<text class="value"[^>]*>', picture)
    assert "font-size" not in value


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


def test_pieces_are_heard_under_the_names_of_the_sides() -> None:
    game = connect(4, 4)
    board = game.board(game.replay([0, 1]))
    drawn = draw_board(board, palette=palette_of(game))
    assert 'aria-label="column 0 row 1, Red disc"' in drawn
    assert 'aria-label="column 1 row 1, Yellow disc"' in drawn
    assert 'aria-label="column 0 row 1, MAX disc"' in draw_board(board)
