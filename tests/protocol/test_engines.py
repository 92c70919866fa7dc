"""Programs that nobody here wrote, where they are installed; and the notation that UCI programs share."""

import random
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest

from zermelo import Game, make_game
from zermelo.errors import BadParameter, IllegalAction
from zermelo.games import breakthrough, connect, othello
from zermelo.lab.competitors import make_competitor
from zermelo.protocol.clients.gtp import GtpClient
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Fault
from zermelo.protocol.coordinates import coordinates
from zermelo.protocol.position import read_move, read_position, write_coordinates, write_move
from zermelo.protocol.process import Limits, Process

GAMES = "/usr/games"


def program(name: str) -> str:
    """Where Debian has put a program."""
    found = shutil.which(name) or shutil.which(name, path=GAMES)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def play(description: str, game: Game, plies: int, go: Go) -> list[str]:
    """Let a program play both sides, and return the moves."""
    competitor = make_competitor(description, game)
    competitor.new_game(0)
    states, actions, texts = [game.initial], [], []
    while len(actions) < plies and not game.is_terminal(states[-1]):
        answer = competitor.choose(states, actions, go)
        assert answer.action in game.legal_actions(states[-1])
        texts.append(write_move(game, states[-1], answer.action))
        actions.append(answer.action)
        states.append(game.result(states[-1], answer.action))
    competitor.close()
    return texts


@pytest.mark.parametrize(
    "description", ["program[Hash=4]:stockfish", "program:fairy-stockfish", "program:gnuchess --uci"]
)
def test_chess_programs_under_uci(description: str) -> None:
    kind, _, command = description.partition(":")
    name, _, rest = command.partition(" ")
    game = make_game("chess")
    assert len(play(f"{kind}:{program(name)} {rest}", game, 6, Go(depth=2))) == 6


def test_a_program_for_variants_plays_the_game_of_its_name() -> None:
    assert len(play(f"program:{program('fairy-stockfish')}", breakthrough(), 60, Go(nodes=200))) > 20


@pytest.mark.parametrize("name", ["breakthrough", "othello", "connect", "chess", "checkers"])
def test_coordinates_mean_themselves(name: str) -> None:
    game = make_game(name)
    chooser, state = random.Random(2), game.initial
    for _ in range(20):
        if game.is_terminal(state):
            break
        for action in game.legal_actions(state):
            text = write_coordinates(game, state, action)
            assert read_move(game, state, text) == action
        state = game.result(state, chooser.choice(game.legal_actions(state)))


def test_coordinates_are_those_of_uci() -> None:
    game = breakthrough()
    assert write_coordinates(game, game.initial, game.read_action(game.initial, "a2-a3")) == "a2a3"
    assert set(coordinates(othello(), othello().initial)) == {"P@d6", "P@c5", "P@f4", "P@e3"}
    assert list(coordinates(connect(), connect().replay([3]))) == [
        "P@a1",
        "P@b1",
        "P@c1",
        "P@d2",
        "P@e1",
        "P@f1",
        "P@g1",
    ]
    chess = make_game("chess")
    assert chess.from_text is not None
    promoting = coordinates(chess, chess.from_text("8/P6k/8/8/8/8/8/K7 w - - 0 1"))
    assert {text for text in promoting if text.startswith("a7")} == {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}
    with pytest.raises(IllegalAction):
        read_move(game, game.initial, "a2a4")


def test_a_game_goes_on_after_a_repetition_if_the_controlling_program_says_so() -> None:
    game = make_game("chess")
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    position = read_position(game, ["startpos", "moves", *shuffle, "e2e4"])
    assert len(position.states) == 6
    outcomes = [read_position(game, ["startpos", "moves", *shuffle * times]).outcome for times in (1, 2, 3)]
    assert outcomes == ["none", "draw", "draw"]


@pytest.mark.parametrize(
    ("description", "chess"),
    [("xboard:fairymax", True), ("xboard:sjeng", True), ("gtp:gtp-rhino", False)],
)
def test_programs_under_other_protocols(description: str, chess: bool) -> None:
    kind, _, command = description.partition(":")
    name, _, rest = command.partition(" ")
    go = Go(depth=2) if chess else Go(depth=1)  # no time: a busy machine keeps none
    plies = 4 if chess else 70
    assert len(play(f"{kind}:{program(name)} {rest}", make_game("chess") if chess else othello(), plies, go)) >= 4


def test_a_program_that_searches_too_deep_is_told_to_move() -> None:
    """Here it would think for ever: it knows no ``sd``, and there is no limit of nodes in xboard's protocol."""
    speaker = shlex.join([sys.executable, str(Path(__file__).with_name("speaker.py")), "xboard", "breakthrough"])
    assert len(play(f"xboard:{speaker}", breakthrough(), 3, Go(depth=6))) == 3
    assert len(play(f"xboard:{speaker}", breakthrough(), 1, Go(depth=99, nodes=4711))) == 1


