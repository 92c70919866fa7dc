"""Every line that was played in a game, as a tree: what was taken back or replaced is kept."""

from typing import Any

from zermelo.game import Action
from zermelo.play.match import Match

Branches = dict[Action, Any]
"""The actions played in a position, the one played last at the end, each with the branches behind it."""


class Variations:
    """The tree of all moves that a visitor's game has seen."""

    def __init__(self) -> None:
        self.branches: Branches = {}
        """The branches at the beginning of the game."""

    def add(self, actions: list[Action]) -> None:
        """Keep a line."""
        branches = self.branches
        for action in actions:
            after = branches.pop(action, {})
            branches[action] = after
            branches = after

    def others(self, actions: list[Action]) -> list[Action]:
        """Return the actions that were played in the place of the last of ``actions``."""
        return [action for action in self._behind(actions[:-1]) if action != actions[-1]]

    def lines(self, main: list[Action]) -> list[list[Action]]:
        """Return all lines but ``main`` from the beginning to their ends, those played last at the end."""
        found: list[list[Action]] = []
        places: list[tuple[list[Action], Branches]] = [([], self.branches)]
        while places:
            place, branches = places.pop()
            places += [([*place, action], after) for action, after in reversed(branches.items())]
            if not branches and place != main[: len(place)]:
                found.append(place)
        return found

    def written(self, match: Match) -> list[dict[str, Any]]:
        """Return all lines but that of a match, as a game record holds them."""
        found, game = [], match.game
        for line in self.lines(match.actions):
            pairs = zip(line, match.actions, strict=False)
            shared = next((i for i, (one, other) in enumerate(pairs) if one != other), len(match.actions))
            state, moves = match.states[shared], []
            for action in line[shared:]:
                moves.append(game.show_action(state, action))
                state = game.result(state, action)
            found.append({"after": shared, "moves": moves})
        return found

    def line(self, actions: list[Action]) -> list[Action]:
        """Return ``actions`` and the moves that were played after them last."""
        place, branches = list(actions), self._behind(actions)
        while branches:
            action = next(reversed(branches))
            place.append(action)
            branches = branches[action]
        return place

    def _behind(self, actions: list[Action]) -> Branches:
        """Return the branches behind a line; none if nobody played it."""
        branches = self.branches
        for action in actions:
            branches = branches.get(action, {})
        return branches
