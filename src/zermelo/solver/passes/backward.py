"""Backward: from the last tier to the first, the outcome of every position from those of its successors.

Later tiers are looked up in memory. Where they do not fit together they are taken in portions, and the best
successor so far is kept beside each position from one portion to the next.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from zermelo.errors import TableError, Unsolvable
from zermelo.solver.kernels.induction import improve, settle
from zermelo.solver.kernels.lookup import Sorted, look_up, places_of, with_heads
from zermelo.solver.kernels.retrograde import solve_loops
from zermelo.solver.local.threads import Workers
from zermelo.solver.local.workdir import Storage, Tier
from zermelo.solver.model.outcome_codes import ABSENT
from zermelo.solver.model.problem import Expansion, Problem
from zermelo.solver.passes.forward import CHUNK, Report
from zermelo.solver.table.parquet import release_unused, write_file
from zermelo.solver.table.reading import TableFile
from zermelo.solver.table.stores import Folder

_BYTES: Final = 20
"""Of memory for a position that is looked up: key, outcome, and the way in."""
Portion = dict[int, list[tuple[Sorted, Any]]]
"""By tier: sorted keys and the outcomes of each."""


class Backward:
    """The induction over a problem's tiers.

    Parameters
    ----------
    problem, storage, workers, report
        As `zermelo.solver.passes.forward.Forward`.
    folder
        Where the table's files go.
    tiers
        All of them, first to last.
    """

    def __init__(
        self, problem: Problem, storage: Storage, workers: Workers, report: Report, folder: Path, tiers: list[Tier]
    ) -> None:
        self.problem, self.storage, self.workers, self.report = problem, storage, workers, report
        self.folder = folder
        self.tiers = {tier.number: tier for tier in tiers}
        self.solved: dict[int, dict[str, Any]] = {}
        self._plies = problem.game.tier is None and not any(tier.loops for tier in tiers)
        self._fresh: dict[int, Any] = {}
        self._loaded: dict[tuple[int, tuple[int, ...]], tuple[Sorted, Any]] = {}

    def run(self, solved: dict[int, dict[str, Any]], save: Callable[[dict[int, dict[str, Any]]], None]) -> None:
        """Solve every tier that is not among the ``solved``, and say so with ``save`` after each."""
        self.solved = solved
        for number in sorted(self.tiers, reverse=True):
            if number not in solved:
                solved[number] = self._solve(self.tiers[number])
                save(solved)

    def _solve(self, tier: Tier) -> dict[str, Any]:
        """Solve a tier and write its files; returns its entry in the manifest."""
        words = self.storage.array("words", tier.count, np.int32)
        words[:] = ABSENT
        *portions, last = self._portions(tier)
        found = sum(self._look(tier, portion, words) for portion in portions)
        solve = self._solve_loops if tier.loops else self._look_last
        missing, census = solve(tier, self._load(last), words)
        if missing != found:
            raise TableError(
                f"Successors of tier {tier.number} are missing; delete {self.storage.folder} and begin again."
            )
        entries = list(self._write(tier, words))
        self._forget(tier, words)
        return {
            "tier": tier.number,
            "positions": tier.positions,
            "stored": tier.count,
            "outcomes": outcome_rows(census, self.problem),
            "files": entries,
        }

    # Looking up successors.

    def _portions(self, tier: Tier) -> Iterator[list[tuple[int, int]]]:
        """The files of later tiers that the tier leads to, as many at a time as memory has room for."""
        room = max(1, (self.storage.memory // 2) // _BYTES)
        portion: list[tuple[int, int]] = []
        held = 0
        for number in tier.leads_to:
            for file, count in enumerate(self.tiers[number].counts):
                if portion and held + count > room:
                    yield portion
                    portion, held = [], 0
                portion.append((number, file))
                held += count
        yield portion

    def _load(self, portion: list[tuple[int, int]]) -> Portion:
        """The keys and outcomes of these files, in memory; files of one tier that follow each other are joined."""
        wanted: dict[int, list[int]] = {}
        for number, file in portion:
            wanted.setdefault(number, []).append(file)
        kept = {(number, tuple(files)) for number, files in wanted.items()}
        self._loaded = {name: item for name, item in self._loaded.items() if name in kept}
        loaded: Portion = {}
        for number, files in wanted.items():
            name = (number, tuple(files))
            if name not in self._loaded:
                self._loaded[name] = self._read(number, files)
            loaded[number] = [self._loaded[name]]
        return loaded

    def _read(self, number: int, files: list[int]) -> tuple[Sorted, Any]:
        tier = self.tiers[number]
        keys = np.empty(sum(tier.counts[file] for file in files), dtype=np.int64)
        words = np.empty(len(keys), dtype=np.int32)
        fresh = self._fresh.get(number)
        starts = np.cumsum([0, *tier.counts])
        place = 0

        def read(file: int) -> tuple[Any, Any]:
            if fresh is not None:
                return self.storage.part(tier, file), fresh[starts[file] : starts[file + 1]]
            entry = self.solved[number]["files"][file]
            return TableFile(Folder(str(self.folder)), entry).read_all(self.problem.game.utility_range)

        for some_keys, some_words in self.workers.in_order(read, files):
            keys[place : place + len(some_keys)] = some_keys
            words[place : place + len(some_keys)] = some_words
            place += len(some_keys)
        return with_heads(keys), words

    def _look(self, tier: Tier, files: list[tuple[int, int]], words: Any) -> int:
        """Improve each position by its successors in these files; returns how many were found there."""
        portion = self._load(files)

        def look(task: tuple[int, Any]) -> int:
            start, keys = task
            return sum(
                self._improve(found, portion, words[_place(start + begin, found)])
                for begin, found in self.problem.expand(keys)
            )

        return sum(self.workers.in_order(look, self._chunks(tier)))

    def _look_last(self, tier: Tier, portion: Portion, words: Any) -> tuple[int, Counter[int]]:
        """The same with the last portion, after which the positions are settled.

        Returns how many successors were not found there, and how many positions have each outcome.
        """

        def look(task: tuple[int, Any]) -> tuple[int, int, Counter[int]]:
            start, keys = task
            missing, counted = 0, Counter[int]()
            for begin, found in self.problem.expand(keys):
                some = words[_place(start + begin, found)]
                missing += len(found.children) - self._improve(found, portion, some)
                settle(found.own, some, self.problem.shift, some)
                count_into(counted, some, found.weights)
            return len(keys), missing, counted

        done = missing = 0
        census: Counter[int] = Counter()
        for count, some_missing, counted in self.workers.in_order(look, self._chunks(tier)):
            done += count
            missing += some_missing
            census.update(counted)
            self.report(tier.number, done, tier.count)
        return missing, census

    def _improve(self, found: Expansion, portion: Portion, words: Any) -> int:
        """Improve positions by their successors in the portion; returns how many were found there."""
        # Tiers that are plies are none of the game's: then all successors lie in the next.
        tiers = None if self._plies else found.tiers
        outcomes, count = _outcomes_of(found.children, tiers, portion)
        improve(found.own, found.ends, outcomes, self.problem.zero, self.problem.shift, words)
        return count

    def _chunks(self, tier: Tier) -> Iterator[tuple[int, Any]]:
        """Keys of a tier, with where they begin."""
        start = 0
        for part in self.storage.parts(tier):
            for begin in range(0, len(part), CHUNK):
                yield start + begin, part[begin : begin + CHUNK]
            start += len(part)

    # Moves that stay within the tier.

    def _solve_loops(self, tier: Tier, portion: Portion, words: Any) -> tuple[int, Counter[int]]:
        """The outcomes of positions that lead to each other; as `_look_last`."""
        web = Web(self.problem, tier.number, np.concatenate(list(self.storage.parts(tier))), words)
        all_missing = done = 0

        def edges(task: tuple[int, Any]) -> tuple[int, int, Any]:
            start, some = task
            return len(some), *web.edges(start, some, lambda found, best: self._improve(found, portion, best))

        parts = []
        for count, missing, targets in self.workers.in_order(edges, self._chunks(tier)):
            parts.append(targets)
            all_missing += missing
            done += count
            self.report(tier.number, done // 2, tier.count)
        census = web.solve(parts)
        self.report(tier.number, tier.count, tier.count)
        return all_missing, census

    # Writing.

    def _write(self, tier: Tier, words: Any) -> Iterator[dict[str, Any]]:
        starts = np.cumsum([0, *tier.counts])

        def write(file: int) -> dict[str, Any]:
            keys = self.storage.part(tier, file)
            path = self.folder / f"tier-{tier.number:06d}-{file:05d}.parquet"
            return write_file(path, keys, words[starts[file] : starts[file + 1]], self.problem.game.utility_range)

        return self.workers.in_order(write, range(len(tier.files)))

    def _forget(self, tier: Tier, words: Any) -> None:
        """Keep the outcomes in memory for the tier before, as long as there is room."""
        self._fresh[tier.number] = np.array(words)
        while self._fresh and sum(kept.nbytes for kept in self._fresh.values()) > self.storage.memory // 8:
            del self._fresh[max(self._fresh)]
        release_unused()


class Web:
    """Positions of one tier that lead to each other, and how they are solved together.

    Parameters
    ----------
    problem
        What is solved.
    number
        Of the tier.
    keys
        All of the tier's positions, sorted.
    words
        For each, the outcome of its best successor elsewhere as far as it is known; changed.
    """

    def __init__(self, problem: Problem, number: int, keys: Any, words: Any) -> None:
        self.problem, self.number, self.words = problem, number, words
        self.known = with_heads(keys)
        self.own = np.empty(len(keys), dtype=np.int32)
        self.ends = np.empty(len(keys), dtype=np.int64)
        self.weights = np.empty(len(keys), dtype=np.uint8)

    def edges(self, start: int, keys: Any, improve: Callable[[Expansion, Any], int]) -> tuple[int, Any]:
        """Expand some of the positions, of which the first is number ``start``; threads may do so side by side.

        ``improve`` is told of an expansion and the words of its positions, improves these by successors elsewhere, and
        returns how many of those it knows. Returned are how many it does not know, and the numbers of successors here.
        """
        missing, targets = 0, [np.empty(0, dtype=np.int32)]
        for begin, found in self.problem.expand(keys):
            place = _place(start + begin, found)
            within = found.tiers == self.number
            missing += len(found.children) - int(within.sum()) - improve(found, self.words[place])
            targets.append(places_of(self.known, found.children[within]).astype(np.int32))
            self.ends[place] = np.diff(np.concatenate(([0], np.cumsum(within)))[found.ends], prepend=0)
            self.own[place], self.weights[place] = found.own, found.weights
        return missing, np.concatenate(targets)

    def solve(self, parts: list[Any]) -> Counter[int]:
        """Write every position's outcome to its word, from the successors' numbers; returns how many have each.

        Raises
        ------
        Unsolvable
            What endless play is worth is not known, or the outcomes cannot be held by words.
        """
        problem, none = self.problem, (1 << self.problem.shift) - 1
        endless = worth_of_endless(problem, self.known.keys)
        np.cumsum(self.ends, out=self.ends)
        targets = np.concatenate(parts)
        parts.clear()
        words = self.words
        values, plies = solve_loops(self.own, words, self.ends, targets, endless, problem.zero, problem.shift)
        check_loops(problem, values, plies, words)
        words[:] = values << problem.shift | np.where(plies < 0, none, plies)
        census: Counter[int] = Counter()
        count_into(census, words, self.weights)
        return census


def check_loops(problem: Problem, values: Any, plies: Any, exits: Any) -> None:
    """Refuse loops that the game does not speak of, and plies that words have no room for.

    Raises
    ------
    Unsolvable
        There are such.
    """
    none = (1 << problem.shift) - 1
    if problem.game.repetition is None and ((plies < 0) & ((exits < 0) | (exits & none != none))).any():
        raise Unsolvable(
            f"Positions of {problem.game!r} can come back, and it does not say so; "
            "give it repetition='draw', or a function of the state come back to."
        )
    if plies.max(initial=0) >= none:
        raise Unsolvable(f"Play of {problem.game!r} takes more than {none - 1} plies, which a table cannot hold.")


def worth_of_endless(problem: Problem, keys: Any) -> int:
    """What endless play among these positions of a tier is worth, as words count values; it must be one number."""
    if not callable(problem.game.repetition):
        return problem.game.endless_value + problem.zero
    least, most = problem.endless(keys)
    if least != most:
        raise Unsolvable(
            f"Endless play of {problem.game!r} is worth from {least} to {most} in one tier; name a tier(state) "
            "within which the value of repetition is the same for all states."
        )
    return least + problem.zero


def _place(start: int, found: Expansion) -> slice:
    """Where the positions of an expansion stand in their tier."""
    return slice(start, start + len(found.own))


def _outcomes_of(children: Any, tiers: Any, portion: Portion) -> tuple[Any, int]:
    """The outcomes of successors that are in the portion, negative for the others; and how many are."""
    found = 0
    words = np.full(len(children), ABSENT, dtype=np.int32)
    alone = tiers is None or (len(portion) == 1 and (tiers == next(iter(portion))).all())
    for number, sources in portion.items():
        for known, outcomes in sources:
            if alone:
                found += look_up(known, outcomes, children, words)
                continue
            chosen = np.flatnonzero(tiers == number)
            some = words[chosen]
            found += look_up(known, outcomes, children[chosen], some)
            words[chosen] = some
    return words, found


def count_into(census: Counter[int], words: Any, weights: Any) -> None:
    """Add positions to a census by outcome and by how many positions each stands for."""
    pairs, times = np.unique(np.asarray(words, dtype=np.int64) << 8 | weights, return_counts=True)
    for pair, count in zip(pairs.tolist(), times.tolist(), strict=True):
        census[pair >> 8] += count * (pair & 255)


def outcome_rows(census: Counter[int], problem: Problem) -> list[list[int | None]]:
    """Rows of value, remoteness and number of positions, in order."""
    none = (1 << problem.shift) - 1
    rows: list[list[int | None]] = []
    for word, count in sorted(census.items()):
        plies = word & none
        rows.append([(word >> problem.shift) - problem.zero, None if plies == none else plies, count])
    return rows
