"""Searches that a page shows step by step: what their address says, and the trees that answer it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from threading import Event
from time import thread_time
from typing import Any, Final

from zermelo.errors import BadParameter, TerminalState
from zermelo.game import MAX, MIN, Game, State
from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.palette import palette_of
from zermelo.textbook.explain import (
    Recipe,
    SearchTree,
    count_nodes,
    deepened,
    explain,
    method_named,
    order_named,
)
from zermelo.textbook.flat_tree import flat
from zermelo.textbook.pseudocode import pseudocode
from zermelo.ui.web.gallery import title_of
from zermelo.ui.web.links import NAMES, PARAMETER, opening
from zermelo.ui.web.queries import check_names, found
from zermelo.ui.web.shelf import Shelf

MOST_NODES: Final = 100_000
"""Nodes of the trees that one answer holds."""
USUAL_NODES: Final = 20_000
MOST_DEPTH: Final = 20
MOST_SECONDS: Final = 20.0
"""Processor time for one search; then it is broken off. Other work of the machine does not count."""
MOST_BOARDS: Final = 120
"""Boards in one answer."""
DEEPENING: Final = "timed"
"""What `zermelo.textbook.systems` calls iterative deepening; its trees are those of `decision`, one for each depth."""
TABLES: Final = ("none", "sound", "handout")
COUNTED_NODES: Final = 30_000
"""Nodes up to which a plot over depth counts."""
COUNTED_DEPTH: Final = 8
_POSITION: Final = ("game", "moves", "position")
SEARCH: Final = ("method", "depth", "table", "order", "width", "nodes")
"""What an address says of a search, beside the position; links to positions also name players, and a search needs none.
"""


@dataclass(frozen=True)
class Search:
    """A search that a request asks for."""

    title: str
    """What people call the game."""
    source: str
    """The game's name on the shelf."""
    game: Game
    state: State
    recipe: Recipe
    is_deepening: bool
    nodes: int

    @property
    def method(self) -> str:
        """What the address calls the method."""
        return DEEPENING if self.is_deepening else self.recipe.method

    @property
    def table(self) -> str:
        """What the address calls the table."""
        return "none" if not self.recipe.table else "handout" if self.recipe.handout else "sound"


class Stopwatch:
    """Says when a search is to end: after its time, or when nobody wants it any more.

    Its clock starts at the first question. Usually it counts the processor time of the thread that asks, so a tree has
    the same size on a busy machine as on an idle one.
    """

    def __init__(self, seconds: float = MOST_SECONDS, clock: Callable[[], float] = thread_time) -> None:
        self._seconds, self._clock = seconds, clock
        self._deadline: float | None = None
        self._stopped = Event()

    def __call__(self) -> bool:
        """Whether the search is to end now."""
        now = self._clock()
        if self._deadline is None:
            self._deadline = now + self._seconds
        return self._stopped.is_set() or now > self._deadline

    def stop(self) -> None:
        """End the search, from another thread."""
        self._stopped.set()


def read_position(shelf: Shelf, said: Mapping[str, str]) -> tuple[Game, State]:
    """Return the game and the state that an address names; without a game, those that the server opens with.

    Raises
    ------
    ZermeloError
        There is no such game, parameter, position or move.
    """
    parameters = {name.removeprefix(PARAMETER): text for name, text in said.items() if name.startswith(PARAMETER)}
    if not said.get("game"):
        parameters = {**opening(shelf).parameters, **parameters}
    text = ",".join(f"{name}={value}" for name, value in parameters.items())
    return found(shelf, source_of(shelf, said), text, said.get("moves", ""), said.get("position", ""))


def source_of(shelf: Shelf, said: Mapping[str, str]) -> str:
    """Return the name on the shelf of the game that an address names, or else of the one that the server opens with."""
    return said.get("game") or opening(shelf).game


def position_title(shelf: Shelf, game: Game, said: Mapping[str, str]) -> str:
    """Return what people call the game that an address names, with the parameters that were chosen for it."""
    source, chosen = source_of(shelf, said), {} if said.get("game") else opening(shelf).parameters
    given = {name: value for name, value in game.parameters.items() if name in chosen or PARAMETER + name in said}
    return title_of(game, source, shelf.summary(source), given)


