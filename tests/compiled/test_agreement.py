"""Rules that say something else compiled than interpreted are refused before anything is proven by them."""

from typing import NamedTuple

import pytest

from zermelo import MAX, Engine, Game
from zermelo.compiled import agreement, cache_info, compiled, flatten, perft
from zermelo.compiled.agreement import require_agreement
from zermelo.errors import NotCompilable
from zermelo.solver.model.problem import Problem


class State(NamedTuple):
    board: int
    turn: int
    player: int


def climbing(first=0, **changes):
    """Each move sets one bit more, twelve in all from ``first`` on; whoever sets the last one gives MAX 10."""
    rules = {
        "to_move": lambda state: state.player,
        "actions": lambda state: range(1, 3),
        "result": lambda state, action: State(
            state.board | 1 << first + state.turn, state.turn + 1, -state.player if action == 1 else state.player
        ),
        "is_terminal": lambda state: state.turn == 12,
        "utility": lambda state: 10 if state.board >> first + 11 & 1 else -10,
    }
    return Game(name="climbing", initial=State(0, 0, MAX), utility_range=(-10, 10), **(rules | changes))


ASK = {
    "search": lambda game: Engine(game, table_mb=0.1).search(depth=2),
    "prove": lambda game: Engine(game, table_mb=0.1).prove(),
    "decide": lambda game: Engine(game, table_mb=0.1).decide(1),
    "prove many": lambda game: Engine(game, table_mb=0.1).prove_many([game.initial]),
    "perft": lambda game: perft(game, game.initial, 2),
    "solve": Problem,
}


@pytest.mark.parametrize("ask", ASK.values(), ids=ASK)
def test_a_board_of_more_than_64_bits_is_refused(ask):
    with pytest.raises(NotCompilable, match="an int of 65 bits, and compiled ints have 64; spread"):
        ask(climbing(58))


def test_a_board_of_less_is_not():
    assert perft(climbing(), State(0, 0, MAX), 3) == 8


WRONG = {
    "result": {
        "result": lambda state, action: State(
            state.board | 1 << state.turn, state.turn + (1 << 60 + state.turn >> 60 + state.turn), -state.player
        )
    },
    "is_terminal": {"is_terminal": lambda state: (state.turn << 60) >= 12 << 60},
    "utility": {"utility": lambda state: 10 if 1 << (state.turn + 58) > 5 else -10},
    "evaluate": {"evaluate": lambda state: (3**35 << state.turn) % 7},
    "order": {"order": lambda state, action: (10**18 * (state.turn + 5)) % 7},
    "proof_order": {"proof_order": lambda state, action: (10**18 * (state.turn + 5)) % 7},
    "bounds": {"bounds": lambda state: (-10, 10 if (1 << 60 + state.turn) > 0 else -10)},
    "window_bounds": {"window_bounds": lambda state, alpha: (-10, 10 if (1 << 60 + state.turn) > alpha else -10)},
    "tier": {"tier": lambda state: (state.turn << 62) >> 62},
}


@pytest.mark.parametrize("name", WRONG)
def test_numbers_on_the_way_that_leave_64_bits_are_noticed(name):
    game = climbing(**WRONG[name])
    with pytest.raises(NotCompilable, match=rf"climbing\(\) cannot be compiled: .*{name}.*64 bits.*zermelo.textbook"):
        require_agreement(compiled(game))


@pytest.mark.parametrize("state", [State(1 << 64, 0, 1), State(-(1 << 63) - 1, 0, 1), State(10**5000, 0, 1)])
def test_a_state_that_does_not_fit_is_refused(state):
    with pytest.raises(NotCompilable, match=r"an int of \d+ bits, and compiled ints have 64"):
        flatten(state)


def test_a_state_of_something_else_than_ints_is_refused():
    with pytest.raises(NotCompilable, match=r"A state holds 0\.5 where a compiled game has an int"):
        flatten(State(0.5, 0, 1))


def test_it_is_done_once_for_each_game_and_its_outcome_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    compared = []
    real = agreement._compare
    monkeypatch.setattr(agreement, "_compare", lambda game: (compared.append(game), real(game)))
    for game in (climbing(), climbing()):
        rules = compiled(game)
        require_agreement(rules)
        require_agreement(rules)
    assert len(compared) == 1 and cache_info().games <= 1
