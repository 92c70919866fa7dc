import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.errors import BadParameter
from zermelo.game import MAX
from zermelo.games import mnk, tictactoe
from zermelo.games.mnk import one_word, with_pictures
from zermelo.games.mnk_rows import WideState, many_rows
from zermelo.textbook.perft import perft


def test_published_counts_of_tictactoe():
    game = tictactoe()
    assert len(reference.reachable(game, game.initial)) == 5_478
    assert sum(perft(game, game.initial, depth) for depth in range(10)) == 549_946


def test_games_of_tictactoe():
    game = tictactoe()
    assert sum(1 for _ in reference.lines(game, game.initial)) == 255_168


def test_tictactoe_is_three_by_three():
    assert repr(tictactoe()) == "tictactoe()"
    assert reference.minimax_value(tictactoe(), tictactoe().initial) == 0
    assert repr(mnk(4, 3, 3)) == "mnk(width=4, height=3, run=3)"


@given(data=st.data())
def test_a_random_game_agrees_with_a_look_at_its_picture(data):
    width, height, run = (data.draw(st.integers(1, 5)) for _ in range(3))
    game = mnk(width, height, run)
    state = game.initial
    while True:
        text = game.to_text(state)
        winner = reference.line_winner(text, run)
        assert game.from_text(text) == state
        assert game.is_terminal(state) == (winner is not None or "." not in text)
        if game.is_terminal(state):
            break
        assert abs(game.evaluate(state)) < 1000
        cells = text.replace("|", "")
        legal = game.legal_actions(state)
        assert legal == [cell for cell, piece in enumerate(cells) if piece == "."]
        action = data.draw(st.sampled_from(legal))
        assert game.read_action(state, game.show_action(state, action)) == action
        piece = "X" if game.to_move(state) == MAX else "O"
        state = game.result(state, action)
        assert game.to_text(state).replace("|", "") == cells[:action] + piece + cells[action + 1 :]
    assert game.utility(state) == {"X": 1000, "O": -1000, None: 0}[winner]


def test_the_picture_names_its_cells():
    game = mnk(3, 4, 3)
    state = game.replay([0, 10])
    assert game.draw(state) == "4 X . .\n3 . . .\n2 . . .\n1 . O .\n  a b c"
    assert game.show_action(game.initial, 10) == "b1"


def test_boards_beyond_nineteen_by_nineteen_are_refused():
    mnk(6, 9, 5)
    mnk(19, 19, 5)
    mnk(1, 31, 5)
    for width, height in ((20, 19), (19, 20), (3, 20)):
        with pytest.raises(BadParameter, match="too large to hold"):
            mnk(width, height, 5)