def read_search(shelf: Shelf, said: Mapping[str, str]) -> Search:
    """Return the search that an address describes; what it leaves out is alpha-beta without a table.

    Raises
    ------
    ZermeloError
        Something in it makes no sense, or a page cannot show it.
    """
    check_names(list(said), (*SEARCH, *NAMES), of_game=True)
    game, state = read_position(shelf, said)
    if game.is_terminal(state):
        raise TerminalState("The game is over in that position; there is no search to show.")
    method = said.get("method") or "alpha-beta"
    deepening = method == DEEPENING
    needs_depth = deepening or method in ("decision", "path")
    depth = number_of(said, "depth", _usual_depth(game, state), range(1 if needs_depth else 0, MOST_DEPTH + 1))
    if depth and game.evaluate is None:
        raise BadParameter(f"The game {game.name} has no EVAL; the depth must be 0, which is the end of the game.")
    if not depth and game.repetition is not None:
        raise BadParameter(f"Positions of {game.name} can come back, so a search to the end never ends; set a depth.")
    table = said.get("table") or "none"
    if table not in TABLES:
        raise BadParameter(f"There is no table {table[:40]!r}; there are {', '.join(TABLES)}.")
    if deepening or method in ("decision", "path"):
        table = "none"
    recipe = Recipe(
        method="decision" if deepening else method_named(method[:40]),
        handout=table == "handout",
        depth=depth or None,
        table=table != "none",
        order=order_named((said.get("order") or "left-to-right")[:40]) if method != "path" else "left-to-right",
        width=number_of(said, "width", Recipe.width, range(1, 100)),
    )
    return Search(
        position_title(shelf, game, said),
        source_of(shelf, said),
        game,
        state,
        recipe,
        deepening,
        number_of(said, "nodes", USUAL_NODES, range(1, MOST_NODES + 1)),
    )


def _usual_depth(game: Game, state: State) -> int:
    """Return a depth whose tree is soon searched and still fits on a page; 0, the end, for a game without EVAL."""
    if game.evaluate is None:
        return 0
    moves = len(game.legal_actions(state))
    return 3 if moves <= 12 else 2 if moves <= 60 else 1


def number_of(said: Mapping[str, str], name: str, usual: int, allowed: range) -> int:
    """Return a number of an address.

    Raises
    ------
    BadParameter
        It is no whole number, or is not allowed.
    """
    text = said.get(name) or str(usual)
    if not (text.isascii() and text.isdigit()) or len(text) > 7 or int(text) not in allowed:
        raise BadParameter(f"The {name} is {text[:40]!r}; it must be a whole number, {allowed[0]} to {allowed[-1]:,}.")
    return int(text)


def search_answer(search: Search, is_stopped: Callable[[], bool]) -> dict[str, Any]:
    """Run a search, and return everything that a page needs to step through it."""
    game, state, recipe = search.game, search.state, search.recipe
    return {
        "game": game.name,
        "source": search.source,
        "title": search.title,
        "parameters": dict(game.parameters),
        "sides": [game.side_name(MAX), game.side_name(MIN)],
        "has_eval": game.evaluate is not None,
        "root": game.to_move(state),
        "plan": {
            "method": search.method,
            "depth": recipe.depth or 0,
            "table": search.table,
            "order": recipe.order,
            "width": recipe.width,
            "nodes": search.nodes,
        },
        "range": list(game.utility_range),
        "code": [[line.text, list(line.at)] for line in pseudocode(recipe, deepening=search.is_deepening)],
        "stages": [_stage(tree) for tree in trees_of(search, is_stopped)],
    }


def trees_of(search: Search, is_stopped: Callable[[], bool]) -> list[SearchTree]:
    """Run a search; iterative deepening gives a tree for each depth."""
    if search.is_deepening:
        return deepened(search.game, search.state, search.recipe, search.nodes, is_stopped)
    return [explain(search.game, search.state, search.recipe, search.nodes, is_stopped)]


