"""What a report says of a game agrees with what is known of it."""

import json
from dataclasses import replace
from functools import cache

import pytest

from zermelo.errors import BadParameter
from zermelo.game import Game, State
from zermelo.games import connect, tictactoe
from zermelo.lab.estimates import Estimate
from zermelo.lab.openings import random_openings
from zermelo.lab.study.figures import Line, by_ply, figures
from zermelo.lab.study.game_report import GameReport, report_on
from zermelo.lab.study.game_report_page import game_report_page, parts_of
from zermelo.lab.study.ladder import Pairing, Step, Supply, better, total


@cache
def found() -> GameReport:
    return report_on(connect(), minutes=0.03, threads=1)


def interpreted(game: Game) -> Game:
    """The same game, with rules that do not compile."""

    def actions(state: State) -> list[int]:
        return sorted(map(int, ",".join(map(str, game.actions(state))).split(",")))

    return replace(game, actions=actions, sufficient_actions=None)


def test_figures_are_those_of_the_lines() -> None:
    game = tictactoe()
    wins = game.replay  # of X, in five plies
    line = [wins([4, 0, 3, 1, 5][:count]) for count in range(6)]
    draw = [wins([4, 0, 1, 7, 2, 6, 3, 5, 8][:count]) for count in range(10)]
    found = figures(game, [Line(line, 1.0, 0), Line(draw, 0.5, 1)])
    assert found.games == 2
    assert found.first.value == 0.75
    assert found.draws.value == 0.5
    assert found.plies.value == 7
    assert found.middle == (5, 5, 9)
    assert found.branching.value == pytest.approx((9 + 8 + 7 + 6 + 5 + sum(range(1, 10))) / 14)
    assert found.widths[0].estimate.value == 9


def test_bands_of_plies_hold_all_observations() -> None:
    bands = by_ply([(ply, ply % 2, ply // 3) for ply in range(50)])
    assert [band.first for band in bands] == list(range(0, 50, 5))
    assert [band.estimate.value for band in bands] == pytest.approx([0.4, 0.6] * 5)


def test_random_games_of_tictactoe_end_as_counting_says() -> None:
    """Of random games X wins 58.49 %, O 28.81 %; the rest are draws (a count of all lines, weighted)."""
    report = report_on(interpreted(tictactoe()), minutes=5, seed=3)
    assert report.skilled is None
    assert "cannot become machine code" in report.why_not or "compile" in report.why_not
    assert report.random.games == 1000
    assert report.random.draws.low < 0.1270 < report.random.draws.high
    assert report.random.first.low < 0.5849 + 0.1270 / 2 < report.random.first.high
    assert [part.heading for part in parts_of(report)] == ["Random play"]


def test_a_report_has_all_parts_and_its_figures_are_possible() -> None:
    skilled = found().skilled
    assert skilled is not None
    assert [step.nodes for step in skilled.steps][:3] == [64, 128, 256], "however short the time is"
    assert skilled.better.strong == 2 * skilled.steps[-1].nodes == 16 * skilled.better.weak
    assert skilled.play.games >= 16, "a quick machine plays more"
    assert skilled.play.games % 2 == 0
    assert 7 <= skilled.play.plies.value <= 42
    assert 1 <= skilled.play.branching.value <= 7
    shares = [band.estimate.value for band in skilled.decided]
    assert shares[0] < 0.5 < shares[-1], "the empty board is not decided, and the last positions are"
    assert skilled.better.points.low <= skilled.better.points.value <= skilled.better.points.high
    assert found().sides == ("Red", "Yellow")


def test_plain_values_are_json_and_the_page_shows_all_parts() -> None:
    json.dumps(found().to_dict(), allow_nan=False)
    text = game_report_page(found())
    assert [part.heading for part in parts_of(found())] == [
        "Skilled play", "Depth of skill", "Decided positions", "Random play",
    ]  # fmt: skip
    assert all(label.replace("'", "&#x27;") in text for part in parts_of(found()) for label, _ in part.rows)
    assert text.count("<svg") == 3


def test_more_nodes_win_and_the_games_do_not_depend_on_threads_or_batches() -> None:
    game = connect()
    openings = random_openings(game, 6, 6)
    whole, parts = Pairing(1024, 16, Supply(openings)), Pairing(1024, 16, Supply(openings))
    whole.play(game, 6, 2)
    for count in (2, 6):
        parts.play(game, count, 1)
    assert [one.moves for one in whole.games] == [one.moves for one in parts.games]
    assert [one.moves[:6] for one in whole.games[::2]] == [one.moves[:6] for one in whole.games[1::2]]
    judged = better(whole)
    assert judged.points.value > 0.5 < judged.decisive.value
    assert judged.games == 12


def test_gains_add_up_with_their_errors() -> None:
    steps = [Step(64, Estimate(30, 18, 42), 20), Step(128, Estimate(50, 45, 55), 20)]
    assert total(steps) == pytest.approx((80, 67, 93))


def test_no_time_is_refused() -> None:
    with pytest.raises(BadParameter, match="The report may take 0 minutes"):
        report_on(connect(), minutes=0)
