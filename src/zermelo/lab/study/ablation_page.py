"""What each switch of the engine is worth, as a table, as a plot and as an HTML page."""

from typing import Final

from zermelo.lab.page import page, section, table
from zermelo.lab.study.ablation import FACTOR, NodeAblation, NodeCost
from zermelo.lab.study.ablation_games import EloAblation
from zermelo.pictures.charts import interval_chart

NODE_HEAD: Final = ("switch", "nodes, as a multiple", "nodes")
ELO_HEAD: Final = ("switch", "Elo", "games", "wins", "draws", "losses")


def ablation_page(nodes: NodeAblation, games: EloAblation | None = None) -> str:
    """Return the page."""
    parts = [section("Nodes to a depth", node_chart(nodes), table(NODE_HEAD, node_rows(nodes)), how=how_nodes(nodes))]
    if games is not None:
        rows = table(ELO_HEAD, elo_rows(games))
        parts.append(section("Strength", elo_chart(games), rows, how=how_games(games)))
    return page(
        f"What the engine's switches are worth in {nodes.game}",
        "Each row is the engine with one switch flipped from its default.",
        parts,
    )


def node_chart(found: NodeAblation) -> str:
    """Return the factors of all switches as SVG."""
    return interval_chart(
        {cost.flip: cost.factor for cost in found.costs},
        f"nodes to depth {found.depth}, as a multiple of those of the usual engine",
        middle=1,
        logarithmic=True,
        notes={cost.flip: _factor(cost) for cost in found.costs},
    )


def node_rows(found: NodeAblation) -> list[list[str]]:
    """Return a row of texts for the usual engine and for each switch; `NODE_HEAD` names the columns."""
    usual = ["as usual", "1", f"{found.nodes:,}"]
    return [usual, *([cost.flip, _factor(cost), f"{cost.nodes:,}"] for cost in found.costs)]


def _factor(cost: NodeCost) -> str:
    least = "at least " if cost.stopped else ""
    return f"{least}{cost.factor.text('.2f')}{' *' if cost.other_tree else ''}"


def how_nodes(found: NodeAblation) -> str:
    """Return how the nodes were measured."""
    said = [
        f"Searches to depth {found.depth} from {found.openings} random openings of {found.plies} plies "
        f"(seed {found.seed}), each from empty tables, in one thread: the counts are the same on every machine.",
        "The multiple is the geometric mean over the openings, with a 95 % interval.",
    ]
    if any(cost.other_tree for cost in found.costs):
        said.append("* This switch changes what is searched, so fewer nodes are not a gain by themselves.")
    if any(cost.stopped for cost in found.costs):
        said.append(f"'At least': some searches were stopped at {FACTOR} times the usual nodes.")
    if found.without:
        lacking = ", ".join(f"{switch} ({function})" for switch, function in found.without.items())
        said.append(f"Switches that need a function which this game does not have: {lacking}.")
    return " ".join(said)


def elo_chart(found: EloAblation) -> str:
    """Return the Elo of all flipped engines as SVG."""
    return interval_chart(
        {cost.flip: cost.elo for cost in found.costs},
        "Elo with the switch flipped, against the usual engine",
        middle=0,
        notes={cost.flip: cost.elo.text("+z.0f") for cost in found.costs},
    )


def elo_rows(found: EloAblation) -> list[list[str]]:
    """Return a row of texts for each switch; `ELO_HEAD` names the columns."""
    return [
        [
            cost.flip,
            cost.elo.text("+z.0f"),
            *(f"{count:,}" for count in (cost.games, cost.wins, cost.draws, cost.losses)),
        ]
        for cost in found.costs
    ]


def how_games(found: EloAblation) -> str:
    """Return how the strength was measured."""
    limit = f"{1000 * found.seconds:g} ms" if found.nodes is None else f"{found.nodes:,} nodes"
    return (
        f"Matches of the engine with the switch flipped against the usual engine, {limit} a move "
        f"for both, from random openings of {found.plies} plies (seed {found.seed}), each played twice with sides "
        "exchanged. Below 0: the switch is better as it is. Intervals: 95 %, from pairs of games."
    )
