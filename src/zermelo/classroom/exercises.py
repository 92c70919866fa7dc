"""Exercise sheets: search trees to be filled in by hand, and the same trees filled in."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final, NamedTuple

from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN, ROLES, Game, State
from zermelo.pictures.tree_svg import tree_svg
from zermelo.textbook.explain import Recipe, SearchTree, count_nodes, explain
from zermelo.textbook.homework.exam import random_game

MINIMAX: Final = Recipe("minimax", table=False)
ALPHA_BETA: Final = Recipe("alpha-beta", handout=True, table=False)
_LETTERS: Final = "abcdefgh"
_NODES: Final = range(9, 26)
"""How many nodes the tree of a real position has."""
_GAMES: Final = 300


class Cell(NamedTuple):
    """A state of an invented tree: the moves that lead to it."""

    path: tuple[int, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """A question with its pictures; each picture is a name and an SVG."""

    title: str
    question: Sequence[str]
    """Paragraphs in Markdown."""
    tree: tuple[str, str]
    solution: Sequence[str]
    solved: tuple[str, str]


def leaf_tree(widths: Sequence[int], leaves: Sequence[int], low: int = -99, high: int = 99) -> Game:
    """A game that is a tree: at each ply so many moves, and at the leaves, from left to right, values; MAX begins.

    Raises
    ------
    BadParameter
        There are not as many values as leaves, or one of them is below ``low`` or above ``high``.
    """
    if len(leaves) != prod(widths):
        raise BadParameter(f"The tree has {prod(widths)} leaves; {len(leaves)} values were given.")
    for value in leaves:
        if not low <= value <= high:
            raise BadParameter(f"The value {value} of a leaf must lie between {low} and {high}.")

    def utility(state: Cell) -> int:
        place = 0
        for width, action in zip(widths, state.path, strict=True):
            place = place * width + action
        return leaves[place]

    return Game(
        name="tree",
        initial=Cell(),
        utility_range=(low, high),
        outcomes="margin",
        to_move=lambda state: MAX if len(state.path) % 2 == 0 else MIN,
        actions=lambda state: range(widths[len(state.path)]),
        result=lambda state, action: Cell((*state.path, action)),
        is_terminal=lambda state: len(state.path) == len(widths),
        utility=utility,
        format_action=lambda state, action: _LETTERS[action],
    )


def invented(rng: random.Random, widths: Sequence[int], low: int = -9, high: int = 9) -> Game:
    """A `leaf_tree` with random values."""
    return leaf_tree(widths, [rng.randint(low, high) for _ in range(prod(widths))], low, high)


def unsolved(tree: SearchTree) -> str:
    """The picture of a tree in which only the leaves have values."""
    nodes = [
        replace(node, value=None, best_action=None, source=None) if node.source == "children" else node
        for node in tree.nodes
    ]
    return re.sub("<title>.*?</title>", "", tree_svg(replace(tree, nodes=nodes), alone=True))


def exercises(game: Game, seed: int, title: str = "") -> Iterator[Exercise]:
    """Yield the exercises of a seed: three on invented trees, and one on a position of the game with a small tree.

    Parameters
    ----------
    game
        The game of the course.
    seed
        Chooses trees and positions.
    title
        What people call the game; its name if empty.
    """
    rng = random.Random(seed)
    yield _minimax(invented(rng, (3, 2, 2)))
    second = invented(rng, (3, 3, 2))
    yield _alpha_beta(second)
    yield _best_first(second)
    position = small_position(game, rng)
    if position is not None:
        yield _position(game, title or game.name, *position)


def _minimax(game: Game) -> Exercise:
    tree = explain(game, recipe=MINIMAX)
    return Exercise(
        "Minimax by hand",
        [
            "A triangle that points up is a state in which MAX is to move; in one that points down, MIN is. Write the "
            "minimax value at each triangle. Which move does MAX choose?"
        ],
        ("minimax", unsolved(tree)),
        [f"The value is {tree.value}, and MAX chooses {_best(tree)}."],
        ("minimax-solved", tree_svg(tree)),
    )


def _alpha_beta(game: Game) -> Exercise:
    full, tree = explain(game, recipe=MINIMAX), explain(game, recipe=ALPHA_BETA)
    return Exercise(
        "Alpha-beta by hand",
        [
            "Search this tree with alpha-beta, from left to right. Write alpha and beta at each state as the search "
            "enters it, and strike out the moves that are pruned. How many leaves are visited?"
        ],
        ("alpha-beta", unsolved(full)),
        [
            f"The value is {tree.value}, and MAX chooses {_best(tree)}. Alpha-beta visits {tree.counts.leaves} of "
            f"{full.counts.leaves} leaves, and prunes in {tree.counts.prunings} states."
        ],
        ("alpha-beta-solved", tree_svg(tree)),
    )


def _best_first(game: Game) -> Exercise:
    left, best = explain(game, recipe=ALPHA_BETA), explain(game, recipe=replace(ALPHA_BETA, order="best-first"))
    return Exercise(
        "The order of moves",
        [
            "Search the same tree once more. In each state, try the best move first. How many leaves are visited now? "
            "Why does the order not change the value?"
        ],
        ("alpha-beta", unsolved(explain(game, recipe=MINIMAX))),
        [
            f"Alpha-beta visits {best.counts.leaves} leaves; from left to right it visits {left.counts.leaves}. The "
            "value is that of perfect play, whatever the order; the order decides how soon the window is narrow."
        ],
        ("order-solved", tree_svg(best)),
    )


def small_position(game: Game, rng: random.Random) -> tuple[tuple[int, ...], State, int | None] | None:
    """A position of the game with a small tree: its path, the state, and the depth of the search, None to the end."""
    for _ in range(_GAMES):
        path, states = random_game(game, rng)
        for end in range(len(path) - 1, -1, -1):
            depths = [None] if game.repetition is None else []
            for depth in [*depths, *([2, 1] if game.evaluate is not None else [])]:
                nodes = count_nodes(game, states[end], replace(MINIMAX, depth=depth), max(_NODES))
                if nodes in _NODES:
                    return tuple(path[:end]), states[end], depth
    return None


def _position(game: Game, title: str, path: tuple[int, ...], state: State, depth: int | None) -> Exercise:
    full = explain(game, state, replace(MINIMAX, depth=depth))
    tree = explain(game, state, replace(ALPHA_BETA, depth=depth))
    leaves = "squares are ends of the game" if depth is None else "circles are states that EVAL rates"
    return Exercise(
        f"A position of {title}",
        [
            f"{ROLES[game.to_move(state)]} is to move, after {len(path)} moves:",
            f"```\n{game.draw(state)}\n```",
            f"The tree shows what can follow; {leaves}. Fill in the values. Then strike out "
            "what alpha-beta does not visit, from left to right.",
        ],
        ("position", unsolved(full)),
        [
            f"The value is {tree.value}, and {ROLES[game.to_move(state)]} chooses {_best(tree)}. Alpha-beta visits "
            f"{tree.counts.nodes} of {full.counts.nodes} nodes."
        ],
        ("position-solved", tree_svg(tree)),
    )


def _best(tree: SearchTree) -> str:
    return tree.game.show_action(tree.nodes[0].state, tree.action)


def sheets(found: Sequence[Exercise]) -> tuple[str, str, dict[str, str]]:
    """The sheet of questions and that of solutions, in Markdown, and the pictures by their file names."""
    questions, solutions, pictures = ["# Exercises"], ["# Exercises with solutions"], dict[str, str]()
    for number, one in enumerate(found, start=1):
        heading = f"## {number}. {one.title}"
        pictures |= {f"{name}.svg": svg for name, svg in (one.tree, one.solved)}
        questions += [heading, *one.question, f"![The tree](trees/{one.tree[0]}.svg)"]
        solutions += [heading, *one.question, *one.solution, f"![The tree, filled in](trees/{one.solved[0]}.svg)"]
    return "\n\n".join(questions) + "\n", "\n\n".join(solutions) + "\n", pictures
