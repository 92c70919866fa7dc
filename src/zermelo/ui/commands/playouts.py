"""``zermelo playouts``: how many random games a second, how long they are, and who wins them."""

import json
from typing import Annotated

import typer
from rich.console import Console

from zermelo.errors import BadParameter
from zermelo.game import MAX, MIN
from zermelo.ui.arguments import GameArgument, JsonOption, MovesOption, ParameterOption, PositionOption
from zermelo.ui.engine_request import announce_compiling
from zermelo.ui.loading import read_game
from zermelo.ui.positions import named_position


def playouts(
    game: GameArgument,
    parameter: ParameterOption = None,
    seconds: Annotated[float | None, typer.Option(help="Time to play.  [default: 1, without --games]")] = None,
    games: Annotated[int | None, typer.Option(help="How many games to play.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.")] = 0,
    threads: Annotated[int, typer.Option(help="How many threads play side by side.")] = 1,
    limit: Annotated[int, typer.Option(help="Plies after which a game is stopped.")] = 2000,
    moves: MovesOption = "",
    position: PositionOption = "",
    as_json: JsonOption = False,
) -> None:
    """Play random games, in which every legal action is equally probable, with compiled rules."""
    rules = read_game(game, parameter)
    state = named_position(rules, position, moves)
    from zermelo.engine.tree.playout import count_games
    from zermelo.engine.tree.playouts import count_playouts

    announce_compiling(rules, count_games, Console(stderr=True))
    found = count_playouts(rules, state, seconds=seconds, games=games, seed=seed, threads=threads, limit=limit)
    if found.stopped_by == "interrupted":
        raise KeyboardInterrupt
    if not found.playouts:
        raise BadParameter(f"No game of {rules!r} ended in time; give it more --seconds or a lower --limit.")
    if as_json:
        print(json.dumps({"game": rules.name, "parameters": dict(rules.parameters), **found.to_dict()}))
        return
    print(f"{found.playouts:,} random games in {found.seconds:.2f} seconds: {found.playouts_per_second:,.0f} a second")
    print(f"{found.plies_per_playout:.1f} plies on average, the longest {found.longest:,}")
    results = {rules.side_title(MAX): found.wins, "draws": found.draws, rules.side_title(MIN): found.losses}
    if found.unfinished:
        results[f"stopped after {found.limit:,} plies"] = found.unfinished
    print(", ".join(f"{name} {100 * count / found.playouts:.1f} %" for name, count in results.items()))
