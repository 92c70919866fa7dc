"""Draws ``docs/moving.svg``: a game of two programs, a move a second. Run it after the boards' looks have changed."""

import re
from pathlib import Path
from typing import Final

import zermelo
from zermelo.play.match import Match

GAME: Final = ("connect", {"rows": 5, "columns": 6, "run": 4})
PLAYERS: Final = ("engine:depth=8", "heuristic:easy")
NOT_SHOWN: Final = re.compile(
    r' (tabindex|data-cell|aria-label|role)="[^"]*"|<rect class="hit".*?/>|<circle class="focus".*?/>'
)
"""Parts of a picture of which only a page has a use."""
LAST: Final = 3
"""Seconds for which the last position stays."""


def frames() -> list[str]:
    """Return the pictures of a game, position by position."""
    game = zermelo.make_game(GAME[0], GAME[1])
    match = Match(game, *PLAYERS)
    found = [zermelo.show(game, match.state).svg]
    while not match.is_over:
        match.play(match.mover.think(match.state).action)
        found.append(zermelo.show(game, match.state).svg)
    return found


def moving(pictures: list[str]) -> str:
    """Return one picture that shows each of them for a second, and begins again."""
    total = len(pictures) + LAST
    box = re.search(r'width="(\d+)" height="(\d+)"', pictures[0])
    if box is None:
        raise ValueError("A picture has no size.")
    share = 100 / total
    style = (
        f"<style>.frame{{opacity:0;animation:show {total}s steps(1) infinite}}"
        f"@keyframes show{{0%{{opacity:1}}{share:.3f}%{{opacity:0}}}}"
        f".last{{animation-name:stay}}@keyframes stay{{0%{{opacity:1}}{share * (LAST + 1):.3f}%{{opacity:0}}}}"
        "@media (prefers-reduced-motion:reduce){.frame{animation:none}.last{opacity:1}}</style>"
    )
    shown = []
    for second, picture in enumerate(pictures):
        picture = picture if second == 0 else re.sub(r"<style>.*?</style>", "", picture, flags=re.DOTALL)
        picture = NOT_SHOWN.sub("", picture)
        last = " last" if second == len(pictures) - 1 else ""
        shown.append(f'<g class="frame{last}" style="animation-delay:{second}s">{picture}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box[1]} {box[2]}" width="360" role="img" '
        f'aria-label="Two engines play connect four on a small board.">{style}{"".join(shown)}</svg>\n'
    )


if __name__ == "__main__":
    Path(__file__).parents[1].joinpath("moving.svg").write_text(moving(frames()), encoding="utf-8")
