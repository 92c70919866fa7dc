"""How well a player decides, compared with an exhaustive count by the rules alone."""

import json
import math
import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from reference import solve
from solved import solved
from zermelo.errors import BadParameter, TableError
from zermelo.game import MAX, Game, State
from zermelo.lab.competitors import make_competitor
from zermelo.lab.study.accuracy import Accuracy, Judgement, accuracy, by_phase, judge
from zermelo.lab.study.accuracy_page import accuracy_page
from zermelo.lab.study.sampling import from_random_games
from zermelo.play.limits import FREE, MoveLimits
from zermelo.play.players import Player, Thought, make_player
from zermelo.protocol.competitor import Fault
from zermelo.result import SearchCounts
from zermelo.solver.table.table import Table

ALL = 10_000


class Worst(Player):
    """Chooses an action that loses most, and keeps count of the positions that it was asked about."""

    def __init__(self, game: Game) -> None:
        super().__init__("worst", game)
        self.values = solve(game, game.initial)
        self.asked: list[State] = []

    def think(
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        self.asked.append(state)
        worst = min if self.game.to_move(state) == MAX else max
        return Thought(worst(self.game.actions(state), key=lambda action: self.values[self.game.result(state, action)]))


class First(Player):
    """Chooses the first of the legal actions."""

    def think(
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        return Thought(self.game.legal_actions(state)[0])


def results(game: Game, values: dict[State, int], state: State) -> list[float]:
    """The result of each action for the player to move."""
    found = [game.to_move(state) * values[game.result(state, action)] for action in game.actions(state)]
    return [(1 + (value > 0) - (value < 0)) / 2 if game.outcomes == "wdl" else value for value in found]


@cache
def judged(name: str) -> tuple[Table, Worst, Accuracy]:
    table = solved("tictactoe") if name == "tictactoe" else solved("kalah", pits=2, seeds=2)
    worst = Worst(table.game)
    return table, worst, accuracy(worst, table, count=ALL)


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
def test_all_positions_of_a_table_are_judged_as_the_rules_say(name: str) -> None:
    table, worst, found = judged(name)
    game, values = table.game, worst.values
    symmetric = game.symmetries or (lambda _: ())
    choices = {frozenset([state, *symmetric(state)]) for state in values if len(game.legal_actions(state)) > 1}
    below = [results(game, values, next(iter(states))) for states in choices]
    critical = [found for found in below if max(found) > min(found)]
    assert found.positions == len(choices) == len(set(worst.asked))
    assert found.critical == len(critical)
    assert found.kept.value == pytest.approx(1 - len(critical) / len(choices))
    assert found.kept_critical.value == 0
    assert found.loss.value == pytest.approx(sum(max(found) - min(found) for found in critical) / len(choices))
    assert found.chance.value == pytest.approx(
        sum(found.count(max(found)) / len(found) for found in below) / len(choices)
    )
    assert sum(phase.positions for phase in found.phases) == found.positions
    assert found.unit == ("points" if game.outcomes == "wdl" else "value")


def test_mistakes_are_counted_by_what_they_cost() -> None:
    _, _, found = judged("tictactoe")
    counts = found.mistakes
    assert sum(counts.values()) == found.critical
    lost = 0.5 * counts["win to draw"] + counts["win to loss"] + 0.5 * counts["draw to loss"]
    assert found.loss.value == pytest.approx(lost / found.positions)


@pytest.mark.parametrize("source", ["table", "random", "games"])
def test_a_perfect_player_makes_no_mistake_and_chance_is_what_random_choice_keeps(source: str) -> None:
    table = solved("tictactoe")
    perfect = accuracy(make_player(f"table:{table.place}", table.game), table, count=60, source=source)
    assert perfect.kept.value == perfect.kept_critical.value == 1
    assert perfect.loss.value == 0 < perfect.loss.high < 0.2
    chance = accuracy(make_player("random", table.game), table, count=400, source=source)
    assert chance.kept.low < chance.chance.value < chance.kept.high
    assert chance.positions == 400


def test_the_same_seed_judges_the_same_decisions() -> None:
    table = solved("tictactoe")
    runs = [
        accuracy(make_player("random", table.game), table, count=50, source="games", seed=seed) for seed in (3, 3, 4)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_an_opponent_is_not_judged() -> None:
    table = solved("tictactoe")
    worst = Worst(table.game)
    perfect = make_player(f"table:{table.place}", table.game)
    found = accuracy(perfect, table, count=40, source="games", against=worst)
    assert found.kept.value == 1
    assert worst.asked


def test_random_games_give_one_position_each_evenly_over_their_plies() -> None:
    game = solved("tictactoe").game
    positions = from_random_games(game, 600, seed=1)
    assert len({position.game for position in positions}) == 600
    assert all(len(game.legal_actions(position.state)) > 1 for position in positions)
    assert all(game.replay(position.actions) == position.state for position in positions)
    assert all(len(position.actions) == position.ply for position in positions)
    first = sum(position.ply == 0 for position in positions) / 600
    assert 1 / 9 < first < 1 / 4, "a game has 4 to 8 positions with a choice"


def test_phases_keep_a_ply_together_and_come_in_order() -> None:
    generator = random.Random(0)
    plies = [float(generator.choice([0, 0, 0, 1, 2, 5, 6, math.inf])) for _ in range(400)]
    parts = by_phase([Judgement(0, ply, 1, 1, 1, 0) for ply in plies], 4)
    ends = [(min(one.phase for one in part), max(one.phase for one in part)) for part in parts]
    assert sorted(plies) == sorted(one.phase for part in parts for one in part)
    assert all(last < first for (_, last), (first, _) in pairwise(ends))
    assert len(parts) == 3, "a third of the positions is of one ply"


def test_what_cannot_be_judged_is_refused() -> None:
    table = solved("connect", rows=4, columns=3, run=3)
    player = make_player("random", table.game)
    with pytest.raises(BadParameter, match="both must be at least 1"):
        accuracy(player, table, count=0)
    with pytest.raises(BadParameter, match="There is no source of positions 'dreams'; there are table, random, games"):
        accuracy(player, table, source="dreams")  # type: ignore[arg-type]
    with pytest.raises(TableError, match=r"No position of .* leaves a choice"):
        accuracy(make_player("random", solved("kayles", pins=1).game), solved("kayles", pins=1))


def test_plain_values_are_json_and_the_page_shows_each_phase(tmp_path: Path) -> None:
    _, _, found = judged("kalah")
    record = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert record["kept"] == list(found.kept)
    assert len(record["phases"]) == len(found.phases)
    text = accuracy_page(found)
    assert text.count("<tr>") == 1 + len(found.phases)
    assert f"{found.loss.value:.4f}" in text


def test_a_program_is_judged_like_a_player_in_this_process(tmp_path: Path) -> None:
    """A student's file, which chooses the first of the legal actions, in a process of its own."""
    table = solved("tictactoe")
    file = tmp_path / "first.py"
    file.write_text("def choose(game, state, seconds):\n    return game.legal_actions(state)[0]\n")
    program = make_competitor(str(file), table.game)
    try:
        found = [accuracy(program, table, count=20, source=source, seed=2) for source in ("table", "games")]
    finally:
        program.close()
    first = First("first", table.game)
    expected = [accuracy(first, table, count=20, source=source, seed=2) for source in ("table", "games")]
    assert [one.kept for one in found] == [one.kept for one in expected]
    assert found[0].mistakes == expected[0].mistakes


def test_an_illegal_move_is_named() -> None:
    table = solved("tictactoe")
    with pytest.raises(Fault, match=r"9 is not a legal action in "):
        judge(table, from_random_games(table.game, 1, seed=0)[0], 9)
