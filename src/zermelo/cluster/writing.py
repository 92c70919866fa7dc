"""Tasks that write solved shards as files of a table."""

from collections.abc import Callable
from typing import Any, Final

from zermelo.cluster.merging import merged_shards
from zermelo.cluster.work import Site
from zermelo.solver.local.external_sort import PART
from zermelo.solver.table.parquet import entry_of, file_content, release_unused
from zermelo.solver.table.stores import Part

Shard = tuple[list[Part], list[Part]]
"""Its parts of keys and of words."""


def publish_merged(site: Site, tier: int, shards: list[Shard]) -> list[Any]:
    """A tier as one machine writes it: the entries of its files."""
    return [_written(site, f"tier-{tier:06d}", shards)]


def publish_shard(site: Site, tier: int, shard: int, parts: Shard) -> list[Any]:
    """A shard of a tier: the entries of its files."""
    entries = _written(site, f"tier-{tier:06d}-s{shard:05d}", [parts])
    return [[{**entry, "shard": shard} for entry in entries]]


def _written(site: Site, stem: str, shards: list[Shard]) -> list[dict[str, Any]]:
    def write(task: tuple[int, tuple[Any, Any]]) -> dict[str, Any]:
        number, (keys, words) = task
        name = f"{stem}-{number:05d}.parquet"
        content = file_content(keys, words, site.problem.game.utility_range)
        site.store.write(name, content)
        return entry_of(name, keys, content)

    entries = list(site.workers.in_order(write, enumerate(merged_shards(site.store, shards, PART))))
    release_unused()
    return entries


TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    "publish_merged": publish_merged,
    "publish_shard": publish_shard,
}
