"""Matches and tournaments: schedules, clocks, the referee, the file, and that results do not depend on threads."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.errors import BadParameter, RecordError
from zermelo.game import MAX, Action, Game, State
from zermelo.games import connect, mnk
from zermelo.lab import Adjudication, Sprt, TimeControl, play_match, play_tournament
from zermelo.lab.clocks import Clocks
from zermelo.lab.contest import Tally
from zermelo.lab.ledger import read_ledger
from zermelo.lab.openings import Opening, Openings, random_openings, read_openings, write_openings
from zermelo.lab.played import PlayedGame
from zermelo.lab.schedule import couples_of, schedule
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Answer, Competitor, Fault, FaultKind

BOARD = mnk(3, 3, 3)
OPENINGS: list[Opening] = [(0,), (1,), (4,)]


class Chooser(Competitor):
    """Chooses at random, from the seed and the number of the game; says ``score``, and that it took ``seconds``."""

    def __init__(self, game: Game, seed: int, score: int | None = None, seconds: float = 0.0) -> None:
        self.name, self.game, self.seed, self.score, self.seconds = "chooser", game, seed, score, seconds
        self.random = random.Random()

    def new_game(self, number: int) -> None:
        self.random.seed(f"{self.seed} {number}")

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:
        return Answer(self.random.choice(self.game.legal_actions(states[-1])), self.seconds, self.score)

    def close(self) -> None:
        pass


class Faulty(Chooser):
    """Makes a mistake with its second move."""

    def __init__(self, kind: FaultKind | None) -> None:
        super().__init__(BOARD, 0)
        self.kind, self.moves = kind, 0

    def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:
        self.moves += 1
        if self.moves < 2:
            return super().choose(states, actions, go)
        if self.kind is None:
            return Answer(actions[-1], 0.0)
        raise Fault(self.kind, "It made a mistake.")


def chooser(seed: int, game: Game = BOARD, **said: object) -> Callable[[], Competitor]:
    return named(f"chooser {seed}", lambda: Chooser(game, seed, **said))  # type: ignore[arg-type]


def named(name: str, maker: Callable[[], Competitor]) -> Callable[[], Competitor]:
    maker.__name__ = name
    return maker


def game_of(number: int, points: float, first: str = "a", second: str = "b") -> PlayedGame:
    if number % 2:
        first, second, points = second, first, 1 - points
    return PlayedGame(number, first, second, 0, 0, (), (), (), (), points, None, "rules")


# Schedules and clocks.


def test_each_pair_of_games_has_the_same_opening_and_exchanged_sides() -> None:
    pairings = schedule(couples_of("round robin", "abc"), 6)
    assert [pairing.number for pairing in pairings] == list(range(18))
    for one, other in zip(pairings[::2], pairings[1::2], strict=True):
        assert (one.first, one.second, one.opening) == (other.second, other.first, other.opening)
    met = Counter(frozenset((pairing.first, pairing.second)) for pairing in pairings)
    assert met == {frozenset(pair): 6 for pair in ("ab", "ac", "bc")}
    assert [pairing.opening for pairing in pairings[::6]] == [0, 1, 2]


def test_in_a_gauntlet_the_first_player_meets_each_other_one() -> None:
    assert couples_of("gauntlet", "abc") == [("a", "b"), ("a", "c")]


@pytest.mark.parametrize("games", [0, 3, -2])
def test_a_schedule_that_cannot_be_is_refused(games: int) -> None:
    with pytest.raises(BadParameter):
        schedule([("a", "b")], games)


def test_after_the_last_opening_comes_the_first() -> None:
    openings = Openings(OPENINGS)
    assert [openings.pick(number) for number in (0, 4, 2)] == [(0, (0,)), (1, (1,)), (2, (4,))]
    with pytest.raises(BadParameter):
        Openings([]).pick(0)


def test_openings_of_a_game_whose_positions_may_have_no_symmetric_ones() -> None:
    game = replace(connect(), symmetries=lambda state: iter(()))
    assert len(set(random_openings(game, 20, 4, balanced=False))) == 20


@pytest.mark.parametrize("text", ["10+0.1", "seconds=0.1", "nodes=1000,depth=6", "60+0,nodes=5,margin=0.2", ""])
def test_a_time_control_is_read_back_as_it_is_written(text: str) -> None:
    assert str(TimeControl.read(text)) == text
    assert TimeControl.read(str(TimeControl.read(text))) == TimeControl.read(text)


@pytest.mark.parametrize("text", ["ten", "10+", "10,20", "nodes=1.5", "nodes=0", "seconds=-1", "seconds=nan", "x=1"])
def test_a_text_that_is_no_time_control_is_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        TimeControl.read(text)


def test_a_clock_runs_down_and_is_given_the_increment() -> None:
    clocks = Clocks(TimeControl(base=1, increment=0.5, margin=0.1))
    assert clocks.spend(0, 0.75)
    assert clocks.allowed(0) == pytest.approx(0.75)
    assert clocks.allowed(1) == 1
    assert clocks.go() == Go(first_time=750, second_time=1000, first_increment=500, second_increment=500, margin=100)
    assert clocks.spend(0, 0.84)
    assert clocks.allowed(0) == 0.5
    assert not clocks.spend(0, 0.61)
    assert clocks.spend(1, 1.2, waited=0.15)


# The referee.


def test_a_match_counts_as_its_games_say() -> None:
    result = play_match(BOARD, chooser(1), chooser(2), games=60, openings=OPENINGS)
    one = result.players[0]
    points = [game.points if game.first == one else 1 - game.points for game in result.games]
    assert len(points) == 60
    assert (result.wins, result.draws, result.losses) == (points.count(1), points.count(0.5), points.count(0))
    slow = [0, 0, 0, 0, 0]
    for pair in range(30):
        slow[int(2 * (points[2 * pair] + points[2 * pair + 1]))] += 1
    assert list(result.pentanomial) == slow
    assert min(result.wins, result.losses) > 0  # or else nothing was tested


def test_games_are_played_by_the_rules() -> None:
    for game in play_match(BOARD, chooser(1), chooser(2), games=20, openings=OPENINGS).games:
        end = BOARD.replay(game.moves)
        assert BOARD.replay(game.moves[: game.plies]) == BOARD.replay(OPENINGS[game.opening])
        assert BOARD.is_terminal(end)
        assert (game.value, game.ending) == (BOARD.utility(end), "rules")
        assert game.points == (BOARD.utility(end) > 0) + (BOARD.utility(end) == 0) / 2
        assert len(game.seconds) == len(game.scores) == len(game.nodes) == len(game.moves) - game.plies


def test_the_referee_lets_a_position_come_back_as_often_as_the_game_says() -> None:
    ring = Game(
        name="ring",
        initial=(0, MAX),
        utility_range=(-1, 1),
        to_move=lambda state: state[1],
        actions=lambda state: [1],
        result=lambda state, action: ((state[0] + action) % 3, -state[1]),
        is_terminal=lambda state: False,
        utility=lambda state: 0,
        repetition="draw",
    )
    for occurrences in (2, 3):
        game = replace(ring, occurrences=occurrences)
        result = play_match(game, chooser(1, game), chooser(2, game), games=2, openings=[(1,)])
        ends = {(len(played.moves), played.ending, played.value) for played in result.games}
        assert ends == {(6 * (occurrences - 1), "repetition", 0)}


@pytest.mark.parametrize("kind", ["hang", "crash", "flood", "protocol", None])
def test_a_mistake_loses_the_game_and_the_next_game_has_a_new_competitor(kind: FaultKind | None) -> None:
    made: list[Competitor] = []

    def faulty() -> Competitor:
        made.append(Faulty(kind))
        return made[-1]

    result = play_match(BOARD, faulty, chooser(1), games=4, openings=[()])
    assert [game.ending for game in result.games] == [kind or "illegal"] * 4
    assert result.losses == 4
    assert all("faulty" in game.reason for game in result.faults)
    assert len(made) == 4


def test_a_competitor_that_does_not_start_loses() -> None:
    def absent() -> Competitor:
        raise Fault("start", "There is no such program.")

    result = play_match(BOARD, absent, chooser(1), games=2, openings=[()])
    assert [(game.ending, game.loser) for game in result.games] == [("start", "absent")] * 2


def test_a_late_answer_forfeits_the_game_on_time() -> None:
    control = TimeControl(move_seconds=0.1, margin=0.05)
    late = play_match(BOARD, chooser(1, seconds=0.16), chooser(2), games=2, openings=[()], control=control)
    assert [game.ending for game in late.games] == ["time", "time"]
    assert late.losses == 2
    in_time = play_match(BOARD, chooser(1, seconds=0.14), chooser(2), games=2, openings=[()], control=control)
    assert [game.ending for game in in_time.games] == ["rules", "rules"]


def test_both_must_agree_on_a_resignation() -> None:
    rules = Adjudication(resign=100, resign_moves=2)
    agreed = play_match(
        BOARD, chooser(1, score=-100), chooser(2, score=150), games=2, openings=[()], adjudication=rules
    )
    assert [(game.ending, len(game.moves)) for game in agreed.games] == [("resignation", 4)] * 2
    assert agreed.losses == 2
    for other in (99, None):
        alone = play_match(
            BOARD, chooser(1, score=-100), chooser(2, score=other), games=2, openings=[()], adjudication=rules
        )
        assert {game.ending for game in alone.games} == {"rules"}


def test_draws_by_agreement_and_by_length() -> None:
    even = [chooser(1, score=3), chooser(2, score=-3)]
    agreed = Adjudication(draw=3, draw_moves=1, draw_after=3)
    result = play_match(BOARD, *even, games=2, openings=[()], adjudication=agreed)
    assert [(game.ending, game.points, len(game.moves)) for game in result.games] == [("agreement", 0.5, 3)] * 2
    result = play_match(BOARD, *even, games=2, openings=[()], adjudication=Adjudication(plies=4))
    assert [(game.ending, game.points, len(game.moves)) for game in result.games] == [("plies", 0.5, 4)] * 2


# Threads and files.


def test_the_number_of_threads_changes_nothing() -> None:
    sprt = Sprt(0, 200)
    alone, together = (
        play_match(BOARD, chooser(1), chooser(7), games=200, openings=OPENINGS, threads=threads, sprt=sprt)
        for threads in (1, 4)
    )
    assert alone == together


def test_a_test_looks_at_whole_pairs_in_order() -> None:
    results = random.Random(5)
    games = [game_of(number, results.choice((1, 1, 0.5, 0))) for number in range(400)]
    in_order = Tally("a", Sprt(0, 50))
    for game in games:
        in_order.add(game)
    assert in_order.verdict == "accept"
    counted = len(in_order.games())
    assert 0 < counted < 400
    assert Sprt(0, 50).verdict(counts_of(games[: counted - 2])) is None
    assert Sprt(0, 50).verdict(counts_of(games[:counted])) == "accept"
    results.shuffle(games)
    shuffled = Tally("a", Sprt(0, 50))
    for game in games:
        shuffled.add(game)
    assert shuffled.games() == in_order.games()


def test_a_match_whose_test_has_decided_plays_no_more(tmp_path: Path) -> None:
    file, made = tmp_path / "games.jsonl", []

    def watched() -> Competitor:
        made.append(Chooser(BOARD, 1))
        return made[-1]

    players = [named("chooser 1", watched), chooser(7, score=0)]
    said = {"games": 400, "openings": OPENINGS, "sprt": Sprt(0, 200), "file": file}
    result = play_match(BOARD, *players, **said)  # type: ignore[arg-type]
    assert result.verdict is not None
    size = file.stat().st_size
    assert play_match(BOARD, *players, **said) == result  # type: ignore[arg-type]
    assert file.stat().st_size == size


def counts_of(games: list[PlayedGame]) -> list[int]:
    counts = [0] * 5
    for one, other in zip(games[::2], games[1::2], strict=True):
        counts[int(2 * (one.points_of("a") + other.points_of("a")))] += 1
    return counts


class Killed(BaseException):
    """Ends a contest in the middle."""


def test_an_interrupted_tournament_goes_on_where_it_was(tmp_path: Path) -> None:
    players = [chooser(1), chooser(2), chooser(3)]
    said = {"games": 20, "openings": OPENINGS, "threads": 2}
    whole = play_tournament(BOARD, players, **said)  # type: ignore[arg-type]
    file = tmp_path / "games.jsonl"
    chance = random.Random(0)
    for _ in range(6):
        left = chance.randrange(1, 6)
        made = [0]

        def watch(made: list[int] = made, left: int = left) -> Competitor:
            return Mortal(made, left)

        with pytest.raises(Killed):
            play_tournament(BOARD, [named("chooser 1", watch), *players[1:]], file=file, **said)  # type: ignore[arg-type]
        torn = file.read_bytes()
        assert torn.endswith(b"\n")
        file.write_bytes(torn + torn.splitlines()[-1][: chance.randrange(40)])
    result = play_tournament(BOARD, players, file=file, **said)  # type: ignore[arg-type]
    assert result == whole
    assert result.cross == whole.cross
    assert sorted(game.number for game in read_ledger(file)[1]) == list(range(60))


class Mortal(Chooser):
    """Ends the whole contest with one of its games."""

    def __init__(self, made: list[int], left: int) -> None:
        super().__init__(BOARD, 1)
        self.made, self.left = made, left

    def new_game(self, number: int) -> None:
        super().new_game(number)
        self.made[0] += 1
        if self.made[0] > self.left:
            raise Killed


def test_another_contest_in_the_same_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    players = (chooser(1), chooser(2))
    play_match(BOARD, *players, games=4, openings=OPENINGS, file=file)
    with pytest.raises(RecordError, match=r"the games differ: there 4, here 6\."):
        play_match(BOARD, *players, games=6, openings=OPENINGS, file=file)
    with pytest.raises(RecordError, match="the openings differ"):
        play_match(BOARD, *players, games=4, openings=OPENINGS[:2], file=file)
    with pytest.raises(RecordError, match="the game differ"):
        play_match(connect(), *players, games=4, openings=OPENINGS, file=file)


def test_a_damaged_line_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    play_match(BOARD, chooser(1), chooser(2), games=4, openings=OPENINGS, file=file)
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:2], lines[2].replace('"number":1', '"number":3'), *lines[3:]]))
    with pytest.raises(RecordError, match=r"damaged in line 3"):
        read_ledger(file)
    file.write_text("hello\n")
    with pytest.raises(RecordError, match=r"no file of a tournament"):
        read_ledger(file)


def test_cross_tables_count_as_the_games_say() -> None:
    result = play_tournament(BOARD, [chooser(1), chooser(2), chooser(3)], games=20, openings=OPENINGS)
    assert set(result.cross) == {(one, other) for one in result.players for other in result.players if one != other}
    for (one, other), score in result.cross.items():
        points = [game.points_of(one) for game in result.games if {game.first, game.second} == {one, other}]
        assert score == (points.count(1), points.count(0.5), points.count(0))
    assert sum(result.score(player).points for player in result.players) == len(result.games) == 60
    assert set(result.ratings.players) == set(result.players)


def test_a_contest_that_is_stopped_leaves_no_thread_and_closes_everybody() -> None:
    closed = []

    class Slow(Chooser):
        def choose(self, states: Sequence[State], actions: Sequence[Action], go: Go) -> Answer:
            time.sleep(0.01)
            return super().choose(states, actions, go)

        def close(self) -> None:
            closed.append(self)

    def stop(result: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        play_match(BOARD, lambda: Slow(BOARD, 1), lambda: Slow(BOARD, 2), openings=[()], threads=3, progress=stop)
    assert len(set(closed)) == 6


# Openings.


def test_openings_are_distinct_and_seeded(tmp_path: Path) -> None:
    openings = random_openings(BOARD, 40, 3, seed=1, balanced=False)
    assert openings == random_openings(BOARD, 40, 3, seed=1, balanced=False)
    assert openings != random_openings(BOARD, 40, 3, seed=2, balanced=False)
    states = [BOARD.replay(opening) for opening in openings]
    for place, state in enumerate(states):
        assert not BOARD.is_terminal(state)
        assert BOARD.symmetries is not None
        assert not {state, *BOARD.symmetries(state)} & set(states[:place])
    write_openings(tmp_path / "openings.txt", BOARD, openings)
    assert read_openings(tmp_path / "openings.txt", BOARD) == openings


@pytest.mark.parametrize("text", ["", "# nothing\n", "0 0\n", "0 9\n", "0 3 1 4 2\n"])
def test_a_file_without_openings_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "openings.txt").write_text(text)
    with pytest.raises(BadParameter):
        read_openings(tmp_path / "openings.txt", BOARD)
