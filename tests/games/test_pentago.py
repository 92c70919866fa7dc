import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.game import MAX
from zermelo.games import pentago
from zermelo.textbook.perft import perft

GAME = pentago()


def test_the_recorded_game():
    conforming.replay(GAME, GAME.show_action)


def quarter_turned(rows, quarter, right):
    """The picture with a quarter turned, by transposing lists."""
    top, left = ((0, 0), (0, 3), (3, 3), (3, 0))[quarter]
    block = [row[left : left + 3] for row in rows[top : top + 3]]
    block = [list(line) for line in zip(*block[::-1], strict=True)] if right else [*zip(*block, strict=True)][::-1]
    rows = [list(row) for row in rows]
    for down, line in enumerate(block):
        rows[top + down][left : left + 3] = line
    return ["".join(row) for row in rows]


def naive_children(text):
    rows = text.split("|")
    mover = "O" if text.count("O") == text.count("@") else "@"
    for row in range(6):
        for column in range(6):
            if rows[row][column] == ".":
                line = rows[row][:column] + mover + rows[row][column + 1 :]
                placed = [*rows[:row], line, *rows[row + 1 :]]
                for turn in range(8):
                    yield "|".join(quarter_turned(placed, turn // 2, turn % 2 == 1))


def lines_of(text):
    """The players who have five in a row."""
    found = set()
    for letter, other in (("O", "@"), ("@", "O")):
        if reference.line_winner(text.replace(other, ".").replace(letter, "X"), 5) == "X":
            found.add(letter)
    return found


def naive_perft(text, depth):
    if depth == 0:
        return 1
    if lines_of(text) or "." not in text:
        return 0
    return sum(naive_perft(child, depth - 1) for child in naive_children(text))


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_a_random_game_agrees_with_the_second_generator(seed):
    for state in conforming.play(GAME, seed):
        text = GAME.to_text(state)
        found = lines_of(text)
        assert GAME.is_terminal(state) == bool(found or "." not in text)
        if GAME.is_terminal(state):
            assert GAME.utility(state) == 1000 * (("O" in found) - ("@" in found))
        else:
            below = [GAME.to_text(GAME.result(state, action)) for action in GAME.actions(state)]
            assert below == list(naive_children(text))


def test_bounds_tell_whether_the_player_to_move_wins_at_once():
    met = set()
    for state in reference.random_states(GAME, 150, range(8, 30), seed=7):
        text = GAME.to_text(state)
        mover = "O" if GAME.to_move(state) == MAX else "@"
        wins = any(lines_of(child) == {mover} for child in naive_children(text))
        value = 1000 * GAME.to_move(state)
        assert GAME.bounds(state) == ((value, value) if wins else (-1000, 1000))
        met.add((mover, wins))
    assert len(met) == 4


def test_five_of_both_players_is_no_win():
    """The only turn that gives MAX five gives MIN five, too."""
    text = "@.....|@O....|@.....|..O...|......|@@OOO."
    assert {frozenset(lines_of(child)) for child in naive_children(text) if "O" in lines_of(child)} == {frozenset("O@")}
    assert GAME.bounds(GAME.from_text(text)) == (-1000, 1000)


@pytest.mark.parametrize("seed", range(3))
def test_perft_late_in_a_game_agrees_with_the_second_generator(seed):
    rng = random.Random(seed)
    state = GAME.initial
    while len(GAME.legal_actions(state)) > 6 * 8:
        state = GAME.result(state, rng.choice(GAME.legal_actions(state)))
        state = GAME.initial if GAME.is_terminal(state) else state
    assert perft(GAME, state, 2) == naive_perft(GAME.to_text(state), 2)


def test_perft_from_the_empty_board():
    # Five in a row need nine plies at least; with the centre empty a turn may change nothing.
    assert perft(GAME, GAME.initial, 1) == 288
    assert perft(GAME, GAME.initial, 2) == 288 * 280


def test_five_of_both_is_a_draw():
    state = GAME.from_text("OOOOO.|@@@@@.|......|......|......|......")
    assert GAME.is_terminal(state)
    assert GAME.utility(state) == 0


def test_a_turn_moves_stones_of_both():
    state = GAME.from_text("O.....|.O....|..@...|......|......|......")
    assert GAME.to_move(state) != MAX
    child = GAME.play(state, GAME.read_action(state, "f6t"))
    assert GAME.to_text(child) == "..O...|.O....|@.....|......|......|.....@"


@pytest.mark.parametrize(
    "text", ["", "O", "......|" * 6, "|".join(["......"] * 5), "@.....|" + "|".join(["......"] * 5)]
)
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        GAME.from_text(text)
