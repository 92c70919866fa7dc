import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.game import MAX
from zermelo.games import hex


@settings(max_examples=12)
@given(size=st.integers(1, 6), swap=st.booleans(), seed=st.integers(0, 2**32))
def test_random_games(size, swap, seed):
    conforming.play(hex(size, swap), seed)


@pytest.mark.parametrize("size", [8, 11])
def test_a_random_game_on_several_words(size):
    game = hex(size)
    assert len(game.initial.max_stones) == (2 if size == 8 else 3)
    for state in conforming.play(game, size):
        check_joined(game, state)


def test_the_recorded_game():
    game = hex(5)
    conforming.replay(game, game.show_action)


def check_joined(game, state):
    """Check, cell by cell, that a game is over exactly if the player who moved last has joined both sides."""
    rows, turn = game.to_text(state).split(" ")
    rows = rows.split("|")
    size = len(rows)
    mover = "o" if turn == "x" else "x"
    waiting = [(0, c) if mover == "x" else (c, 0) for c in range(size)]
    waiting = [(r, c) for r, c in waiting if rows[r][c] == mover]
    seen = set(waiting)
    while waiting:
        row, column = waiting.pop()
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            r, c = row + down, column + right
            if 0 <= r < size and 0 <= c < size and rows[r][c] == mover and (r, c) not in seen:
                seen.add((r, c))
                waiting.append((r, c))
    far = any((r if mover == "x" else c) == size - 1 for r, c in seen)
    assert game.is_terminal(state) == far


@settings(max_examples=20)
@given(size=st.integers(1, 11), seed=st.integers(0, 2**32))
def test_joining_agrees_with_a_look_at_the_picture(size, seed):
    game = hex(size)
    rng = random.Random(seed)
    state = game.initial
    while True:
        check_joined(game, state)
        legal = game.legal_actions(state)
        if not legal:
            break
        state = game.result(state, rng.choice(legal))
    # One of the two always joins his sides.
    assert game.is_terminal(state)


def wins(game, state, known):
    """Whether the player to move wins; there are no draws, and one winning move is enough."""
    if state not in known:
        best_first = sorted(game.legal_actions(state), key=lambda action: -game.order(state, action))
        known[state] = any(not wins(game, game.result(state, action), known) for action in best_first)
    return known[state]


# HexWiki, "Small boards" for 2x2, and "Swap": a1, b1 and what is symmetrical to them lose on every larger board.
# Mazeworks, "Hex: Basic Strategy II": the short diagonal wins on 3x3 and 4x4.
OPENINGS = [(1, "a1", ""), (2, "a2 b1", "a1 b2"), (3, "a3 b2 c1", "a1 b1 c3 b3"), (4, "a4 b3 c2 d1", "a1 b1 d4 c4")]


@pytest.mark.parametrize(("size", "winning", "losing"), OPENINGS)
def test_published_openings(size, winning, losing):
    game, known = hex(size), {}
    for text in f"{winning} {losing}".split():
        state = game.play(game.initial, game.read_action(game.initial, text))
        assert wins(game, state, known) == (text in losing.split())


@pytest.mark.parametrize("size", [2, 3])
def test_with_the_swap_the_second_player_wins(size):
    game = hex(size, swap=True)
    assert reference.solve(game, game.initial)[game.initial] == -1000


def test_taking_over_mirrors_the_stone():
    game = hex(3, swap=True)
    state = game.replay([1, 9])
    assert game.to_text(state) == "...|o..|... x"
    assert game.to_move(state) == MAX
    assert 9 not in game.actions(state)


def test_the_picture():
    game = hex(3)
    assert game.draw(game.replay([1, 4])) == " a b c\n1 . x .\n 2 . o .\n  3 . . ."


@pytest.mark.parametrize("text", ["", "x", "..|..", "..|.. z", "x.|x. x", "x.|... o", "x?|.. x"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        hex(2).from_text(text)


@pytest.mark.parametrize("size", [9, 10, 11])
def test_each_row_of_the_picture_is_one_character_further_to_the_right(size: int):
    game = hex(size)
    letters, *rows = game.draw(game.initial).splitlines()
    assert [line.index(".") for line in rows] == list(range(rows[0].index("."), rows[0].index(".") + size))
    assert [line[: line.index(".")].strip() for line in rows] == [str(row + 1) for row in range(size)]
    assert all(line[line.index(".") - 1] == " " for line in rows)
    assert letters.index("a") == rows[0].index(".") - 1
