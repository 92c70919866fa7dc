from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conforming
import facts
import reference
from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import MAX
from zermelo.games import minicheckers
from zermelo.textbook.explain import Recipe, explain
from zermelo.textbook.perft import divide, perft
from zermelo.textbook.sound import sound_search
from zermelo.textbook.systems import Settings, System

GAME = minicheckers()


def test_perft_is_the_published_one():
    published = {row["depth"]: row["minicheckers6"] for row in facts.rows("perft.tsv") if row["minicheckers6"]}
    assert len(published) == 10
    for depth, nodes in published.items():
        assert perft(GAME, GAME.initial, int(depth)) == int(nodes)


def test_divide_adds_up():
    parts = divide(GAME, GAME.initial, 5)
    assert list(parts) == GAME.legal_actions(GAME.initial)
    assert sum(parts.values()) == 1271


def test_quiet_changes_no_rule():
    quiet = minicheckers(quiet=3)
    assert repr(quiet) == "minicheckers(quiet=3)"
    assert (repr(GAME), GAME.is_cutoff) == ("minicheckers()", None)
    assert perft(quiet, quiet.initial, 5) == perft(GAME, GAME.initial, 5)
    for wrong in (-1, 21):
        with pytest.raises(BadParameter, match="it must be a whole number from 0 to 20"):
            minicheckers(quiet=wrong)


def someone_can_capture(text):
    """By the picture: whether a jump is legal for either player."""
    boards = [text[:-1] + turn for turn in "xo"]
    return any(abs(near[0] - far[0]) == 2 for board in boards for near, far in naive_moves(board))


@pytest.mark.parametrize("handout", [False, True])
def test_a_heuristic_search_stops_at_quiet_positions_only(handout):
    game = minicheckers(quiet=3)
    system = System(game, "heuristic", Settings(depth=7, handout=handout))
    result = system.search(game.initial)
    assert (result.max_depth, result.stopped_by) == (7, "depth")
    plain = System(GAME, "heuristic", Settings(depth=3, handout=handout)).search(GAME.initial)
    full = System(GAME, "heuristic", Settings(depth=7, handout=handout)).search(GAME.initial)
    assert plain.nodes < result.nodes < full.nodes
    asked = []

    def is_cutoff(state, depth):
        asked.append((state, depth, game.is_cutoff(state, depth)))
        return depth >= 7 or asked[-1][2]

    sound_search(game, game.initial, -inf, inf, {}, is_cutoff)
    for state, depth, stops in asked:
        assert stops == (depth >= 3 and not someone_can_capture(GAME.to_text(state)))
    assert {stops for _, depth, stops in asked if depth >= 3} == {True, False}


def test_the_value_of_a_quiescent_search_is_that_of_its_definition():
    game = minicheckers(quiet=2)

    def is_cutoff(state, depth):
        return depth >= 5 or (depth >= 2 and not someone_can_capture(GAME.to_text(state)))

    result = System(game, "heuristic", Settings(depth=5)).search(game.initial)
    assert result.value == reference.cut_off_value(GAME, GAME.initial, is_cutoff)
    tree = explain(game, recipe=Recipe(depth=5))
    assert (tree.value, tree.counts.nodes) == (result.value, result.nodes)


def naive_moves(text):
    """The legal moves of a position, square by square, from its text alone: (from, to) as row and column."""
    board, turn = text.split(" ")
    lines = board.split("|")[::-1]
    pieces = {(row, column): lines[row][column] for row in range(6) for column in range(6)}
    ahead, enemy = (1, "o") if turn == "x" else (-1, "x")
    steps, jumps = set(), set()
    for (row, column), piece in pieces.items():
        for side in (-1, 1):
            near, far = (row + ahead, column + side), (row + 2 * ahead, column + 2 * side)
            if piece == turn and pieces.get(near) == ".":
                steps.add(((row, column), near))
            if piece == turn and pieces.get(near) == enemy and pieces.get(far) == ".":
                jumps.add(((row, column), far))
    return jumps or steps


def decode(action):
    return tuple((place // 7, place % 7) for place in (action >> 6, action & 63))


@given(data=st.data())
def test_a_random_game_agrees_with_a_look_at_its_picture(data):
    state = GAME.initial
    for _ in range(200):
        text = GAME.to_text(state)
        assert GAME.from_text(text) == state
        moves = naive_moves(text)
        other = naive_moves(text[:-1] + ("o" if text[-1] == "x" else "x"))
        men = text[:-1].count("x"), text[:-1].count("o")
        assert GAME.is_terminal(state) == ((not moves and not other) or 0 in men)
        if GAME.is_terminal(state):
            assert GAME.utility(state) == (men[0] > men[1]) * 1000 - (men[0] < men[1]) * 1000
            break
        assert abs(GAME.evaluate(state)) < 1000
        legal = GAME.legal_actions(state)
        if not moves:
            assert [GAME.show_action(state, action) for action in legal] == ["pass"]
        else:
            assert {decode(action) for action in legal} == moves
            assert len(legal) == len(moves)
        action = data.draw(st.sampled_from(legal))
        assert GAME.read_action(state, GAME.show_action(state, action)) == action
        child = GAME.result(state, action)
        assert GAME.to_move(child) == -GAME.to_move(state)
        jumped = "x" in GAME.show_action(state, action)
        mover, enemy = ("x", "o") if GAME.to_move(state) == MAX else ("o", "x")
        board, after = text[:-2], GAME.to_text(child)[:-2]
        assert after.count(mover) == board.count(mover)
        assert after.count(enemy) == board.count(enemy) - jumped
        state = child
    else:
        pytest.fail("a man moves forward in every ply but a pass: no game is this long")


@pytest.mark.parametrize("seed", range(20))
def test_random_games(seed):
    conforming.play(GAME, seed)


def test_a_jump_takes_the_man_between():
    state = GAME.from_text("......|......|...o..|..x...|......|x..... x")
    assert [GAME.show_action(state, action) for action in GAME.legal_actions(state)] == ["c3xe5"]
    child = GAME.play(state, GAME.read_action(state, "c3xe5"))
    assert GAME.to_text(child) == "......|....x.|......|......|......|x..... o"
    assert GAME.is_terminal(child)
    assert GAME.utility(child) == 1000


def test_a_stuck_player_passes():
    # x has one man left, on its last row; o can still move.
    state = GAME.from_text("...x..|......|...o..|......|......|...... x")
    assert [GAME.show_action(state, action) for action in GAME.legal_actions(state)] == ["pass"]
    assert GAME.result(state, GAME.legal_actions(state)[0]) == state._replace(player=-1)


def test_neither_can_move_more_men_win():
    state = GAME.from_text("...x.x|......|......|......|......|o..... x")
    assert GAME.is_terminal(state)
    assert GAME.utility(state) == 1000


def test_an_illegal_move_names_the_legal_ones():
    with pytest.raises(IllegalAction, match="'a1-b2' is not a legal action here; legal are b2-a3, d2-c3"):
        GAME.read_action(GAME.initial, "a1-b2")


@pytest.mark.parametrize(
    "text", ["", "x", "......|......|......|......|......|......", "x.....|......|......|......|......|...... x"]
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        GAME.from_text(text)
