"""The report of a tournament: its counts, its positions, and that it needs nothing from outside."""

import json
import re
from dataclasses import asdict, replace

import pytest

from positions import random_moves
from zermelo import factories
from zermelo.errors import BadParameter, RecordError
from zermelo.game import Game
from zermelo.games import connect, kalah, tictactoe
from zermelo.lab.adjudication import Adjudication
from zermelo.lab.clocks import TimeControl
from zermelo.lab.match import MatchResult
from zermelo.lab.played import PlayedGame
from zermelo.lab.report import conditions_in, tournament_page
from zermelo.lab.report.course import ENDINGS
from zermelo.lab.report.figures import figures_of
from zermelo.lab.report.positions import Album, Replayer
from zermelo.lab.report.replay import replay
from zermelo.lab.sprt import Sprt
from zermelo.lab.tournament import TournamentResult
from zermelo.pictures.board_svg import draw_board
from zermelo.pictures.palette import palette_of
from zermelo.protocol.position import write_move


def played(game: Game, number: int, first: str = "a", second: str = "b", plies: int = 400, **changes) -> PlayedGame:
    """A random game; its number is the seed."""
    moves = list(random_moves(game, number, plies))
    written = [write_move(game, state, action) for state, action in moves]
    end = game.result(*moves[-1])
    value = game.utility(end) if game.is_terminal(end) else 0
    value *= game.to_move(game.initial)
    opening = min(2, len(moves))
    own = len(moves) - opening
    return replace(
        PlayedGame(
            number=number,
            first=first,
            second=second,
            opening=number // 2,
            plies=opening,
            moves=tuple(written),
            seconds=tuple(0.001 * (ply + 1) for ply in range(own)),
            scores=(5,) * own,
            nodes=(10,) * own,
            points=0.5 if value == 0 else float(value > 0),
            value=value,
            ending="rules",
        ),
        **changes,
    )


@pytest.mark.parametrize("name", factories())
def test_steps_lead_to_the_board_of_each_position(name: str) -> None:
    """The steps of a game, made one after the other, show the pieces and labels of each position's own picture."""
    game = factories()[name]()
    album, replayer = Album(game), Replayer(game)
    one = played(game, 3, plies=30)
    steps = album.add(replayer.moves(one))
    by_number, contents = list(album.steps), list(album.contents)
    slots = list(album.start)
    assert len(steps) == len(one.moves)
    for step, state in zip(steps, replayer.states(one)[1:], strict=True):
        changes = by_number[step].changes
        for slot, content in zip(changes[::2], changes[1::2], strict=True):
            slots[slot] = content
        picture = draw_board(game.board(state), palette=palette_of(game))
        for slot, content in enumerate(slots[:-1]):
            drawn, words = contents[content]
            group = picture.split(f'data-cell="{slot}"')[1].split('data-cell="')[0]
            assert drawn in group
            assert words in group.split("transform")[0]
        assert contents[slots[-1]][0] in picture


def test_a_game_without_a_board_is_shown_as_text() -> None:
    game = replace(tictactoe(), board=None)
    album, one = Album(game), played(game, 1)
    steps = album.add(Replayer(game).moves(one))
    slots = list(album.start)
    for step in steps:
        changes = list(album.steps)[step].changes
        for slot, content in zip(changes[::2], changes[1::2], strict=True):
            slots[slot] = content
    lines = [list(album.contents)[slot][0] for slot in slots]
    assert "\n".join(lines) == game.draw(Replayer(game).states(one)[-1])
    assert album.ground.count("data-line") == len(lines)


def test_effort_counts_the_moves_that_a_player_made() -> None:
    """In kalah a player may move again, so places in the list do not tell who moved."""
    game = kalah(pits=3, seeds=2)
    one = played(game, 5)
    figures = figures_of(game, [one])
    states = Replayer(game).states(one)[one.plies : -1]
    movers = [game.to_move(state) for state in states]
    assert sum(mover == movers[place] for place, mover in enumerate(movers[1:])) > 0  # somebody moved twice
    for player, side in (("a", game.to_move(game.initial)), ("b", -game.to_move(game.initial))):
        own = [used for used, mover in zip(one.seconds, movers, strict=True) if mover == side]
        effort = figures.effort(player)
        assert effort is not None
        assert (effort.moves, effort.most_seconds) == (len(own), max(own))
        assert effort.mean_seconds == pytest.approx(sum(own) / len(own))
        assert effort.nodes_per_second == pytest.approx(10 * len(own) / sum(own))


