"""Positions to judge a player by: from a solved table, from random games, from games between players."""

import random
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, get_args

from zermelo.game import Action, Game, State
from zermelo.play.ending import ending_of
from zermelo.play.players import Player
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Competitor
from zermelo.solver.table.scan import sample
from zermelo.solver.table.table import Table

Source = Literal["table", "random", "games"]
SOURCES: Final = get_args(Source)
LONGEST: Final = 1000
"""Plies after which a game that has not ended is broken off."""


Decider = Player | Competitor
"""Whoever chooses moves: a player in this process, or a program in a process of its own."""


class Position(NamedTuple):
    """A position with at least two legal actions."""

    states: tuple[State, ...]
    """The game so far, the position itself last; it alone where it comes from a table."""
    actions: tuple[Action, ...]
    """What was played, one fewer."""
    ply: int | None
    """Moves since the start; None where the position comes from a table."""
    game: int
    """The number of the game. Positions of one game are not independent."""

    @property
    def state(self) -> State:
        """The position itself."""
        return self.states[-1]


def from_table(table: Table, count: int, seed: int) -> list[Position]:
    """Draw stored positions, each equally likely, without repeats; symmetric positions are stored once.

    Returns
    -------
    list of Position
        As many as the table has, if it has fewer than ``count``.
    """
    game = table.game
    # Some positions are over or leave no choice, so more are drawn than asked for.
    wanted = count
    while True:
        wanted *= 2
        states = [
            state
            for _, keys, _ in sample(table, wanted, seed)
            for state in map(table.state, keys.tolist())
            if has_choice(game, state)
        ]
        if len(states) >= count or wanted >= int(table.manifest["stored"]):
            break
    random.Random(seed).shuffle(states)
    return [Position((state,), (), None, number) for number, state in enumerate(states[:count])]


def from_random_games(game: Game, count: int, seed: int) -> list[Position]:
    """Draw one position from each of many random games; each position of a game with a choice is equally likely.

    So every game counts the same, however long it is, and the positions are independent.
    """
    generator, found = random.Random(seed), []
    for number in range(count):
        states, actions = random_game(game, generator)
        choices = [ply for ply, state in enumerate(states) if has_choice(game, state)]
        if choices:
            ply = generator.choice(choices)
            found.append(Position(tuple(states[: ply + 1]), tuple(actions[:ply]), ply, number))
    return found


def from_games(
    game: Game, player: Decider, other: Decider, count: int, seed: int, opening: int
) -> Iterator[tuple[Position, Action]]:
    """Play games from random openings, and yield what the player is asked and answers, until so many are yielded.

    Parameters
    ----------
    game
        What they play.
    player
        Plays both sides in turn: MAX in every other game.
    other
        Plays the other side; it may be the same player.
    count
        How many positions to yield.
    seed
        Of the openings.
    opening
        How many random plies each game begins with.

    Yields
    ------
    Position, Action
        A position with a choice in which the player was to move, and its choice.
    """
    generator, found, number = random.Random(seed), 0, 0
    while found < count:
        for one in (player, other):
            one.new_game(number)
        states, actions = random_game(game, generator, opening)
        mine = 1 if number % 2 == 0 else -1
        while ending_of(game, states) is None and len(states) <= LONGEST:
            asked = player is other or game.to_move(states[-1]) == mine
            position = Position(tuple(states), tuple(actions), len(actions), number)
            action = choose(player if asked else other, position)
            if asked and has_choice(game, states[-1]):
                yield position, action
                found += 1
                if found == count:
                    return
            actions.append(action)
            states.append(game.result(states[-1], action))
        number += 1


def choose(decider: Decider, position: Position) -> Action:
    """Return what somebody plays in a position."""
    if isinstance(decider, Player):
        return decider.think(position.state, before=position.states[:-1]).action
    return decider.choose(position.states, position.actions, Go()).action


def random_game(game: Game, generator: random.Random, plies: int = LONGEST) -> tuple[list[State], list[Action]]:
    """Play a game by choosing each legal action with the same probability.

    Returns
    -------
    list of State
        From the initial one on; at most ``plies`` moves, fewer where the game ends.
    list of Action
        The moves.
    """
    states: list[State] = [game.initial]
    actions: list[Action] = []
    while len(actions) < plies and ending_of(game, states) is None:
        actions.append(generator.choice(game.legal_actions(states[-1])))
        states.append(game.result(states[-1], actions[-1]))
    return states, actions


def has_choice(game: Game, state: State) -> bool:
    """Whether there are at least two legal actions."""
    return len(game.legal_actions(state)) > 1
