"""Foreign programs: what they answer, each mistake that they can make, and that nothing of them is left."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from running import wait_until
from zermelo.errors import BadParameter
from zermelo.games import tictactoe
from zermelo.lab import TimeControl, play_match
from zermelo.lab.clocks import Clocks
from zermelo.lab.competitors import PlayerCompetitor, make_competitor
from zermelo.play import make_player
from zermelo.protocol.clients import client
from zermelo.protocol.commands import Go
from zermelo.protocol.competitor import Competitor, Fault
from zermelo.protocol.process import Limits, Process, split_command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs need a POSIX system")
GAME = tictactoe()
STATES = [GAME.initial, GAME.replay([0]), GAME.replay([0, 3])]
QUICK = Limits(memory_mb=128, start_seconds=20.0, move_seconds=0.2)


@pytest.fixture
def script(tmp_path):
    """The faulty program at a place of its own, by which its processes are found."""
    return Path(shutil.copy(Path(__file__).with_name("faulty.py"), tmp_path / "faulty.py"))


def left(script):
    """The processes that run a script."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(script).encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def competitor(script, mistake, limits=QUICK, log=None) -> Competitor:
    command = shlex.join([sys.executable, "-I", "-S", str(script), mistake])
    return make_competitor(f"program:{command}", GAME, limits=limits, log=log)


def test_a_program_plays(script):
    program = competitor(script, "none")
    program.new_game(0)
    answer = program.choose(STATES, [0, 3], Go(move_time=1000))
    assert (answer.action, answer.score, answer.depth, answer.nodes) == (1, 3, 1, 9)
    assert 0 < answer.seconds < 1
    program.close()
    assert left(script) == []


@pytest.mark.parametrize(
    ("mistake", "kind", "sentence"),
    [
        ("hang", "hang", "did not answer in time"),
        ("crash", "crash", "ended with status 1: RuntimeError: the program divides by nothing"),
        ("illegal", "illegal", "'99' is not a legal action"),
        ("nothing", "protocol", "bestmove without a move"),
        ("flood", "flood", "writes more than anybody reads|wrote much"),
        ("endless_line", "flood", "writes more than anybody reads"),
        ("complain", "crash", "ended with status 1"),
        ("close", "crash", "closed its output"),
        ("wrong_encoding", "hang", "did not answer in time"),
        ("fork", "crash", "ended with status 1"),
        ("eat_memory", "crash", "MemoryError"),
        ("kill_supervisor", "crash", "was ended by SIGKILL"),
    ],
)
def test_a_mistake_is_a_fault_nothing_is_left_and_the_next_game_goes_on(script, mistake, kind, sentence):
    program = competitor(script, mistake)
    program.new_game(0)
    assert program.choose(STATES[:1], [], Go(move_time=500)).action == 0
    with pytest.raises(Fault, match=sentence) as fault:
        program.choose(STATES, [0, 3], Go(move_time=20))
    assert fault.value.kind == kind
    wait_until(lambda: left(script) == [], 10)
    with pytest.raises(Fault, match="is not running"):
        program.choose(STATES, [0, 3], Go(move_time=20))
    program.new_game(1)
    assert program.choose(STATES[:1], [], Go(move_time=500)).action == 0
    program.close()
    assert left(script) == []


def test_a_program_may_be_as_late_as_the_margin_says(script, monkeypatch):
    monkeypatch.setattr(client, "SLACK", 0.1)
    monkeypatch.setattr(client, "LAST_CHANCE", 0.1)
    program = competitor(script, "late")
    program.new_game(0)
    assert program.choose(STATES, [0, 3], Go(move_time=20, margin=60_000)).action == 1
    with pytest.raises(Fault, match="did not answer in time"):
        program.choose(STATES, [0, 3], Go(move_time=20))
    assert Clocks(TimeControl(move_seconds=1, margin=60)).go().margin == 60_000


def test_a_slow_start_is_a_fault(script):
    program = competitor(script, "slow_start", Limits(start_seconds=0.5))
    with pytest.raises(Fault, match="neither ugiok nor uciok") as fault:
        program.new_game(0)
    assert fault.value.kind == "start"
    assert left(script) == []


def test_no_more_than_a_megabyte_of_complaints_is_kept(script, tmp_path):
    log = tmp_path / "errors.log"
    program = competitor(script, "complain", log=log)
    program.new_game(0)
    with pytest.raises(Fault):
        program.choose(STATES, [0, 3], Go(move_time=2000))
    assert log.stat().st_size == 1 << 20


def test_programs_end_with_zermelo_even_if_it_is_killed(script):
    command = [sys.executable, "-I", "-S", str(script), "none"]
    code = f"from zermelo.protocol.process import Process; Process({command}).read(1e9)"
    with subprocess.Popen([sys.executable, "-c", code]) as ours:
        wait_until(lambda: len(left(script)) == 3)  # ours, the supervisor and the program
        ours.send_signal(signal.SIGKILL)
    wait_until(lambda: left(script) == [], 10)


def test_another_thread_can_stop_a_program_that_is_waited_for(script):
    from threading import Timer

    program = competitor(script, "hang", Limits(move_seconds=100))
    program.new_game(0)
    Timer(0.3, program.close).start()
    began = time.monotonic()
    with pytest.raises(Fault):
        program.choose(STATES, [0, 3], Go())
    assert time.monotonic() - began < 20
    assert left(script) == []


def test_a_program_runs_in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "where.py").write_text("import os\nprint(os.getcwd(), flush=True)\ninput()\n")
    words = split_command("sh -c 'exit 3'")
    assert words[1:] == ["-c", "exit 3"]
    assert split_command("sh where.py where.py:old other.py:old")[1:] == [
        str(tmp_path / "where.py"),
        str(tmp_path / "where.py:old"),
        "other.py:old",
    ]
    with Process(split_command(shlex.join([sys.executable, "where.py"]))) as process:
        folder = Path(process.read(time.monotonic() + 20))
    assert folder != tmp_path
    assert not folder.exists()


def test_commands_that_cannot_be():
    for command, sentence in (
        ("", "needs a command"),
        ("'", "cannot be read"),
        ("no-such-program-anywhere x", "There is no program 'no-such-program-anywhere'"),
    ):
        with pytest.raises(BadParameter, match=sentence):
            make_competitor(f"program:{command}", GAME)
    with pytest.raises(BadParameter, match="is no option"):
        make_competitor("program[Hash]:sh", GAME)
    with pytest.raises(BadParameter, match="A person cannot"):
        make_competitor("human", GAME)
    with pytest.raises(BadParameter, match="There is no file"):
        make_competitor("nowhere.py", GAME)


def test_a_match_goes_on_after_every_mistake(script):
    """The faulty program loses each game by its mistake, is started again for the next one, and nothing is left."""
    control = TimeControl(move_seconds=0.05, margin=5.0)
    for mistake in ("fork", "illegal", "hang"):
        result = play_match(
            GAME,
            lambda: PlayerCompetitor(make_player("random", GAME)),
            lambda mistake=mistake: competitor(script, mistake),
            games=2,
            openings=[(0,)],
            control=control,
        )
        assert result.wins == len(result.games)
        kind = "crash" if mistake == "fork" else mistake
        assert {game.ending for game in result.games} == {kind}
        assert all(kind != "illegal" or "'99' is not a legal action" in game.reason for game in result.games)
    assert left(script) == []
