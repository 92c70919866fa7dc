import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo.games import konane


@settings(max_examples=20)
@given(size=st.integers(2, 8), seed=st.integers(0, 2**32))
def test_random_games(size, seed):
    conforming.play(konane(size), seed)


def test_the_recorded_game():
    game = konane()
    conforming.replay(game, lambda state, action: game.show_action(state, action).replace("-", ""))


# P. Norvig, "Mel's Konane Board" (2021): the second player wins on 4x4 and 6x6, the first on 5x5.
STARTS = [
    (4, "..xo|oxox|xoxo|oxox x", -1000),
    (4, "xoxo|oxox|x..o|oxox x", -1000),
    (5, "..xox|oxoxo|xoxox|oxoxo|xoxox x", 1000),
]


@pytest.mark.parametrize(("size", "text", "value"), STARTS)
def test_published_winners(size, text, value):
    game = konane(size)
    start = game.from_text(text)
    assert reference.solve(game, start)[start] == value


def test_a_stone_may_jump_on():
    game = konane(5)
    state = game.from_text("xo.o.|.....|.....|.....|..... x")
    assert [game.show_action(state, action) for action in game.actions(state)] == ["a5-c5", "a5-e5"]
    assert game.to_text(game.play(state, game.read_action(state, "a5-e5"))) == "....x|.....|.....|.....|..... o"


@settings(max_examples=20)
@given(size=st.integers(2, 11), seed=st.integers(0, 2**32))
def test_moves_agree_with_a_look_at_the_picture(size, seed):
    game = konane(size)
    for state in conforming.random_game(game, seed):
        rows, turn = game.to_text(state).split(" ")
        if rows.count(".") < 2:
            continue
        cells = {(r, c): piece for r, row in enumerate(rows.split("|")) for c, piece in enumerate(row)}
        moves = set()
        for (row, column), piece in cells.items():
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                path = [cells.get((row + n * down, column + n * right), "#") for n in range(1, size + 1)]
                for n in range(0, size - 1, 2):
                    if piece != turn or path[n] in ".#" or path[n + 1] != ".":
                        break
                    moves.add((row * size + column, (row + (n + 2) * down) * size + column + (n + 2) * right))
        assert {divmod(action, 64 if size <= 8 else 128) for action in game.actions(state)} == moves
        assert game.is_terminal(state) == (not moves)


@pytest.mark.parametrize("text", ["", "x", "xo|ox", "ox|xo x", "xo|o? x", "xo|ox y", "xo|.x o"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        konane(2).from_text(text)
