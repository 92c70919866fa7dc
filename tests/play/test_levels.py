"""Measured levels: their file, their words, the players that play at them, and how these err."""

import io
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from zermelo.errors import BadParameter, RecordError
from zermelo.game import MAX, MIN
from zermelo.games import connect
from zermelo.play import levels as stored
from zermelo.play.erring import near_equal, search_with_errors
from zermelo.play.levels import Levels, MeasuredLevel, Step, error_words, levels_file, load_levels
from zermelo.play.players import EnginePlayer, make_player
from zermelo.play.settings import PlayerOptions
from zermelo.registry import factories
from zermelo.result import SearchResult
from zermelo.ui.terminal import setup
from zermelo.ui.web.opponents import offers

GAME = connect(4, 4, 3)
LEVELS = Levels(
    game="connect",
    parameters=dict(GAME.parameters),
    rules=GAME.fingerprint,
    levels=(
        MeasuredLevel("depth=1,nodes=900,error=0.9", Step(140.0, 30.0, (1, 2, 3, 4, 5))),
        MeasuredLevel("depth=2,nodes=900,error=0.1", Step(160.0, 40.0, (0, 1, 2, 3, 4))),
        MeasuredLevel("nodes=900"),
    ),
    how={"games": 100},
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "levels" / "connect.json"
    monkeypatch.setattr(stored, "levels_file", lambda game: path)
    LEVELS.save(path)
    return path


def test_levels_come_back_from_their_file(file: Path):
    assert load_levels(GAME) == LEVELS
    assert [level.words for level in LEVELS.levels] == [
        "sees one move ahead, errs in nine moves of ten",
        "sees two moves ahead, errs in one move of ten",
        "looks at 900 positions for a move, does not err on purpose",
    ]
    assert LEVELS.elo(1) == (0, 0)
    assert LEVELS.elo(3) == (300.0, 50.0)


def test_words_of_errors():
    found = [error_words(error) for error in (1, 0.5, 0.2, 0.14, 0.05, 0.01, 0)]
    assert found == [
        "errs in every move",
        "errs in five moves of ten",
        "errs in two moves of ten",
        "errs in one move of seven",
        "errs in one move of 20",
        "errs in one move of 100",
        "does not err on purpose",
    ]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("depth=1,deeper=0.4", "one or two moves"),
        ("depth=1,deeper=0.99", "two moves"),
        ("depth=1,deeper=0", "one move"),
    ],
)
def test_words_of_sight(settings: str, words: str):
    assert MeasuredLevel(settings).words == f"sees {words} ahead, does not err on purpose"


def test_an_engine_looks_deeper_in_a_share_of_its_moves():
    settings = make_player("engine:depth=1,deeper=0.25", GAME).settings  # type: ignore[attr-defined]
    chooser = random.Random(0)
    depths = [settings.depth_of_move(chooser) for _ in range(1000)]
    assert set(depths) == {1, 2}
    assert 200 < depths.count(2) < 300


def test_levels_of_changed_rules_or_damaged_are_refused(file: Path):
    text = file.read_text()
    replace(LEVELS, rules="0" * 16).save(file)
    with pytest.raises(RecordError, match="were measured under other rules of connect"):
        load_levels(GAME)
    for damaged in (text.replace("0.9", "0.8"), "{}", "[]", "nothing", json.dumps({"format": stored.FORMAT})):
        file.write_text(damaged)
        with pytest.raises(RecordError, match="holds no levels of a game, or damaged ones"):
            load_levels(GAME)


def test_the_engine_plays_at_a_measured_level(file: Path):
    player = make_player("engine:2,table_mb=1,seed=5", GAME)
    assert isinstance(player, EnginePlayer)
    settings = player.settings
    assert (settings.depth, settings.nodes, settings.error, settings.seconds) == (2, 900, 0.1, None)
    assert (settings.table_mb, settings.seed, settings.level) == (1, 5, "2")
    assert player.words == "sees two moves ahead, errs in one move of ten"
    assert make_player("engine:depth=2", GAME).words == ""


def test_a_level_that_is_not_there_gets_a_sentence(file: Path):
    with pytest.raises(BadParameter, match=r"^The game connect has 3 measured levels, so it has no level 4\.$"):
        make_player("engine:4", GAME)
    file.unlink()
    with pytest.raises(BadParameter, match=r"^Nobody has measured levels of connect; zermelo levels connect does\. "):
        make_player("engine:4", GAME)
    for level in ("0", "11", "03"):
        with pytest.raises(BadParameter, match=r"no level .*; there are easy, medium, hard and 1 to 10\.$"):
            make_player(f"engine:{level}", GAME)


