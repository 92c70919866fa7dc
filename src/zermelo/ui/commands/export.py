"""``zermelo export``: write a solved table to one Parquet file."""

from pathlib import Path
from typing import Annotated

import typer

from zermelo.errors import BadParameter
from zermelo.ui.tables import GameOption, TableArgument, open_table
from zermelo.ui.terminal.progress import counting
from zermelo.ui.terminal.wording import size


def export(
    folder: TableArgument,
    parquet: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")],
    game: GameOption = "",
) -> None:
    """Write every position of a solved table to one Parquet file, for DuckDB, Polars or pandas.

    Columns: position, key, tier, value, remoteness.
    """
    from zermelo.solver.table.export import export as write

    if parquet.is_dir():
        raise BadParameter(f"{parquet} is a folder; it must be a file, such as table.parquet.")
    table = open_table(folder, game)
    try:
        with counting("positions", len(table)) as done:
            rows = write(table, parquet, done)
    except OSError as error:
        raise BadParameter(f"{parquet} cannot be written: {error.strerror or error}.") from None
    print(f"{parquet}: {rows:,} positions, {size(parquet.stat().st_size)}")
