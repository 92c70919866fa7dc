"""Players: how they are named, how strong they are told to be, where their moves come from."""

from dataclasses import replace
from typing import Any

import pytest

from zermelo.engine import Engine
from zermelo.engine.switches import Switches
from zermelo.errors import BadParameter
from zermelo.games import connect, nine_mens_morris, tictactoe
from zermelo.play.limits import MoveLimits
from zermelo.play.players import USUAL_SECONDS, EnginePlayer, Random, Searcher, TablePlayer, make_player
from zermelo.play.settings import LEVELS, PLAYERS, EngineSettings, PlayerOptions
from zermelo.textbook.systems import ESTIMATING, Settings

GAME = connect(4, 4, 3)


def settings_of(description: str, **said: Any) -> Any:
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
        ("engine:", "engine: lacks its level; there are easy, medium, hard"),
        ("engine:depht=6", "engine has no setting 'depht'; it has depth, nodes, seconds, .*, history, .*, width"),
        ("engine:error=1.5", "The setting error of engine is '1.5'; it must be a number from 0 to 1"),
        ("random:depth=6", "random has no setting 'depth'; it has seed"),
        ("minimax:depth=6", "minimax takes no settings, so 'depth=6' means nothing"),
        ("engine:depth=0", "The setting depth of engine is '0'; it must be a whole number, 1 or more"),
        ("engine:depth=", "The setting depth of engine is ''; it must be a whole"),
        ("engine:nodes=1e3", "The setting nodes of engine is '1e3'"),
        ("engine:nodes=" + "9" * 5000, "it must be a whole number, 1 or more"),
        ("engine:depth=\u0663", "it must be a whole number"),
        ("engine:history=maybe", "The setting history of engine is 'maybe'; it must be on or off"),
        ("engine:history=2", "it must be on or off"),
        ("engine:width=-1", "The setting width of engine is '-1'; it must be a whole number, 0 or more"),
        ("engine:threads=1000", "1 to 256 threads, not 1000"),
        ("timed:seconds=0", "The setting seconds of timed is '0'; it must be a number greater than 0"),
        ("timed:seconds=nan", "The setting seconds of timed is 'nan'"),
        ("timed:seconds=inf", "The setting seconds of timed is 'inf'"),
        ("engine:depth=6,", "'' is no setting of engine; write NAME=VALUE, where NAME is depth, nodes, .* or width"),
        ("engine:depth=6,easy", "'easy' is no setting of engine"),
        ("random:seed=1,7", "'7' is no setting of random; write NAME=VALUE, where NAME is seed"),
        ("engine:depth=6,depth=7", "has the setting depth twice"),
        ("engine:extreme,depth=6", "no level 'extreme'"),
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
    if name == "path":
        assert easy.width < medium.width < hard.width


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


def test_settings_in_the_text_come_before_options_and_levels():
    assert settings_of("path:easy,width=9", width=4) == Settings(depth=2, width=9)
    assert settings_of("timed:seconds=0.1", seconds=3.0) == replace(LEVELS["timed"]["hard"], seconds=0.1)
    assert settings_of("heuristic:medium,handout=on,depth=3") == Settings(depth=3, handout=True)
    assert settings_of("heuristic:handout=off", handout=True) == LEVELS["heuristic"]["hard"]
    assert settings_of("engine:easy,seconds=2") == EngineSettings(depth=2, seconds=2)


def test_the_engine_takes_limits_memory_threads_and_switches():
    text = "engine:nodes=500, table_mb=0.5, threads=2, history=off, killers=false, reductions=TRUE, width=3"
    player = make_player(text, GAME)
    assert isinstance(player, EnginePlayer)
    assert player.name == text
    switches = {"history": False, "killers": False, "reductions": True, "width": 3}
    assert player.settings == EngineSettings(nodes=500, table_mb=0.5, threads=2, switches=switches)
    expected = Switches(history=False, killers=False, reductions=True, width=3, leaf_bounds=True)
    assert player.engine.switches == expected, "the game's own switches count, too"
    assert player.engine.table_mb == 0.5
    assert len(player.engine._team.jobs) == 2


@pytest.mark.parametrize(
    ("text", "limits", "allowed"),
    [
        ("engine", MoveLimits(), MoveLimits(seconds=USUAL_SECONDS)),
        ("engine:history=off", MoveLimits(), MoveLimits(seconds=USUAL_SECONDS)),
        ("engine", MoveLimits(nodes=9), MoveLimits(nodes=9)),
        ("engine:depth=3", MoveLimits(), MoveLimits(depth=3)),
        ("engine:depth=3", MoveLimits(depth=2, seconds=60), MoveLimits(depth=2, seconds=60)),
        ("engine:nodes=7,seconds=2", MoveLimits(nodes=9, seconds=1), MoveLimits(nodes=7, seconds=1)),
        ("engine:hard", MoveLimits(nodes=9), MoveLimits(nodes=9, seconds=5)),
    ],
)
def test_the_engine_obeys_the_stricter_limit(text: str, limits: MoveLimits, allowed: MoveLimits):
    player = make_player(text, GAME)
    assert isinstance(player, EnginePlayer)
    assert player._allowed(limits) == allowed


def test_a_limit_of_nodes_ends_the_engines_search():
    thought = make_player("engine:nodes=300", connect(4, 4, 4)).think(connect(4, 4, 4).initial)
    assert thought.result is not None
    assert thought.result.stopped_by == "nodes"
    assert thought.result.nodes <= 301


def test_the_engine_is_told_what_was_played():
    game, told = nine_mens_morris(), []
    player = make_player("engine:depth=1", game)
    assert isinstance(player, EnginePlayer)
    player.engine.search = lambda state, **said: told.append((state, said)) or Result()  # type: ignore[assignment]
    states = [game.initial, game.play(game.initial, game.legal_actions(game.initial)[0])]
    player.think(states[1], before=states[:1])
    assert [(state, said["before"]) for state, said in told] == [(states[1], states[:1])]


class Result:
    """As much of a search's result as a player reads."""

    stopped_by, action = "depth", 0


@pytest.mark.parametrize("table_mb", [1, 16])  # the table is emptied, or given back
def test_a_new_game_finds_the_engine_as_if_newly_made(table_mb: int):
    game = connect(4, 4, 4)
    player = make_player(f"engine:nodes=3000,table_mb={table_mb}", game)
    first, second = game.initial, game.replay([0, 0, 1])

    def facts() -> list[object]:
        return [
            (result.value, result.depth, result.nodes, result.table_hits, result.principal_variation)
            for result in (player.think(state).result for state in (first, second))
            if result is not None
        ]

    before = facts()
    assert facts() != before
    player.new_game(1)
    assert facts() == before
    fresh = Engine(game, table_mb=table_mb).search(first, nodes=3000)
    assert before[0] == (fresh.value, fresh.depth, fresh.nodes, fresh.table_hits, fresh.principal_variation)


def test_a_new_game_seeds_what_is_random_with_its_number():
    player = make_player("random:seed=3", GAME)

    def moves(number: int) -> list[int]:
        player.new_game(number)
        return [player.think(GAME.initial).action for _ in range(30)]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    other = make_player("random:seed=4", GAME)
    other.new_game(1)
    assert moves(1) != [other.think(GAME.initial).action for _ in range(30)]


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


def test_timed_obeys_the_clock_of_the_move():
    game = connect(rows=6, columns=7)
    player = make_player("timed:seconds=60", game)
    thought = player.think(game.initial, limits=MoveLimits(seconds=0.05))
    assert thought.result is not None
    assert thought.result.seconds < 10
