"""A game in progress: who sits where, what was played, whose turn it is. It neither asks nor prints.

Two things end a game: its rules, and, where it has `repetition`, a position that comes back, for the first time unless
the game's `occurrences` says otherwise. Two states are one position if they differ in nothing but counters
(`Game.position`).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from zermelo.display import brief, first_of, html_picture
from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import MAX, MIN, Action, Game, State
from zermelo.notation import split_moves
from zermelo.play.ending import Ending, earlier_place, ending_of, final_value
from zermelo.play.pgn import SUFFIX, match_text, save_pgn
from zermelo.play.players import Human, Player, Thought, make_player
from zermelo.play.record import Record
from zermelo.play.settings import PlayerOptions
from zermelo.result import SearchCounts

Outcome = Literal["max", "min", "draw"]


class Match:
    """Two players at one game: ``Match(game, "heuristic", "engine:easy")``.

    Parameters
    ----------
    game
        The rules.
    max_player, min_player
        Who is MAX, and MIN: a `Player` of that game, or a player's name as `make_player` reads it. Two players that
        play at random and are given by name do so from different seeds.
    actions
        What was played before, as actions or as people write them; or one text, as `Game.replay` takes it.
    start
        The state in which the match begins; the game's initial state if None.

    Attributes
    ----------
    states
        One more than `actions`: the state before each, and the present one.

    Raises
    ------
    BadParameter
        Somebody is no player, or one of another game.
    IllegalAction
        One of the actions is not legal.
    """

    def __init__(
        self,
        game: Game,
        max_player: Player | str,
        min_player: Player | str,
        actions: Iterable[Action | str] | str = (),
        start: State | None = None,
    ) -> None:
        self.game = game
        self.max_player = _seated(max_player, game, "MAX", PlayerOptions())
        self.min_player = _seated(min_player, game, "MIN", PlayerOptions(seed=1))
        self.actions: list[Action] = []
        self.states: list[State] = [game.initial if start is None else start]
        for action in split_moves(actions):
            self.play(action)

    def __repr__(self) -> str:
        played = f", {brief(self.actions)}" if self.actions else ""
        return f"Match({self.game!r}, {self.max_player.name!r}, {self.min_player.name!r}{played})"

    def __str__(self) -> str:
        return "\n".join([self._caption(), self.game.draw(self.state), self._moves(), self._standing()])

    def _repr_html_(self) -> str:
        from html import escape

        lines = (self._caption(), html_picture(self.game, self.state), self._moves(), self._standing())
        return "".join(f"<div>{line if place == 1 else escape(line)}</div>" for place, line in enumerate(lines))

    def _caption(self) -> str:
        first, second = (f"{self.player(side).name} as {self.game.side_title(side)}" for side in (MAX, MIN))
        return f"{self.game!r}: {first} against {second}"

    def _moves(self) -> str:
        """Return the moves in a sentence; of many moves, the latest."""
        return f"Moves: {first_of(self.moves(), last=True)}." if self.actions else "No move was made."

    def _standing(self) -> str:
        """Return a sentence that says whose turn it is, or how the game ended."""
        outcome = self.outcome
        if outcome is None:
            return f"{self.game.side_title(self.game.to_move(self.state))} is to move: {self.mover.name}."
        back = " The position came back." if self.ending == "repetition" else ""
        if outcome == "draw":
            return f"The game is a draw.{back}"
        side = MAX if outcome == "max" else MIN
        return f"{self.game.side_title(side)} has won: {self.player(side).name}.{back}"

    def save(self, path: str | Path, source: str | None = None, options: PlayerOptions | None = None) -> None:
        """Write the game to a file, as ``save`` in ``zermelo play`` does; `Record.load` reads it.

        Parameters
        ----------
        path
            The file. If its name ends with ``.pgn``, the game is written in Portable Game Notation.
        source
            The game as the command line names it; its name if None, which suits all but games in files.
        options
            What was said of the players.

        Raises
        ------
        RecordError
            The file cannot be written.
        BadParameter
            It should be written in PGN, and the game has no ``pgn_tags``.
        """
        if Path(path).suffix == SUFFIX:
            return save_pgn(Path(path), match_text(self))
        return Record.of(self, source or self.game.name, options).save(Path(path))

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def ending(self) -> Ending | None:
        """What ended the game; None while it goes on."""
        return ending_of(self.game, self.states)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or because the position came back."""
        return self.ending is not None

    def came_back(self) -> int | None:
        """Return after how many moves the present position first stood, if its return ends the game; else None."""
        return earlier_place(self.game, self.states)

    @property
    def mover(self) -> Player:
        """The player to move; if the game is over, the player that TO-MOVE names."""
        return self.player(self.game.to_move(self.state))

    def player(self, side: int) -> Player:
        """Return the player who plays MAX, or MIN."""
        return self.max_player if side == MAX else self.min_player

    @property
    def commentator(self) -> Player | None:
        """The player whose comment is shown: the mover if it comments, else the other; None if neither does."""
        return next((one for one in (self.mover, self.player(-self.game.to_move(self.state))) if one.comments), None)

    @property
    def value(self) -> int | None:
        """The value of the finished game, for MAX; None while it goes on."""
        return final_value(self.game, self.states)

    @property
    def outcome(self) -> Outcome | None:
        """Who won; None while the game goes on."""
        value = self.value
        return None if value is None else "max" if value > 0 else "min" if value < 0 else "draw"

    def think(self, player: Player, counts: SearchCounts | None = None) -> Thought:
        """Let a player choose an action in the present state; it is told what was played before."""
        return player.think(self.state, counts, before=self.states[:-1])

    def play(self, action: Action | str) -> None:
        """Make a move: an action, or its text as people write it.

        Raises
        ------
        IllegalAction
            The rules do not allow it, or the position has come back and the game is over; nothing has changed.
        """
        met = self.came_back()
        if met is not None:
            raise IllegalAction(f"The game is over: the position is that after {plural(met, 'move')} again.")
        action = self.game.legal_action(self.state, action)
        self.states.append(self.game.result(self.state, action))
        self.actions.append(action)

    def undo(self, side: int = 0) -> int:
        """Take back the last move; with ``side``, take back moves until that side is to move.

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
        """Return the sides that people play."""
        return [side for side in (MAX, MIN) if isinstance(self.player(side), Human)]

    def moves(self) -> list[str]:
        """What was played, as people write it."""
        return [self.game.show_action(*pair) for pair in zip(self.states[:-1], self.actions, strict=True)]


def _seated(player: Any, game: Game, side: str, options: PlayerOptions) -> Player:
    """Return the player for one side; make it if only its name is given.

    Raises
    ------
    BadParameter
        It is neither a player nor the name of one, or plays another game.
    """
    if isinstance(player, str):
        return make_player(player, game, options)
    if not isinstance(player, Player):
        raise BadParameter(f"{side} is {brief(player)}; it must be a player or the name of one, such as 'heuristic'.")
    own = getattr(player, "game", game)
    if own is not game and own.fingerprint != game.fingerprint:
        raise BadParameter(f"{side} is {player.name}, a player of {own!r}; the match is one of {game!r}.")
    return player


def plural(count: int, thing: str) -> str:
    """Return a count with its noun: ``1 move``, ``2 moves``."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def play_out(match: Match) -> Outcome:
    """Let two programs play to the end."""
    while (outcome := match.outcome) is None:
        match.play(match.think(match.mover).action)
    return outcome
