"""Merging sorted parts into one ascending stream: the runs of a shard, and the shards of a solved tier.

Of each run a part is in memory at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zermelo.compiled.cache import shared_kernel
from zermelo.solver.kernels.lookup import keep_once
from zermelo.solver.local.external_sort import PART
from zermelo.solver.table.stores import Part, Store

Pair = tuple[Any, Any]
"""Keys, ascending, and an outcome word for each; or no words at all."""
_NO_WORDS = np.empty(0, np.int32)


def united(runs: list[Any]) -> Any:
    """The keys of sorted runs, each once; runs may be used up."""
    keys = _joined([(run, _NO_WORDS) for run in runs])[0] if runs else np.empty(0, np.int64)
    return keys if len(runs) < 2 else keys[: keep_once(keys)]


def merged_keys(store: Store, runs: Sequence[list[Part]]) -> Iterator[Any]:
    """The keys of all runs in ascending order, each once, in arrays of any length."""
    for keys, _ in _merged(store, [(run, []) for run in runs], PART):
        yield keys[: keep_once(keys)]


def merged_shards(store: Store, shards: Sequence[tuple[list[Part], list[Part]]], size: int) -> Iterator[Pair]:
    """Keys and words of all shards in ascending order of keys, ``size`` at a time."""
    waiting: list[Pair] = []
    count = 0
    for pair in _merged(store, shards, size):
        waiting.append(pair)
        count += len(pair[0])
        while count >= size:
            keys, words = (np.concatenate(arrays) for arrays in zip(*waiting, strict=True))
            yield keys[:size], words[:size]
            waiting, count = [(keys[size:], words[size:])], count - size
    if count:
        keys, words = (np.concatenate(arrays) for arrays in zip(*waiting, strict=True))
        yield keys, words


def _merged(store: Store, runs: Sequence[tuple[list[Part], list[Part]]], size: int) -> Iterator[Pair]:
    """About ``size`` keys at a time: up to the least of those up to which each run has told all of its own."""
    step = max(1, size // max(1, len(runs)))
    remaining = [list(keys) for keys, _ in runs]
    words_of = [{keys.name: words for keys, words in zip(*run, strict=False)} for run in runs]
    held: list[Pair] = [(np.empty(0, np.int64), _NO_WORDS) for _ in runs]
    while True:
        for number, parts in enumerate(remaining):
            if not len(held[number][0]) and parts:
                part = parts.pop(0)
                words = words_of[number].get(part.name)
                held[number] = (
                    store.read_array(part, np.int64),
                    _NO_WORDS if words is None else store.read_array(words, np.int32),
                )
        full = [keys for keys, _ in held if len(keys)]
        if not full:
            return
        open_ends = [
            keys[min(step, len(keys)) - 1]
            for (keys, _), parts in zip(held, remaining, strict=True)
            if len(keys) > step or (len(keys) and parts)
        ]
        last = min(open_ends, default=max(keys[-1] for keys in full))
        cuts = [int(np.searchsorted(keys, last, side="right")) for keys, _ in held]
        pairs = [(keys[:cut], words[:cut]) for (keys, words), cut in zip(held, cuts, strict=True) if cut]
        held = [(keys[cut:], words[cut:]) for (keys, words), cut in zip(held, cuts, strict=True)]
        yield _joined(pairs)


def _joined(pairs: list[Pair]) -> Pair:
    """Sorted arrays as one."""
    while len(pairs) > 1:  # always the two that have waited longest: then each key is moved as seldom as can be
        pairs.append(merge_two(*pairs.pop(0), *pairs.pop(0)))
    return pairs[0]


def merge_two(keys: Any, words: Any, more_keys: Any, more_words: Any) -> Pair:
    """Two sorted arrays of keys as one, equal keys side by side, and their words with them."""
    count = len(keys) + len(more_keys)
    merged = np.empty(count, np.int64), np.empty(count if len(words) else 0, np.int32)
    if len(words):
        interleave_pairs(keys, words, more_keys, more_words, *merged)
    else:
        interleave(keys, more_keys, merged[0])
    return merged


@shared_kernel
def interleave(keys: Any, more_keys: Any, merged: Any) -> None:
    """As `interleave_pairs` without words."""
    first = second = 0
    while first < len(keys) and second < len(more_keys):
        one, two = keys[first], more_keys[second]
        merged[first + second] = min(one, two)
        ahead = one <= two
        first, second = first + ahead, second + (not ahead)
    merged[first + second : first + len(more_keys)] = more_keys[second:]
    merged[first + len(more_keys) :] = keys[first:]


@shared_kernel
def interleave_pairs(keys: Any, words: Any, more_keys: Any, more_words: Any, merged: Any, merged_words: Any) -> None:
    """Write two sorted arrays and their words as one; without a branch that depends on which key is next."""
    first = second = 0
    while first < len(keys) and second < len(more_keys):
        one, two = keys[first], more_keys[second]
        ahead = one <= two
        merged[first + second] = min(one, two)
        merged_words[first + second] = words[first] if ahead else more_words[second]
        first, second = first + ahead, second + (not ahead)
    end = first + len(more_keys)
    merged[first + second : end] = more_keys[second:]
    merged_words[first + second : end] = more_words[second:]
    merged[end:] = keys[first:]
    merged_words[end:] = words[first:]
