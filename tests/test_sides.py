"""What people call the sides, and the colours of their pieces: the game's own, or those that every game has."""

import pickle
from dataclasses import replace

import pytest

from zermelo import MAX, MIN, Game, Match, make_game
from zermelo.check import check_game
from zermelo.errors import BadGame
from zermelo.pictures.palette import TONES, Palette, palette_of

NIM = replace(make_game("nim", {"first": "2", "second": "1", "third": "0", "fourth": "0"}), sides=("MAX", "MIN"))


def test_names_and_titles() -> None:
    assert NIM.sides == ("MAX", "MIN")
    assert (NIM.side_name(MAX), NIM.side_title(MIN)) == ("MAX", "MIN")
    named = replace(NIM, sides=("Left", "Right"))
    assert (named.side_name(MAX), named.side_name(MIN)) == ("Left", "Right")
    assert (named.side_title(MAX), named.side_title(MIN)) == ("Left (MAX)", "Right (MIN)")
    assert "human as Left (MAX) against random as Right (MIN)" in str(Match(named, "human", "random"))


def test_names_are_no_rules() -> None:
    assert replace(NIM, sides=("Left", "Right"), colours=("#000000", "#ffffff")).fingerprint == NIM.fingerprint


def test_a_pickled_game_keeps_its_names() -> None:
    game = make_game("othello", {"size": "4"})
    assert pickle.loads(pickle.dumps(game)).sides == game.sides == ("Black", "White")


def test_colours() -> None:
    assert palette_of(NIM) == Palette() == Palette(TONES["blue"], TONES["orange"])
    assert palette_of(replace(NIM, sides=("Red", "Yellow")))[:2] == (TONES["red"], TONES["yellow"])
    assert palette_of(replace(NIM, sides=("Red", "Right")))[:2] == Palette()[:2]
    own = palette_of(replace(NIM, colours=("#101010", "#eeee00")))
    assert (own.max.fill, own.min.fill) == ("#101010", "#eeee00")
    assert (own.max.ink, own.min.ink) == ("#ffffff", "#10131a")
    assert "--max:#101010" in own.css()
    assert "--min-edge:" in own.css()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sides", "ab"),
        ("sides", ("Red", 1)),
        ("sides", ("Red",)),
        ("colours", ("red", "blue")),
        ("colours", ("#12345", "#123456")),
        ("colours", ("#123456", "#123456;}")),
    ],
)
def test_fields_of_the_wrong_kind_are_refused(field: str, value: object) -> None:
    with pytest.raises(BadGame, match=f"{field} .*; it must be a tuple of two"):
        replace(NIM, **{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [("Red", "Red"), ("Red", " ")])
def test_the_auditor_wants_two_names(sides: tuple[str, str]) -> None:
    game: Game = replace(NIM, sides=sides)
    found = check_game(game, seconds=0.2, compile=False).findings
    assert [finding.check for finding in found if finding.check == "sides"] == ["sides"]
