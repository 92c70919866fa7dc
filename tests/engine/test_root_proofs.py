"""Which of the values of a search's actions are proven, and how far the end is."""

import pytest

from zermelo import Engine
from zermelo.games import tictactoe
from zermelo.ui.web.small_games import outcomes

GAME = tictactoe()
ENGINE = Engine(GAME, table_mb=1)


@pytest.mark.parametrize("moves", ["b2 a1", "a1 b2 c3", "b2 b1 a1 c3", "a1 a2 b1 b2"])
def test_what_is_proven_of_an_action_is_so_at_every_depth(moves: str) -> None:
    state = GAME.replay(moves.split())
    true = outcomes(GAME, state)
    assert true is not None
    proven = 0
    for depth in range(1, 9):
        ENGINE.clear()
        found = ENGINE.search(state, depth=depth, root_values=True)
        proofs = found.root_proofs or {}
        assert found.proven == (set(proofs) == set(GAME.actions(state)))
        for action, remoteness in proofs.items():
            value, plies = true[GAME.result(state, action)]
            assert (found.root_values or {})[action] == value
            assert remoteness == (plies + 1 if value else None)
        assert len(proofs) >= proven  # what is proven at a depth is proven at the next
        proven = len(proofs)
    assert proven == len(GAME.legal_actions(state))
