"""``zermelo perft``: count the nodes of the game tree at a depth."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from zermelo.errors import BadParameter, NotCompilable
from zermelo.game import Game, State
from zermelo.textbook.perft import moves_left
from zermelo.textbook.perft import perft as count_interpreted
from zermelo.ui.arguments import GameArgument, JsonOption, MovesOption, ParameterOption, PositionOption
from zermelo.ui.engine_request import announce_compiling
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position
from zermelo.ui.terminal import show

DEEPEST: Final = 1_000
"""The greatest depth, in plies: kernels call themselves once a ply."""
PARTS: Final = 500
"""A large tree is split into at least so many subtrees. A tree with fewer positions is not worth compiling."""
Count = Callable[[Game, State, int], int]


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Option(help="Plies to count down to.")],
    parameter: ParameterOption = None,
    moves: MovesOption = "",
    position: PositionOption = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    interpreted: Annotated[bool, typer.Option("--interpreted", help="Count with the rules as they stand.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the nodes of the game tree at a depth, with compiled rules where that pays."""
    rules = read_game(game, parameter)
    if not (1 if divide else 0) <= depth <= DEEPEST:
        raise BadParameter(f"The depth is {depth}; it must be {1 if divide else 0} or more, and at most {DEEPEST:,}.")
    state = named_position(rules, position, moves)
    notices = Console(stderr=True)
    roots = {rules.show_action(state, a): rules.result(state, a) for a in moves_left(rules, state)}
    trees = [Tree(rules, root, depth - 1) for root in roots.values()] if divide else [Tree(rules, state, depth)]
    large = not interpreted and any(tree.left > 1 for tree in trees)
    count, kind = _counter(rules, notices) if large else (count_interpreted, "interpreted")
    start = perf_counter()
    counts = _counted(rules, trees, count, notices)
    seconds = perf_counter() - start
    parts = dict(zip(roots, counts, strict=True)) if divide else {}
    if as_json:
        found = {"nodes": sum(counts), "seconds": seconds, "rules": kind}
        print(json.dumps({**found, **({"divide": parts} if divide else {})}))
        return
    for move, nodes in parts.items():
        print(f"{move}: {nodes:,}")
    print(f"{sum(counts):,} nodes at depth {depth}, {seconds:.2f} seconds, {kind} rules")


class Tree:
    """A tree to count, split into the subtrees below its first plies; a state stands for each path that leads to it."""

    def __init__(self, game: Game, root: State, depth: int) -> None:
        self.states, self.left = [root], depth
        while self.left > 1 and 0 < len(self.states) < PARTS:
            self.states = [game.result(state, a) for state in self.states for a in moves_left(game, state)]
            self.left -= 1


@dataclass
class _Progress:
    """A spinner's text that counts nodes and parts."""

    parts: int
    done: int = 0
    nodes: int = 0

    def __rich__(self) -> Text:
        return Text(f"counting: {self.nodes:,} nodes, {self.done:,} of {self.parts:,} positions")


def _counter(game: Game, notices: Console) -> tuple[Count, str]:
    """Return the function that counts, and whether its rules are compiled; print a notice if they are interpreted."""
    try:
        return _compiled_counter(game, notices), "compiled"
    except NotCompilable as refusal:
        text = f"The rules are interpreted, which takes longer: {refusal}"
    except ImportError as error:
        text = f"The rules are interpreted, which takes longer: {error}."
    notices.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
    return count_interpreted, "interpreted"


def _compiled_counter(game: Game, notices: Console) -> Count:
    """Return the compiled count, which Ctrl-C ends at once.

    Raises
    ------
    NotCompilable
        The rules cannot become machine code.
    """
    from numba.core import config

    from zermelo.compiled import perft as count_compiled
    from zermelo.compiled.apart import apart
    from zermelo.compiled.perft import count_nodes

    if config.DISABLE_JIT:
        raise NotCompilable("NUMBA_DISABLE_JIT is set.")
    announce_compiling(game, count_nodes, notices)
    count_compiled(game, game.initial, 0)
    return lambda game, state, depth: apart(lambda: count_compiled(game, state, depth))


def _counted(game: Game, trees: list[Tree], count: Count, notices: Console) -> list[int]:
    """Return the number of nodes of each tree."""
    progress = _Progress(sum(len(tree.states) for tree in trees))
    counts = []
    with show.spinning(notices, progress):
        for tree in trees:
            before = progress.nodes
            for state in tree.states:
                progress.nodes += count(game, state, tree.left)
                progress.done += 1
            counts.append(progress.nodes - before)
    return counts
