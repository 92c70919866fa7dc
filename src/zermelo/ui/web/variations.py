"""Every line that was played in a game, as a tree: what was taken back or replaced is kept."""

from typing import Any

from zermelo.game import Action
from zermelo.play.match import Match


class Variations:
    """The tree of all moves that a visitor's game has seen.

    A place in the tree is the tuple of actions that leads to it from the beginning.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[Action, ...], list[Action]] = {}
        """The actions played at each place, the one played last at the end."""

    def add(self, actions: list[Action]) -> None:
        """Keep a line."""
        for ply, action in enumerate(actions):
            played = self._next.setdefault(tuple(actions[:ply]), [])
            if action in played:
                played.remove(action)
            played.append(action)

    def others(self, actions: list[Action]) -> list[Action]:
        """Return the actions that were played in the place of the last of ``actions``."""
        return [action for action in self._next.get(tuple(actions[:-1]), []) if action != actions[-1]]

    def lines(self, main: list[Action]) -> list[list[Action]]:
        """Return all lines but ``main`` from the beginning to their ends, those played last at the end."""
        found: list[list[Action]] = []
        places: list[tuple[Action, ...]] = [()]
        while places:
            place = places.pop()
            after = self._next.get(place, [])
            places += [(*place, action) for action in reversed(after)]
            if not after and place != tuple(main[: len(place)]):
                found.append(list(place))
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
        place = tuple(actions)
        while self._next.get(place):
            place = (*place, self._next[place][-1])
        return list(place)