@settings(max_examples=15)
@given(width=st.integers(1, 19), height=st.integers(1, 19), run=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_random_games(width, height, run, seed):
    game = mnk(width, height, run)
    for state in conforming.play(game, seed):
        text = game.to_text(state)
        winner = reference.line_winner(text, run)
        assert game.is_terminal(state) == (winner is not None or "." not in text)
        if game.is_terminal(state):
            assert game.utility(state) == {"X": 1000, "O": -1000, None: 0}[winner]


@settings(max_examples=15)
@given(width=st.integers(1, 7), height=st.integers(1, 7), run=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_a_board_of_rows_plays_as_a_board_of_one_word(width, height, run, seed):
    small, wide = one_word(width, height, run), with_pictures(many_rows(width, height, run), width, height, run)
    for state in conforming.play(mnk(width, height, run), seed):
        other = wide.from_text(mnk(width, height, run).to_text(state))
        assert wide.legal_actions(other) == small.legal_actions(state)
        assert wide.is_terminal(other) == small.is_terminal(state)
        assert wide.to_move(other) == small.to_move(state)
        if small.is_terminal(state):
            assert wide.utility(other) == small.utility(state)
            continue
        assert wide.evaluate(other) == small.evaluate(state)
        assert wide.bounds(other) == small.bounds(state)
        assert list(wide.sufficient_actions(other)) == list(small.sufficient_actions(state))
        for action in small.legal_actions(state):
            assert wide.order(other, action) == small.order(state, action)


def replaced(text, action, piece):
    """The picture with one more stone."""
    width = text.index("|") if "|" in text else len(text)
    place = action + action // width
    return text[:place] + piece + text[place + 1 :]


@settings(max_examples=25)
@given(width=st.integers(1, 9), height=st.integers(1, 9), run=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_knowledge_agrees_with_a_look_at_every_line(width, height, run, seed):
    form = one_word if (width + 1) * height <= 63 else many_rows
    game = with_pictures(form(width, height, run), width, height, run)
    for state in conforming.play(game, seed):
        if game.is_terminal(state):
            continue
        text, legal, player = game.to_text(state), game.legal_actions(state), game.to_move(state)
        own, other = "XO" if player == MAX else "OX"
        wins, blocks = (
            [action for action in legal if reference.line_winner(replaced(text, action, piece), run)]
            for piece in (own, other)
        )
        assert list(game.sufficient_actions(state)) == (wins or blocks or legal)
        low, high = game.bounds(state) if player == MAX else [-bound for bound in reversed(game.bounds(state))]
        assert (low, high) == ((1000, 1000) if wins else (-1000, -1000 if len(blocks) > 1 else 1000))
        lead = 0
        for line in reference.lines_on(text, run):
            if other not in line and own in line:
                lead += game.weights.own[min(line.count(own), 4) - 1]
            if own not in line and other in line:
                lead -= game.weights.other[min(line.count(other), 4) - 1]
        assert game.evaluate(state) == player * max(-999, min(999, lead))
        for action in legal:
            assert game.order(state, action) == stones_beside(text, action)


def stones_beside(text, action):
    """The sum of 4**n over all directions, with n stones of one colour beside a cell, at most 4."""
    rows, total = text.split("|"), 0
    row, column = divmod(action, len(rows[0]))
    for down, right in [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]:
        seen = ""
        for far in range(1, 5):
            r, c = row + far * down, column + far * right
            seen += rows[r][c] if 0 <= r < len(rows) and 0 <= c < len(rows[0]) else "."
        total += 4 ** (len(seen) - len(seen.lstrip(seen[0])) if seen[0] != "." else 0)
    return total


def test_an_engine_is_told_about_threats_where_runs_are_long():
    for game in (mnk(5, 5, 4), mnk(15, 15, 5)):
        assert None not in (game.order, game.sufficient_actions, game.bounds) and game.switches == {"leaf_bounds": True}
    for game in (tictactoe(), mnk(15, 15, 3)):
        assert {game.order, game.sufficient_actions, game.bounds} == {None} and game.switches == {}


@pytest.mark.parametrize("game", [mnk(4, 4, 4), mnk(5, 4, 4)], ids=repr)
def test_sufficient_actions_and_bounds_keep_the_value(game):
    cells = game.parameters["width"] * game.parameters["height"]
    for state in reference.random_states(game, 40, range(cells - 7, cells)):
        value = reference.minimax_value(game, state)
        low, high = game.bounds(state)
        assert low <= value <= high
        player = game.to_move(state)
        children = [game.result(state, action) for action in game.sufficient_actions(state)]
        assert max(player * reference.minimax_value(game, child) for child in children) == player * value


def test_an_evaluation_is_always_less_than_a_win():
    every_other = ((1 << 19) - 1, 0) * 9 + ((1 << 19) - 1,)
    state = WideState((0,) * 19, every_other)
    assert abs(many_rows(19, 19, 2).evaluate(state)) == 999


def test_the_recorded_game_on_fifteen_by_fifteen():
    game = mnk(15, 15, 5)

    def spell(state, action):
        return f"{'x' if game.to_move(state) == MAX else 'o'}({action // 15},{action % 15})"

    conforming.replay(game, spell)


@pytest.mark.parametrize("text", ["X", "XXX|...|...", "O..|...|...", "X.?|...|..."])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        tictactoe().from_text(text)
