"""What random games tell before learning begins."""

from dataclasses import replace

import numpy as np
import pytest

from zermelo.game import Game
from zermelo.games import breakthrough, checkers, clobber, connect, hex, mnk, othello
from zermelo.learn.cells import Cells, Group
from zermelo.learn.finding import find_cells
from zermelo.learn.planning import choose_tuples
from zermelo.learn.prospects import (
    PLIES,
    QUICK,
    QUICK_OF_MARGINS,
    Prospects,
    find_prospects,
    usual_course,
    usual_reach,
    usual_shape,
)
from zermelo.learn.self_play import improve, make_desk
from zermelo.learn.training import Training

IMPROVE = getattr(improve, "py_func", improve)


def test_positions_that_a_learner_looks_at_are_counted() -> None:
    """In a game of three plies, with two actions each."""
    game = mnk(3, 3)
    short = replace(
        game,
        actions=lambda state: list(game.actions(state))[:2],
        is_terminal=lambda state: game.is_terminal(state) or state.stones.bit_count() == 3,
        utility=lambda state: 0,
    )
    assert find_prospects(short, 1).looked_at == 6


def test_random_games_that_do_not_end_are_broken_off() -> None:
    game = mnk(3, 3)
    endless = replace(
        game, is_terminal=lambda state: False, actions=lambda state: [0], result=lambda state, action: state
    )
    assert find_prospects(endless, 0).looked_at == PLIES


def test_a_win_counts_one_and_the_margin_by_the_greatest() -> None:
    assert find_prospects(mnk(), 0)[:2] == (1.0, 500)
    margins = find_prospects(othello(), 0)
    assert margins.win == othello().utility_range[1]
    assert margins.reach == margins.win - 1


def test_margins_beyond_a_quarter_of_the_greatest_count_alike() -> None:
    margins, wins = find_prospects(othello(), 0), find_prospects(mnk(), 0)
    course = usual_course(margins)
    assert (course.win, usual_reach(margins, course)) == (16.0, 16)
    assert (usual_course(wins).win, usual_reach(wins, usual_course(wins))) == (1.0, 500)
    assert usual_reach(margins, course._replace(win=1.0)) == margins.reach
    narrow = Prospects(2.0, 1, 50.0, True)
    assert (usual_course(narrow).win, usual_reach(narrow, usual_course(narrow))) == (1.0, 1)


def test_quick_games_get_long_tuples_and_weights_that_keep_moving() -> None:
    quick, slow = find_prospects(connect(), 0), find_prospects(breakthrough(), 0)
    assert quick.looked_at < QUICK < slow.looked_at and quick.quick and not slow.quick
    assert usual_shape(quick, cells_like(42)).length == 9
    assert usual_shape(slow, cells_like(64)).length == 6
    assert (usual_course(quick).least, usual_course(slow).least) == (0.1, 0.0)


@pytest.mark.parametrize("seed", range(3))
def test_clobber_is_quick_and_breakthrough_is_not_by_any_random_games(seed: int) -> None:
    """The limit lies between these games."""
    assert find_prospects(clobber(8, 8), seed).quick
    assert not find_prospects(breakthrough(), seed).quick


def test_games_of_margins_must_be_quicker_than_others() -> None:
    margins, wins = find_prospects(othello(), 0), find_prospects(hex(7), 0)
    assert QUICK_OF_MARGINS < margins.looked_at < wins.looked_at < QUICK
    assert wins.quick and not margins.quick


def test_a_game_in_which_positions_come_back_is_not_quick() -> None:
    """Random games of checkers are short, but players that play well shuffle their kings."""
    found = find_prospects(checkers(), 0)
    assert found.looked_at < QUICK and not found.quick


@pytest.mark.parametrize(("cells", "length"), [(1, 1), (2, 1), (9, 6), (12, 8), (42, 9)])
def test_no_tuple_sees_more_than_two_thirds_of_the_cells(cells: int, length: int) -> None:
    assert usual_shape(Prospects(1.0, 1, 50.0, True), cells_like(cells)).length == length


@pytest.mark.parametrize(("game", "longest"), [(othello(), 6), (connect(), 8)], ids=repr)
def test_long_tuples_have_room_for_the_symbols_of_open_squares(game: Game, longest: int) -> None:
    cells = find_cells(game)
    tuples = choose_tuples(cells, usual_shape(find_prospects(game, 0), cells), 0)
    assert cells.open_words
    assert {len(images[0]) for images in tuples} == {longest}


def cells_like(count: int) -> Cells:
    """Cells of a board, each empty or taken."""
    return Cells((Group((0,), tuple(range(count)), (0, 1)),), (), None, (), (None,) * count)


def moved(least: float, total: float, size: float) -> float:
    """By how much the weights of a position move in all, whose thought is 0.25 and whose target 0.75."""
    training = Training(mnk())
    learner, course = training.learner, training.course._replace(least=least)
    desk = make_desk(learner.plan, 0)
    weights = desk.indices[0]
    weights[:] = np.arange(len(weights))
    learner.sums[weights], learner.sizes[weights] = total, size
    desk.turns[0], desk.thoughts[0] = (1, 0, 0), (0.25, 0.75)
    IMPROVE(learner, course, desk, 1)
    return float(learner.weights[weights].sum() / course.rate)


@pytest.mark.parametrize("least", [0.0, 0.1])
def test_a_weight_whose_changes_cancel_moves_by_the_least_share(least: float) -> None:
    assert moved(least, total=0.0, size=5.0) == pytest.approx(least * 0.5, abs=1e-6)


@pytest.mark.parametrize("least", [0.0, 0.1])
def test_no_weight_moves_further_than_the_error(least: float) -> None:
    """While another thread has changed the sum of a weight's changes, and not yet their sizes, the first is greater."""
    assert moved(least, total=-2.0, size=5.0) == pytest.approx(0.4 * 0.5, abs=1e-6)
    assert moved(least, total=0.5, size=1e-7) == pytest.approx(0.5, abs=1e-6)
