"""``zermelo ablate``: what each switch of the engine is worth."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.ui.arguments import GameArgument, JsonOption, ParameterOption, check_seed
from zermelo.ui.loading import read_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import counting

if TYPE_CHECKING:
    from zermelo.lab.study.ablation import NodeAblation
    from zermelo.lab.study.ablation_games import EloAblation


def ablate(
    game: GameArgument,
    parameter: ParameterOption = None,
    depth: Annotated[int | None, typer.Option(help="Plies; if not given, as deep as --nodes allow.")] = None,
    openings: Annotated[int, typer.Option(help="How many random openings to search.")] = 20,
    plies: Annotated[int, typer.Option(help="The length of an opening.")] = 6,
    nodes: Annotated[int, typer.Option(help="The nodes that a search may visit on average.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Another seed draws other openings.")] = 0,
    games: Annotated[int, typer.Option(help="Play a match of so many games for each switch, too; an even number.")] = 0,
    seconds: Annotated[float, typer.Option(help="Time for each move in these games.")] = 0.005,
    move_nodes: Annotated[
        int | None, typer.Option(min=1, help="Nodes for each move in these games, in the place of --seconds.")
    ] = None,
    threads: Annotated[int, typer.Option(help="How many games to play side by side.")] = 1,
    folder: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep the games; the same command goes on from there.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page with plots, too.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Write the plot of the nodes, too.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Flip each switch of the engine in turn: count the nodes of a search to a depth, and play matches.

    Without --games no match is played. Without matches, or with --move-nodes, figures are the same on every machine.
    """
    from zermelo.lab.page import require_places, save
    from zermelo.lab.study.ablation import ablate_nodes, flips_of
    from zermelo.lab.study.ablation_games import ablate_elo
    from zermelo.lab.study.ablation_page import ablation_page, node_chart
    from zermelo.pictures.charts import standalone

    check_seed(seed)
    require_places(html, plot)
    rules = read_game(game, parameter)
    with counting("searches", openings * len(flips_of(rules))) as progress:
        found = ablate_nodes(
            rules, depth=depth, openings=openings, plies=plies, nodes=nodes, seed=seed, progress=progress
        )
    matches = None
    if games:
        with counting("games", games * len(flips_of(rules))) as progress:
            matches = ablate_elo(
                rules,
                games=games,
                seconds=seconds,
                nodes=move_nodes,
                plies=plies,
                seed=seed,
                threads=threads,
                folder=folder,
                progress=progress,
            )
    if html is not None:
        save(ablation_page(found, matches), html)
    if plot is not None:
        save(standalone(node_chart(found)), plot)
    if as_json:
        print(json.dumps({"nodes": found.to_dict(), "games": matches and matches.to_dict()}))
    else:
        print_ablation(found, matches)


def print_ablation(nodes: "NodeAblation", games: "EloAblation | None") -> None:
    """Print an ablation for people."""
    from zermelo.lab.study.ablation_page import ELO_HEAD, NODE_HEAD, elo_rows, how_games, how_nodes, node_rows

    print("\n".join([nodes.game, "", columns(NODE_HEAD, node_rows(nodes)), "", how_nodes(nodes)]))
    if games is not None:
        print("\n".join(["", columns(ELO_HEAD, elo_rows(games)), "", how_games(games)]))
