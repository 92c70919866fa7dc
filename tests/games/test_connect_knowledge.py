"""What connect tells an engine agrees with minimax, on small boards everywhere and on larger ones near the end."""

import pytest

from reference import random_states, solve
from zermelo.games import connect

SMALL = [(3, 3, 3), (4, 3, 3), (3, 4, 3), (2, 5, 3), (5, 2, 3), (4, 3, 2), (4, 3, 4), (3, 4, 5), (1, 7, 2), (7, 1, 3)]
ENDINGS = [(4, 4, 2, 0), (4, 4, 3, 4), (4, 4, 4, 5), (4, 5, 4, 9), (5, 4, 4, 9), (5, 4, 5, 10), (5, 5, 4, 14)]
ENDINGS += [(5, 5, 3, 10), (6, 4, 3, 12), (6, 7, 4, 31), (7, 6, 4, 31), (6, 6, 5, 26), (6, 9, 4, 43)]
ENDINGS += [(8, 8, 4, 54), (9, 7, 4, 53), (7, 9, 4, 53), (10, 6, 4, 50), (6, 10, 4, 50), (4, 13, 5, 42), (16, 4, 4, 54)]
ENDINGS += [(20, 6, 5, 110), (8, 14, 6, 102)]


def check(game, values):
    """Check all that the game tells an engine, on every position in ``values``."""
    for state, value in values.items():
        mirrored = list(game.symmetries(state))
        assert all(values.get(other, value) == value for other in mirrored), state
        assert [list(game.symmetries(other)) for other in mirrored] == [[state] for _ in mirrored]
        if game.is_terminal(state):
            continue
        low, high = game.bounds(state)
        assert low <= value <= high, (game, state, value, low, high)
        legal, chosen = list(game.actions(state)), list(game.sufficient_actions(state))
        assert chosen and [action for action in legal if action in chosen] == chosen
        assert value in {values[game.result(state, action)] for action in chosen}, (game, state, chosen)
        assert all(game.bounds(other) == (low, high) for other in mirrored), (game, state)


@pytest.mark.parametrize("board", SMALL, ids=str)
def test_every_position_of_small_boards(board):
    game = connect(*board)
    check(game, solve(game, game.initial))


@pytest.mark.parametrize("board", ENDINGS, ids=str)
def test_endings_of_larger_boards(board):
    """Each state has thousands of positions below it, which take long on boards with many columns."""
    *parameters, discs = board
    game = connect(*parameters)
    for state in random_states(game, 12 if discs < 40 else 5, range(discs, discs + 4)):
        check(game, solve(game, state))


def threats_by_sight(game, state):
    """How many empty cells would complete a line of the player who moved last."""
    text = game.to_text(state)
    mover = "O" if game.to_move(state) == 1 else "X"
    lines = text.split("|")
    rows, columns, run = (game.parameters[name] for name in ("rows", "columns", "run"))
    found = set()
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(run)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                    pieces = [lines[r][c] for r, c in cells]
                    if pieces.count(mover) == run - 1 and "." in pieces:
                        found.add(cells[pieces.index(".")])
    return found


@pytest.mark.parametrize(
    "board", [(6, 7, 4), (5, 5, 3), (4, 9, 5), (6, 6, 2), (8, 8, 4), (5, 11, 3), (4, 13, 5)], ids=str
)
def test_order_counts_threats_then_prefers_the_centre(board):
    game = connect(*board)
    columns = game.parameters["columns"]
    for state in random_states(game, 60, range(20)):
        # The opponent's threats were there before the move; what lies above them is no use.
        spoilt = {(row - 1, column) for row, column in threats_by_sight(game, state)}
        for action in game.legal_actions(state):
            after = game.result(state, action)
            expected = len(threats_by_sight(game, after) - spoilt) * columns + min(action, columns - 1 - action)
            assert game.order(state, action) == expected


def test_a_win_at_once_and_a_loss_at_once_are_exact():
    game = connect()
    three = game.replay([3, 0, 3, 0, 3])  # X threatens; O must block, having lost nothing yet
    assert list(game.sufficient_actions(three)) == [3]
    won = game.replay([3, 0, 3, 0, 3, 1])
    assert game.bounds(won) == (60000, 60000) and list(game.sufficient_actions(won)) == [3]
    lost = game.replay([2, 2, 3, 3, 4])  # both ends are open
    assert game.bounds(lost) == (60000, 60000)


def test_whoever_follows_up_on_a_narrow_board_cannot_lose():
    game = connect(rows=4, columns=3)
    assert game.bounds(game.initial)[1] == 0
