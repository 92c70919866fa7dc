import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import conforming
import reference
from zermelo import Engine
from zermelo.game import MIN
from zermelo.games import breakthrough
from zermelo.textbook.perft import perft


@settings(max_examples=15)
@given(width=st.integers(2, 8), height=st.integers(4, 8), seed=st.integers(0, 2**32))
def test_random_games(width, height, seed):
    conforming.play(breakthrough(width, height), seed)


def test_the_recorded_game():
    game = breakthrough()

    def spell(state, action):
        # There the first player starts at the top: rows are counted from the other side.
        text = game.show_action(state, action)
        return f"{text[0]}{9 - int(text[1])}{text[3]}{9 - int(text[4])}" + ("*" if text[2] == "x" else "")

    conforming.replay(game, spell)


def naive_moves(text):
    rows, turn = text.split(" ")
    rows = rows.split("|")
    cells = {(r, c): piece for r, row in enumerate(rows) for c, piece in enumerate(row)}
    step, enemy = (-1, "b") if turn == "w" else (1, "w")
    found = set()
    for (r, c), piece in cells.items():
        if piece == turn:
            for side, free in ((0, "."), (-1, "." + enemy), (1, "." + enemy)):
                if cells.get((r + step, c + side), "#") in free:
                    found.add(((r, c), (r + step, c + side)))
    return found


@settings(max_examples=15)
@given(width=st.integers(2, 8), height=st.integers(4, 8), seed=st.integers(0, 2**32))
def test_moves_agree_with_a_look_at_the_picture(width, height, seed):
    game = breakthrough(width, height)
    for state in conforming.play(game, seed)[:-1]:
        legal = {tuple(divmod(cell, width) for cell in (a >> 6, a & 63)) for a in game.actions(state)}
        assert legal == naive_moves(game.to_text(state))


def test_perft_of_the_first_plies():
    game = breakthrough()
    # 8 straight and 14 diagonal moves; no two armies meet before the fifth ply.
    assert perft(game, game.initial, 1) == 22
    assert perft(game, game.initial, 2) == 22 * 22


def test_arriving_and_having_no_men_left():
    game = breakthrough(3, 4)
    assert game.utility(game.from_text("w..|.b.|...|..w b")) == 1000
    assert game.utility(game.from_text("...|...|...|w.. b")) == 1000
    assert game.utility(game.from_text("...|...|w..|b.. w")) == -1000


@pytest.mark.parametrize(("width", "height"), [(2, 4), (2, 5), (3, 4), (2, 6)])
def test_small_boards_seen_from_the_other_side(width, height):
    game = breakthrough(width, height)
    other = game.swap(game.initial)
    assert other == game.initial._replace(player=MIN)
    assert reference.solve(game, game.initial)[game.initial] == -reference.solve(game, other)[other]


def knowledge_holds(game, start):
    """Check bounds and sufficient actions on every reachable position; return how many positions the bounds decide."""
    values = reference.solve(game, start)
    decided = 0
    for state, value in values.items():
        if not game.is_terminal(state):
            low, high = game.bounds(state)
            assert low <= value <= high, game.to_text(state)
            decided += low == high
            chosen = list(game.sufficient_actions(state))
            assert chosen
            assert set(chosen) <= set(game.actions(state)), game.to_text(state)
            assert value in {values[game.result(state, action)] for action in chosen}, game.to_text(state)
            mirrored = next(iter(game.symmetries(state)))
            assert game.bounds(mirrored) == (low, high)
            assert game.bounds(game.swap(state)) == (-high, -low)
    return decided / sum(not game.is_terminal(state) for state in values)


@pytest.mark.parametrize(("width", "height"), [(2, 4), (2, 5), (3, 4), (2, 6)])
def test_bounds_and_sufficient_actions_hold_everywhere_on_small_boards(width, height):
    game = breakthrough(width, height)
    assert knowledge_holds(game, game.initial) > 0.5


@settings(max_examples=25)
@given(width=st.integers(3, 8), height=st.integers(5, 8), data=st.data())
def test_bounds_and_sufficient_actions_hold_in_endings_of_few_men(width, height, data):
    cells = st.sets(st.integers(width, width * (height - 1) - 1), min_size=1, max_size=2)
    white, black = data.draw(cells), data.draw(cells)
    turn = data.draw(st.sampled_from("wb"))
    rows = ["w" if cell in white - black else "b" if cell in black else "." for cell in range(width * height)]
    game = breakthrough(width, height)
    lines = ("".join(rows[start : start + width]) for start in range(0, width * height, width))
    state = game.from_text("|".join(lines) + f" {turn}")
    if not game.is_terminal(state):
        knowledge_holds(game, state)


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("...|w.b|...|... w", (1000, 1000)),  # arrives at once
        ("...|...|b.w|... w", (-1000, -1000)),  # nobody can take b
        ("...|.w.|b..|..w w", (1000, 1000)),
        (".....|.....|w...b|.....|.....|..... w", (1000, 1000)),  # both run, white is first
        (".....|.....|....b|w....|.....|..... w", (1000, 1000)),  # as far, and white moves
        (".....|.....|....b|w....|.....|..... b", (-1000, -1000)),
        (".....|b....|w....|.....|.....|..... w", (-1000, 1000)),  # b stands in the way
        (".....|.b...|.....|w....|.....|..... w", (-1000, 1000)),  # b can take it
    ],
)
def test_what_the_bounds_see(text, bounds):
    rows = text.split(" ")[0].split("|")
    game = breakthrough(len(rows[0]), len(rows))
    assert game.bounds(game.from_text(text)) == bounds


@pytest.mark.slow
def test_the_second_player_wins_on_five_by_five():
    found = Engine(breakthrough(5, 5), table_mb=256).prove(quickest=False)
    assert (found.proven, found.value) == (True, -1000)


@pytest.mark.parametrize("text", ["", "w", "bb|bb|ww|ww", "bb|bb|ww|wx w", "bb|bb|ww|ww x", "bb|b|ww|ww w", ".. w"])
def test_nonsense_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        breakthrough(2, 4).from_text(text)
