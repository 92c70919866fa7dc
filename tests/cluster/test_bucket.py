"""A table in a bucket: solved into it, gone on with, probed without being copied; and buckets that cannot be used."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import s3fs
from moto.server import ThreadedMotoServer

from clusters import SHARED, cluster_of, same_entries
from running import PATIENCE
from zermelo import make_game, solve
from zermelo.cluster.solve import solve_on_cluster
from zermelo.errors import TableError
from zermelo.solver.table.stores import Bucket
from zermelo.solver.table.table import Table

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket on a server of this machine, which workers find by their environment."""
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().makedirs("games", exist_ok=True)
    yield "s3://games"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    line = [sys.executable, "-m", "zermelo", *arguments]
    return subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.slow
def test_solved_into_a_bucket(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("connect", {"rows": "4", "columns": "4"})
    whole = solve(game, tmp_path / "table")
    with cluster_of(1):  # which in a folder would need no shards
        _, solved = solve_on_cluster(make_game("tictactoe"), f"{bucket}/tictactoe", memory_gb=SHARED)
        assert (solved.nodes, solved.shards) == (1, 2)
    with cluster_of(2):
        table, solved = solve_on_cluster(game, f"{bucket}/connect", memory_gb=SHARED, shards=3, whole=20)
    assert table.manifest["shards"] == 3
    assert (solved.value, solved.remoteness, solved.positions) == (0, 16, 161_029)
    assert same_entries(game, whole, table)
    assert not s3fs.S3FileSystem().find("games/connect/work")

    read: list[int] = []
    piece = Bucket.piece

    def counting(self: Bucket, name: str, begin: int, end: int) -> bytes:
        read.append(end - begin)
        return piece(self, name, begin, end)

    monkeypatch.setattr(Bucket, "piece", counting)
    probed = Table(f"{bucket}/connect")
    state = game.replay([0, 1, 2, 3, 0, 1])
    assert probed[state] == whole[state]
    assert 0 < sum(read) < solved.bytes / 8
    assert probed.moves(state) == whole.moves(state)
    states = [game.initial, state, game.replay([3, 3, 3])]
    assert probed.values(states).tolist() == whole.values(states).tolist()
    assert probed.get(game.initial._replace(mover=1)) is None

    # Every tool reads it where it is.
    assert json.loads(command("probe", f"{bucket}/connect", "--moves", "3,3,3", "--json").stdout)["value"] == 0
    assert "agree with their successors" in command("verify", f"{bucket}/connect", "--sample", "500").stdout
    assert "161,029" in command("census", f"{bucket}/connect").stdout
    missing = command("probe", f"{bucket}/nothing")
    assert (missing.returncode, missing.stderr) == (
        1, f"zermelo: {bucket}/nothing holds no solved table; it has no manifest.json.\n"
    )  # fmt: skip

    # A finished table is opened as it is, and shards in a folder are read by everyone.
    again, _ = solve_on_cluster(game, f"{bucket}/connect", memory_gb=SHARED)
    assert again[state] == whole[state]


def test_buckets_that_cannot_be_used(bucket: str) -> None:
    game = make_game("tictactoe")
    with pytest.raises(TableError, match=r"s3://nowhere/t cannot be used: .*bucket does not exist"):
        solve_on_cluster(game, "s3://nowhere/t")
    with pytest.raises(TableError, match="nothing://games cannot be reached: Protocol not known: nothing"):
        solve_on_cluster(game, "nothing://games")
    with pytest.raises(TableError, match="holds no solved table"):
        Table(f"{bucket}/nothing")
    ask_for_rights("0")
    try:
        with pytest.raises(TableError, match="no permission"):
            solve_on_cluster(game, f"{bucket}/tictactoe")
    finally:
        ask_for_rights("inf")


def ask_for_rights(after: str) -> None:
    """Have the server ask for rights after so many requests."""
    url, text = f"{os.environ['AWS_ENDPOINT_URL']}/moto-api/reset-auth", {"Content-Type": "text/plain"}
    urlopen(Request(url, data=after.encode(), headers=text, method="POST")).close()
