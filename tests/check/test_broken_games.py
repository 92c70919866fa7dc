"""Each deliberate mistake is found, by the check that is meant to find it; healthy games raise no alarm."""

import json
import signal
from dataclasses import replace

import pytest
from numba.core import config

from check.broken_games import BROKEN, HEALTHY, NEEDS_COMPILING, PLAIN, Heaps, result
from zermelo import check_game
from zermelo.errors import BadParameter

GAMES = [pytest.param(check, game, name in NEEDS_COMPILING, id=name) for name, (check, game) in BROKEN.items()]

AMPLE = 2.9
"""Seconds for an audit that ends by itself in a tenth of one, so that a busy machine does not cut it short. With 3, the
audit would try the engine, too."""


@pytest.mark.parametrize(("check", "game", "compile"), GAMES)
def test_a_mistake_is_found(check, game, compile):
    if compile and config.DISABLE_JIT:
        pytest.skip("nothing is compiled")
    report = check_game(game, seconds=AMPLE, compile=compile)
    findings = [finding for finding in report.findings if finding.check == check]
    assert len(findings) == 1, str(report)
    assert findings[0].sentence.endswith((".", "?"))
    assert findings[0].advice.endswith(".")
    assert json.loads(json.dumps(report.to_dict()))["findings"]
    assert str(findings[0]) in str(report)


def test_the_shortest_position_is_shown():
    finding = check_game(BROKEN["utility too large"][1], seconds=AMPLE, compile=False).findings[0]
    assert finding.sentence == "utility gives -11, and utility_range is (-10, 10)."
    assert len(finding.actions) == 4  # two heaps of 5 and 4 cannot be taken in fewer
    assert finding.times > 1
    assert "Heaps(left=0, right=0" in finding.state


def test_a_rule_that_raises_is_named_with_function_line_and_state():
    finding = check_game(BROKEN["is_terminal raises"][1], seconds=AMPLE, compile=False).findings[0]
    assert "is_terminal raises ZeroDivisionError (<lambda>, broken_games.py line " in finding.sentence
    assert finding.state.startswith("Heaps(left=0, ")
    assert finding.actions


@pytest.mark.parametrize("game", [HEALTHY, PLAIN], ids=["all told", "nothing told"])
def test_a_healthy_game_raises_no_alarm(game):
    report = check_game(game, seconds=1)
    assert report.findings == ()
    assert report.numbers["all positions seen"]
    assert report.numbers["value of the game"] == 10
    assert report.numbers["positions where textbook was compared"] > 20


def test_a_word_of_64_bits_is_no_difference():
    """Bit 63 makes an int negative compiled, and not interpreted; both are the same word."""
    top = 1 << 63
    game = replace(
        PLAIN,
        initial=Heaps(top | 3, 0, 1),
        actions=lambda state: range(1, 1 + (state.left & 3)),
        result=lambda state, action: Heaps(state.left - action, 0, -state.player),
        is_terminal=lambda state: state.left & 3 == 0,
    )
    assert check_game(game, seconds=AMPLE).findings == ()


def test_the_same_seed_gives_the_same_findings():
    game = BROKEN["chance in actions"][1]
    broken = BROKEN["utility too large"][1]
    assert check_game(broken, AMPLE, 3, compile=False).findings == check_game(broken, AMPLE, 3, compile=False).findings
    assert not check_game(game, AMPLE, compile=False).ok


def test_a_rule_that_fails_where_no_check_looked_is_a_finding_too():
    """Depth 5 of perft is looked at when only two positions have been checked."""
    game = replace(PLAIN, result=lambda s, a: result(s, 7 // (s.left + s.right - 1) and a))
    report = check_game(game, seconds=1e-6, compile=False)
    assert [finding.severity for finding in report.findings] == ["error"]


def test_another_timer_goes_on():
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 100)
    check_game(PLAIN, seconds=0.2, compile=False)
    assert 90 < signal.setitimer(signal.ITIMER_REAL, 0)[0] <= 100
    signal.signal(signal.SIGALRM, before)


def test_time_must_be_positive():
    with pytest.raises(BadParameter, match="seconds > 0"):
        check_game(HEALTHY, seconds=0)
