"""What every game of the shelf must do at each state of a random game."""

import random
import zlib

from hypothesis import strategies as st

import facts
from zermelo.game import Game

BOARDS = st.tuples(st.integers(1, 26), st.integers(1, 26)).filter(lambda board: board[0] * board[1] <= 126)
"""The width and height of boards that two words can hold."""


def random_game(game: Game, seed: int) -> list:
    """Play a random game to its end, check nothing, and return the states."""
    rng = random.Random(seed)
    states = [game.initial]
    while not game.is_terminal(states[-1]):
        states.append(game.result(states[-1], rng.choice(list(game.actions(states[-1])))))
    return states


def play(game: Game, seed: int, plies: int = 400) -> list:
    """Play a random game, check each state, and return the states."""
    rng = random.Random(seed)
    states = [game.initial]
    for ply in range(plies):
        state = states[-1]
        check(game, state)
        if game.symmetries is not None and ply % 5 == 0:
            check_symmetries(game, state)
        legal = game.legal_actions(state)
        if not legal:
            break
        states.append(game.result(state, rng.choice(legal)))
    if game.key is not None:
        keys = {game.key(state) for state in states}
        assert len(keys) == len(set(states))
        assert all(0 <= key < 1 << 63 for key in keys)
    return states


def check(game: Game, state) -> None:
    legal = game.legal_actions(state)
    low, high = game.utility_range
    assert game.from_text(game.to_text(state)) == state
    assert game.draw(state)
    assert len(set(legal)) == len(legal)
    board = game.board(state)
    assert set(board.clicks) == set(legal)
    assert len(set(board.clicks.values())) == len(legal)
    used = [piece.cell for piece in board.pieces] + [cell for clicks in board.clicks.values() for cell in clicks]
    assert all(0 <= cell < len(board.cells) for cell in used)
    if game.is_terminal(state):
        assert low <= game.utility(state) <= high
    else:
        assert legal
        assert low < game.evaluate(state) < high
        shown = [game.show_action(state, action) for action in legal]
        assert len(set(shown)) == len(shown)
        assert game.read_action(state, shown[-1]) == legal[-1]
        if game.order is not None:
            assert all(type(game.order(state, action)) is int for action in legal)
    if game.swap is not None:
        check_swap(game, state)


def value_of(game: Game, state) -> int:
    return game.utility(state) if game.is_terminal(state) else game.evaluate(state)


def check_swap(game: Game, state) -> None:
    other = game.swap(state)
    assert game.swap(other) == state
    assert game.is_terminal(other) == game.is_terminal(state)
    assert value_of(game, other) == -value_of(game, state)
    if not game.is_terminal(state):
        assert game.to_move(other) == -game.to_move(state)
        below = {game.swap(game.result(state, action)) for action in game.actions(state)}
        assert below == {game.result(other, action) for action in game.actions(other)}


def check_symmetries(game: Game, state) -> None:
    def canonical(state):
        return min([state, *game.symmetries(state)])

    below = {canonical(game.result(state, action)) for action in game.legal_actions(state)}
    for image in game.symmetries(state):
        assert game.to_move(image) == game.to_move(state)
        assert game.is_terminal(image) == game.is_terminal(state)
        assert value_of(game, image) == value_of(game, state)
        assert canonical(image) == canonical(state)
        assert {canonical(game.result(image, action)) for action in game.legal_actions(image)} == below


def replay(game: Game, spell) -> list:
    """Replay the recorded game of ``game``; ``spell(state, action)`` is an action in its notation.

    Where the record lists the legal moves, they must be those of the game. Gives back the states.
    """
    (row,) = [row for row in facts.rows("playthroughs.tsv") if row["game"] == game.name]
    listed = {int(ply): (int(count), crc) for ply, count, crc in (item.split(":") for item in row["legal"].split(","))}
    states = [game.initial]
    for ply, move in enumerate(row["moves"].split("|")):
        state = states[-1]
        spelled = {spell(state, action): action for action in game.legal_actions(state)}
        if ply in listed:
            assert (len(spelled), f"{zlib.crc32(' '.join(sorted(spelled)).encode()):08x}") == listed[ply]
        states.append(game.result(state, spelled[move]))
    assert game.is_terminal(states[-1])
    sign = (game.utility(states[-1]) > 0) - (game.utility(states[-1]) < 0)
    assert sign == int(float(row["value"]))
    return states
