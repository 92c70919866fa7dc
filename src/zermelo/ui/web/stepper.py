"""Where a visitor is in a search: which of two trees is stepped through, and after how many of its events."""

from zermelo.textbook.explain import SearchTree
from zermelo.textbook.observer import Event


class Stepper:
    """Two trees of one position, side by side, and the step that is shown.

    Parameters
    ----------
    trees
        The search that others are compared with, and the search that was asked for, which is stepped through at first.
    parting
        The first node in which the two searches differ, in the second tree; None if it is not known or they agree.
    """

    def __init__(self, trees: tuple[SearchTree, SearchTree], parting: int | None) -> None:
        self.trees, self.parting = trees, parting
        self.shown = 1
        self.time = self.last

    @property
    def tree(self) -> SearchTree:
        """The tree that is stepped through."""
        return self.trees[self.shown]

    @property
    def event(self) -> Event:
        """What happens at this step."""
        return self.tree.events[self.time]

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.tree.events) - 1

    def go(self, time: int) -> None:
        """Go to a step, or to the nearest that there is."""
        self.time = max(0, min(time, self.last))

    def visit(self, shown: int, number: int) -> None:
        """Go to where a node of one of the trees was left."""
        times = [time for time, event in enumerate(self.trees[shown].events) if event.node == number]
        if times:
            self.shown, self.time = shown, times[-1]

    def next_pruning(self) -> None:
        """Go to the next pruning; after the last one, to the first."""
        times = [time for time, event in enumerate(self.tree.events) if event.kind == "prune"]
        if times:
            self.go(next((time for time in times if time > self.time), times[0]))

    def part(self) -> None:
        """Go to where the two searches part."""
        if self.parting is not None:
            self.visit(1, self.parting)
