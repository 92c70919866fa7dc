from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import facts
import positions
import reference
from zermelo.game import MAX, MIN
from zermelo.games import dawson, kayles
from zermelo.games.kayles import State

PUBLISHED = {name: [int(row[name]) for row in facts.rows("grundy.tsv")] for name in ("kayles", "dawson")}
GAMES = {"kayles": kayles, "dawson": dawson}


def least_missing(values):
    return min(value for value in range(len(values) + 1) if value not in values)


def runs(pins):
    """The lengths of the rows of neighbours that stand in a word."""
    return [len(run) for run in bin(pins)[2:].split("0") if run]


@cache
def grundy(name, length):
    """The Grundy value of one row, by the game's own moves: a move leaves at most two rows, whose values add up."""
    if length < 2 and name == "dawson":
        return 0
    if length == 0:
        return 0
    game = GAMES[name](length)
    values = set()
    for action in game.actions(game.initial):
        rows = [grundy(name, run) for run in runs(game.result(game.initial, action).pins)]
        values.add(rows[0] ^ rows[1] if len(rows) == 2 else sum(rows))
    return least_missing(values)


@pytest.mark.parametrize("name", GAMES)
def test_grundy_values_are_the_published_ones(name):
    assert [grundy(name, length) for length in range(63)] == PUBLISHED[name]


def test_grundy_values_are_periodic_but_for_the_published_exceptions():
    period = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    exceptions = [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57]
    assert [n for n in range(63) if grundy("kayles", n) != period[n % 12]] == exceptions
    shifted = [grundy("dawson", n + 1) for n in range(62)]
    # Of the exceptions 0, 14, 16, 17, 31, 34 and 51, two pairs are a period apart.
    assert [n for n in range(28) if shifted[n] != shifted[n + 34]] == [14, 16]


@pytest.mark.parametrize("name", GAMES)
def test_the_player_to_move_wins_unless_the_grundy_values_add_up_to_nothing(name):
    game = GAMES[name](11)
    values = reference.solve(game, game.initial)
    assert len(values) > 100
    for state, value in values.items():
        total = 0
        for run in runs(state.pins):
            total ^= grundy(name, run)
        assert value == (1000 if total else -1000) * game.to_move(state)
        assert abs(0 if game.is_terminal(state) else game.evaluate(state)) < 1000
    assert len({game.key(state) for state in values}) == len(values)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=50)
@given(data=st.data())
def test_random_positions_keep_their_promises(name, data):
    game = GAMES[name](data.draw(st.integers(2, 62)))
    state = positions.random_state(game, data)
    positions.keeps_its_promises(game, state)
    (behind,) = game.symmetries(state)
    assert game.to_text(behind)[:-2] == game.to_text(state)[-3::-1]
    assert list(game.symmetries(behind)) == [state]
    assert game.is_terminal(behind) == game.is_terminal(state)


def test_which_pins_fall():
    game = kayles(4)
    names = [game.show_action(game.initial, action) for action in game.actions(game.initial)]
    assert names == ["1", "1-2", "2", "2-3", "3", "3-4", "4"]
    child = game.play(game.initial, game.read_action(game.initial, "2-3"))
    assert child == State(0b1001, MIN)
    assert game.legal_actions(child) == [1, 4]
    assert game.board(child).clicks == {1: (0, 0), 4: (3, 3)}
    assert game.to_text(child) == "|..| O"
    game = dawson(4)
    assert [game.show_action(game.initial, action) for action in game.actions(game.initial)] == ["1-2", "2-3", "3-4"]
    assert game.is_terminal(child)
    assert game.utility(child) == 1000 * MAX


def test_the_picture():
    assert kayles(3).draw(State(0b101, MAX)) == "| . |\n1 2 3"


@pytest.mark.parametrize("text", ["", "|||", "||| Z", "|||| X", "||x X"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match="is not 3 characters"):
        kayles(3).from_text(text)
