"""Whole games as a person plays them: a pseudo-terminal, and pipes."""

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest
from tests.ui.conftest import PROMPT, Terminal

from running import PATIENCE
from zermelo.games import connect
from zermelo.textbook.heuristic import alpha_beta_heuristic_search
from zermelo.textbook.rules import depth_limit

AGAIN = r"Play again\?"
SPOKEN = """
from dataclasses import replace

from zermelo import Game, games


def spoken() -> Game:
    return replace(games.nim(), name="spoken", format_action=lambda state, a: f"{a // 4 + 1} from {'ABCD'[a % 4]}")
"""
"""A game whose moves are written with spaces."""
THREE = ["connect", "-p", "rows=3", "-p", "columns=3", "-p", "run=3"]


def play_legal(game: Terminal, limit: int = 30) -> None:
    """Answer each prompt with the hint, until the game is over."""
    for _ in range(limit):
        if game.until(PROMPT, AGAIN) == 1:
            return
        hint = re.search(r"Hint: (\S+)", game.say("hint"))
        assert hint
        game.child.sendline(hint[1])
    raise AssertionError("the game does not end")


# --- full games


@pytest.mark.parametrize("seat", ["--max", "--min"])
@pytest.mark.parametrize(
    ("player", "more"),
    [
        ("minimax", []),
        ("alpha-beta", []),
        ("heuristic", ["--depth", "2"]),
        ("timed", ["--seconds", "0.05"]),
    ],
)
def test_a_full_game_against_each_player(player: str, more: list[str], seat: str, terminal: Callable[..., Terminal]):
    other = "--min" if seat == "--max" else "--max"
    game = terminal("play", *THREE, seat, player, other, "human", *more)
    play_legal(game)
    side = {"--max": "Red (MAX)", "--min": "Yellow (MIN)"}[seat]
    assert f"It is the turn of {side}: {player}." in game.text
    assert f"{player} plays " in game.text
    assert re.search(r"The winner is (Red|Yellow) \(M..\): |The game is a draw \(0\)\.", game.text)
    game.child.sendline("")
    assert game.end() == 0


@pytest.mark.parametrize(("player", "more"), [("random", []), ("path", ["--depth", "2", "--width", "2"])])
def test_a_full_game_in_columns_of_ones_own(player: str, more: list[str], terminal: Callable[..., Terminal]):
    game = terminal("play", "connect", "-p", "rows=2", "-p", "columns=2", "-p", "run=3", "--min", player, *more)
    game.until(PROMPT)
    for _ in range(2):
        game.child.sendline("0")
        if game.until(PROMPT, AGAIN) == 1:
            break
        if "is not a legal action" in game.text:
            game.child.sendline("1")
            game.until(AGAIN)
            break
    assert f"{player} plays " in game.text
    assert "The game is a draw (0)." in game.text
    game.child.sendline("no")
    assert game.end() == 0


@pytest.mark.parametrize(
    ("board", "replies", "searches", "values", "result"),
    [
        ((4, 5, 3), "2143", 3, {22222}, "The winner is Red (MAX): alpha-beta."),
        ((4, 4, 4), "3023312", 4, {0, 10666}, "The winner is Red (MAX): alpha-beta."),
    ],
)
def test_the_published_games(
    board: tuple[int, int, int],
    replies: str,
    searches: int,
    values: set[int],
    result: str,
    terminal: Callable[..., Terminal],
):
    rows, columns, run = board
    parameters = ["-p", f"rows={rows}", "-p", f"columns={columns}", "-p", f"run={run}"]
    game = terminal("play", "connect", *parameters, "--max", "alpha-beta", "--min", "human", "--handout")
    game.until(PROMPT)
    for reply in replies[:-1]:
        game.say(reply)
    game.say(replies[-1], until=AGAIN)
    assert game.text.count("Searching again from here.") == searches
    shown = [int(value) for value in re.findall(r"Minimax value for this state: (-?\d+)", game.text)]
    assert len(shown) == 2 * len(replies) + 1
    assert set(shown) == values
    assert shown[-1] == max(values)
    assert result in game.text