def whole_answer(search: Search, is_stopped: Callable[[], bool]) -> dict[str, Any] | list[dict[str, Any]]:
    """Run a search, and return its tree as ``zermelo explain`` writes it; for iterative deepening, all trees."""
    found = [tree.to_dict() for tree in trees_of(search, is_stopped)]
    return found if search.is_deepening else found[0]


def _stage(tree: SearchTree) -> dict[str, Any]:
    """Return one tree; a search with iterative deepening has several."""
    counts = tree.counts
    names = ("nodes", "leaves", "cutoffs", "prunings_max", "prunings_min", "table_hits", "table_states", "max_depth")
    return {
        "depth": tree.recipe.depth or 0,
        "complete": tree.complete,
        "value": tree.value,
        "action": None if tree.action is None else tree.game.show_action(tree.nodes[0].state, tree.action),
        "counts": {name: getattr(counts, name) for name in names},
        "by_ply": tree.by_ply(),
        "tree": flat(tree),
    }


def boards(shelf: Shelf, said: Mapping[str, str]) -> list[str]:
    """Return pictures of positions after the one that an address names, as HTML.

    ``after`` names them: choices among legal actions, with dots between, and commas between positions.
    """
    check_names(list(said), (*_POSITION, "after"), of_game=True)
    game, state = read_position(shelf, said)
    paths = said.get("after", "").split(",")
    if len(paths) > MOST_BOARDS:
        raise BadParameter(f"That are {len(paths)} positions; ask for at most {MOST_BOARDS} at once.")
    known: dict[str, State] = {"": state}
    return [picture(game, _after(game, known, path)) for path in paths]


def _after(game: Game, known: dict[str, State], path: str) -> State:
    """Return the state at the end of a path; ``known`` holds states by their paths and gets more."""
    done, state = "", known[""]
    for step in path.split(".") if path else ():
        done += f".{step}"
        if done not in known:
            legal = [] if game.is_terminal(state) else list(game.actions(state))
            if not (step.isascii() and step.isdigit()) or int(step[:6]) >= len(legal):
                raise BadParameter(f"{path[:80]!r} leads to no position; it must hold places of legal actions.")
            known[done] = game.result(state, legal[int(step)])
        state = known[done]
    return state


def picture(game: Game, state: State) -> str:
    """Return a small picture of a state as HTML: its board, or text where the game draws none."""
    if game.board is None:
        return f"<pre>{escape(game.draw(state))}</pre>"
    return draw_board(game.board(state), palette=palette_of(game), title="The position")


def series_over_depth(search: Search, is_stopped: Callable[[], bool]) -> dict[str, list[int | None]]:
    """Return how many nodes each method visits at depth 1, 2, 3 and so on, up to a limit.

    Raises
    ------
    BadParameter
        The game has no EVAL to stop at a depth.
    """
    if search.game.evaluate is None:
        raise BadParameter(f"The game {search.game.name} has no EVAL, so no search can stop at a depth.")
    base = Recipe(depth=1, table=False)
    recipes = {
        "minimax": replace(base, method="minimax"),
        "alpha-beta": base,
        "best first": replace(base, order="best-first"),
        "sound table": replace(base, table=True),
        f"path, {search.recipe.width} wide": replace(base, method="path", width=search.recipe.width),
    }
    series: dict[str, list[int | None]] = {name: [] for name in recipes}
    for depth in range(1, COUNTED_DEPTH + 1):
        for name, recipe in recipes.items():
            counts = series[name]
            # Who puts the best moves first by their minimax values must have searched with minimax.
            is_known = recipe.order != "best-first" or len(series["minimax"]) == depth
            if len(counts) < depth - 1 or not is_known or (depth > 2 and counts[-1] == counts[-2]):
                continue
            deeper = replace(recipe, depth=depth)
            count = count_nodes(search.game, search.state, deeper, COUNTED_NODES, is_stopped)
            if count is not None:
                counts.append(count)
    deepening = [sum(filter(None, series["alpha-beta"][:end])) for end in range(1, 1 + len(series["alpha-beta"]))]
    return {**series, "deepening": [*deepening]}
