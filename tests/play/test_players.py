"""Players: how they are named, how strong they are told to be, where their moves come from."""

from dataclasses import replace
from typing import Any

import pytest

from zermelo.errors import BadParameter
from zermelo.games import connect, tictactoe
from zermelo.play.players import (
    LEVELS,
    PLAYERS,
    EnginePlayer,
    PlayerOptions,
    Random,
    Searcher,
    TablePlayer,
    make_player,
)
from zermelo.textbook.systems import ESTIMATING, Settings

GAME = connect(4, 4, 3)


def settings_of(description: str, **said: Any) -> Settings:
    player = make_player(description, GAME, PlayerOptions(**said))
    if isinstance(player, EnginePlayer):
        return player.settings
    assert isinstance(player, Searcher)
    return player.system.settings


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_can_be_made_and_keeps_its_name(name: str):
    assert make_player(name, GAME).name == name


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "human"])
def test_every_program_makes_a_legal_move(name: str):
    player = make_player(name, GAME, PlayerOptions(depth=3))
    player.prepare(GAME.initial)
    assert player.think(GAME.initial).action in GAME.legal_actions(GAME.initial)


@pytest.mark.parametrize(
    ("description", "words"),
    [
        ("alphabeta", "no player 'alphabeta'; there are human, random, minimax"),
        ("", "no player ''"),
        ("Human", "no player 'Human'"),
        ("timed:extreme", "no level 'extreme'; there are easy, medium, hard"),
        ("minimax:easy", "minimax has no levels; heuristic, path, decision, timed, engine have"),
        ("human:hard", "human has no levels"),
    ],
)
def test_a_bad_description_says_what_would_be_right(description: str, words: str):
    with pytest.raises(BadParameter, match=words):
        make_player(description, GAME)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"depth": 0}, "The depth is 0; it must be a whole number, 1 or more"),
        ({"depth": -3}, "The depth is -3"),
        ({"width": 0}, "The width is 0"),
        ({"seconds": 0.0}, "The time is 0.0 seconds; it must be more than 0"),
        ({"seconds": float("nan")}, "The time is nan seconds"),
        ({"level": "extreme"}, "no level 'extreme'"),
    ],
)
@pytest.mark.parametrize("name", LEVELS)
def test_a_setting_out_of_range_is_refused(name: str, said: dict[str, Any], words: str):
    with pytest.raises(BadParameter, match=words):
        make_player(name, GAME, PlayerOptions(**said))


@pytest.mark.parametrize("name", ESTIMATING)
def test_without_eval_no_player_that_estimates(name: str):
    with pytest.raises(BadParameter, match="needs an evaluate function"):
        make_player(name, replace(GAME, evaluate=None))


@pytest.mark.parametrize("name", LEVELS)
def test_levels_look_further_the_harder_they_are(name: str):
    easy, medium, hard = (settings_of(f"{name}:{level}") for level in ("easy", "medium", "hard"))
    assert easy.depth is not None
    assert medium.depth is not None
    assert easy.depth < medium.depth < (hard.depth or 99)
    assert easy.width <= medium.width <= hard.width


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_may_be_said_apart_and_the_players_own_goes_first(name: str):
    assert settings_of(name, level="easy") == settings_of(f"{name}:easy")
    assert settings_of(f"{name}:medium", level="easy") == settings_of(f"{name}:medium")


def test_what_is_said_overrides_the_level():
    assert settings_of("path:easy", depth=3) == replace(settings_of("path:easy"), depth=3)
    assert settings_of("timed:easy", seconds=0.5).depth == LEVELS["timed"]["easy"].depth


def test_levels_do_not_concern_players_without_them():
    assert settings_of("minimax", level="easy") == Settings()


def test_sound_unless_the_handout_is_asked_for():
    assert not settings_of("alpha-beta").handout
    assert settings_of("alpha-beta", handout=True).handout
    assert settings_of("heuristic:easy", handout=True).handout


def draws(seed: int) -> list[int]:
    player = make_player("random", GAME, PlayerOptions(seed=seed))
    assert isinstance(player, Random)
    return [player.think(GAME.initial).action for _ in range(40)]


def test_random_moves_repeat_with_their_seed_and_not_with_another():
    assert draws(7) == draws(7)
    assert draws(7) != draws(8)
    assert set(draws(7)) == {0, 1, 2, 3}


def table_player(handout: bool, name: str = "alpha-beta") -> TablePlayer:
    player = make_player(name, GAME, PlayerOptions(handout=handout))
    assert isinstance(player, TablePlayer)
    player.prepare(GAME.initial)
    return player


def test_minimax_never_searches_again():
    player = table_player(False, "minimax")
    for state in list(player.system.table):
        if not GAME.is_terminal(state):
            thought = player.think(state)
            assert (thought.searched, thought.off_table) == (False, False)
    assert len(player.system.table) > 1000


@pytest.mark.parametrize("handout", [False, True])
def test_the_first_move_comes_from_the_table(handout: bool):
    player = table_player(handout)
    thought = player.think(GAME.initial)
    assert not thought.searched
    assert thought.result is not None
    assert thought.action == player.system.table[GAME.initial].action
    assert thought.result.proven is not handout


@pytest.mark.parametrize("handout", [False, True])
def test_off_the_table_the_search_begins_again_from_there(handout: bool):
    player = table_player(handout)
    first = player.think(GAME.initial).action
    # The replies to the table's own move: the first one was searched, and some other was pruned away.
    child = GAME.result(GAME.initial, first)
    states = [GAME.result(child, action) for action in GAME.legal_actions(child)]
    missing = [state for state in states if player.system.look_up(state) is None]
    assert missing
    before = len(player.system.table)
    thought = player.think(missing[0])
    assert thought.off_table
    assert thought.searched
    assert thought.result is not None
    assert 0 < thought.result.table_states == len(player.system.table) < before
    assert GAME.initial not in player.system.table
    assert not player.think(missing[0]).off_table


def test_a_bound_counts_as_absent():
    player = table_player(False)
    bounds = [state for state, info in player.system.table.items() if info.bound != "exact"]
    assert bounds
    assert player.system.look_up(bounds[0]) is None
    assert player.think(bounds[0]).off_table


def test_heuristic_starts_each_move_with_an_empty_table():
    game = tictactoe()
    player = make_player("heuristic", game, PlayerOptions(depth=2))
    assert isinstance(player, Searcher)
    player.think(game.initial)
    child = game.replay([4, 0])
    player.think(child)
    assert game.initial not in player.system.table
    assert child in player.system.table


def test_a_person_is_not_asked_here():
    with pytest.raises(
        BadParameter, match=r"^human is a person, whose moves are made with play: match\.play\(\.\.\.\)\.$"
    ):
        make_player("human", GAME).think(GAME.initial)


def test_options_may_be_said_by_name():
    player = make_player("timed:easy", GAME, seconds=2)
    assert isinstance(player, Searcher)
    assert player.system.settings == replace(LEVELS["timed"]["easy"], seconds=2)
    with pytest.raises(
        BadParameter, match=r"^There is no option 'second' of players; there are depth, width, seconds, "
    ):
        make_player("timed", GAME, second=2)
    with pytest.raises(
        BadParameter, match=r"^5 is no name of a player; there are human, random, .* and table:FOLDER\.$"
    ):
        make_player(5, GAME)  # type: ignore[arg-type]
