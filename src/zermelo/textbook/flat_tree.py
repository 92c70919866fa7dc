"""A search tree as columns of numbers: the small form in which a page gets it, once, to step through it by itself.

Nodes are in the order in which the search entered them. A node's parent is the last node before it that is one ply
less deep, and the events follow from the order; so neither is sent.
"""

from math import inf
from typing import Any, Final

from zermelo.game import Action, Game
from zermelo.textbook.explain import SearchTree
from zermelo.textbook.observer import Node

FORMAT: Final = "zermelo flat tree 1"
_SOURCES: Final = {"terminal": "t", "cutoff": "c", "table": "h", "children": "n", None: "?"}
_BOUNDS: Final = {"exact": "e", "lower": "l", "upper": "u", None: "-"}
_PLAYERS: Final = {1: "+", -1: "-", 0: "0"}


def flat(tree: SearchTree) -> dict[str, Any]:
    """Return a tree in types that JSON has.

    ``ply``, ``value``, ``alpha`` and ``beta`` hold a number for each node; a missing alpha is -∞, a missing beta ∞, and
    both are absent for minimax. ``choice`` is the place of the node's move among the legal actions of its parent, and
    ``move`` the place of its text in ``moves``. ``player``, ``source`` and ``bound`` hold a letter for each node.
    ``best`` is the best child's choice, or -1. ``stored``, ``pruned`` and ``dropped`` say of few nodes which node
    stored the value that the table answered, and which moves were pruned or left out by the width.
    """
    moves = _Moves(tree.game)
    nodes = tree.nodes
    named = [(-1, -1) if node.parent is None else moves.named(nodes[node.parent], node.action) for node in nodes]
    columns: dict[str, Any] = {
        "ply": [node.ply for node in nodes],
        "choice": [choice for choice, _ in named],
        "move": [text for _, text in named],
        "player": "".join(_PLAYERS[node.player] for node in nodes),
        "source": "".join(_SOURCES[node.source] for node in nodes),
        "bound": "".join(_BOUNDS[node.bound] for node in nodes),
        "value": [node.value if node.source else None for node in nodes],
        "best": [-1 if node.best_action is None else moves.named(node, node.best_action)[0] for node in nodes],
        "stored": {node.number: node.stored for node in nodes if node.stored is not None},
        "pruned": {node.number: moves.texts(node, node.unsearched) for node in nodes if node.pruned},
        "dropped": {node.number: moves.texts(node, node.dropped) for node in nodes if node.dropped},
    }
    if nodes and nodes[0].alpha is not None:
        columns["alpha"] = [_finite(node.alpha) for node in nodes]
        columns["beta"] = [_finite(node.beta) for node in nodes]
    return {"format": FORMAT, "moves": moves.all, **columns}


def _finite(number: float | None) -> int | None:
    return None if number is None or abs(number) == inf else int(number)


class _Moves:
    """The texts of moves, each once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.all: list[str] = []
        self._places: dict[str, int] = {}
        self._choices: dict[int, dict[Action, int]] = {}

    def named(self, node: Node, action: Action) -> tuple[int, int]:
        """Return an action's place among the legal actions of a node, and that of its text."""
        if node.number not in self._choices:
            self._choices[node.number] = {one: place for place, one in enumerate(self.game.actions(node.state))}
        text = self.game.show_action(node.state, action)
        if text not in self._places:
            self._places[text] = len(self.all)
            self.all.append(text)
        return self._choices[node.number][action], self._places[text]

    def texts(self, node: Node, actions: tuple[Action, ...]) -> list[int]:
        """Return the places of several actions' texts."""
        return [self.named(node, action)[1] for action in actions]
