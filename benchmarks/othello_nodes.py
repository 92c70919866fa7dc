"""How many positions a proof of Othello looks at, those of the last five squares included, beside Edax.

    python benchmarks/othello_nodes.py --positions fforum-40-59.obf [--count 5] [--edax PROGRAM --weights FILE]

zermelo plays out the last five squares inside of one node, and counts only the node. Edax counts every position. So
this script proves the positions twice: with the rules of Othello as they are, for the time, and with rules that also
count the positions of the last five squares. ``--edax`` solves the same positions with Edax in the same run;
``--weights`` is its file of weights, such as one that holds zeros only.
"""

import argparse
import ctypes
import importlib.util
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from results import Sheet, add_save
from shelf import FFO, read_obf
from zermelo import Engine
from zermelo.compiled.overloads import BaseContext, Body, Intrinsic, Signature, TypingContext, overload
from zermelo.errors import BadParameter
from zermelo.game import Game
from zermelo.games import othello

COUNT: Final = ctypes.c_int64(0)
"""How many positions of the last five squares there were since it was set to 0."""
BEGINS: Final = "            side = 1\n"
"""The line of the rules with which a position of the last five squares begins; it is there once."""
COLUMNS: Final = {"program": "", "seconds": ",.1f", "million positions": ",.0f", "million a second": ",.1f"}


def count_position(address: int) -> int:
    """Add 1 to the int64 at ``address``, and return 1."""
    ctypes.c_int64.from_address(address).value += 1
    return 1


@intrinsic  # type: ignore[untyped-decorator]
def _count_position(_typing: TypingContext, _address: types.Type) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        word = ir.IntType(64)
        place = builder.inttoptr(arguments[0], word.as_pointer())
        builder.store(builder.add(builder.load(place), word(1)), place)
        return word(1)

    return types.int64(types.int64), generate


@overload(count_position, strict=False)
def _compiled_count_position(_address: types.Type) -> Body:
    return lambda _address: _count_position(_address)


def main() -> None:
    """Print a row for zermelo, and one for Edax if asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=Path, default=FFO, help="a file of the French Othello Federation")
    parser.add_argument("--count", type=int, default=None, help="how many positions of the file")
    parser.add_argument("--table-mb", type=float, default=256.0)
    parser.add_argument("--edax", type=Path, default=None, help="the program")
    parser.add_argument("--weights", type=Path, default=None, help="its file of weights")
    add_save(parser)
    options = parser.parse_args()
    if (options.edax is None) != (options.weights is None):
        parser.error("--edax and --weights go together")
    texts = read_obf(options.positions)[: options.count]
    seconds, nodes = proved(othello(), texts, options.table_mb)
    again, played_out = proved(counting_rules(), texts, options.table_mb)[1], COUNT.value
    assert again == nodes, f"counting changed the search: {again:,} nodes and not {nodes:,}"
    sheet = Sheet("othello_nodes", dict(COLUMNS))
    sheet.row("zermelo, nodes of the search", seconds, nodes / 1e6, nodes / 1e6 / seconds)
    every = nodes + played_out
    sheet.row("zermelo, with those of the last five squares", seconds, every / 1e6, every / 1e6 / seconds)
    if options.edax is not None:
        its_seconds, its_nodes = solved_by_edax(options.edax, options.weights, options.positions, len(texts))
        sheet.row("Edax without its weights", its_seconds, its_nodes / 1e6, its_nodes / 1e6 / its_seconds)
    sheet.save(options.save)


def counting_rules() -> Game:
    """Return the rules of Othello that count the positions of the last five squares.

    The address of the count stands in their source, so that another process does not take their machine code.
    """
    source = Path(sys.modules[othello.__module__].__file__ or "").read_text(encoding="utf-8")
    if source.count(BEGINS) != 1:
        raise BadParameter(
            f"The rules of Othello must have one line {BEGINS.strip()!r}, and have {source.count(BEGINS)}."
        )
    counting = BEGINS.replace("1", f"count_position({ctypes.addressof(COUNT)})")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "counting_othello.py"
        file.write_text(source.replace(BEGINS, counting), encoding="utf-8")
        described = importlib.util.spec_from_file_location(file.stem, file)
        assert described is not None
        assert described.loader is not None
        rules = importlib.util.module_from_spec(described)
        rules.count_position = count_position  # type: ignore[attr-defined]
        sys.modules[file.stem] = rules
        described.loader.exec_module(rules)
        game: Game = rules.othello()
        Engine(game).prove(nodes=100, quickest=False)  # compiled while its source is there
    return game


def proved(game: Game, texts: Sequence[tuple[str, int]], table_mb: float) -> tuple[float, int]:
    """Prove all positions with one thread; return the seconds of the processor and the nodes."""
    engine, seconds, nodes = Engine(game, table_mb=table_mb), 0.0, 0
    engine.prove(nodes=100, quickest=False)
    COUNT.value = 0
    assert game.from_text is not None
    for text, best in texts:
        state = game.from_text(text)
        engine.clear()
        start = time.process_time()
        result = engine.prove(state, quickest=False)
        seconds += time.process_time() - start
        found = result.value * game.to_move(state)
        assert found == best, f"{text}: {found} and not {best}"
        nodes += result.nodes
    return seconds, nodes


def solved_by_edax(program: Path, weights: Path, positions: Path, count: int) -> tuple[float, int]:
    """Let Edax solve the first positions of the file; return its seconds of the processor and its nodes."""
    lines = [line for line in positions.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    with tempfile.NamedTemporaryFile("w", suffix=".obf", encoding="utf-8") as some:
        some.write("\n".join(lines[:count]) + "\n")
        some.flush()
        how = ["-solve", some.name, "-n-tasks", "1", "-eval-file", str(weights), "-book-usage", "off"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = subprocess.run([program, *how], capture_output=True, text=True, check=True, cwd=program.parent).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.findall(r"([\d,]+) nodes in", told)
    if not found:
        raise BadParameter(f"{program} did not say how many nodes it took; it must be Edax 4.6.")
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return seconds, int(found[-1].replace(",", ""))


if __name__ == "__main__":
    main()
