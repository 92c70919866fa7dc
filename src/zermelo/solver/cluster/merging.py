"""Writing solved shards as files of a table: tasks of `zermelo.solver.cluster.publish`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.solver.cluster.stores import Part, Store
from zermelo.solver.files import entry_of, file_content
from zermelo.solver.runs import PART

Shards = list[tuple[list[Part], list[Part]]]


def merged(store: Store, shards: Shards, size: int) -> Iterator[tuple[Any, Any]]:
    """Keys and words of all shards in ascending order of keys, ``size`` at a time.

    Of each shard a part is in memory. Keys up to the least of the parts' last ones are complete, and can be handed on.
    """
    remaining = [list(zip(keys, words, strict=True)) for keys, words in shards]
    held: list[tuple[Any, Any]] = [(np.empty(0, np.int64), np.empty(0, np.int32)) for _ in shards]
    waiting: list[tuple[Any, Any]] = []
    count = 0
    while True:
        for number, parts in enumerate(remaining):
            if not len(held[number][0]) and parts:
                key_part, word_part = parts.pop(0)
                held[number] = store.read_array(key_part, np.int64), store.read_array(word_part, np.int32)
        full = [keys for keys, _ in held if len(keys)]
        if not full:
            break
        open_ends = [keys[-1] for (keys, _), parts in zip(held, remaining, strict=True) if len(keys) and parts]
        last = min(open_ends, default=max(keys[-1] for keys in full))
        cuts = [int(np.searchsorted(keys, last, side="right")) for keys, _ in held]
        keys = np.concatenate([keys[:cut] for (keys, _), cut in zip(held, cuts, strict=True)])
        words = np.concatenate([words[:cut] for (_, words), cut in zip(held, cuts, strict=True)])
        held = [(keys[cut:], words[cut:]) for (keys, words), cut in zip(held, cuts, strict=True)]
        order = np.argsort(keys, kind="stable")  # quick on runs
        waiting.append((keys[order], words[order]))
        count += len(keys)
        while count >= size:
            keys, words = (np.concatenate(arrays) for arrays in zip(*waiting, strict=True))
            yield keys[:size], words[:size]
            waiting, count = [(keys[size:], words[size:])], count - size
    if count:
        keys, words = (np.concatenate(arrays) for arrays in zip(*waiting, strict=True))
        yield keys, words


def publish_merged(site: Any, tier: int, shards: Shards) -> list[Any]:
    """A tier as one machine writes it: the entries of its files."""
    return [[
        _write(site, f"tier-{tier:06d}-{number:05d}.parquet", keys, words)
        for number, (keys, words) in enumerate(merged(site.store, shards, PART))
    ]]  # fmt: skip


def publish_shard(site: Any, tier: int, shard: int, parts: tuple[list[Part], list[Part]]) -> list[Any]:
    """A shard of a tier: the entries of its files."""
    return [[
        {**_write(site, f"tier-{tier:06d}-s{shard:05d}-{number:05d}.parquet", keys, words), "shard": shard}
        for number, (keys, words) in enumerate(merged(site.store, [parts], PART))
    ]]  # fmt: skip


def _write(site: Any, name: str, keys: Any, words: Any) -> dict[str, Any]:
    content = file_content(keys, words, site.problem.game.utility_range)
    site.store.write(name, content)
    return entry_of(name, keys, content)
