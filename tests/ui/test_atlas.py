"""Published facts: what they are made of, and that zermelo agrees with those that it answers quickly."""

import json
from pathlib import Path

import pytest

import reference
from zermelo.atlas.answers import answer
from zermelo.atlas.facts import Fact, facts
from zermelo.atlas.measuring import measured
from zermelo.atlas.small import outcomes
from zermelo.errors import BadParameter
from zermelo.games import connect, kalah
from zermelo.registry import make_game

QUICK = [
    fact
    for fact in facts()
    if fact.question.startswith(("minimax", "alpha-beta", "grundy", "elo", "llr"))
    or (fact.question.startswith("perft") and int(fact.answer) < 10_000)
    if fact.name in measured() and measured()[fact.name].seconds < 0.1
]


def test_there_are_hundreds_of_facts_and_most_are_answered():
    file = Path(__file__).parents[2] / "docs" / "reference" / "games.md"
    page = " ".join(file.read_text(encoding="utf-8").split())
    computed = sum("fishtest" in fact.source for fact in facts())
    assert f"{len(facts()) - computed} published facts and {computed} figures of fishtest's code" in page
    assert len({fact.name for fact in facts()}) == len(facts())
    assert len(measured()) >= 300
    assert set(measured()) <= {fact.name for fact in facts()}


def test_every_measured_answer_is_the_published_one():
    published = {fact.name: fact.answer for fact in facts()}
    assert {name: one.found for name, one in measured().items() if one.found != published[name]} == {}


@pytest.mark.parametrize("game", sorted({fact.game for fact in facts()} - {"match"}))
def test_facts_name_positions_that_there_are(game):
    for fact in (fact for fact in facts() if fact.game == game):
        try:
            rules = make_game(fact.game, dict(fact.parameters))
        except BadParameter as error:  # a board that others solved, and that does not fit into a word
            assert "is too large to hold" in str(error)
            continue
        state = rules.from_text(fact.position) if fact.position else rules.initial
        rules.replay(fact.moves.replace(",", " "), state)
        assert fact.source
        assert fact.answer in ("first", "second", "draw") or fact.answer.lstrip("-").isdigit()


def test_quick_facts_agree():
    assert len(QUICK) > 60
    assert [fact.name for fact in QUICK if answer(fact, 1) != fact.answer] == []


@pytest.mark.parametrize("game", [kalah(2, 2), connect(3, 3, 3)], ids=lambda game: game.name)
def test_small_games_are_solved_as_the_slow_twin_solves_them(game):
    found = outcomes(game, game.initial)
    assert found == reference.outcomes(game, [game.initial])
    assert outcomes(game, game.initial, most=5) is None


def test_the_command_checks_what_fits(zermelo):
    ran = zermelo("atlas", "--game", "chess", "--seconds", "0.5", "--json")
    records = json.loads(ran.out)
    checked = [one for one in records if one["agrees"] is not None]
    assert ran.status == 0
    assert len(checked) > 10
    assert all(one["agrees"] for one in checked)
    assert all(one["command"].startswith("zermelo perft chess") for one in checked)
    ran = zermelo("atlas", "--game", "minicheckers", "--only", "perft 5", "--seconds", "5")
    assert "1 of 1 facts were checked; none disagrees." in ran.out


def test_a_wrong_fact_is_reported(zermelo, monkeypatch):
    wrong = Fact("tictactoe", (), "", "", "perft 1", "8", "nobody")
    monkeypatch.setattr("zermelo.ui.commands.atlas.facts", lambda: (wrong,))
    monkeypatch.setattr("zermelo.ui.commands.atlas.measured", lambda: {wrong.name: measured()[facts()[0].name]})
    ran = zermelo("atlas")
    assert ran.status == 1
    assert "tictactoe(): perft 1 is 9 here; published is 8 (nobody)." in ran.out


def test_facts_that_there_are_not(refusal):
    assert "No fact fits; there are facts about breakthrough, checkers, chess" in refusal("atlas", "--game", "go")
    assert "The time is 0.0 seconds" in refusal("atlas", "--seconds", "0")
