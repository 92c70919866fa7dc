"""A game in progress: who sits where, what was played, whose turn it is. It neither asks nor prints."""

from dataclasses import dataclass, field
from typing import Literal

from zermelo.errors import IllegalAction
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.play.players import Human, Player

Outcome = Literal["max", "min", "draw"]


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
    def is_over(self) -> bool:
        """Whether the rules ended the game."""
        return self.game.is_terminal(self.state)

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
    def outcome(self) -> Outcome | None:
        """Who won; None while the game goes on."""
        if not self.is_over:
            return None
        utility = self.game.utility(self.state)
        return "max" if utility > 0 else "min" if utility < 0 else "draw"

    def play(self, action: Action) -> None:
        """Make a move.

        Raises
        ------
        IllegalAction
            The rules do not allow it; nothing has changed.
        """
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


def play_out(match: Match) -> Outcome:
    """Let two programs play to the end."""
    while (outcome := match.outcome) is None:
        match.play(match.mover.think(match.state).action)
    return outcome