def test_levels_lie_beside_the_rules():
    path = levels_file(GAME)
    assert path is not None
    assert path.parts[-3:] == ("games", "levels", "connect.json")


def test_pages_and_the_terminal_say_what_a_level_means(file: Path):
    found = {offer.player: offer.words for offer in offers(GAME, False)}
    measured = {f"engine:{number}": level.words for number, level in enumerate(LEVELS.levels, start=1)}
    assert measured.items() <= found.items()
    console = Console(file=io.StringIO(), width=200)
    answers = iter(["4", "3"])
    console.input = lambda *_, **__: next(answers)  # type: ignore[assignment, method-assign]
    assert setup._ask_level(console, GAME, "engine", PlayerOptions()).level == "3"
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "   2  sees two moves ahead, errs in one move of ten" in said
    assert "'4' is none of easy, medium, hard, 1, 2, 3, own." in said
    file.write_text("damaged")
    assert not measured.keys() & {offer.player for offer in offers(GAME, False)}


def shipped() -> list[str]:
    folder = Path(str(levels_file(GAME))).parent
    return sorted(path.stem for path in folder.glob("*.json"))


@pytest.mark.parametrize("name", shipped())
def test_shipped_levels_are_of_the_present_rules_and_evenly_spaced(name: str):
    game = factories()[name]()
    levels = load_levels(game)
    assert levels is not None
    assert levels.rules == game.fingerprint
    assert 1 < len(levels.levels) <= 10
    assert levels.levels[-1].step is None
    for level in levels.levels[:-1]:
        assert level.step is not None
        assert 90 <= level.step.elo <= 210
    assert len({level.settings for level in levels.levels}) == len(levels.levels)


def result(values: dict[int, int], proven: tuple[int, ...] = ()) -> SearchResult:
    best = max(values, key=lambda action: values[action])
    return SearchResult(
        value=values[best], action=best, root_values=values, root_proofs=dict.fromkeys(proven), game=GAME
    )


def test_an_error_is_nearly_as_good_as_the_best_move():
    assert near_equal(result({0: 10, 1: 9, 2: 9, 3: -100}), MAX) == [0, 1, 2]
    assert near_equal(result({0: 10, 1: 0, 2: 0, 3: 0}), MAX) == [0]
    assert near_equal(result({0: 0, 1: 0}), MAX) == [0, 1]
    assert near_equal(replace(result({0: 10, 1: 0, 2: -1, 3: 0}), action=2), MIN) == [1, 2, 3]


def test_a_proven_win_stays_a_win_and_no_proven_loss_is_chosen_unless_all_are():
    assert near_equal(result({0: 10, 1: 9, 2: 10}, proven=(0, 2)), MAX) == [0]
    assert near_equal(result({0: -8, 1: -9, 2: -9, 3: -9}, proven=(1, 2)), MAX) == [0]
    assert near_equal(result({0: 0, 1: -9, 2: 0}, proven=(0, 1, 2)), MAX) == [0, 2]
    assert near_equal(result({0: -9, 1: -9}, proven=(0, 1)), MAX) == [0, 1]


def test_a_level_errs_as_often_as_it_says_and_the_same_way_with_the_same_seed():
    state = GAME.initial

    def moves(player: EnginePlayer, number: int) -> list[int]:
        player.new_game(number)
        return [player.think(state).action for _ in range(60)]

    best = make_player("engine:depth=1", GAME).think(state).action
    player = make_player("engine:depth=1,error=0.3", GAME)
    assert isinstance(player, EnginePlayer)
    errors = sum(action != best for action in moves(player, 1))
    assert 5 < errors < 35
    assert moves(player, 1) == moves(player, 1) != moves(player, 2)


def test_a_level_takes_a_win_and_stops_one_that_it_sees():
    chooser = random.Random(1)
    player = make_player("engine:depth=2,error=1", GAME)
    assert isinstance(player, EnginePlayer)
    wins, holds = GAME.replay("0 3 0 3"), GAME.replay("0 3 0")
    for _ in range(20):
        won = search_with_errors(player.engine, wins, 1.0, chooser, depth=2)
        assert GAME.show_action(wins, won.action) in ("0", "3")
        assert won.root_proofs is not None and won.action in won.root_proofs
        held = search_with_errors(player.engine, holds, 1.0, chooser, depth=2)
        assert GAME.show_action(holds, held.action) == "0"
