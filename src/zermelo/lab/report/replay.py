"""The part of the report in which every game can be replayed on the board.

The page holds one picture of the empty board. For each game it holds the numbers of its steps, and a list says what
each step changes; the script of the page, ``replay.js``, puts these together.
"""

import json
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

from zermelo.game import MAX, Game
from zermelo.lab.page import section
from zermelo.lab.played import PlayedGame
from zermelo.lab.report.course import ENDINGS
from zermelo.lab.report.figures import Figures
from zermelo.lab.report.positions import Album, Replayer
from zermelo.pictures.board_svg import CAPTURED, cell_names
from zermelo.pictures.palette import palette_of

MOST_REPLAYED: Final = 2000
"""The most games whose boards a page holds, if nothing else is said."""
SCRIPT: Final = Path(__file__).with_name("replay.js")
_BUTTONS: Final = (
    ("first", "Start", "To the start"),
    ("back", "Back", "One move back"),
    ("play", "Play", "Play the moves one after the other"),
    ("forward", "Next", "One move on"),
    ("last", "End", "To the end"),
)


def replay(game: Game, figures: Figures, most: int = MOST_REPLAYED) -> str:
    """Return the section with the board, and the list of all games.

    Parameters
    ----------
    game
        The rules by which the games were played.
    figures
        The games.
    most
        The most games whose moves the page holds: those with a forfeit first, then by number.

    Raises
    ------
    RecordError
        A game has a move that is not legal.
    """
    chosen = _chosen(figures, most)
    album, replayer = Album(game), Replayer(game)
    steps = {one.number: album.add(replayer.moves(one)) for one in chosen}
    data = {
        "players": figures.players,
        "sides": _sides(game),
        "endings": ENDINGS,
        "names": [] if game.board is None else cell_names(game.board(game.initial)),
        "captured": CAPTURED,
        "start": album.start,
        "contents": list(album.contents),
        "steps": [[step.move, *_trimmed(step[1:])] for step in album.steps],
        "games": [
            _game(one, movers, steps.get(one.number), figures)
            for one, movers in zip(figures.games, figures.movers, strict=True)
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    left_out = len(figures.games) - len(chosen)
    more = f" The moves of {left_out:,} more games are not in this file." if left_out else ""
    return section(
        "Games",
        _viewer(album.ground),
        _list(figures),
        f'<script type="application/json" id="data">{text}</script>',
        how=f"Keys: ← and → make a step, Home and End go to the start and the end, N and P to another game.{more}",
    )


def _chosen(figures: Figures, most: int) -> list[PlayedGame]:
    """The games whose moves the page holds."""
    forfeits = figures.result.faults[:most]
    known = {game.number for game in forfeits}
    others = (game for game in figures.games if game.number not in known)
    return [*forfeits, *(game for game, _ in zip(others, range(most - len(forfeits)), strict=False))]


def _sides(game: Game) -> list[Mapping[str, str]]:
    """The names and colours of the sides of the first and the second player."""
    palette, first = palette_of(game), game.to_move(game.initial)
    tones = {first: palette.max if first == MAX else palette.min, -first: palette.min if first == MAX else palette.max}
    return [{"name": game.side_name(side), "fill": tone.fill, "edge": tone.edge} for side, tone in tones.items()]


def _trimmed(lists: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Lists without the empty ones at the end."""
    found = list(lists)
    while found and not found[-1]:
        found.pop()
    return found


def _game(game: PlayedGame, movers: tuple[bool, ...], steps: list[int] | None, figures: Figures) -> list[Any]:
    """A game as the script reads it, in the order of ``FIELDS`` there."""
    alternating = all(is_first == (ply % 2 == 0) for ply, is_first in enumerate(movers))
    return [
        game.number,
        figures.players.index(game.first),
        figures.players.index(game.second),
        game.opening,
        game.plies,
        game.points,
        game.ending,
        game.reason,
        len(game.moves),
        steps,
        *(
            None if steps is None else values
            for values in (
                None if alternating else "".join("12"[not is_first] for is_first in movers),
                [float(f"{seconds:.3g}") for seconds in game.seconds],
                _unless_empty(game.scores),
                _unless_empty(game.nodes),
            )
        ),
    ]


def _unless_empty(numbers: tuple[int | None, ...]) -> tuple[int | None, ...] | None:
    return None if all(number is None for number in numbers) else numbers


def _list(figures: Figures) -> str:
    """The filters, and the place of the list, which the script fills."""

    def choice(name: str, label: str, options: Iterable[tuple[str, str]]) -> str:
        rows = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in options)
        return f'<label>{label}<select data-filter="{name}"><option value="">all</option>{rows}</select></label>'

    players = [(str(place), player) for place, player in enumerate(figures.players)]
    endings = [(ending, ENDINGS[ending]) for ending, _ in figures.endings.most_common()]
    results = (("1", "first player won"), ("0.5", "drawn"), ("0", "second player won"))
    return (
        '<noscript><p>The list and the board need JavaScript.</p></noscript><div class="filters">'
        f"{choice('player', 'Player', players)}{choice('opponent', 'Opponent', players)}"
        f"{choice('result', 'Result', results)}{choice('ending', 'Ending', endings)}</div>"
        '<div class="scroll list" tabindex="0" role="group" aria-label="List of games"><table><thead><tr>'
        '<th scope="col">Game</th><th scope="col">First</th><th scope="col">Second</th><th scope="col">Result</th>'
        '<th scope="col">Plies</th><th scope="col">Ending</th></tr></thead><tbody id="list"></tbody></table></div>'
        '<p class="row"><button type="button" id="earlier">Earlier</button>'
        '<button type="button" id="later">Later</button><span id="listed" role="status"></span></p>'
    )


def _viewer(ground: str) -> str:
    """The board with its buttons, and the places of what the script writes."""
    buttons = "".join(
        f'<button type="button" data-go="{name}" title="{title}">{text}</button>' for name, text, title in _BUTTONS
    )
    return (
        '<div id="viewer" hidden><div class="stage"><div class="seat" id="above"></div>'
        f'<div id="board">{ground}</div><div class="seat" id="below"></div>'
        f'<div class="row buttons" role="group" aria-label="Moves">{buttons}</div>'
        '<input type="range" id="ply" min="0" value="0" aria-label="Move"></div>'
        '<div class="beside"><h3 id="title"></h3><p id="outcome"></p><p id="said" aria-live="polite"></p>'
        '<div class="moves" id="moves" tabindex="0" role="group" aria-label="Moves of the game"></div>'
        '<div id="plot"></div></div></div>'
    )
