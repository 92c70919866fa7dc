"""Analysing many positions, in this process or on a cluster. A file receives the results, in the positions' order.

The file has a line of JSON for each position. If the caller wants an Arrow file, it is made from these lines when all
positions are done. After a run that was stopped, the same call keeps the complete lines and continues after them.
"""

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from zermelo.cluster.connect import RETRIES, connected, imported, processors
from zermelo.cluster.source import GameSource, source_of
from zermelo.compiled.game import compiled
from zermelo.compiled.states import flatten, load_state
from zermelo.errors import BadParameter, ClusterError
from zermelo.files import write_whole
from zermelo.game import Game, State

_CHUNK: Final = 8
"""The number of positions in one task."""
_AHEAD: Final = 4
"""Tasks for each processor that are started before the first result is awaited."""
_ARROW: Final = (".arrow", ".feather")
Limits = dict[str, Any]
"""The limits of an analysis by name: ``prove``, ``seconds``, ``depth``, ``nodes`` and ``table_mb``."""


def analyse_positions(
    game: Game,
    positions: Sequence[tuple[str, State]],
    out: Path,
    limits: Limits,
    *,
    cluster: str | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Analyse positions, and write the results to a file.

    Parameters
    ----------
    game
        The rules.
    positions
        Pairs of a text and the position that it describes.
    out
        The file to write: JSON lines, or an Arrow file if its name ends in ``.arrow`` or ``.feather``.
    limits
        The limits of each analysis: ``prove`` (whether to prove the value), ``seconds``, ``depth`` (in plies),
        ``nodes``, and ``table_mb`` (the engine's table, in MiB).
    cluster, workers
        As in `zermelo.cluster.solve.solve_on_cluster`. Without a cluster, this process analyses one position after the
        other.
    progress
        Called with the number of positions that are done and the number of all positions.

    Returns
    -------
    int
        The number of positions that an earlier run had done.

    Raises
    ------
    BadParameter
        The file holds results of other positions, or of another game or other limits; or the Arrow file exists already.
    ClusterError
        The cluster cannot be joined, or it failed; the same call continues after the results in the file.
    NotCompilable
        The game's rules cannot become machine code.
    OSError
        The file cannot be read or written.
    """
    arrow = out.suffix in _ARROW
    lines = out.with_name(out.name + ".jsonl") if arrow else out
    asked = {"game": repr(game), "rules": game.fingerprint, "limits": limits}
    if arrow and out.exists() and not lines.exists():
        raise BadParameter(f"{out} is there already; delete it, or choose another name.")
    done = _resume(lines, positions, asked)
    with lines.open("a", encoding="utf-8") as file:
        if done < len(positions):
            with nullcontext() if cluster is None else connected(cluster, workers, 1 << 30):
                count = done
                analyses = _one_by_one if cluster is None else _in_order
                for results in analyses(game, positions[done:], limits):
                    for result in results:
                        record = {"position": positions[count][0], **asked, "result": result}
                        file.write(json.dumps(record) + "\n")
                        count += 1
                    file.flush()
                    os.fsync(file.fileno())
                    if progress is not None:
                        progress(count, len(positions))
    if arrow:
        _to_arrow(lines, out)
    return done


def _resume(lines: Path, positions: Sequence[tuple[str, State]], asked: dict[str, Any]) -> int:
    """Return the number of complete lines of the file, and cut off an incomplete last line.

    Raises
    ------
    BadParameter
        A line is not a result of this request.
    """
    if not lines.exists():
        return 0
    content = lines.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    found = whole.splitlines()
    for number, line in enumerate(found):
        try:
            record = json.loads(line)
            theirs = record["position"], {name: record[name] for name in asked}
        except (ValueError, KeyError, TypeError):
            theirs = None, {}
        if number >= len(positions) or theirs != (positions[number][0], json.loads(json.dumps(asked))):
            raise BadParameter(
                f"{lines}, line {number + 1}, is no result of this request; delete the file, or choose another name."
            )
    if whole != content:
        write_whole(lines, whole)
    return len(found)


def _one_by_one(game: Game, positions: Sequence[tuple[str, State]], limits: Limits) -> Iterator[list[dict[str, Any]]]:
    """Analyse positions in this process, and yield their results one at a time."""
    from zermelo.engine import Engine

    engine = Engine(game, table_mb=limits["table_mb"])
    for _, state in positions:
        result = _answer(engine, state, limits)
        if result.get("stopped_by") == "interrupted":  # an incomplete result; the next run repeats it
            raise KeyboardInterrupt
        yield [result]


def _in_order(game: Game, positions: Sequence[tuple[str, State]], limits: Limits) -> Iterator[list[dict[str, Any]]]:
    """Analyse positions on a cluster, and yield the results of one task at a time; later tasks run meanwhile."""
    ray = imported()
    task = ray.remote(_analyse).options(max_retries=RETRIES, name=f"analyse {game!r}")
    source = ray.put(source_of(game))
    rows = [flatten(state) for _, state in positions]
    chunks = (rows[begin : begin + _CHUNK] for begin in range(0, len(rows), _CHUNK))
    under_way = deque(task.remote(source, chunk, limits) for chunk in islice(chunks, _AHEAD * processors()))
    while under_way:
        try:
            results = ray.get(under_way.popleft())
        except ray.exceptions.RayError as error:
            what = str(error).strip().splitlines()[-1]
            raise ClusterError(f"An analysis failed: {what}; the same command goes on.") from error
        for chunk in islice(chunks, 1):
            under_way.append(task.remote(source, chunk, limits))
        yield results


_SOURCES: dict[str, GameSource] = {}
"""The games that this worker has analysed, by a name that `_engine` takes."""


@lru_cache(maxsize=1)
def _engine(name: str, table_mb: float) -> Any:
    """Return an engine for a game of `_SOURCES`; the worker keeps the latest one."""
    from zermelo.engine import Engine

    return Engine(_SOURCES[name].make(), table_mb=table_mb)


def _analyse(source: GameSource, rows: list[Any], limits: Limits) -> list[dict[str, Any]]:
    """Analyse positions on a worker, and return their results; each row holds the ints of a position."""
    name = repr((source.name, sorted(source.parameters.items()), hash(source.pickled)))
    _SOURCES[name] = source
    engine = _engine(name, limits["table_mb"])
    game = engine.game
    return [_answer(engine, load_state(compiled(game), row), limits) for row in rows]


def _answer(engine: Any, state: State, limits: Limits) -> dict[str, Any]:
    """Return the engine's result for a position, or only the utility if the game is over."""
    if engine.game.is_terminal(state):
        return {"value": engine.game.utility(state), "bound": "exact", "proven": True, "action": None}
    if limits["prove"]:
        return dict(engine.prove(state, seconds=limits["seconds"], nodes=limits["nodes"]).to_dict())
    bounds = {what: limits[what] for what in ("seconds", "depth", "nodes")}
    return dict(engine.search(state, **bounds).to_dict())


def _to_arrow(lines: Path, out: Path) -> None:
    """Make an Arrow file from the lines, with a column for each field, and delete the lines."""
    import pyarrow as pa

    records = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    names = list(dict.fromkeys(name for record in records for name in record["result"]))
    columns = {"position": [record["position"] for record in records]}
    for name in names:
        values = [record["result"].get(name) for record in records]
        nested = any(isinstance(value, dict | list) for value in values)
        columns[name] = [json.dumps(value) if nested and value is not None else value for value in values]
    table = pa.table(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    write_whole(out, sink.getvalue())
    lines.unlink()
