"""Under which conditions the games were played, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.lab.adjudication import Adjudication
from zermelo.lab.clocks import TimeControl
from zermelo.lab.contest import test_in
from zermelo.lab.report.wording import number
from zermelo.lab.sprt import Sprt


def conditions_of(
    kind: str,
    control: TimeControl,
    adjudication: Adjudication,
    seed: int,
    plies: int | None,
    openings: Sequence[object] | None,
    sprt: Sprt | None = None,
) -> dict[str, str]:
    """Return the conditions of a contest by name, as its report lists them; for the arguments see `play_match`."""
    random = "random" if plies is None else f"random, {number(plies, 'ply', 'plies')} each"
    found = {
        "Kind": kind,
        "Time control": str(control) or "each player's own",
        "Openings": random if openings is None else f"a list of {len(openings):,}",
        "Adjudication": _rules_of(adjudication),
        "Seed": str(seed),
    }
    if sprt is not None:
        found["Test"] = (
            f"{sprt.elo1:g} against {sprt.elo0:g} Elo ({sprt.model}), alpha {sprt.alpha:g}, beta {sprt.beta:g}"
        )
    return found


def conditions_in(header: Mapping[str, Any]) -> dict[str, str]:
    """Return the conditions that the header of a contest's file tells; see `zermelo.lab.ledger`."""
    return conditions_of(
        header["kind"],
        TimeControl(**header["control"]),
        Adjudication(**header["adjudication"]),
        header["seed"],
        header["plies"],
        header["openings"],
        test_in(header),
    )


def _rules_of(rules: Adjudication) -> str:
    """When the referee ended games."""
    said = []
    if rules.resign is not None:
        said.append(f"resignation at scores from {rules.resign:,} on for {_moves(rules.resign_moves)}")
    if rules.draw is not None:
        said.append(f"draw at scores up to {rules.draw:,} for {_moves(rules.draw_moves)}")
    if rules.plies is not None:
        said.append(f"draw after {number(rules.plies, 'ply', 'plies')}")
    if rules.table is not None:
        said.append(f"values from the table {rules.table}")
    return "; ".join(said) or "none"


def _moves(count: int) -> str:
    return f"{number(count, 'move')} of each player"
