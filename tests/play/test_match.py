"""A match: whose turn, what was played, taking back, the end."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import BadParameter, IllegalAction
from zermelo.game import MAX, MIN, Game, State
from zermelo.games import checkers, connect, minicheckers, mnk, nine_mens_morris, oware, tictactoe
from zermelo.play.match import Match, play_out
from zermelo.play.players import Random, Thought, make_player
from zermelo.play.record import Record
from zermelo.play.settings import PlayerOptions

MAX_WINS = [0, 3, 1, 4, 2]
DRAW = [0, 1, 2, 4, 3, 5, 7, 6, 8]


def match_of(game: Game, *actions: int, players: tuple[str, str] = ("human", "random")) -> Match:
    first, second = (make_player(name, game) for name in players)
    return Match(game, first, second, list(actions))


def test_players_may_be_named():
    match = Match(tictactoe(), "heuristic:easy", "random", ["b2", "a3"])
    assert (match.max_player.name, match.min_player.name, match.actions) == ("heuristic:easy", "random", [4, 0])
    assert Match(tictactoe(), "human", "human", "b2, a3").actions == [4, 0]
    mirrored = Match(tictactoe(), "random", "random")
    thoughts = [[mirrored.player(side).think(mirrored.state).action for _ in range(8)] for side in (MAX, MIN)]
    assert thoughts[0] != thoughts[1]
    assert play_out(Match(tictactoe(), "alpha-beta", "random")) in ("max", "draw")


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("grandmaster", r"There is no player 'grandmaster'; there are human, random, .* and table:FOLDER\."),
        ("heuristic:", r"The player heuristic: lacks its level; there are easy, medium, hard\."),
        (7, r"MAX is 7; it must be a player or the name of one, such as 'heuristic'\."),
        (Random, r"MAX is <class '.*Random'>; it must be a player or the name of one, such as 'heuristic'\."),
        (
            make_player("random", connect()),
            r"MAX is random, a player of connect\(rows=6, columns=7, run=4\); the match is one of tictactoe\(\)\.",
        ),
    ],
)
def test_who_is_no_player_is_refused_at_once(player: Any, sentence: str):
    with pytest.raises(BadParameter, match=f"^{sentence}$"):
        Match(tictactoe(), player, "random")


def test_moves_are_made_as_people_write_them():
    match = Match(tictactoe(), "human", "human")
    match.play("b2")
    match.play(" a3")
    assert (match.actions, match.moves()) == ([4, 0], ["b2", "a3"])
    with pytest.raises(IllegalAction, match=r"^'b2' is not a legal action here; legal are b3, c3, "):
        match.play("b2")
    assert match.actions == [4, 0]


def test_a_match_shows_itself(tmp_path: Path):
    match = Match(tictactoe(), "human", "random", [4, 0])
    assert repr(match) == "Match(tictactoe(), 'human', 'random', [4, 0])"
    assert eval(repr(match)).states == match.states
    assert str(match).splitlines() == [
        "tictactoe(): human as X (MAX) against random as O (MIN)",
        *tictactoe().draw(match.state).splitlines(),
        "Moves: b2 a3.",
        "X (MAX) is to move: human.",
    ]
    assert "<svg" in match._repr_html_()
    assert "X (MAX) has won: human." in str(Match(tictactoe(), "human", "random", MAX_WINS))
    assert "<pre>" in Match(replace(tictactoe(), board=None), "human", "random")._repr_html_()
    match.save(tmp_path / "match.json")
    record = Record.load(str(tmp_path / "match.json"))
    record.save(str(tmp_path / "again.json"))
    assert Record.load(tmp_path / "again.json") == record
    assert (record.game, record.max, record.min, record.moves) == ("tictactoe", "human", "random", ["b2", "a3"])
    assert record.actions(tictactoe()) == match.actions


def test_a_long_match_fits_on_a_screen():
    match = Match(mnk(15, 15, 15), "random", "random", range(200))
    assert len(repr(match)) < 200
    assert "Moves: (160 earlier) " in str(match)


def test_a_new_match_stands_at_the_initial_state():
    match = match_of(tictactoe())
    assert (match.state, match.actions, match.outcome) == (match.game.initial, [], None)
    assert match.mover is match.max_player


def test_actions_given_are_played_from_the_initial_state():
    match = match_of(tictactoe(), 4, 0)
    assert match.states == [match.game.replay(actions) for actions in ([], [4], [4, 0])]
    assert match.moves() == ["b2", "a3"]


@pytest.mark.parametrize(
    ("actions", "outcome"), [(MAX_WINS, "max"), ([8, *MAX_WINS[1:2], 0, 4, 1, 5], "min"), (DRAW, "draw")]
)
def test_the_outcome_is_whose_utility_it_is(actions: list[int], outcome: str):
    match = match_of(tictactoe(), *actions)
    assert match.is_over
    assert match.outcome == outcome


def test_an_illegal_move_changes_nothing_and_names_the_legal_ones():
    match = match_of(tictactoe(), 4)
    with pytest.raises(IllegalAction, match="legal are a3, b3"):
        match.play(4)
    assert (match.actions, len(match.states)) == ([4], 2)


def test_no_move_after_the_end():
    with pytest.raises(IllegalAction, match="the game is over"):
        match_of(tictactoe(), *MAX_WINS, 8)


@pytest.mark.parametrize(
    ("side", "left", "count"), [(0, [4, 0, 1], 1), (MAX, [4, 0], 2), (MIN, [4, 0, 1], 1)], ids=["any", "MAX", "MIN"]
)
def test_undo_goes_back_to_the_turn_of_the_side_that_asks(side: int, left: list[int], count: int):
    match = match_of(tictactoe(), 4, 0, 1, 7)
    assert match.undo(side) == count
    assert match.actions == left
    assert match.states == [match.game.replay(left[:n]) for n in range(len(left) + 1)]


def test_undo_before_ones_first_move_is_refused():
    match = match_of(tictactoe(), 4)
    with pytest.raises(IllegalAction, match="no move of yours to take back"):
        match.undo(MIN)
    assert match.actions == [4]


def test_a_game_taken_back_goes_on_another_way():
    match = match_of(tictactoe(), *MAX_WINS)
    match.undo(MAX)
    assert match.outcome is None
    match.play(8)
    assert match.moves()[-1] == "c1"


@pytest.mark.parametrize(
    ("players", "commentator"),
    [
        (("human", "random"), None),
        (("human", "path"), None),
        (("human", "minimax"), "minimax"),
        (("heuristic", "random"), "heuristic"),
        (("minimax", "alpha-beta"), "minimax"),
    ],
)
def test_the_view_shown_is_that_of_a_player_who_has_one(players: tuple[str, str], commentator: str | None):
    found = match_of(tictactoe(), players=players).commentator
    assert (found and found.name) == commentator


@pytest.mark.parametrize(("players", "sides"), [(("human", "human"), [MAX, MIN]), (("random", "human"), [MIN])])
def test_the_sides_of_people(players: tuple[str, str], sides: list[int]):
    assert match_of(tictactoe(), players=players).humans() == sides


@pytest.mark.parametrize("name", ["minimax", "alpha-beta"])
def test_perfect_players_draw_tictactoe(name: str):
    assert play_out(match_of(tictactoe(), players=(name, name))) == "draw"


def test_two_random_players_finish_any_game():
    for game in (connect(4, 4, 3), minicheckers()):
        first, second = (make_player("random", game, PlayerOptions(seed=seed)) for seed in (1, 2))
        match = Match(game, first, second)
        assert play_out(match) == match.outcome is not None
        assert game.replay(match.actions) == match.state


# Positions that come back.


def waltz(**more: Any) -> Game:
    """Three places in a ring, walked for ever by one player after the other, unless somebody leaves (action 9)."""
    walk: dict[str, Any] = {
        "name": "waltz",
        "initial": (0, MAX),
        "utility_range": (-5, 5),
        "to_move": lambda state: state[1],
        "actions": lambda state: [1, 9],
        "result": lambda state, action: (9 if action == 9 else (state[0] + action) % 3, -state[1]),
        "is_terminal": lambda state: state[0] == 9,
        "utility": lambda state: -5 * state[1],
    }
    return Game(**(walk | more))


@pytest.mark.parametrize(
    ("more", "value", "outcome"),
    [
        ({"repetition": "draw"}, 0, "draw"),
        ({"repetition": "draw", "endless_value": -2}, -2, "min"),
        ({"repetition": lambda state: 3 + state[0]}, 3, "max"),
    ],
)
def test_a_position_that_comes_back_ends_the_game_with_the_value_that_the_game_names(more, value, outcome):
    match = match_of(waltz(**more), 1, 1, 1, 1, 1)
    assert not match.is_over
    match.play(1)  # place 0 and MAX to move, as at the start; after three moves it was MIN's turn
    assert (match.is_over, match.ending, match.came_back()) == (True, "repetition", 0)
    assert (match.value, match.outcome) == (value, outcome)


@pytest.mark.parametrize("occurrences", [2, 3, 4])
def test_a_game_says_how_often_a_position_must_stand_on_the_board(occurrences: int):
    match = match_of(waltz(repetition="draw", occurrences=occurrences))
    while not match.is_over:
        match.play(1)  # the start comes back every six moves
    assert (len(match.actions), match.ending, match.came_back()) == (6 * (occurrences - 1), "repetition", 0)


def test_what_the_rules_end_was_not_ended_by_repetition():
    match = match_of(waltz(repetition="draw"), 1, 9)
    assert (match.ending, match.came_back(), match.value, match.outcome) == ("rules", None, -5, "min")
    assert match_of(waltz(repetition="draw"), 1).ending is match_of(waltz(repetition="draw"), 1).value is None


def test_without_repetition_nothing_comes_back():
    assert match_of(waltz(), *[1] * 20).ending is None


def test_two_states_that_differ_in_a_counter_are_one_position():
    counted = {
        "initial": (0, MAX, 0),
        "result": lambda state, action: ((state[0] + action) % 3, -state[1], state[2] + 1),
        "repetition": "draw",
    }
    assert not match_of(waltz(**counted), *[1] * 6).is_over
    assert match_of(waltz(**counted, position=lambda state: (state[0], state[1], 0)), *[1] * 6).is_over


def test_no_move_after_a_position_has_come_back_until_one_is_taken_back():
    match = match_of(waltz(repetition="draw"), *[1] * 6)
    with pytest.raises(IllegalAction, match=r"The game is over: the position is that after 0 moves again\."):
        match.play(1)
    match.undo(MIN)
    match.play(9)
    assert match.ending == "rules"


@pytest.mark.parametrize("game", [oware(), nine_mens_morris()], ids=repr)
def test_random_players_come_to_an_end_where_play_could_go_round(game: Game):
    endings = set()
    for seed in range(6):
        first, second = (make_player("random", game, PlayerOptions(seed=seed + more)) for more in (0, 100))
        match = Match(game, first, second)
        play_out(match)
        endings.add(match.ending)
        assert len(set(map(game.position_of, match.states))) == len(match.states) - (match.ending == "repetition")
    assert "repetition" in endings


def test_two_kings_that_walk_to_and_fro_have_drawn():
    game = replace(checkers(), initial=checkers().from_text("B:WK32:BK1"))
    match = match_of(game, *(game.read_action(game.initial, "1-6"),))
    for move in ("32-27", "6-1", "27-32"):
        assert not match.is_over
        match.play(game.read_action(match.state, move))
    assert (match.ending, match.outcome, match.came_back()) == ("repetition", "draw", 0)


class Listener(Random):
    """Plays at random and remembers what it was told."""

    def __init__(self, name: str) -> None:
        super().__init__(name, tictactoe(), seed=3)
        self.told: list[tuple[State, ...]] = []

    def think(self, state: State, *arguments: Any, before: Sequence[State] = (), **more: Any) -> Thought:
        self.told.append((*before, state))
        return super().think(state, *arguments, **more)


def test_players_are_told_what_was_played():
    first, second = Listener("one"), Listener("two")
    match = Match(tictactoe(), first, second)
    play_out(match)
    told = sorted(first.told + second.told, key=len)
    assert told == [tuple(match.states[:length]) for length in range(1, len(match.states))]
