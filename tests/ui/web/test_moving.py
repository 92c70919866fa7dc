"""Clicks on the board of every game mean its actions, and what a move changed is found."""

import pytest

from positions import random_moves
from zermelo import factories
from zermelo.board import Board, Cell, Piece
from zermelo.game import MAX, MIN, Game, State
from zermelo.games import checkers, connect, kayles, nine_mens_morris, othello
from zermelo.pictures.board_svg import cell_names
from zermelo.pictures.difference import difference
from zermelo.ui.web.moving import arrow_of, by_cell, click, drop_cell, next_cells, unclickable, with_choices

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", factories())
def test_clicks_make_every_action(name: str) -> None:
    game = factories()[name]()
    for state, _ in random_moves(game, seed=2):
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


def test_the_last_click_chooses_between_pieces() -> None:
    cells, pieces = (Cell(0, 0),) * 4, (Piece(0, MAX, "p"), Piece(2, MIN, "r"))
    board = Board(cells, pieces, {1: (0, 1, 1), 2: (0, 1, 2), 3: (0, 3)}, choices={1: "Q", 2: "N"})
    assert with_choices(board, (), MAX) == with_choices(board, (0,), MAX) == board
    assert with_choices(board, (0, 1), MAX).pieces == (pieces[0], Piece(1, MAX, "Q"), Piece(2, MAX, "N"))


def test_actions_by_the_next_cell() -> None:
    board = Board((Cell(0, 0),) * 3, (), {1: (0, 1), 2: (0, 2), 3: (1,), 4: ()})
    assert by_cell(board, (), board.clicks) == {0: [1, 2], 1: [3]}
    assert by_cell(board, (0,), board.clicks) == {1: [1], 2: [2]}


def cells_named(game: Game, state: State, *names: str) -> list[int]:
    """The cells with these names."""
    all_names = cell_names(game.board(state))
    return [all_names.index(name) for name in names]


def test_arrows_lead_to_where_a_piece_goes() -> None:
    morris = nine_mens_morris()
    state = morris.replay("d2 e5 e4 g1 b2 a7 e3 a4 g7 d5 f6 f4 a1 c5xb2 c3 f2 b6 c4 g7-d7 g1-d1")
    mill = morris.read_action(state, "d7-d6xa4")
    assert len(morris.board(state).clicks[mill]) == 3
    assert list(arrow_of(morris, state, mill)) == cells_named(morris, state, "d7", "d6")
    early = morris.replay("d2 e5 e4 g1 b2 a7 e3 a4 g7 d5 f6 f4 a1")
    assert list(arrow_of(morris, early, morris.read_action(early, "c5xb2"))) == cells_named(morris, early, "c5")
    men = checkers()
    state = men.from_text("B:W15,23:B11")
    jumps = men.read_action(state, "11x18x27")
    assert arrow_of(men, state, jumps) == men.board(state).clicks[jumps]
    rules = factories()["chess"]()
    state = rules.from_text("1r5k/P7/8/8/8/8/8/7K w - - 0 1")
    for move, target in (("a8=N", "a8"), ("axb8=R", "b8")):
        arrow = arrow_of(rules, state, rules.read_action(state, move))
        assert list(arrow) == cells_named(rules, state, "a7", target)
