"""Puzzles: one move saves, and easy ones come first."""

import numpy as np
import pytest

from solved import solved
from zermelo.engine import Engine
from zermelo.errors import BadParameter, TableError
from zermelo.solver.study.census import saving
from zermelo.solver.study.puzzles import puzzles, settling_depth

SMALL = [("connect", {"rows": 4, "columns": 4, "run": 3}), ("kalah", {"pits": 2, "seeds": 2}), ("tictactoe", {})]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_exactly_one_move_keeps_what_the_position_is_worth(name: str, parameters: dict[str, int]):
    table = solved(name, **parameters)
    game = table.game
    found = puzzles(table, 8, seed=5)
    assert 4 < len(found) <= 8
    assert [puzzle.difficulty for puzzle in found] == sorted(puzzle.difficulty for puzzle in found)
    assert len({puzzle.state for puzzle in found}) == len(found)
    for puzzle in found:
        legal = game.legal_actions(puzzle.state)
        worth = {action: table[game.result(puzzle.state, action)].value for action in legal}
        value = puzzle.value
        if game.outcomes == "wdl":
            worth, value = {action: int(np.sign(one)) for action, one in worth.items()}, int(np.sign(value))
        assert [action for action in legal if worth[action] == value] == [puzzle.action]
        assert puzzle.moves == len(legal) > 1
        assert puzzle.remoteness == len(puzzle.line) > 1
        assert puzzle.line[0] == puzzle.action


def test_another_seed_draws_others_and_the_same_the_same():
    table = solved("connect", rows=4, columns=4, run=3)
    assert puzzles(table, 5, seed=1) == puzzles(table, 5, seed=1)
    assert puzzles(table, 5, seed=1) != puzzles(table, 5, seed=2)


def test_a_win_in_three_is_seen_three_plies_deep():
    table = solved("connect", rows=4, columns=4, run=3)
    engine = Engine(table.game, table_mb=1)
    in_three = next(
        puzzle for seed in range(20) for puzzle in puzzles(table, 8, seed)
        if puzzle.remoteness == 3 and puzzle.value * table.game.to_move(puzzle.state) > 0
    )  # fmt: skip
    depth = settling_depth(engine, in_three.state, in_three.action)
    assert depth is not None
    assert depth <= 3


def test_what_cannot_be_had():
    with pytest.raises(BadParameter, match="number of puzzles is 0"):
        puzzles(solved("tictactoe"), 0)
    with pytest.raises(BadParameter, match="must be at least 1 and at most 10,000"):
        puzzles(solved("tictactoe"), 10**20)
    with pytest.raises(TableError, match=r"^No position .* has exactly one saving move"):
        puzzles(solved("kayles", pins=1), 1)


def test_saving_moves_that_end_the_game_are_no_puzzles_and_are_told():
    """As in king and rook against king, where only taking the rook draws; the census counts them."""
    table = solved("nim", first=2, second=0, third=0, fourth=0)
    assert saving(table).positions == 1
    with pytest.raises(TableError, match=r"^1 stored positions .* it ends the game at once in each of them"):
        puzzles(table, 1)
