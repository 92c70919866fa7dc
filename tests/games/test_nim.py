from functools import reduce
from operator import xor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import positions
import recorded
import reference
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games import nim


def test_the_recorded_misere_game():
    assert recorded.agree(nim(misere=True), "nim", lambda number, _state: number) == 7


@pytest.mark.parametrize("heaps", [(1, 2, 3), (3, 4, 5), (1, 1, 1, 2), (7,), (1, 3, 5, 7)], ids=str)
@pytest.mark.parametrize("misere", [False, True])
def test_the_nim_sum_tells_who_wins(heaps, misere):
    game = nim(*heaps, *[0] * (4 - len(heaps)), misere=misere)
    values = reference.solve(game, game.initial)
    for state, value in values.items():
        wins = reduce(xor, state.heaps) != 0
        if misere and max(state.heaps) <= 1:
            wins = not wins
        assert value == (1000 if wins else -1000) * game.to_move(state)
        if not game.is_terminal(state):
            assert game.evaluate(state) == value // 1000
            for action in game.actions(state):
                good = values[game.result(state, action)] == 1000 * game.to_move(state)
                assert game.order(state, action) == good
        (ordered,) = game.symmetries(state)
        assert ordered.heaps == tuple(sorted(state.heaps))
        assert values.get(ordered, value) == value
    assert len({game.key(state) for state in values}) == len(values)


@settings(max_examples=50)
@given(data=st.data())
def test_random_positions_keep_their_promises(data):
    heaps = data.draw(st.lists(st.integers(0, 12), min_size=6, max_size=6).filter(any))
    game = nim(*heaps, misere=data.draw(st.booleans()))
    state = positions.random_state(game, data, 12)
    positions.keeps_its_promises(game, state)
    legal = game.legal_actions(state)
    assert len(legal) == sum(state.heaps)
    for action in legal:
        child = game.result(state, action)
        heap, taken = game.show_action(state, action).split("-")
        place = "ABCDEF".index(heap)
        assert child.heaps[place] == state.heaps[place] - int(taken)
        assert sum(child.heaps) == sum(state.heaps) - int(taken)
        assert child.player == -state.player


def test_moves_are_read_as_people_write_them():
    game = nim()
    action = game.read_action(game.initial, "C-3")
    assert game.play(game.initial, action).heaps == (1, 3, 2, 7)
    assert {game.parse_action(game.initial, text) for text in ("c-3", "3C", "c3", "3 from C")} == {action}
    with pytest.raises(IllegalAction, match="'2 from A' is not a legal action here"):
        game.read_action(game.initial, "2 from A")


def test_the_picture():
    game = nim(2, 0, 1, 0)
    assert game.draw(game.initial) == "A | | (2)\nB | (1)"
    assert set(game.board(game.initial).clicks.values()) == {(1,), (0,), (2,)}


@pytest.mark.parametrize("text", ["", "1,3", "1,3 Z", "1,3,5 X", "1,-1 X", "1,4 X", "1,x X"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match="is not 2 heaps"):
        nim(1, 3, 0, 0).from_text(text)
    with pytest.raises(ValueError, match="is not a legal move"):
        nim().parse_action(nim().initial, text)


def test_heaps_must_hold_something():
    with pytest.raises(BadParameter, match="Every heap of nim is 0"):
        nim(0, 0, 0, 0)
    with pytest.raises(BadParameter, match="The parameter second is 64"):
        nim(1, 64)
