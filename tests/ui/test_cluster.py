"""The commands on a cluster, as people call them; and what they say where there is none."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from running import PATIENCE, interruptible
from zermelo import make_game
from zermelo.engine import Engine
from zermelo.solver.table.table import Table


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "zermelo", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, env={**os.environ, **environment}
    )


@pytest.mark.slow
def test_solve_and_analyse(tmp_path: Path) -> None:
    out = tmp_path / "table"
    board = ("connect", "-p", "rows=3", "-p", "columns=4")
    found = run(
        "solve", *board, "--out", str(out), "--cluster", "local", "--workers", "2", "--shards", "3",
        "--memory-gb", "1", "--json",
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (0, "")
    said = json.loads(found.stdout)
    assert (said["nodes"], said["shards"], said["positions"]) == (1, 3, len(Table(out)))
    assert said["exchanged_bytes"] > 0

    foreseen = run("solve", *board, "--estimate", "--cluster", "local", "--workers", "2", "--json")
    assert (foreseen.returncode, foreseen.stderr) == (0, "")
    estimate = json.loads(foreseen.stdout)
    assert (estimate["nodes"], estimate["shards"], estimate["positions"]) == (1, 1, said["positions"])
    assert estimate["machine_hours"] == pytest.approx(estimate["seconds"] / 3600)
    assert said["exchanged_bytes"] / 4 < estimate["exchanged_bytes"] < said["exchanged_bytes"] * 4
    assert estimate["crossed_bytes"] == 0 < estimate["node_bytes"]

    few = run("solve", *board, "--out", str(tmp_path / "few"), "--cluster", "local", "--workers", "2",
              "--memory-gb", "0.3")  # fmt: skip
    assert few.returncode == 1
    assert re.fullmatch(
        r"zermelo: memory_gb is 0\.30; the workers of a node and its object store take more with nothing to do: "
        r"give it at least 0\.\d\d\.\n",
        few.stderr,
    )

    found = run("analyse", *board, "--cluster", "local", "--prove", "--json", "--table-mb", "16")
    assert found.returncode == 0, found.stderr
    said = json.loads(found.stdout)
    proof = Engine(make_game("connect", {"rows": "3", "columns": "4"})).prove()
    assert (said["value"], said["proven"]) == (proof.value, True)


@pytest.mark.slow
def test_many_positions(tmp_path: Path) -> None:
    """In order, resumable, refused where the file is of another request, and the same without a cluster."""
    game = make_game("connect", {"rows": "4", "columns": "4"})
    lines = [f"{a},{b},{c}" for a in range(4) for b in range(4) for c in range(3)]
    file, out = tmp_path / "positions.txt", tmp_path / "results.jsonl"
    file.write_text("\n".join(lines) + "\n")
    command = ("analyse", "connect", "-p", "rows=4", "-p", "columns=4", "--positions", str(file), "--prove",
               "--cluster", "local", "--table-mb", "16")  # fmt: skip
    found = run(*command, "--out", str(out))
    assert found.returncode == 0, found.stderr
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["position"] for record in records] == lines
    engine = Engine(game)
    for record in records:
        state = game.replay([int(move) for move in record["position"].split(",")])
        assert record["result"]["value"] == engine.prove(state).value

    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])  # as a kill leaves it, in the middle of a line
    found = run(*command, "--out", str(out))
    assert found.returncode == 0, found.stderr
    again = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(record["position"], record["result"]["value"]) for record in again] == [
        (record["position"], record["result"]["value"]) for record in records
    ]
    assert int(found.stdout.split()[2]) >= len(lines) // 3
    found = run(*command, "--out", str(out), "--seconds", "9")
    assert found.returncode == 1
    assert "line 1, is no result of this request" in found.stderr

    alone = [word for word in command if word not in ("--cluster", "local")]
    found = run(*alone, "--out", str(tmp_path / "results.arrow"))
    assert found.returncode == 0, found.stderr
    table = pa.ipc.open_file(tmp_path / "results.arrow").read_all()
    assert table.column("position").to_pylist() == lines
    assert table.column("value").to_pylist() == [record["result"]["value"] for record in records]


@pytest.mark.slow
def test_learn(tmp_path: Path) -> None:
    """Ctrl-C keeps what was learned, and the same command goes on, also on this machine alone."""
    out = tmp_path / "ttt.eval"
    command = ("learn", "mnk", "--out", str(out))
    cluster = ("--cluster", "local", "--workers", "2")
    with interruptible():
        learning = subprocess.Popen(
            [sys.executable, "-m", "zermelo", *command, *cluster, "--games", "1000000"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
    try:
        assert learning.stderr is not None
        assert learning.stderr.readline().endswith("; workers: 2\n"), "a tenth is done"
        learning.send_signal(signal.SIGINT)
        _, said = learning.communicate(timeout=PATIENCE)
    finally:
        learning.kill()
    assert learning.returncode == 130, said
    assert re.search(r"Stopped after [\d,]+ games\. .* holds what is learned; the same command goes on\.", said), said
    found = run(*command, *cluster, "--games", "2000", "--json")
    assert (found.returncode, found.stderr) == (0, "")
    told = json.loads(found.stdout)
    assert told["workers"] == 2 == told["steps"][0]["players"]
    assert told["games"] > 2000
    found = run(*command, "--games", "1000", "--threads", "1")
    assert found.returncode == 0, found.stderr
    assert f"{told['games'] + 1000:,}" in found.stdout


def test_bad_weather(tmp_path: Path) -> None:
    """One clear sentence each."""
    (tmp_path / "ray.py").write_text("raise ImportError('no ray here')\n")
    hidden = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    found = run("solve", "tictactoe", "--out", str(tmp_path / "t"), "--cluster", "auto", PYTHONPATH=hidden)
    assert found.returncode == 1
    assert found.stderr == "zermelo: Ray is not installed, which clusters need; pip install 'zermelo[cluster]'.\n"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    found = run("solve", "tictactoe", "--out", str(tmp_path / "t"), "--cluster", address)
    assert found.stderr == f"zermelo: No cluster answers at {address}: Connection refused.\n"
    found = run("learn", "mnk", "--out", str(tmp_path / "e"), "--cluster", "auto", PYTHONPATH=hidden)
    assert found.returncode == 1
    assert found.stderr == "zermelo: Ray is not installed, which clusters need; pip install 'zermelo[cluster]'.\n"
    found = run("analyse", "tictactoe", "--prove", "--cluster", "nonsense")
    assert found.stderr == "zermelo: 'nonsense' is no address of a cluster; it must be auto, local or HOST:PORT.\n"
    found = run("analyse", "tictactoe", "--cluster", "local")
    assert found.stderr.startswith("zermelo: On a cluster one position is proven: --cluster goes with --prove")
    found = run("solve", "tictactoe", "--out", str(tmp_path / "t"), "--shards", "4")
    assert found.stderr.startswith("zermelo: --shards goes with --cluster")
    positions = tmp_path / "positions.txt"
    positions.write_text("0\n0,0\n")
    found = run("analyse", "tictactoe", "--positions", str(positions), "--out", str(tmp_path / "out.jsonl"))
    assert found.stderr.startswith(f"zermelo: {positions}, line 2: '0,0' is no position of tictactoe: ")
    found = run("analyse", "tictactoe", "--positions", str(positions))
    assert found.stderr.startswith("zermelo: Say where the results go")
