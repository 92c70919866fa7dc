"""A game in progress: who sits where, what was played, whose turn it is. It neither asks nor prints.

Two things end a game: its rules, and, where it has `repetition`, a position that comes back for the first time. Two
states are one position where their ``key`` is the same, or they themselves where there is none.
"""

from dataclasses import dataclass, field
from typing import Literal

from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.play.players import Human, Player

Outcome = Literal["max", "min", "draw"]
Ending = Literal["rules", "repetition"]


@dataclass
class Match:
    """Two players at one game.

    `states` has one more entry than `actions`: the state before each, and the present one.
    """

    game: Game
    max_player: Player
    min_player: Player
    actions: list[Action] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def __post_init__(self) -> None:
        played, self.actions, self.states = self.actions, [], [self.game.initial]
        for action in played:
            self.play(action)

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def ending(self) -> Ending | None:
        """What ended the game; None while it goes on."""
        if self.game.is_terminal(self.state):
            return "rules"
        return "repetition" if self.came_back() is not None else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or because the position came back."""
        return self.ending is not None

    def came_back(self) -> int | None:
        """After how many moves the present position was met before; None where it is new, or may come back."""
        if self.game.repetition is None:
            return None
        name = self.game.key or (lambda state: state)
        present = name(self.state)
        return next((place for place, state in enumerate(self.states[:-1]) if name(state) == present), None)

    @property
    def mover(self) -> Player:
        """The player to move; of a game that is over, whom TO-MOVE names."""
        return self.player(self.game.to_move(self.state))

    def player(self, side: int) -> Player:
        """The player who is MAX, or MIN."""
        return self.max_player if side == MAX else self.min_player

    @property
    def commentator(self) -> Player | None:
        """The player whose view of the state is shown: the one to move if it has one, else the other, else none."""
        return next((one for one in (self.mover, self.player(-self.game.to_move(self.state))) if one.comments), None)

    @property
    def value(self) -> int | None:
        """What the game came to, for MAX; None while it goes on."""
        ending, game = self.ending, self.game
        if ending == "rules":
            return game.utility(self.state)
        if ending == "repetition":
            return game.repetition(self.state) if callable(game.repetition) else game.endless_value
        return None

    @property
    def outcome(self) -> Outcome | None:
        """Who won; None while the game goes on."""
        value = self.value
        return None if value is None else "max" if value > 0 else "min" if value < 0 else "draw"

    def play(self, action: Action) -> None:
        """Make a move.

        Raises
        ------
        IllegalAction
            The rules do not allow it, or the position has come back and the game is over; nothing has changed.
        """
        met = self.came_back()
        if met is not None:
            raise IllegalAction(f"The game is over: the position is that after {plural(met, 'move')} again.")
        state = self.game.play(self.state, action)
        self.actions.append(action)
        self.states.append(state)

    def undo(self, side: int = 0) -> int:
        """Take back the last move, or with ``side`` as many as it takes until that side is to move again.

        Returns
        -------
        int
            How many moves were taken back.

        Raises
        ------
        IllegalAction
            There is no such move to take back.
        """
        wanted = [place for place, state in enumerate(self.states[:-1]) if side in (0, self.game.to_move(state))]
        if not wanted:
            raise IllegalAction("There is no move of yours to take back.")
        count = len(self.actions) - wanted[-1]
        del self.actions[wanted[-1] :], self.states[wanted[-1] + 1 :]
        return count

    def humans(self) -> list[int]:
        """The sides that people play."""
        return [side for side in (MAX, MIN) if isinstance(self.player(side), Human)]

    def moves(self) -> list[str]:
        """What was played, as people write it."""
        return [self.game.show_action(*pair) for pair in zip(self.states[:-1], self.actions, strict=True)]


def plural(count: int, thing: str) -> str:
    """How many of a thing, in words: ``1 move``, ``2 moves``."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def play_out(match: Match) -> Outcome:
    """Let two programs play to the end."""
    while (outcome := match.outcome) is None:
        match.play(match.mover.think(match.state).action)
    return outcome
