"""What a match, a tournament or their files came to, as text for people."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from zermelo.game import Game
from zermelo.lab.pentanomial import normalized_elo
from zermelo.play.match import plural
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.solve_report import Row, print_rows

if TYPE_CHECKING:
    from zermelo.lab.match import MatchResult
    from zermelo.lab.played import PlayedGame
    from zermelo.lab.tournament import TournamentResult

_MOST_FAULTS: Final = 10


def interruption(out: Path | None) -> str:
    """The sentence after Ctrl-C."""
    if out is None:
        return "Interrupted; with --out FILE the same command would go on."
    return f"Interrupted; the same command goes on with the games in {out}."


def print_match(game: Game, result: "MatchResult", console: Console) -> None:
    """Print what a match came to."""
    print_rows([("game", repr(game)), *match_rows(result)], console)
    _print_faults(result.faults, console)


def match_rows(result: "MatchResult") -> list[Row]:
    """What a match came to, row by row."""
    one, other = result.players
    elo, half_width, los = result.elo
    kinds = zip(("LL", "LD", "LW+DD", "DW", "WW"), result.pentanomial, strict=True)
    rows = [
        ("players", f"{one} against {other}"),
        ("games", f"{len(result.games)}: {result.wins} won, {result.draws} drawn, {result.losses} lost"),
        ("pairs", ", ".join(f"{kind} {count}" for kind, count in kinds)),
        ("Elo", f"{signed(elo)} ± {half_width:.1f} (95 %), likelihood of superiority {100 * los:.1f} %"),
    ]
    if sum(result.pentanomial) not in (result.pentanomial[0], result.pentanomial[4]):  # else nothing tells the noise
        normalized, normalized_half_width = normalized_elo(result.pentanomial)
        rows.append(("normalized", f"{signed(normalized)} ± {normalized_half_width:.1f}"))
    if result.sprt is not None:
        rows.append(("test", _verdict(result)))
    if result.faults:
        many = plural(len(result.faults), "game")
        rows.append(
            ("beware", f"{many} of {len(result.games)} lost by mistakes or on time, which say little of strength")
        )
    rows.append(("endings", endings(result.games)))
    if repeated := _repeated(result.games):
        rows.append(("openings", repeated))
    return rows


def _verdict(result: "MatchResult") -> str:
    test = result.sprt
    assert test is not None
    said = {
        "accept": f"{test.elo1:g} Elo accepted, {test.elo0:g} rejected",
        "reject": f"{test.elo0:g} Elo accepted, {test.elo1:g} rejected",
        None: "not decided",
    }[result.verdict]
    return f"{said}; LLR {result.llr:.2f}, bounds {test.lower:.2f} and {test.upper:.2f}, {test.model} Elo"


def signed(elo: float) -> str:
    """An Elo difference with its sign; rounding leaves no minus before a zero."""
    return f"{round(float(elo), 1) + 0.0:+.1f}"


def endings(games: "tuple[PlayedGame, ...]") -> str:
    """How many games ended in which way, and how long they were."""
    counts = Counter(game.ending for game in games)
    plies = sum(len(game.moves) for game in games) / max(1, len(games))
    return f"{', '.join(f'{ending} {count}' for ending, count in counts.most_common())}; {plies:.1f} plies on average"


def _repeated(games: "tuple[PlayedGame, ...]") -> str:
    """A remark if some games were played more than once, move by move: they are no new evidence."""
    same = len(games) - len({(game.first, game.moves) for game in games})
    if not same:
        return ""
    which = "1 game repeats another game" if same == 1 else f"{same} games repeat other games"
    return f"{which}, move by move; give more openings"


def print_tournament(game: Game, result: "TournamentResult", console: Console) -> None:
    """Print what a tournament came to."""
    print_rows([("game", repr(game))], console)
    print_ratings(result, console)


def print_ratings(result: "TournamentResult", console: Console) -> None:
    """Print ratings, the cross table, and what else the games tell."""
    ratings = result.ratings
    rows = [
        ("games", f"{len(result.games)}"),
        ("first move", f"{signed(ratings.first_move)} ± {ratings.first_move_half_width:.1f} Elo for who moves first"),
        ("draws", f"{100 * ratings.draws:.1f} % between equals"),
        ("endings", endings(result.games)),
    ]
    if repeated := _repeated(result.games):
        rows.append(("openings", repeated))
    print_rows(rows, console)
    console.print(f"\n{rating_table(result)}\n\n{cross_table(result)}", markup=False, highlight=False, soft_wrap=True)
    _print_faults(result.faults, console)


def rating_table(result: "TournamentResult") -> str:
    """The players, the strongest first, with ratings and scores; ``LOS`` is that over the next one."""
    ratings = result.ratings
    rows = []
    for place, player in enumerate(ratings.players):
        score = result.score(player)
        below = ratings.players[place + 1 : place + 2]
        rows.append([
            f"{place + 1} {player}",
            signed(ratings.elo[place]),
            f"± {ratings.half_widths[place]:.1f}",
            f"{score.points:g}/{score.games}",
            *(str(count) for count in score),
            *(f"{100 * ratings.los(player, other):.1f} %" for other in below),
            *([] if below else [""]),
        ])  # fmt: skip
    return columns(["player", "Elo", "95 %", "points", "won", "drawn", "lost", "LOS"], rows)


def cross_table(result: "TournamentResult") -> str:
    """The points of each player, a row each, against each other one."""
    players = result.ratings.players
    rows = []
    for place, one in enumerate(players):
        met = [result.cross.get((one, other)) for other in players]
        rows.append(
            [f"{place + 1} {one}", *("" if score is None else f"{score.points:g}/{score.games}" for score in met)]
        )
    return columns(["points against", *(str(place + 1) for place in range(len(players)))], rows)


def _print_faults(faults: "tuple[PlayedGame, ...]", console: Console) -> None:
    """Print the first kinds of faults: each sentence once, with the games that were lost for it."""
    if not faults:
        return
    games: dict[str, list[int]] = {}
    for game in faults:
        games.setdefault(game.reason, []).append(game.number)
    lines = [f"\n{_number(len(faults))} lost by a fault or on time:"]
    for reason, numbers in list(games.items())[:_MOST_FAULTS]:
        which = f"game {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} games, the first is game {numbers[0]}"
        lines.append(f"  {which}: {reason}")
    if len(games) > _MOST_FAULTS:
        lines.append(f"  and {len(games) - _MOST_FAULTS} other sentences, which --json lists")
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def _number(games: int) -> str:
    return "1 game was" if games == 1 else f"{games} games were"