def tournament(game: Game, count: int = 12) -> list[PlayedGame]:
    """Games of three players; one of them crashes in one game, and is late in another."""
    pairs = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    games = [played(game, number, *pairs[number % 6]) for number in range(count)]
    games[2] = replace(games[2], points=1.0, ending="crash", reason="c: It ended with </script><b>status 1</b>.")
    games[3] = replace(games[3], points=0.0, ending="time", reason="c took 2.000 s for a move.")
    return games


def test_the_page_tells_the_results_and_loads_nothing() -> None:
    game = connect(rows=3, columns=3, run=3)
    games = tournament(game)
    text = tournament_page(
        game, TournamentResult((), tuple(reversed(games))), title="Cup <1>", conditions={"Seed": "7 & 8"}
    )
    assert "<title>Cup &lt;1&gt;</title>" in text
    assert "<dt>Seed</dt><dd>7 &amp; 8</dd>" in text
    assert not re.search(r"(?:src|href)=\"(?!#)", text)
    assert "url(" not in text
    assert "@import" not in text
    assert "12 games" in text
    assert "2 games of 12 were lost by a mistake or on time." in text
    assert "&lt;/script&gt;&lt;b&gt;status 1" in text
    assert text.count("</script>") == 2  # the data and the script
    found = figures_of(game, games)
    for player in "abc":
        score = found.result.score(player)
        assert f"<td>{score.points:g}</td><td>{score.games}</td>" in text
    late = [effort.late for player in found.players if (effort := found.effort(player))]
    assert sorted(late) == [0, 0, 1]


def test_the_data_of_the_page_hold_every_game() -> None:
    game = connect(rows=3, columns=3, run=3)
    figures = figures_of(game, tournament(game))
    data = data_of(replay(game, figures))
    assert [one[0] for one in data["games"]] == list(range(12))
    for one, row in zip(figures.games, data["games"], strict=True):
        assert [data["steps"][step][0] for step in row[9]] == list(one.moves)
        assert (data["players"][row[1]], data["players"][row[2]]) == (one.first, one.second)
        assert row[8] == len(one.moves)


def test_forfeits_come_first_where_there_is_room_for_few_games() -> None:
    game = connect(rows=3, columns=3, run=3)
    text = replay(game, figures_of(game, tournament(game)), most=3)
    assert [one[0] for one in data_of(text)["games"] if one[9] is not None] == [0, 2, 3]
    assert "The moves of 9 more games are not in this file." in text


def data_of(text: str) -> dict:
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


def test_a_match_shows_its_test() -> None:
    game = connect(rows=3, columns=3, run=3)
    games = [played(game, number, *(("x", "y"), ("y", "x"))[number % 2]) for number in range(8)]
    text = tournament_page(game, MatchResult(("y", "x"), tuple(games), Sprt(0, 10)))
    assert "y against x: " in text
    assert "A sequential test of 10 against 0 Elo. The test has not decided yet: its LLR is " in text
    assert 'aria-label="LLR over games"' in text


def test_games_that_cannot_be_shown_are_refused() -> None:
    game = connect(rows=3, columns=3, run=3)
    with pytest.raises(BadParameter, match="no games to report on"):
        tournament_page(game, TournamentResult((), ()))
    with pytest.raises(RecordError, match=r"Game 4 is no game of connect\(rows=3, columns=3, run=3\): '7' is not"):
        tournament_page(game, TournamentResult((), (played(game, 4, moves=("1", "7")),)))


def test_every_ending_has_words() -> None:
    from zermelo.lab.played import ENDINGS as KNOWN

    assert set(ENDINGS) == set(KNOWN)


def test_the_header_of_a_file_becomes_conditions() -> None:
    header = {
        "kind": "match",
        "control": asdict(TimeControl.read("10+0.1")),
        "adjudication": asdict(Adjudication(resign=900, plies=80)),
        "seed": 4,
        "plies": 1,
        "openings": None,
        "sprt": asdict(Sprt(0.0, 5.0, beta=0.1, model="normalized")),
    }
    assert conditions_in(header) == {
        "Kind": "match",
        "Time control": "10+0.1",
        "Openings": "random, 1 ply each",
        "Adjudication": "resignation at scores from 900 on for 3 moves of each player; draw after 80 plies",
        "Seed": "4",
        "Test": "5 against 0 Elo (normalized), alpha 0.05, beta 0.1",
    }
