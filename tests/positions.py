"""What every game promises about any position, checked along a random game."""

import random

from hypothesis import strategies as st

from zermelo.game import MAX, MIN


def random_state(game, data, plies=60):
    """A state some random plies into the game."""
    state = game.initial
    for _ in range(data.draw(st.integers(0, plies))):
        legal = game.legal_actions(state)
        if not legal:
            break
        state = game.result(state, data.draw(st.sampled_from(legal)))
    return state


def random_moves(game, seed, plies=40):
    """The states of a random game, each with the action that was played there."""
    state, generator = game.initial, random.Random(seed)
    for _ in range(plies):
        if game.is_terminal(state):
            return
        action = generator.choice(list(game.actions(state)))
        yield state, action
        state = game.result(state, action)


def keeps_its_promises(game, state):
    """Check texts and how they are read back, exchanged colours, the range of EVAL and UTILITY, names and clicks."""
    low, high = game.utility_range
    assert game.from_text(game.to_text(state)) == state
    assert game.draw(state)
    swapped = game.swap(state)
    assert game.swap(swapped) == state
    assert game.to_move(swapped) == -game.to_move(state) in (MAX, MIN)
    assert game.is_terminal(swapped) == game.is_terminal(state)
    board = game.board(state)
    assert all(0 <= piece.cell < len(board.cells) for piece in board.pieces)
    if game.is_terminal(state):
        assert low <= game.utility(state) <= high
        assert game.utility(swapped) == -game.utility(state)
        assert board.clicks == {}
        return
    assert game.evaluate(swapped) == -game.evaluate(state)
    below = {game.swap(game.result(state, action)) for action in game.actions(state)}
    assert below == {game.result(swapped, action) for action in game.actions(swapped)}
    assert low < game.evaluate(state) < high
    legal = game.legal_actions(state)
    assert len(legal) == len(set(legal)) == len(game.legal_actions(swapped)) > 0
    assert list(board.clicks) == legal
    assert len(set(board.clicks.values())) == len(legal)
    assert all(0 <= cell < len(board.cells) for clicks in board.clicks.values() for cell in clicks)
    names = [game.show_action(state, action) for action in legal]
    assert len(set(names)) == len(names)
    assert [game.read_action(state, name) for name in names] == legal
    if game.order is not None:
        assert all(isinstance(game.order(state, action), int) for action in legal)
