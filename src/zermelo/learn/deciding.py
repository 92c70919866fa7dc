"""Which cells decide a game: the few whose content makes an action win, whatever the others hold.

Nobody tells the program what wins. It plays random games and looks at the last action of each. It puts into some cells
what they hold in other positions, with the same player to move. If the action still wins, these cells do not matter.
The cells that matter are a row in gomoku; in pentago, those that an action makes a row. A network with tuples of such
cells sees what its player threatens.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from zermelo.compiled.game import compiled
from zermelo.compiled.states import leaves, load_state
from zermelo.game import Action, Game, State
from zermelo.learn.cells import Cells
from zermelo.learn.finding import PLIES, random_states
from zermelo.learn.planning import Shape, Tuple, images
from zermelo.learn.symmetries import REFUSALS

_PLIES: Final = 25_000
"""After so many plies, no more random games are played."""
_NOTHING_NEW: Final = 100
"""If so many sets in a row hold a known one, the rest are not looked for."""
_HOPELESS: Final = 20
"""If fewer than one in so many games is decided by a few cells, the game is not of this kind."""
_TRIED: Final = 12
"""In so many positions, an action must win without the content of some cells."""
_DRAWN: Final = 8 * _TRIED
"""So many positions are tried at most, to find these."""
_LEAST: Final = 3
"""Fewer cells are part of most tuples."""
_OFTEN: Final = 2
"""Cells that decided fewer games, counting their images by symmetries, may have done so by accident."""


def find_deciding(game: Game, cells: Cells, shape: Shape, seed: int) -> list[Tuple]:
    """Return the sets of cells that decided random games, those that decided most of them first.

    Parameters
    ----------
    game
        Its states are ints or tuples of ints.
    cells
        Its cells. Only those that are bits of words are moved; counts stay.
    shape
        How many cells a tuple may have.
    seed
        Of the random games.

    Returns
    -------
    list
        Of sets that are each other's image by a symmetry, there is only one.
    """
    chooser = random.Random(seed)
    search = _Search(game, cells, shape, chooser)
    found, known = Counter[Tuple](), dict[Tuple, list[frozenset[int]]]()
    games = plies = nothing_new = 0
    while plies < _PLIES and nothing_new < _NOTHING_NEW and games < _HOPELESS * (1 + found.total()):
        played = _random_game(game, chooser)
        games, plies = games + 1, plies + len(played)
        needed = search.needed(*played[-1])
        if needed is None or len(needed) < _LEAST:
            continue
        one = min(tuple(sorted(image)) for image in images(cells, needed))
        nothing_new = nothing_new + 1 if any(_holds(one, parts) for parts in known.values()) else 0
        found[one] += 1
        if found[one] == _OFTEN:
            known[one] = [frozenset(image) for image in images(cells, one)]
    least = [
        one
        for one in known
        if not any(found[other] >= found[one] and _holds(one, parts) for other, parts in known.items() if other != one)
    ]
    return sorted(least, key=lambda one: (-found[one], one))


def _holds(whole: Tuple, parts: Sequence[frozenset[int]]) -> bool:
    """Return whether one of some sets is part of another set."""
    return any(part <= set(whole) for part in parts)


def _random_game(game: Game, chooser: random.Random) -> list[tuple[State, Action]]:
    """Play a random game; return its positions that are not terminal, each with the action that was chosen there."""
    played, state = list[tuple[State, Action]](), game.initial
    while len(played) < PLIES and not game.is_terminal(state):
        played.append((state, chooser.choice(list(game.actions(state)))))
        state = game.result(*played[-1])
    return played


class _Search:
    """Looks for the cells that an action needs to end a game as it does."""

    def __init__(self, game: Game, cells: Cells, shape: Shape, chooser: random.Random) -> None:
        self.game, self.cells, self.shape, self.chooser = game, cells, shape, chooser
        self.rules = compiled(game)
        self.others: list[tuple[int, ...]] = [tuple(leaves(state)) for state in random_states(game, chooser)]

    def needed(self, state: State, action: Action) -> Tuple | None:
        """Return the cells whose content matters where an action decides the game; None if they are too many.

        It is also None if the action does not decide it. All cells are left out at once, and where that changes the
        outcome, one half after the other.
        """
        after = self.game.result(state, action)
        if not self.game.is_terminal(after) or not self.game.utility(after):
            return None
        cells = list(range(len(self.cells.bits)))
        self.chooser.shuffle(cells)
        left_out, matter, parts = list[int](), list[int](), [cells]
        while parts:
            part = parts.pop()
            if self._same_without([*left_out, *part], state, action):
                left_out += part
            elif len(part) > 1:
                half = len(part) // 2
                parts += [part[half:], part[:half]]
            else:
                matter += part
                if not self.shape.holds(self.cells, matter):
                    return None
        return tuple(sorted(matter))

    def _same_without(self, left_out: Sequence[int], state: State, action: Action) -> bool:
        """Return whether an action decides the game in the same way, whatever some cells hold."""
        game, words, tried = self.game, tuple(leaves(state)), 0
        winner, mover = game.utility(game.result(state, action)) > 0, game.to_move(state)
        masks = self._masks(left_out, len(words))
        for _ in range(_DRAWN):
            other = self.chooser.choice(self.others)
            mixed = [word & ~mask | its & mask for word, its, mask in zip(words, other, masks, strict=True)]
            try:
                position = load_state(self.rules, mixed)
                if game.to_move(position) != mover or game.is_terminal(position):
                    continue
                after = game.result(position, action) if action in game.actions(position) else position
                value = game.utility(after) if game.is_terminal(after) else 0
            except REFUSALS:
                continue
            if not value or (value > 0) != winner:
                return False
            tried += 1
            if tried == _TRIED:
                return True
        return False

    def _masks(self, left_out: Sequence[int], words: int) -> list[int]:
        """Return the bits of some cells in each int of a state."""
        masks = [0] * words
        for cell in left_out:
            group, bit = self.cells.bits[cell]
            for word in group.words:
                if word < words:  # the word of open squares is none of the state's
                    masks[word] |= 1 << bit
        return masks
