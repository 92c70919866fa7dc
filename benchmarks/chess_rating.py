"""The rating of the engine of chess on Stockfish's scale, from the matches in `results/chess_elo.json`.

    python benchmarks/chess_rating.py

It is the rating with which the engine would be expected to score, against opponents of these ratings, as many points as
it did. The interval comes from the spread of the points of single games.
"""

import argparse
import json
import re
from collections.abc import Sequence
from math import log, sqrt
from typing import NamedTuple

from results import RESULTS, Sheet, add_save
from zermelo.lab.pentanomial import score_of_elo


class Opponent(NamedTuple):
    """A match against an opponent whose rating is known."""

    rating: int
    won: int
    drawn: int
    lost: int


def rating_of(matches: Sequence[Opponent]) -> tuple[float, float]:
    """The rating that the matches tell, and half the width of its interval (95 %)."""
    games = [match.won + match.drawn + match.lost for match in matches]
    points = [match.won + match.drawn / 2 for match in matches]
    low, high = 0.0, 4_000.0
    for _ in range(60):
        middle = (low + high) / 2
        few = sum(n * score_of_elo(middle - match.rating) for n, match in zip(games, matches, strict=True)) < sum(
            points
        )
        low, high = (middle, high) if few else (low, middle)
    spread = sum(
        match.won + match.drawn / 4 - won * won / n for n, won, match in zip(games, points, matches, strict=True)
    )
    shares = [score_of_elo(low - match.rating) for match in matches]
    slope = sum(n * each * (1 - each) for n, each in zip(games, shares, strict=True)) * log(10) / 400
    return low, 1.96 * sqrt(spread) / slope


def main() -> None:
    """Rate the engine as it is, and as it was before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_save(parser)
    asked = parser.parse_args()
    groups: dict[str, list[Opponent]] = {}
    for name, _, counts, _ in json.loads((RESULTS / "chess_elo.json").read_text(encoding="utf-8"))["rows"]:
        rating, group = re.fullmatch(r"(\d+)(.*)", name).groups()  # type: ignore[union-attr]
        groups.setdefault(group, []).append(Opponent(int(rating), *map(int, counts.split(", "))))
    sheet = Sheet("chess_rating", {"from": "", "Elo": ",.0f", "95 %": ""})
    for group, matches in groups.items():
        games = sum(match.won + match.drawn + match.lost for match in matches)
        rows = [(f"all {games} games{group}", matches), *((f"{match.rating}{group}", [match]) for match in matches)]
        for name, some in rows:
            rating, half = rating_of(some)
            sheet.row(name, round(rating), f"± {half:.0f}")
    sheet.save(asked.save)


if __name__ == "__main__":
    main()