@pytest.mark.parametrize(
    ("command", "kind"), [("stockfish", "program"), ("gnuchess --uci", "program"), ("fairymax", "xboard")]
)
def test_programs_follow_castling_in_usual_chess(command: str, kind: str) -> None:
    game = make_game("chess")
    name, _, rest = command.partition(" ")
    competitor = make_competitor(f"{kind}:{program(name)} {rest}", game)
    competitor.new_game(0)
    states, actions = [game.initial], list[int]()
    for move in ["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O"]:
        actions.append(game.read_action(states[-1], move))
        states.append(game.result(states[-1], actions[-1]))
    assert write_coordinates(game, states[-2], actions[-1]) == "e1g1"
    assert competitor.choose(states, actions, Go(depth=2)).action in game.legal_actions(states[-1])
    competitor.close()


def test_programs_castle_and_follow_castling_in_chess960() -> None:
    """White's only legal move is to castle, and king and rook change places: ``f1g1``, the square of the rook."""
    game = make_game("chess", start=0)
    assert game.from_text is not None
    only = game.from_text("6k1/8/8/8/8/6p1/2nr2P1/5KRB w G - 0 1")
    competitor = make_competitor(f"program:{program('stockfish')}", game)
    competitor.new_game(0)
    castling = competitor.choose([only], [], Go(depth=2)).action
    assert (game.show_action(only, castling), write_coordinates(game, only, castling)) == ("O-O", "f1g1")
    after = game.result(only, castling)
    assert competitor.choose([only, after], [castling], Go(depth=2)).action in game.legal_actions(after)
    first = competitor.choose([game.initial], [], Go(depth=2)).action  # startpos would be that of usual chess
    assert first in game.legal_actions(game.initial)
    competitor.close()


@pytest.mark.parametrize(("protocol", "name"), [("xboard", "breakthrough"), ("gtp", "othello"), ("nboard", "othello")])
def test_a_whole_game_under_each_protocol(protocol: str, name: str) -> None:
    """The program plays one side, and follows what the other side plays."""
    game = make_game(name)
    speaker = shlex.join([sys.executable, str(Path(__file__).with_name("speaker.py")), protocol, name])
    competitor = make_competitor(f"{protocol}:{speaker}", game)
    chooser = random.Random(4)
    for number in range(2):
        competitor.new_game(number)
        states, actions = [game.initial], list[int]()
        while not game.is_terminal(states[-1]):
            if len(actions) % 2 == number:
                answer = competitor.choose(states, actions, Go(move_time=2000))
                assert answer.score == {"xboard": -12, "gtp": None, "nboard": -150}[protocol]
                actions.append(answer.action)
            else:
                actions.append(chooser.choice(game.legal_actions(states[-1])))
            states.append(game.result(states[-1], actions[-1]))
    competitor.close()
    with pytest.raises(Fault, match="is not running"):
        competitor.choose([game.initial], [], Go())


class Listener:
    """In the place of a program under GTP: it notes what it is told, and answers with the moves of a list."""

    name, limits, written = "listener", Limits(), 0

    def __init__(self, moves: Sequence[str]) -> None:
        self.told, self.moves = list[str](), list(moves)

    def send(self, line: str) -> None:
        self.told.append(line)

    def wait_for(self, wanted: Callable[[str], bool], seconds: float) -> str:
        return "="

    def read(self, until: float) -> str:
        return f"= {self.moves.pop(0)}"


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        (Go(move_time=2500), Go(move_time=2500), ["settings 0 2 1", "left black 2 1", "left black 2 1"]),
        (
            Go(first_time=60_000, second_time=50_000),
            Go(first_time=31_900, second_time=50_000),
            ["settings 60 0 0", "left black 60 0", "left black 31 0"],
        ),
        (Go(move_time=20), Go(move_time=20), ["settings 0 1 1", "left black 1 1", "left black 1 1"]),
        (Go(depth=3), Go(depth=3), []),
    ],
)
def test_gtp_tells_the_rules_of_time_once_a_game(first: Go, later: Go, told: list[str]) -> None:
    """Then, for each move, how much is left, in whole seconds and at least one."""
    game = othello()
    listener = Listener(["d3", "c6", "d3"])
    client = GtpClient(cast(Process, listener), game)
    client.new_game(0)
    states = [game.initial]
    actions = [client.choose(states, [], first).action, read_move(game, game.replay("d3"), "c5")]
    for action in actions:
        states.append(game.result(states[-1], action))
    client.choose(states, actions, later)
    client.new_game(1)
    client.choose(states[:1], [], first)
    times = [line.removeprefix("time_") for line in listener.told if line.startswith("time_")]
    assert times == told + told[:2]


def test_nboard_is_for_one_board_only() -> None:
    competitor = make_competitor("nboard:cat", breakthrough())
    with pytest.raises(BadParameter, match="has no way to write positions of breakthrough"):
        competitor.new_game(0)
