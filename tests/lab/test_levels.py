"""The search for levels: where it looks next, what it keeps, and what it finds in a small game."""

import json
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import RecordError
from zermelo.games import connect
from zermelo.lab import levels as search
from zermelo.lab.levels import Ladder, Matches, Point, find_levels, next_level
from zermelo.lab.pentanomial import score_of_elo

GAME = connect(4, 4, 3)
LADDER = Ladder(depths=2, least_nodes=search.TOP_NODES // 2)


class Imagined(Matches):
    """Matches between players whose strength is known, without chance; ``strength`` is Elo along the ladder."""

    def __init__(self, strength: Any) -> None:
        super().__init__(GAME, LADDER, [()])
        self.strength = strength

    def result(self, stronger: float, weaker: float, pieces: int) -> tuple[int, ...]:
        score = score_of_elo(self.strength(stronger) - self.strength(weaker))
        pairs = 10_000 * pieces
        won = round(pairs * score)
        self.played[f"{stronger} {weaker} {pieces}"] = [pairs]
        return (pairs - won, 0, 0, 0, won)


def test_a_ladder_goes_from_error_to_full_strength():
    nodes = search.TOP_NODES
    assert LADDER.top == 3
    assert LADDER.settings(0) == f"depth=1,deeper=0,nodes={nodes},error=1"
    assert LADDER.settings(1.5) == f"depth=1,deeper=0.75,nodes={nodes},error=0.5"
    assert LADDER.settings(2) == f"nodes={nodes // 2},error=0.333"
    assert LADDER.settings(LADDER.top) == f"nodes={nodes}"


@pytest.mark.parametrize(
    "strength",
    [
        lambda place: 400 * place,
        lambda place: 150 * place**2,
        lambda place: 300 * place + (200 if place >= 2 else 0),
    ],
)
def test_levels_are_found_where_they_are(strength: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "PIECE", 10_000)
    matches, above, found = Imagined(strength), LADDER.top, 0
    while (point := next_level(matches, above, 0.3, lambda place, pairs: None)) is not None:
        assert strength(above) - strength(point.place) == pytest.approx(150, abs=61)
        above, found = point.place, found + 1
    assert found >= int((strength(3) - strength(0)) / 210)
    assert len(matches.played) < 8 * (found + 1)


def test_a_place_between_two_measured_ones_comes_next():
    weaker, stronger = Point(1.0, (70, 0, 0, 0, 230)), Point(2.0, (140, 0, 0, 0, 160))
    assert weaker.estimate.elo > 150 > stronger.estimate.elo
    assert 1.0 < search._next_place(3.0, [weaker, stronger]) < 2.0
    assert 0 <= search._next_place(3.0, [stronger]) < 2.0


def test_levels_of_a_small_game_are_the_same_again_and_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(search, "PIECE", 4)
    monkeypatch.setattr(search, "PIECES", 1)
    monkeypatch.setattr(search, "TOP_NODES", 200)
    monkeypatch.setattr(search, "MOST_DEPTH", 2)
    said: list[str] = []
    undisturbed = find_levels(GAME, progress=lambda doing, share: said.append(doing))
    assert undisturbed.levels[-1].settings == "nodes=200"
    assert any("error=" in doing for doing in said)
    file = tmp_path / "unfinished.json"
    count = 0

    def interrupt(doing: str, share: float) -> None:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_levels(GAME, file=file, progress=interrupt)
    assert json.loads(file.read_text())["played"]
    resumed = find_levels(GAME, file=file)
    assert resumed == undisturbed
    file.write_text("no JSON")
    with pytest.raises(RecordError, match="is damaged; delete it"):
        find_levels(GAME, file=file)