def test_before_the_game_its_cost_and_who_wins_are_told(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--min", "alpha-beta", "--handout")
    game.until(PROMPT)
    assert re.search(
        r"Searched for \d+\.\d\d seconds: 206 states in the table, [\d,]+ nodes, 149 prunings, maximum depth 9\.",
        game.text,
    )
    assert "Neither player has a guaranteed win" in game.text


def test_a_timed_search_reports_depth_nodes_and_prunings(terminal: Callable[..., Terminal]):
    game = terminal("play", "connect", "--max", "timed", "--depth", "2", "--min", "human")
    game.until(PROMPT)
    assert re.search(
        r"cutoff level 2, maximum depth 2, [\d,]+ nodes, [\d,]+ prunings in MAX-VALUE, [\d,]+ prunings in MIN-VALUE\.",
        game.text,
    )


def test_a_heuristic_search_tells_how_large_its_table_is_after_each_move(process: Callable[..., Any]):
    ran = process("play", *THREE, "--min", "heuristic", "--depth", "3", "--handout", lines="1\nquit\n")
    sizes = re.findall(r"prunings in MIN-VALUE, ([\d,]+) states in the table\.", ran.out)
    game = connect(3, 3, 3)
    for state, size in zip((game.initial, game.replay([1])), sizes, strict=False):
        table: dict[Any, Any] = {}
        alpha_beta_heuristic_search(game, state, -inf, inf, 0, table, depth_limit(3))
        assert int(size.replace(",", "")) == len(table)
    assert len(sizes) >= 2


# --- questions


def test_questions_have_defaults(terminal: Callable[..., Terminal]):
    game = terminal("play")
    for question, default in [
        ("Which game", "connect"), ("rows", "6"), ("columns", "7"), ("run", "4"), ("Which algorithm.*", "timed"),
        ("Which level.*", "hard"), ("Who moves first.*", "you"), ("Show the table.*", "n"),
    ]:  # fmt: skip
        game.until(rf"{question}\?[^\n]*{default}[^\n]*\] ?")
        game.child.sendline("")
    game.until(PROMPT)
    assert "It is the turn of Red (MAX): human." in game.text
    assert ". . . . . . .\n0 1 2 3 4 5 6" in game.text
    game.child.sendline("quit")
    assert game.end() == 0
    assert game.text.rstrip().endswith("Goodbye.")


def test_wrong_answers_are_asked_again(terminal: Callable[..., Terminal]):
    game = terminal("play")
    game.until("Which game")
    for answer, reply, question in [
        ("conect", "did you mean connect", "Which game"),
        ("connect", "", "rows"),
        ("many", "The parameter rows is 'many'", "rows"),
        ("99", "must be a whole number from 1 to 31", "rows"),
        ("12", "", "columns"),
        ("12", "", "run"),
        ("3", "12 rows and 12 columns is too large to hold", "rows"),
        ("3", "", "columns"),
        ("3", "", "run"),
        ("3", "", "Which algorithm"),
        ("magic", "'magic' is none of minimax", "Which algorithm"),
        ("heuristic", "", "heuristic, sound, or heuristic, exactly as in the handout"),
        ("letter", "'letter' is none of sound, handout", "heuristic, sound"),
        ("", "", "Which level"),
        ("superb", "'superb' is none of easy, medium, hard, own", "Which level"),
        ("own", "", "How many plies"),
        ("0", "The depth is 0", "How many plies"),
        ("two", "'two' is not a number", "How many plies"),
        ("2", "", "Who moves first"),
        ("nobody", "'nobody' is none of you, computer", "Who moves first"),
        ("comp", "", "Show the table"),
        ("perhaps", "'perhaps' is none of yes, no", "Show the table"),
    ]:
        assert reply in game.say(answer, until=rf"\n{question}[^\n]*\]")
    game.say("yes")
    assert "heuristic plays" in game.text
    assert "It is the turn of Yellow (MIN): human." in game.text


def asked_to_play(process: Callable[..., Any], *answers: str, options: tuple[str, ...] = ()) -> str:
    """What is printed where connect on 3x3 is set up by these answers, and then left."""
    lines = "\n".join(["connect", "3", "3", "3", *answers, "you", "no", "quit"])
    ran = process("play", *options, lines=f"{lines}\n")
    assert (ran.status, ran.err) == (0, "")
    return ran.out


@pytest.mark.parametrize(("table", "states", "prunings"), [("sound", 325, 132), ("handout", 206, 149)])
def test_the_dialogue_offers_alpha_beta_sound_and_as_in_the_handout(
    table: str, states: int, prunings: int, process: Callable[..., Any]
):
    out = asked_to_play(process, "alpha-beta", table)
    assert "alpha-beta, sound, or alpha-beta, exactly as in the handout" in out
    assert "takes some bounds for values" in out
    assert f"{states} states in the table, " in out
    assert f"{prunings} prunings" in out


def test_the_dialogue_asks_for_a_level_where_there_are_levels(process: Callable[..., Any]):
    assert "cutoff level 2" in asked_to_play(process, "heuristic", "sound", "easy")
    assert "cutoff level 3" in asked_to_play(process, "heuristic", "sound", "own", "3")
    assert "Which level" not in asked_to_play(process, "minimax")
    assert "Which level" not in asked_to_play(process, "heuristic", options=("--depth", "2", "--handout"))


def test_a_parameter_given_wrong_is_not_asked_about_for_ever(process: Callable[..., Any]):
    ran = process("play", "-p", "rows=99", lines="connect\n" + "\n" * 50)
    assert (ran.status, ran.err) == (1, "zermelo: The parameter rows is 99; it must be a whole number from 1 to 31.\n")


# --- commands at the prompt


def test_hint_undo_table_help_and_quit(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--min", "minimax")
    game.until(PROMPT)
    assert re.search(r"Hint: [012]\n", game.say("hint"))
    assert "no move of yours to take back" in game.say("undo")
    assert "save FILE" in game.say("help")
    assert "minimax: 694 states in the table" in game.say("table")
    assert "X" in game.say("1").split("minimax plays")[1]
    back = game.say("undo")
    assert ". . .\n. . .\n. . .\n0 1 2" in back
    assert "It is the turn of Red (MAX): human." in back
    game.child.sendline("quit")
    assert game.end() == 0
    assert "Play again" not in game.text


def test_no_table_to_show(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--min", "random")
    game.until(PROMPT)
    assert "No player here has a table." in game.say("table")


@pytest.mark.parametrize("text", ["9", "x", "-1", "0 0", "move 1", "QUIT", "½"])
def test_a_move_that_will_not_do_is_asked_again(text: str, process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines=f"1\n{text}\nquit\n", PYTHONUTF8="1")
    assert f"{text!r} is not a legal action here; legal are 0, 1, 2." in ran.out
    assert ran.out.count("Your move") == 3
    assert ran.out.count(". X .") == 1
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("encoding", ["utf-8:strict"])
def test_bytes_that_are_no_text_are_asked_again(encoding: str, process: Callable[..., Any]):
    ran = process(
        "play", *THREE, "--max", "human", "--min", "human", lines=b"1\n\xff\xfe\nquit\n", PYTHONIOENCODING=encoding
    )
    assert (ran.status, ran.err) == (0, "")
    assert "is not a legal action here" in ran.out
    assert ran.out.count("Your move") == 3


def test_save_and_resume(process: Callable[..., Any], tmp_path: Path):
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines="1\n1\nsave my game.json\nquit\n")
    assert "Saved to my game.json; zermelo play --resume my game.json goes on." in ran.out
    back = process("play", "--resume", "my game.json", lines="0\n2\nquit\n")
    assert back.status == 0
    boards = re.findall(r"(?:[.XO] [.XO] [.XO]\n){3}", back.out)
    assert boards[0] == ". . .\n. O .\n. X .\n"
    assert boards[-1] == ". . .\n. O .\nX X O\n"
    assert [path.name for path in tmp_path.iterdir()] == ["my game.json"]


def test_a_game_from_a_position_is_saved_and_resumed(process: Callable[..., Any]):
    start = ("--position", "...|.O.|.X.")
    ran = process("play", *THREE, *start, "--max", "human", "--min", "human", lines="0\nsave game.json\nquit\n")
    assert (ran.status, ran.err) == (0, "")
    back = process("play", "--resume", "game.json", lines="2\n")
    boards = re.findall(r"(?:[.XO] [.XO] [.XO]\n){3}", back.out)
    assert boards[0] == ". . .\n. O .\nX X .\n"
    assert "--position '...|.O.|.X.' --moves 0,2" in back.out
    both = process("play", "--resume", "game.json", *start)
    assert (both.status, "--position goes without --resume" in both.err) == (1, True)


def test_a_resumed_game_keeps_its_players_unless_told(process: Callable[..., Any]):
    process("play", *THREE, "--max", "human", "--min", "heuristic:easy", lines="save game.json\nquit\n")
    assert "heuristic:easy plays" in process("play", "--resume", "game.json", lines="1\nquit\n").out
    assert "random plays" in process("play", "--resume", "game.json", "--min", "random", lines="1\nquit\n").out


def test_a_damaged_record_is_not_resumed(process: Callable[..., Any], tmp_path: Path):
    process("play", *THREE, "--max", "human", "--min", "human", lines="1\nsave game.json\nquit\n")
    path = tmp_path / "game.json"
    path.write_text(path.read_text().replace('"1"', '"2"'))
    ran = process("play", "--resume", "game.json")
    assert (ran.status, ran.err) == (
        1, "zermelo: game.json is damaged: its checksum does not match what it holds.\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("save", "Say where to save the game: save FILE."),
        ("save no/such/folder/x", "cannot be saved to no/such/folder/x"),
        ("save ~no_such_person_1/x", "cannot be saved to ~no_such_person_1/x"),
    ],
)
def test_a_game_that_cannot_be_saved_goes_on(command: str, words: str, process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines=f"1\n{command}\n2\nquit\n")
    assert words in ran.out
    assert ". X O" in ran.out
    assert (ran.status, ran.err) == (0, "")


# --- leaving


def test_control_c_at_the_prompt_shows_the_game(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--max", "human", "--min", "human")
    game.until(PROMPT)
    game.say("1")
    assert game.interrupt() == 130
    assert ". X .\n0 1 2\nInterrupted. Moves so far: 1." in game.text
    assert "Traceback" not in game.text


@pytest.mark.parametrize("player", ["minimax", "timed"])
def test_control_c_in_mid_search_shows_the_game(player: str, terminal: Callable[..., Terminal]):
    game = terminal("play", "connect", "--max", player, "--min", "human", "--moves", "3,3", "--seconds", "600")
    game.until(r"thinking: [1-9]")
    game.child.sendintr()
    assert game.end() == 130
    assert re.search(
        r"\. \. \. O \. \. \.\n\. \. \. X \. \. \.\n0 1 2 3 4 5 6\nInterrupted\. Moves so far: 3,3\.", game.text
    )
    assert "Traceback" not in game.text


def test_control_c_among_the_questions(terminal: Callable[..., Terminal]):
    game = terminal("play")
    game.until("Which game")
    assert game.interrupt() == 130
    assert "Traceback" not in game.text


def test_control_c_is_heard_even_if_the_tests_run_in_the_background(terminal: Callable[..., Terminal]):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does
    try:
        game = terminal("play")
    finally:
        signal.signal(signal.SIGINT, before)
    game.until("Which game")
    assert game.interrupt() == 130


def test_the_end_of_input_shows_the_game(process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines="1\n2\n")
    assert ran.status == 1
    assert ". X O\n0 1 2\nInput ended before the game did. Moves so far: 1,2." in ran.out
    assert "Traceback" not in ran.err


def test_a_closed_input_is_one_at_its_end():
    command = [sys.executable, "-m", "zermelo", "play", *THREE, "--max", "human", "--min", "random"]
    line = f"{shlex.join(command)} <&-"
    ran = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False, text=True, timeout=PATIENCE)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.endswith("Input ended before the game did. Moves so far: none.\n")


def test_the_end_of_input_before_the_first_move(process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "human", "--min", "human")
    assert ran.status == 1
    assert "Moves so far: none." in ran.out


def test_the_end_of_input_among_the_questions(process: Callable[..., Any]):
    ran = process("play", lines="connect\n")
    assert ran.status == 1
    assert ran.err == "zermelo: Input ended before the questions did; zermelo play GAME asks none.\n"


def test_control_d_at_the_prompt(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--max", "human", "--min", "human")
    game.until(PROMPT)
    game.child.sendeof()
    assert game.end() == 1
    assert "Input ended before the game did." in game.text


@pytest.mark.parametrize(("answer", "games"), [("yes", 2), ("y", 2), ("no", 1), ("", 1)])
def test_play_again(answer: str, games: int, process: Callable[..., Any]):
    moves = "0\n1\n0\n1\n0\n"
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines=f"{moves}{answer}\n{moves}no\n")
    assert ran.out.count("The winner is Red (MAX): human.") == games
    assert (ran.status, ran.err) == (0, "")


def test_play_again_asks_until_it_understands(process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "human", "--min", "human", lines="0\n1\n0\n1\n0\nperhaps\nno\n")
    assert ran.out.count("Play again?") == 2


# --- without a person


def test_two_programs_play_one_game(process: Callable[..., Any]):
    ran = process("play", *THREE, "--max", "minimax", "--min", "alpha-beta")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.rstrip().endswith("The game is a draw (0).")
    assert "Play again" not in ran.out


def test_random_games_repeat_with_their_seed(process: Callable[..., Any]):
    def moves(seed: int) -> list[str]:
        ran = process("play", "connect", "--max", "random", "--min", "random", "--seed", str(seed))
        return re.findall(r"random plays (\d)", ran.out)

    assert moves(1) == moves(1) != moves(2)


def test_a_game_without_eval_finds_an_opponent(process: Callable[..., Any], tmp_path: Path):
    text = "from dataclasses import replace\nfrom zermelo.games import tictactoe\n"
    (tmp_path / "mine.py").write_text(text + "game = replace(tictactoe(), evaluate=None)\n")
    ran = process("play", "mine.py", lines="b2\nquit\n")
    assert (ran.status, ran.err) == (0, "")
    assert "alpha-beta plays" in ran.out


@pytest.mark.parametrize("arguments", [["play", *THREE, "--min", "minimax"], ["search", "tictactoe"], ["games"]])
def test_piped_output_holds_no_escape_codes(arguments: list[str], process: Callable[..., Any]):
    ran = process(*arguments, lines="1\nhelp\nquit\n", TERM="xterm-256color")
    assert (ran.status, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "thinking" not in ran.out


def test_a_terminal_gets_colour(terminal: Callable[..., Terminal]):
    game = terminal("play", *THREE, "--max", "human", "--min", "human")
    game.until(PROMPT)
    game.say("1")
    assert "\x1b[1;31mX" in game.raw


@pytest.mark.parametrize(
    ("seats", "players"),
    [
        ([], ("human", "timed")),
        (["--max", "random"], ("random", "human")),
        (["--min", "random"], ("human", "random")),
        (["--min", "human"], ("timed", "human")),
    ],
    ids=lambda item: " ".join(item),
)
def test_a_person_takes_the_seat_that_was_left_open(seats, players, process):
    ran = process("play", *THREE, *seats, "--depth", "1", lines="0\n")
    assert f"It is the turn of Red (MAX): {players[0]}." in ran.out
    assert f"It is the turn of Yellow (MIN): {players[1]}." in ran.out


# --- positions that come back

BACK = """
from dataclasses import replace
from zermelo import Game
from zermelo.games import checkers

def kings() -> Game:
    game = checkers()
    return replace(game, initial=game.from_text("B:WK32:BK1"))
"""


def test_a_position_that_comes_back_ends_the_game_and_the_program_says_so(process: Callable[..., Any], tmp_path: Path):
    (tmp_path / "kings.py").write_text(BACK)
    ran = process(
        "play", "kings.py", "--max", "human", "--min", "human", "--moves", "1-6,32-27", lines="6-1\n27-32\nn\n"
    )
    assert ran.status == 0
    assert "This position has come back: it was met after 0 moves. The game is a draw (0)." in ran.out
    assert ran.out.count("It is the turn of") == 2


def test_no_move_can_follow_a_position_that_came_back(process: Callable[..., Any], tmp_path: Path):
    (tmp_path / "kings.py").write_text(BACK)
    moves = "1-6,32-27,6-1,27-32,1-6"
    ran = process("play", "kings.py", "--max", "human", "--min", "human", "--moves", moves)
    assert (ran.status, ran.err) == (1, "zermelo: The game is over: the position is that after 0 moves again.\n")


@pytest.mark.parametrize("command", ["search oware --algorithm", "play oware --max random --min"])
@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_searches_that_would_go_round_for_ever_are_refused_at_once(
    command: str, algorithm: str, process: Callable[..., Any]
):
    ran = process(*command.split(), algorithm)
    assert ran.status == 1
    assert ran.err == (
        f"zermelo: Positions of the game 'oware' can come back, and {algorithm}, which searches every line to its end, "
        "would go round for ever; use heuristic, path or timed, which look so far ahead, or the engine.\n"
    )


def test_moves_with_spaces_are_said_so_that_they_can_be_gone_on_with(process: Callable[..., Any], tmp_path: Path):
    file = tmp_path / "spoken.py"
    file.write_text(SPOKEN)
    start = ("play", str(file), "--max", "human", "--min", "human")
    said = process(*start, lines="1 from A\n").out
    moves = re.search(r"To go on: --moves (\S+)$", said.rstrip())
    assert moves is not None, said
    assert process(*start, "--moves", moves[1]).out.rstrip().endswith(f"To go on: --moves {moves[1]}")
