"""What the auditor finds of the mistakes that people make in first games, and what it says of games without any."""

import pytest

from check.broken_games import PLAIN
from check.first_games import HEALTHY, NOT_FOUND, PLANTED, TRUE_NOTES
from zermelo import check_game

SECONDS = 3
"""A third of what an audit has by default."""


@pytest.mark.parametrize("name", HEALTHY)
def test_a_game_as_it_was_meant_gets_true_notes_only(name):
    report = check_game(HEALTHY[name], seconds=SECONDS, compile=False)
    assert {finding.check for finding in report.findings} <= TRUE_NOTES[name]
    assert {finding.severity for finding in report.findings} <= {"note"}


def test_twenty_mistakes_of_twenty_two_are_to_be_found():
    assert len(PLANTED) == 22
    assert len(PLANTED.keys() - set(NOT_FOUND)) == 20


@pytest.mark.parametrize("mistake", [name for name in PLANTED if name not in NOT_FOUND])
def test_a_planted_mistake_is_found(mistake):
    for seconds in (SECONDS / 3, 5 * SECONDS):  # the first is nearly always enough; a busy machine gets less far
        report = check_game(PLANTED[mistake], seconds=seconds, compile=False)
        found = {finding.check for finding in report.findings} - TRUE_NOTES[mistake.partition(":")[0]]
        if found:
            return
    pytest.fail(str(report))


def test_an_audit_says_what_it_did_not_look_at():
    short = check_game(HEALTHY["krk"], seconds=0.01, compile=False)
    assert short.findings == ()
    said = " ".join(short.unchecked)
    assert "were looked at one by one; more --seconds look at more." in said
    assert "Who wins over many games" in said
    assert "proven" in said  # that nothing was, or not for both players
    assert "Compiled rules and the engine: they were not asked for." in said
    assert str(short).startswith("krk(): nothing found in what was looked at\n\nNot looked at:\n  Most positions: ")
    assert short.to_dict()["unchecked"] == list(short.unchecked)


def test_an_audit_of_two_seconds_says_that_the_engine_was_not_asked():
    report = check_game(PLAIN, seconds=2)
    assert report.unchecked == ("The engine: an audit that asks it needs 3 seconds.",)
    assert report.numbers["positions where compiled rules were compared"] > 50
    assert "nothing found in what was looked at" in str(report)


def test_an_audit_with_time_enough_looks_at_everything():
    report = check_game(PLAIN, seconds=3)
    assert report.unchecked == ()
    assert report.numbers["positions where engine was compared"] > 20
    assert str(report).startswith("heaps(): nothing found\n")
