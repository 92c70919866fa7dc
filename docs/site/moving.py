"""Draws ``docs/moving.svg``: twenty seconds of play, analysis and explanation. Run it after the looks have changed."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import zermelo
from zermelo.game import Game, State
from zermelo.pictures.board_style import STYLE as BOARD_STYLE
from zermelo.pictures.board_svg import Marks, Shade, draw_board
from zermelo.pictures.palette import palette_of
from zermelo.pictures.tree_svg import STYLE as TREE_STYLE
from zermelo.pictures.tree_svg import tree_svg

GAME: Final = ("connect", {"rows": 5, "columns": 6, "run": 4})
OPENING: Final = "2,2,3,4,3,3,2"
"""What the two players of the picture play."""
SMALL: Final = ("tictactoe", "0,4,8,2,6,3")
"""The game whose search is explained, and the moves before it."""
TOTAL: Final = 20
EXPLAINED: Final = 8
"""Seconds of the whole picture, and of its last scene."""
NOT_SHOWN: Final = re.compile(
    r' (tabindex|data-cell|aria-label|role)="[^"]*"|<rect class="hit".*?/>|<circle class="focus".*?/>'
    r"|<title>.*?</title>|<style>.*?</style>",
    re.DOTALL,
)
"""Parts of a picture of which only a page has a use, and styles, which stand once in the whole picture."""
WIDTH, HEIGHT, TITLE = 480, 340, 34


class Scene(NamedTuple):
    """A picture for some seconds, with a title."""

    title: str
    picture: str
    seconds: float


def scenes() -> list[Scene]:
    """Return all scenes."""
    game = zermelo.make_game(*GAME)
    states: list[State] = [game.initial]
    for move in OPENING.split(","):
        states.append(game.play(states[-1], move))
    played = [Scene("Play", board(game, state, Marks()), 1) for state in states]
    analysed = Scene("Analyse: what each move is worth", board(game, states[-1], advice(game, states[-1])), 4)
    return [*played, analysed, Scene("Explain: how alpha-beta finds it", explained(), EXPLAINED)]


def board(game: Game, state: State, marks: Marks) -> str:
    """Return the picture of a position."""
    assert game.board is not None
    return draw_board(game.board(state), marks, palette=palette_of(game), alone=True)


def advice(game: Game, state: State) -> Marks:
    """Return the marks of an analysis, as the browser draws them."""
    found = zermelo.Engine(game).search(state, depth=12, root_values=True)
    assert game.board is not None
    clicks, player = game.board(state).clicks, game.to_move(state)
    worth = {action: value * player for action, value in found.root_values.items()}
    best = max(worth.values())
    shades = {
        clicks[action][0]: Shade(
            "best" if value == best else "good" if value > 0 else "slip" if value > -10 else "blunder"
        )
        for action, value in worth.items()
    }
    return Marks(shades=shades, hint=clicks[found.action])


def explained() -> str:
    """Return the tree of a small search: a node appears when the search enters it, its value when it leaves it."""
    game = zermelo.make_game(SMALL[0])
    tree = zermelo.explain(game, game.replay(SMALL[1]), table=False)
    step = (EXPLAINED - 2) / len(tree.events)
    begin = TOTAL - EXPLAINED

    def delay(event: str) -> str:
        return f'style="animation-delay:{begin + max(0, int(event)) * step:.2f}s"'

    svg = re.sub(
        r'(data-node="\d+" data-from="-?\d+" data-done="(\d+)"(?:(?!</g>).)*?)<text class="value"',
        lambda found: f'{found[1]}<text class="value grow" {delay(found[2])}',
        tree_svg(tree),
    )
    svg = re.sub(r'<g(?=[^>]*data-from="(-?\d+)")', lambda found: f'<g class="grow" {delay(found[1])}><g', svg)
    svg = svg.replace("</g>", "</g></g>")
    return re.sub(r' data-\w+="[^"]*"', "", svg)


def moving(shown: list[Scene]) -> str:
    """Return one picture that shows each scene for its time, and begins again."""
    lengths = sorted({scene.seconds for scene in shown})
    keyframes = "".join(
        f"@keyframes s{n}{{0%{{opacity:1}}{100 * length / TOTAL:.2f}%{{opacity:0}}}}"
        for n, length in enumerate(lengths)
    )
    style = (
        f"<style>{BOARD_STYLE}{TREE_STYLE}"
        f".frame,.grow{{opacity:0;animation:{TOTAL}s steps(1) infinite}}.grow{{animation-name:s{len(lengths) - 1}}}"
        f".title{{font:600 17px system-ui,sans-serif;fill:#3b6fd1}}{keyframes}"
        "@media (prefers-reduced-motion:reduce){.frame,.grow{animation:none}.last,.last .grow{opacity:1}}</style>"
    )
    parts, begin = [], 0.0
    for number, scene in enumerate(shown):
        size = f'x="0" y="{TITLE}" width="{WIDTH}" height="{HEIGHT - TITLE}"'
        picture = NOT_SHOWN.sub("", re.sub(r' width="\d+" height="\d+"', f" {size}", scene.picture, count=1))
        kind = " last" if number == len(shown) - 1 else ""
        time = f"animation-name:s{lengths.index(scene.seconds)};animation-delay:{begin:g}s"
        parts.append(
            f'<g class="frame{kind}" style="{time}"><text class="title" x="{WIDTH / 2:g}" y="22" text-anchor="middle">'
            f"{scene.title}</text>{picture}</g>"
        )
        begin += scene.seconds
    assert begin == TOTAL
    label = "Connect four is played, its moves are analysed, and a search is explained node by node."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" '
        f'aria-label="{label}">{style}{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    Path(__file__).parents[1].joinpath("moving.svg").write_text(moving(scenes()), encoding="utf-8")
