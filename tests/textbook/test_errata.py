"""The handouts' own alpha-beta table loses drawn games; the sound table never does.

The player plays as the published transcripts do: from the table of one search, and where a state is
not in it, from a new search with an empty table, whoever is to move. Every reply is tried.
"""

import pytest

import reference
from zermelo.game import MAX, MIN
from zermelo.games import connect, tictactoe
from zermelo.textbook.systems import Settings, System

SMALLEST = (1, 10, 3), MIN, [8, 6, 4, 2, 3, 5, 7, 1, 9]
SMALLEST_WITH_ROWS = (4, 3, 3), MIN, [0, 2, 0, 0, 0, 1, 1, 2, 2]


def lost_lines(game, side, *, handout):
    """Every line, one per ending and table, in which the player of ``side`` ends below the value of the game."""
    values = reference.solve(game, game.initial)
    lost, seen = [], set()

    def play(state, system, searched_from, line):
        if game.is_terminal(state):
            if side * game.utility(state) < side * values[game.initial]:
                lost.append(line)
            return
        if system.look_up(state) is None:
            system, searched_from = System(game, "alpha-beta", Settings(handout=handout)), state
            system.search(state)
        if (state, searched_from) in seen:
            return
        seen.add((state, searched_from))
        own = game.to_move(state) == side
        for action in [system.look_up(state).action] if own else game.actions(state):
            play(game.result(state, action), system, searched_from, [*line, action])

    play(game.initial, System(game, "alpha-beta"), None, [])
    return lost


@pytest.mark.parametrize(("board", "side", "line"), [SMALLEST, SMALLEST_WITH_ROWS], ids=["1x10x3", "4x3x3"])
def test_the_handout_loses_a_drawn_game(board, side, line):
    game = connect(*board)
    assert reference.solve(game, game.initial)[game.initial] == 0
    assert lost_lines(game, side, handout=True) == [line]
    assert side * game.utility(game.replay(line)) < 0


def test_the_handout_loses_on_5x3_as_max():
    lost = lost_lines(connect(5, 3, 3), MAX, handout=True)
    assert len(lost) == 3
    assert [0, 0, 2, 1, 0, 1, 0, 1] in lost


@pytest.mark.slow
def test_no_smaller_board_is_lost():
    boards = [(r, c, run) for r in range(1, 10) for c in range(1, 10) if r * c < 10 for run in range(2, 5)]
    for board in boards:
        game = connect(*board)
        assert not [line for side in (MAX, MIN) for line in lost_lines(game, side, handout=True)], board


@pytest.mark.slow
def test_the_handout_holds_4x4():
    game = connect(4, 4, 4)
    assert lost_lines(game, MAX, handout=True) == []
    assert lost_lines(game, MIN, handout=True) == []


BOARDS = [(r, c, run) for r in range(1, 5) for c in range(1, 5) for run in (2, 3, 4) if r * c < 16]


@pytest.mark.parametrize("side", [MAX, MIN])
def test_the_sound_player_never_lets_the_value_go(side):
    for game in [tictactoe(), connect(1, 10, 3), connect(5, 3, 3), *(connect(*board) for board in BOARDS)]:
        assert lost_lines(game, side, handout=False) == [], repr(game)


@pytest.mark.slow
@pytest.mark.parametrize("run", [2, 3, 4])
@pytest.mark.parametrize("side", [MAX, MIN])
def test_the_sound_player_never_lets_the_value_go_on_4x4(side, run):
    assert lost_lines(connect(4, 4, run), side, handout=False) == []


def test_the_wrong_entry():
    """Where it happens, move by move, as docs/explanation/errata.md tells it."""
    game = connect(4, 3, 3)
    system = System(game, "alpha-beta", Settings(handout=True))
    system.search(game.initial)
    values = reference.solve(game, game.initial)
    state = game.from_text("X..|O..|X..|X.O")
    assert system.table[state] == (-12000, 1)
    wrong = game.result(state, 1)
    assert system.table[wrong] == (-12000, 1)
    assert values[wrong] == 13333
    assert values[game.result(state, 2)] == -12000
    sound = System(game, "alpha-beta")
    sound.search(state)
    assert sound.look_up(state).action == 2
    # The sound table says of the same state only that it is worth at most so much.
    entry = sound.table[wrong]
    assert entry.bound != "exact" or entry.value == 13333
