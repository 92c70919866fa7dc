"""Every line that was played in a game, as a tree: what was taken back or replaced is kept."""

from zermelo.game import Action


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

    def line(self, actions: list[Action]) -> list[Action]:
        """Return ``actions`` and the moves that were played after them last."""
        place = tuple(actions)
        while self._next.get(place):
            place = (*place, self._next[place][-1])
        return list(place)
