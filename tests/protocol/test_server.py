"""`zermelo engine`: what it answers under UGI and UCI, whatever it is sent."""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any, ClassVar

import chess
import pytest

from loops import mirrored_game
from running import PATIENCE, wait_until
from students import ALPHA_BETA, IMPORTS
from zermelo import Engine, Game, make_game
from zermelo.errors import GameFileError
from zermelo.game import State
from zermelo.games import connect, othello, tictactoe
from zermelo.lab.competitors import PlayerCompetitor
from zermelo.play import make_player
from zermelo.play.file_player import FilePlayer
from zermelo.play.limits import FREE, MoveLimits
from zermelo.play.players import Player, Thought
from zermelo.protocol.commands import MARGIN, RESERVE, Go, read_go, read_option
from zermelo.protocol.position import Position, Writer, read_move, read_position, write_coordinates, write_move
from zermelo.protocol.server import LONGEST, Say, Server
from zermelo.protocol.thinkers import EngineThinker, PlayerThinker, Thinker
from zermelo.result import SearchCounts, SearchResult


class Dialogue:
    """A server whose lines are sent one by one, and what it has answered."""

    def __init__(self, game: Game, thinker: Thinker | None = None) -> None:
        self.answers: list[str] = []
        self._lines: Queue[str | None] = Queue()
        self.server = Server(game, lambda text: self.answers.extend(text.splitlines()), "zermelo", thinker)

    def lines(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield line

    def send(self, *lines: str) -> None:
        for line in lines:
            self._lines.put(line)

    def answer(self, wanted: Callable[[str], bool]) -> str:
        """Wait for a line, and forget it and those before it."""
        wait_until(lambda: any(map(wanted, list(self.answers))))
        place = next(place for place, line in enumerate(self.answers) if wanted(line))
        found = self.answers[place]
        del self.answers[: place + 1]
        return found

    def ask(self, line: str, start: str) -> str:
        """Send a line, and wait for an answer that begins so."""
        self.send(line)
        return self.answer(lambda answer: answer.startswith(start))


@pytest.fixture
def talk() -> Iterator[Callable[..., Dialogue]]:
    """Make dialogues, which end with the test."""
    running: list[tuple[Dialogue, Thread]] = []

    def begin(game: Game, thinker: Thinker | None = None) -> Dialogue:
        dialogue = Dialogue(game, thinker)
        thread = Thread(target=lambda: dialogue.server.serve(dialogue.lines()))
        thread.start()
        running.append((dialogue, thread))
        return dialogue

    yield begin
    for dialogue, thread in running:
        dialogue.send("quit")
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_conversation(talk: Callable[[Game], Dialogue]) -> None:
    game = tictactoe()
    dialogue = talk(game)
    assert dialogue.ask("ugi", "ugiok") == "ugiok"
    assert dialogue.ask("isready", "readyok") == "readyok"
    dialogue.send("uginewgame", "position startpos")
    assert dialogue.ask("query p1turn", "response") == "response true"
    dialogue.send("position startpos moves " + " ".join(moves_of(game, [0, 4])))
    assert dialogue.ask("query gameover", "response") == "response false"
    assert dialogue.ask("query result", "response") == "response none"
    best = dialogue.ask("go depth 9", "bestmove").split()[1]
    state = game.replay([0, 4])
    assert read_move(game, state, best) == Engine(game).search(state, depth=9).action


def moves_of(game: Game, actions: list[int]) -> list[str]:
    return [write_move(game, game.replay(actions[:place]), action) for place, action in enumerate(actions)]


def test_results_are_those_of_the_rules(talk: Callable[[Game], Dialogue]) -> None:
    game = tictactoe()
    dialogue = talk(game)
    for actions, result in (
        ([0, 3, 1, 4, 2], "p1win"),
        ([0, 3, 1, 4, 8, 5], "p2win"),
        ([0, 1, 2, 4, 3, 5, 7, 6, 8], "draw"),
    ):
        dialogue.send("position startpos moves " + " ".join(moves_of(game, actions)))
        assert dialogue.ask("query result", "response") == f"response {result}"
        assert dialogue.ask("query gameover", "response") == "response true"
        assert dialogue.ask("go depth 3", "bestmove") == "bestmove (none)"


def test_the_score_is_the_movers_and_a_proven_end_is_counted_in_moves(talk: Callable[[Game], Dialogue]) -> None:
    dialogue = talk(tictactoe())
    for moves, score in (("0 3 1 4", "mate 1"), ("0 3 1 4 8", "mate 1"), ("0 4 8 2 6", "mate -1"), ("", "cp 0")):
        dialogue.send(f"position startpos moves {moves}")
        dialogue.send("go depth 9")
        dialogue.answer(lambda line, score=score: f" score {score} " in line)  # type: ignore[misc]
        dialogue.answer(lambda line: line.startswith("bestmove"))


def test_every_iteration_has_one_line(talk: Callable[[Game], Dialogue]) -> None:
    dialogue = talk(connect(rows=4, columns=5))
    dialogue.send("go depth 6")
    wait_until(lambda: any(line.startswith("bestmove") for line in list(dialogue.answers)))
    depths = [line.split()[2] for line in dialogue.answers if line.startswith("info depth")]
    assert depths == ["1", "2", "3", "4", "5", "6"]


def test_infinite_waits_for_stop_and_isready_is_answered_meanwhile(talk: Callable[[Game], Dialogue]) -> None:
    dialogue = talk(tictactoe())
    dialogue.ask("isready", "readyok")
    dialogue.send("go infinite")
    dialogue.answer(lambda line: line.startswith("info depth"))
    dialogue.ask("isready", "readyok")
    time.sleep(0.2)  # the search to the end takes a millisecond; its answer has to wait all the same
    assert not any(line.startswith("bestmove") for line in dialogue.answers)
    dialogue.ask("stop", "bestmove")
    dialogue.send("go infinite", "stop")
    dialogue.answer(lambda line: line.startswith("bestmove"))


def test_stop_ends_a_long_search(talk: Callable[[Game], Dialogue]) -> None:
    dialogue = talk(connect(rows=4, columns=5))
    dialogue.send("go depth 100")
    dialogue.answer(lambda line: line.startswith("info depth"))
    assert "under way" in dialogue.ask("go depth 1", "info string")
    dialogue.ask("stop", "bestmove")


def test_what_makes_no_sense_is_explained_and_changes_nothing(talk: Callable[[Game], Dialogue]) -> None:
    dialogue = talk(tictactoe())
    for line, sentence in (
        ("hello", "There is no command 'hello'"),
        ("query", "There is no query ''"),
        ("position", "begins with startpos"),
        ("position startpos moves 0 0", "'0' is not a legal action"),
        ("query result", "There is no position"),
        ("position startpos moves 0 3 1 4 2 5", "comes after the end"),
        ("go depth x", "write a whole number after depth"),
        ("go depth", "write a whole number after depth"),
        ("setoption Hash", "setoption has no name"),
        ("setoption name Speed value 3", "There is no option 'Speed'"),
        ("setoption name Hash value -1", "it must be a whole number"),
        ("setoption name Threads value 4096", "it must be a whole number"),
        ("x" * (LONGEST + 1), "A line has"),
    ):
        assert sentence in dialogue.ask(line, "info string")
    assert dialogue.ask("go depth 2", "bestmove") == "bestmove (none)"  # the last position could not be read
    dialogue.send("position startpos", "setoption name Hash value 2", "setoption name Clear Hash", "")
    assert dialogue.ask("go depth 2 nonsense 7", "info string") == "info string go knows no 'nonsense'; it is ignored."
    assert read_move(tictactoe(), tictactoe().initial, dialogue.ask("isready", "bestmove").split()[1]) in range(9)


def test_uci_where_positions_are_text(talk: Callable[[Game], Dialogue]) -> None:
    game = othello()
    assert game.to_text is not None
    dialogue = talk(game)
    assert dialogue.ask("uci", "uciok") == "uciok"
    after = game.replay(game.legal_actions(game.initial)[:1])
    dialogue.send(f"position fen {game.to_text(after)}")
    assert dialogue.ask("query p1turn", "response") == "response false"
    assert dialogue.ask("go depth 2", "bestmove").startswith("bestmove P@")
    dialogue.send("setoption name UCI_Variant value othello")
    assert "There is no option 'UCI_Variant'" in dialogue.ask("setoption name UCI_Variant value chess", "info string")
    assert "is no position of othello" in dialogue.ask("position fen nonsense", "info string")
    without = talk(replace(tictactoe(), from_text=None))
    assert "UCI needs positions as text" in without.ask("uci", "info string")


class Castler(Thinker):
    """Castles with the rook on the right, whatever else there is to do."""

    ranges: ClassVar = {}
    buttons = ("clear hash",)

    def prepare(self) -> None: ...

    def new_game(self) -> None: ...

    def change(self, name: str, value: int) -> None: ...

    def stop(self) -> None: ...

    def think(self, position: Position, go: Go, stopped: Event, say: Say, write: Writer) -> str:
        game = make_game("chess")
        return write(game, position.state, game.read_action(position.state, "O-O"))


def test_chess960_is_an_option(talk: Callable[..., Dialogue]) -> None:
    """It changes how castling is written, even where king and rook stand as in usual chess, and nothing else."""
    dialogue, position = talk(make_game("chess"), Castler()), "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert dialogue.ask("uci", "option name UCI_Chess960") == "option name UCI_Chess960 type check default false"
    for value, move in (("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")):
        dialogue.send(f"setoption name UCI_Chess960 value {value}", position)
        assert dialogue.ask("go", "bestmove") == f"bestmove {move}"
        dialogue.send(f"{position} moves {move} e8d8 f1f2")
        assert dialogue.ask("query p1turn", "response") == "response false"
        dialogue.send("position startpos moves e2e4")
        assert dialogue.ask("query p1turn", "response") == "response false"
    problem = dialogue.ask("setoption name UCI_Chess960 value maybe", "info string")
    assert problem == "info string UCI_Chess960 cannot be 'maybe'; it must be true or false."
    for other in (othello(), make_game("chess", size=5), make_game("chess", start=0)):
        assert "There is no option" in talk(other).ask("setoption name UCI_Chess960 value true", "info string")


@pytest.mark.parametrize("start", range(0, 960, 37))
def test_chess960_is_written_as_others_write_it(start: int) -> None:
    """In random games from all kinds of starts, the package `chess` writes the same moves."""
    form = make_game("chess").uci_forms["UCI_Chess960"]()
    board, rng = chess.Board.from_chess960_pos(start), random.Random(start)
    assert form.from_text is not None
    for _ in range(60):
        if board.is_game_over() or not list(board.legal_moves):
            break
        state = form.from_text(board.fen(shredder=True))
        legal = [board.uci(move) for move in board.legal_moves]
        assert sorted(write_coordinates(form, state, action) for action in form.actions(state)) == sorted(legal)
        castling = [move for move in board.legal_moves if board.is_castling(move)]
        board.push(rng.choice(castling or list(board.legal_moves)))


@pytest.mark.parametrize(
    "name", ["checkers", "draughts", "othello", "oware", "nine_mens_morris", "pentago", "dots_and_boxes", "connect"]
)
def test_moves_as_text_have_no_spaces_and_mean_themselves(name: str) -> None:
    """Every action of random games is read back as itself, and a whole game is replayed from its text."""
    game = make_game(name)
    chooser = random.Random(1)
    position = Position(game)
    moves: list[str] = []
    while not position.is_over and len(moves) < 60:
        state = position.state
        texts = [write_move(game, state, action) for action in game.legal_actions(state)]
        assert [read_move(game, state, text) for text in texts] == game.legal_actions(state)
        assert not any(mark.isspace() for text in texts for mark in text)
        moves.append(chooser.choice(texts))
        position.play(moves[-1])
    assert read_position(game, ["startpos", "moves", *moves]).state == position.state


def test_limits() -> None:
    go, unknown = read_go(["movetime", "500", "ponder", "depth", "7"])
    assert (go, unknown) == (Go(move_time=500, depth=7), ["ponder"])
    assert go.seconds(True) == (500 - MARGIN) / 1000
    assert read_go(["wtime", "-30", "btime", "4000"])[0] == Go(first_time=0, second_time=4000)
    clock = Go(first_time=1000, second_time=60_000, first_increment=0, second_increment=100)
    assert clock.seconds(True) == pytest.approx((1000 - RESERVE) / 40 / 1000)
    assert clock.seconds(False) == pytest.approx(((60_000 - RESERVE) / 40 + 0.8 * 95) / 1000)
    for plies, moves in ((20, 30), (21, 30), (55, 13), (56, 12), (300, 12)):
        assert clock.seconds(True, plies) == clock.limits(True, plies).seconds
        assert clock.seconds(True, plies) == pytest.approx((1000 - RESERVE) / moves / 1000)
    assert Go(first_time=1000, moves_to_go=9).seconds(True, 20) == pytest.approx((1000 - RESERVE) / 9 / 1000)
    assert Go(first_time=5, moves_to_go=1).seconds(True) == 0.001
    assert Go(depth=3).seconds(True) is None
    assert Go(move_time=5, infinite=True).seconds(True) is None
    assert read_option(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert read_option(["name", "A", "b", "value", "c", "d"]) == ("A b", "c d")


def test_a_clock_keeps_a_reserve_for_late_answers() -> None:
    left = 1000.0
    for move in range(400):  # with an increment of 10 ms, of answers that arrive 4 ms late
        spent = Go(first_time=round(left), first_increment=10).seconds(True, 2 * move)
        assert spent is not None
        left += 10 - 1000 * spent - 4
    assert left > RESERVE


WORDS = (
    *("ugi", "uci", "isready", "uginewgame", "ucinewgame", "setoption", "position", "go", "stop", "query"),
    *(
        "name",
        "value",
        "Hash",
        "Threads",
        "Clear",
        "startpos",
        "fen",
        "moves",
        "movetime",
        "depth",
        "nodes",
        "infinite",
    ),
    *("p1time", "p2time", "p1inc", "wtime", "btime", "movestogo", "gameover", "p1turn", "result", "0", "1", "4", "8"),
    *(
        "-1",
        "99999999999999999999",
        "1e9",
        "nan",
        "#3",
        "#",
        "\x00",
        "\u2028",
        "\ud800",
        "x" * 3000,
        "' OR 1=1",
        "../..",
        "%s%n",
    ),
)


@pytest.mark.slow
def test_a_hundred_thousand_hostile_lines() -> None:
    """No hang, no traceback, and right answers afterwards."""
    chooser = random.Random(3)
    lines = [
        b" ".join(word.encode(errors="surrogatepass") for word in chooser.choices(WORDS, k=chooser.randrange(6)))
        if chooser.random() < 0.95
        else chooser.randbytes(chooser.randrange(40)).replace(b"\n", b"")
        for _ in range(100_000)
    ]
    lines = [line for line in lines if line.split()[:1] != [b"quit"]]
    lines += [
        b"stop",
        b"ugi",
        b"uginewgame",
        b"setoption name Hash value 64",
        b"setoption name Threads value 1",
        b"isready",
    ]
    asked = sum(line.decode(errors="replace").split()[:1] == ["isready"] for line in lines)
    command = [sys.executable, "-m", "zermelo", "engine", "tictactoe"]
    answers: list[bytes] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        reader = Thread(target=answers.extend, args=(process.stdout,))
        reader.start()
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        wait_until(lambda: answers.count(b"readyok\n") == asked)
        done = len(answers)
        process.stdin.write(b"position startpos moves 0 4\nquery result\ngo depth 9\n")
        process.stdin.flush()
        wait_until(lambda: answers[-1].startswith(b"bestmove") and len(answers) > done)
        process.stdin.close()
        reader.join(PATIENCE)
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
    assert answers[done] == b"response none\n"
    game = tictactoe()
    expected = Engine(game).search(game.replay([0, 4]), depth=9).action
    assert answers[-1].decode().split() == ["bestmove", write_move(game, game.replay([0, 4]), expected)]


def test_any_player_can_be_served(talk: Callable[..., Dialogue]) -> None:
    game = connect(rows=4, columns=4)
    dialogue = talk(game, PlayerThinker(game, lambda: make_player("decision:depth=2", game)))
    assert "Seed" in dialogue.ask("ugi", "option")
    dialogue.ask("isready", "readyok")
    dialogue.send("position startpos moves 0 1 0 1 0 1")
    assert dialogue.ask("go movetime 100", "info depth 2").endswith(" pv 0")
    assert dialogue.ask("isready", "bestmove") == "bestmove 0"
    assert "There is no option 'Hash'; there is Seed." in dialogue.ask("setoption name Hash value 3", "info string")


def test_the_same_seed_gives_the_same_random_games(talk: Callable[..., Dialogue]) -> None:
    game = connect(rows=6, columns=7)
    dialogue = talk(game, PlayerThinker(game, lambda: make_player("random", game)))

    def moves() -> list[str]:
        dialogue.send("uginewgame")
        return [dialogue.ask("go nodes 1", "bestmove") for _ in range(20)]

    dialogue.send("setoption name Seed value 5")
    first, second = moves(), moves()
    dialogue.send("setoption name Seed value 5")
    assert moves() == first != second


def test_what_a_player_in_a_file_does(talk: Callable[..., Dialogue], tmp_path: Path) -> None:
    """It may return an action or its text; what is illegal is for the referee to see; an error has a sentence."""
    game = tictactoe()
    file = tmp_path / "mine.py"
    file.write_text(
        "def choose(game, state, seconds):\n"
        "    legal = game.legal_actions(state)\n"
        "    return [0, 'b2', 99, 1 // (len(legal) - 6)][9 - len(legal)]\n"
    )
    dialogue = talk(game, PlayerThinker(game, lambda: FilePlayer("mine.py", game, file)))
    for moves, best in (("", "a3"), ("moves a3", "b2"), ("moves a3 b2", "99"), ("moves a3 b2 a2", "(none)")):
        dialogue.send(f"position startpos {moves}")
        assert dialogue.ask("go movetime 100", "bestmove") == f"bestmove {best}"
        dialogue.answers.clear()
    assert "line 3: choose failed: ZeroDivisionError" in dialogue.ask("go movetime 100", "info string")


@dataclass
class Noting(Player):
    """Plays the first legal move, and notes what it may use."""

    allowed: list[MoveLimits] = field(default_factory=list)

    def think(
        self,
        state: State,
        counts: SearchCounts | None = None,
        *,
        limits: MoveLimits = FREE,
        before: Sequence[State] = (),
    ) -> Thought:
        self.allowed.append(limits)
        return Thought(self.game.legal_actions(state)[0])


def test_the_clock_of_a_player_knows_how_many_moves_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """By protocol and in a match, whoever the player is."""
    game, go, allowed = connect(), Go(first_time=60_000, second_time=30_000), list[MoveLimits]()
    noting, search = Noting("noting", game), Engine.search

    def noting_search(self: Engine, state: State, **limits: Any) -> SearchResult:
        allowed.append(MoveLimits(limits["optimum"], limits["seconds"]))
        return search(self, state, depth=1)

    monkeypatch.setattr(Engine, "search", noting_search)
    engine = EngineThinker(game, {"hash": (1, 1, 1), "threads": (1, 1, 1)})
    for moves in ([], [3, 3, 2], [3, 3, 2, 4, 1, 1]):
        position = Position(game, states := [game.replay(moves[:count]) for count in range(len(moves) + 1)])
        for thinker in (engine, PlayerThinker(game, lambda: noting)):
            thinker.think(position, go, Event(), lambda line: None, lambda game, state, action: str(action))
        PlayerCompetitor(noting).choose(states, moves, go)
        limits = go.limits(len(moves) % 2 == 0, len(moves))
        assert noting.allowed[-2:] == [limits] * 2
        assert allowed[-1] == limits
    assert len(set(allowed)) == 3


def test_a_search_of_the_handouts_is_a_player(tmp_path: Path) -> None:
    game = tictactoe()
    file = tmp_path / "search.py"
    file.write_text(f"{IMPORTS}prunings = 0\n{ALPHA_BETA}")
    player = FilePlayer("search.py", game, file)
    assert player.think(game.replay([0, 3, 1, 4]), limits=MoveLimits(depth=5)).action == 2
    file.write_text("x = 3\n")
    with pytest.raises(GameFileError, match="has no function that chooses a move"):
        FilePlayer("search.py", game, file)


def test_a_game_that_goes_on_is_read_from_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = connect()
    known = read_position(game, ["startpos", "moves", "1", "2", "3"])
    played: list[str] = []
    monkeypatch.setattr(Position, "play", lambda self, text: played.append(text))
    for words, read in (
        (["startpos", "moves", "1", "2", "3", "4"], ["4"]),
        (["startpos", "moves", "1", "2", "3"], []),
        (["startpos", "moves", "1", "2", "4"], ["1", "2", "4"]),
        (["startpos", "moves", "1", "2"], ["1", "2"]),
        (["startpos"], []),
    ):
        played.clear()
        read_position(game, words, known)
        assert played == read


def test_a_game_that_goes_on_is_the_same_as_one_read_as_a_whole() -> None:
    game = connect()
    known, moves = None, ["4", "4", "3", "5", "2"]
    for count in range(len(moves) + 1):
        words = ["startpos", "moves", *moves[:count]]
        known = read_position(game, words, known)
        assert known.states == read_position(game, words).states


def way_back(game: Game, chooser: random.Random) -> list[State]:
    """The positions of random play, the last of which stood before and is not the end by the rules; else nothing."""
    states = [game.initial]
    while not game.is_terminal(states[-1]) and len(states) < 30:
        states.append(game.result(states[-1], chooser.choice(list(game.actions(states[-1])))))
        if states[-1] in states[:-1]:
            return states
    return []


def test_a_position_that_has_come_back_is_searched_all_the_same() -> None:
    """The controlling program decides whether the game is over."""
    games, chooser, found = [mirrored_game(seed) for seed in range(20)], random.Random(1), 0
    for game in games:
        thinker = EngineThinker(game, {"hash": (1, 1, 1), "threads": (1, 1, 1)})
        if states := way_back(game, chooser):
            position, found = Position(game, states), found + 1
            assert states[-1] not in position.before
            assert len(position.before) == len(states) - 1 - states[:-1].count(states[-1])
            best = thinker.think(
                position, Go(depth=2), Event(), lambda line: None, lambda game, state, action: str(action)
            )
            assert int(best) in game.actions(states[-1])
    assert found > 2
