"""The task that writes solved shards as files of the table."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from zermelo.solver.passes.merging import Pair, merged_shards
from zermelo.solver.passes.outcomes import write_file
from zermelo.solver.passes.plan import PART
from zermelo.solver.passes.site import Filed, Site
from zermelo.solver.table.parquet import release_unused
from zermelo.solver.table.stores import Part

Shard = tuple[list[Part], list[Filed]]
"""Parts of keys, and where the outcome codes of each part are."""


def publish(site: Site, unit: str, stem: str, shards: list[Shard]) -> list[Any]:
    """Write some shards of a tier as one run of files, and return the files' entries in the manifest.

    Parameters
    ----------
    unit
        The name of the unit of work.
    stem
        How the names of the files begin.
    shards
        The shards. Together they are merged in ascending order of keys.
    """

    def pairs(shard: Shard) -> Iterator[Pair]:
        return ((site.parts.read(keys, np.int64), site.codes_of(codes)) for keys, codes in zip(*shard, strict=True))

    def write(task: tuple[int, Pair]) -> dict[str, Any]:
        number, (keys, codes) = task
        return write_file(site, f"{stem}-{number:05d}.parquet", keys, codes)

    merged = merged_shards([pairs(shard) for shard in shards], PART)
    entries = list(site.workers.in_order(write, enumerate(merged)))
    release_unused()
    return [entries]


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {"publish": publish}
