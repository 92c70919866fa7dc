"""Games with something changed, so that an algorithm can be explained without changing the algorithm."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.game import Action, Game, State
from zermelo.textbook.rules import evaluation


class Cut(NamedTuple):
    """A state, and how far it is from the root."""

    state: State
    ply: int


def cut_at(game: Game, state: State, depth: int) -> Game:
    """``game`` from ``state`` on, ending ``depth`` plies later with EVAL as its utility.

    An algorithm without IS-CUTOFF searches it to that depth; its states are `Cut`.

    Raises
    ------
    BadParameter
        The game has no EVAL.
    """
    evaluate = evaluation(game)

    def utility(cut: Cut) -> int:
        return game.utility(cut.state) if game.is_terminal(cut.state) else evaluate(cut.state)

    return Game(
        name=game.name,
        parameters=game.parameters,
        initial=Cut(state, 0),
        utility_range=game.utility_range,
        outcomes=game.outcomes,
        to_move=lambda cut: game.to_move(cut.state),
        actions=lambda cut: game.actions(cut.state),
        result=lambda cut, action: Cut(game.result(cut.state, action), cut.ply + 1),
        is_terminal=lambda cut: cut.ply >= depth or game.is_terminal(cut.state),
        utility=utility,
    )


def reordered(game: Game, rate: Callable[[State], float]) -> Game:
    """``game`` with actions ordered by ``rate`` of the states they lead to: the best for the player to move first."""

    def actions(state: State) -> Iterator[Action]:
        player = game.to_move(state)
        yield from sorted(game.actions(state), key=lambda action: -player * rate(game.result(state, action)))

    return replace(game, actions=actions)


def best_first(game: Game) -> Game:
    """``game`` with actions in the order in which `zermelo.textbook.path` tries them: by ``order``, else by EVAL."""
    order = game.order
    if order is None:
        evaluate = evaluation(game)
        return reordered(game, lambda state: game.utility(state) if game.is_terminal(state) else evaluate(state))

    def actions(state: State) -> Iterator[Action]:
        yield from sorted(game.actions(state), key=lambda action: -order(state, action))

    return replace(game, actions=actions)


class Forgetful(dict[Any, Any]):
    """A table that keeps nothing: with it a search visits the whole tree."""

    def __setitem__(self, state: State, info: object) -> None:
        """Forget."""
