"""``zermelo mcts``: Monte Carlo tree search on a position."""

import json
from typing import Annotated

import typer
from rich.console import Console

from zermelo.ui.arguments import GameArgument, JsonOption, MovesOption, ParameterOption, PositionOption
from zermelo.ui.engine_request import announce_compiling, require_unfinished
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position
from zermelo.ui.terminal import show


def mcts(
    game: GameArgument,
    parameter: ParameterOption = None,
    seconds: Annotated[float | None, typer.Option(help="Limit of time.  [default: 5, without --playouts]")] = None,
    playouts: Annotated[int | None, typer.Option(help="Limit of simulations.")] = None,
    exploration: Annotated[float, typer.Option(help="How much to prefer moves with few visits.")] = 0.5,
    rave: Annotated[bool, typer.Option("--rave", help="Let moves count also where they are played later.")] = False,
    minimax: Annotated[
        float | None, typer.Option(help="The weight, from 0 to 1, of EVAL backed up by minimax.  [default: 0.4]")
    ] = None,
    prior: Annotated[float, typer.Option(help="As how many visits EVAL counts.")] = 0.0,
    evaluation: Annotated[
        str,
        typer.Option("--eval", metavar="FILE", help="What zermelo learn wrote for GAME, in place of EVAL."),
    ] = "",
    seed: Annotated[int, typer.Option(help="Another seed plays other random games.")] = 0,
    threads: Annotated[int, typer.Option(help="How many trees to grow side by side.")] = 1,
    table_mb: Annotated[float, typer.Option(help="Memory of the trees in MiB.")] = 64.0,
    moves: MovesOption = "",
    position: PositionOption = "",
    as_json: JsonOption = False,
) -> None:
    """Search a position with Monte Carlo tree search: the visits and the mean reward of each move."""
    rules = read_game(game, parameter)
    state = named_position(rules, position, moves)
    require_unfinished(rules, state)
    from zermelo.engine.tree.simulation import grow
    from zermelo.engine.tree.tree_search import TreeSearch
    from zermelo.learn.evaluation import read_evaluation

    options = {"exploration": exploration, "rave": rave, "prior": prior, "seed": seed}
    weight = {} if minimax is None else {"minimax": minimax}
    learned = read_evaluation(evaluation, rules) if evaluation else None
    tree, notices = TreeSearch(rules, threads, table_mb, learned, **options, **weight), Console(stderr=True)
    announce_compiling(rules, grow, notices)
    tree.prepare()
    if seconds is None and playouts is None:
        seconds = 5.0
    with show.spinning(notices, show.Elapsed("simulating")):
        found = tree.search(state, seconds=seconds, playouts=playouts)
    if as_json:
        print(json.dumps({"game": rules.name, "parameters": dict(rules.parameters), **found.to_dict()}))
    else:
        console = Console()
        console.print(show.board(rules, state), highlight=False)
        console.print()
        console.print(str(found), markup=False, highlight=False, soft_wrap=True)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
