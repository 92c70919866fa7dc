"""The backward pass: it finds the outcome of every position, from the last tier to the first.

The outcome of a position follows from those of its successors.

A *unit of work* is a task, or a group of tasks, whose result the journal keeps under a name. A *stretch* is the
neighbouring parts of a shard that one task takes. A *web* is a tier whose positions lead to each other.

A task learns the outcomes of successors in one of three ways:

*fetch*
    Whole shards of the later tiers are copied to the nodes, once to each, and looked up where they are needed.
*compact*
    Whole shards are looked up, too, but they take two or three bytes for each position (see
    `zermelo.solver.kernels.compact`). Only one machine does so.
*ask*
    The keys of a task's successors are sent to their shards, each key once, and the answers come back.

Fetching is cheaper while a tier fits into the memory of every node and there are fewer nodes than successors of a
position. Asking costs the same for any number of nodes, and needs no memory for whole tiers, but it reads every shard
once for each wave. The outcomes are the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from zermelo.errors import TableError
from zermelo.solver.kernels.compact import BYTES, MOST_CODES
from zermelo.solver.passes.backward_tasks import Sources
from zermelo.solver.passes.exchange import Blocks, bundles_of, to_shards, to_stretches, width_of
from zermelo.solver.passes.executor import Report, Solve
from zermelo.solver.passes.filed import MOST, WithFiles
from zermelo.solver.passes.forward import Tier
from zermelo.solver.passes.outcomes import outcome_rows
from zermelo.solver.passes.plan import NEVER, WORK, keys_in, stretches
from zermelo.solver.passes.progress import Steps
from zermelo.solver.passes.publish import Publisher
from zermelo.solver.passes.retrograde import Rounds
from zermelo.solver.passes.site import Filed, filed_in
from zermelo.solver.table.stores import Part

Start = Callable[[str, list[Part], Sources, list[Any]], None]
"""A function that starts the task of a unit, given the unit's name, its parts, and its sources with their blocks."""
_HELD: Final = 16
"""Bytes of a position that can be looked up: its key, its outcome code, and its share of the index."""
_ASKED: Final = 12
"""Bytes of a successor that a task asks for: its key and its outcome code."""
_GATHERED: Final = 100
"""Bytes of a position of a tier that one task solves."""
_EDGE: Final = 16
"""Bytes of an edge, a move from one position of such a tier to another."""


class _Shard(NamedTuple):
    """A solved shard in memory."""

    reference: Any
    """The reference to its block."""
    each: float
    """The bytes of a position: `_HELD`, or `BYTES` in the compact form."""


class _Unit(NamedTuple):
    """Neighbouring parts of a shard that one task solves."""

    shard: int
    first: int
    """The number of the first part in its shard."""
    parts: list[Part]


class Backward:
    """The backward induction over the tiers of a problem.

    Parameters
    ----------
    solve
        The solve under way.
    publisher
        Receives the solved tiers.
    report
        Receives the progress.
    tiers
        All tiers, first to last.
    """

    def __init__(self, solve: Solve, publisher: Publisher, report: Report, tiers: list[Tier]) -> None:
        self.solve, self.publisher, self.report = solve, publisher, report
        self.plan, self.journal, self.executor = solve.plan, solve.journal, solve.executor
        self.tiers = {tier.number: tier for tier in tiers}
        self.filed: dict[int, list[list[Filed]]] = {}
        """By tier and shard: where the outcome codes of each part are."""
        self.plies = solve.problem.game.tier is None and not any(tier.loops for tier in tiers)
        """Whether the tiers are plies: each holds the positions at one distance from the starts, and the game names no
        tiers."""
        self._held: dict[tuple[int, int], _Shard] = {}
        """Solved shards in memory, by tier and shard."""
        self._palettes: dict[int, list[int]] = {}
        """The outcome codes that occur in each solved tier."""
        self._unpublished: list[tuple[Tier, list[Any]]] = []
        """Solved tiers that are not being published yet, with their outcomes for the manifest."""

    def run(self) -> None:
        """Solve and publish every tier.

        Raises
        ------
        TableError
            The journal or a part is damaged, or successors of a tier are missing.
        Unsolvable
            The value of endless play within a tier is not known or not unique, or play takes more plies than a table
            can hold.
        """
        for number in sorted(self.tiers, reverse=True):
            tier = self.tiers[number]
            self.filed[number], census = self._solve_web(tier) if tier.loops else self._solve(tier)
            self._palettes[number] = sorted(census)
            self._unpublished.append((tier, outcome_rows(census, self.solve.problem)))
        self._publish()
        self._held.clear()
        self.executor.wait()
        self.journal.flush()

    def _solve(self, tier: Tier) -> tuple[list[list[Filed]], Counter[int]]:
        """Solve a tier; return where its outcome codes are, by shard, and how many positions have each code."""
        units = self._units(tier)
        left = [(name, unit.parts) for name, unit in units.items() if name not in self.journal]
        steps = Steps(self.report, tier, sum(keys_in(some) for _, some in left))
        holds = self.plan.exchange in ("auto", "fetch") and tier.count * _HELD <= self.plan.objects

        def start(unit: str, some: list[Part], sources: Sources, blocks: list[Any]) -> None:
            shard, first, _ = units[unit]
            hold = holds and some == tier.shards[shard]
            step, finish = steps.of(keys_in(some))

            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)
                    finish()

            files = self.publisher.files(tier, shard, unit, first)
            held = self.executor.start(
                "solve_parts", files, some, hold, sources, *blocks,
                returns=int(hold), tier=tier.number, done=done, step=step,
            )  # fmt: skip
            if hold:
                self._held[tier.number, shard] = _Shard(held[0], _HELD)

        if left:
            self._exchange(tier, start, left)
        self._publish()
        self._wait_for([unit for unit, _ in left])
        self._keep(tier)
        filed: list[list[Filed]] = [[] for _ in tier.shards]
        census: Counter[int] = Counter()
        for unit, (shard, _, _) in units.items():
            found = self.journal[unit]
            self._require_whole(tier, found)
            filed[shard].extend(filed_in(found["codes"]))
            census.update(dict(found["census"]))
        return filed, census

    def _units(self, tier: Tier) -> dict[str, _Unit]:
        """Return the units of work in which a tier is solved, by name.

        One task solves the tier if its positions fit into memory beside those that it leads to. Then they need not be
        read again for the tier before. Otherwise each stretch has a task, and so it has if an earlier run, which had
        less memory, began that way.
        """
        name = f"solve-{tier.number:06d}"
        units: dict[str, _Unit] = {}
        for shard, parts in enumerate(tier.shards):
            first = 0
            for place, some in enumerate(stretches(parts, self.plan.stretch)):
                units[f"{name}-{shard:05d}-{place:05d}"] = _Unit(shard, first, some)
                first += len(some)
        begun = any(unit in self.journal for unit in units)
        if name in self.journal or (len(units) > 1 and not begun and self._fits_whole(tier)):
            return {name: _Unit(0, 0, tier.shards[0])}
        return units

    def _fits_whole(self, tier: Tier) -> bool:
        """Return whether one machine can hold all positions of a tier beside those that it leads to."""
        later = sum(self.tiers[number].count for number in tier.leads_to)
        return self.plan.whole == NEVER and self._fetches(tier) and (tier.count + later) * _HELD <= self.plan.objects

    def _wait_for(self, units: list[str]) -> None:
        """Wait until these units are done; tasks that publish other tiers may go on."""
        while any(unit not in self.journal for unit in units):
            self.executor.wait(max(0, self.executor.waiting - 1))

    def _publish(self) -> None:
        """Start publishing the solved tiers, where possible after the tasks of the next tier, which go first."""
        for tier, outcomes in self._unpublished:
            self.publisher.publish(tier, self.filed[tier.number], outcomes)
        self._unpublished.clear()

    def _require_whole(self, tier: Tier, found: dict[str, Any]) -> None:
        """Raise `TableError` if successors of a tier were missing when it was solved."""
        if found["missing"]:
            raise TableError(
                f"Successors of tier {tier.number} are missing; delete the folder {self.solve.store.place}/{WORK} "
                "to solve from the beginning."
            )

    # Learning the outcomes of successors.

    def _sources(self, tier: Tier, answered: bool) -> Sources:
        """Return where the tasks of a tier find outcomes; ``answered`` says that they ask for them."""
        return Sources({number: len(self.tiers[number].shards) for number in tier.leads_to}, self.plies, answered)

    def _fetches(self, tier: Tier) -> bool:
        """Return whether the tasks of a tier fetch whole shards, and do not ask for single outcomes."""
        if self.plan.exchange != "auto":
            return self.plan.exchange == "fetch"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        others = self.plan.nodes - 1
        return later * _HELD <= self.plan.objects and others * later * _HELD <= tier.children * _ASKED

    def _exchange(self, tier: Tier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        """Start the task of each unit, with the blocks in which it looks up its successors."""
        fetches = self._fetches(tier)
        if fetches or self._compacts(tier):
            if not fetches:  # other shards, and those in the ordinary form, may take the memory that is needed
                self._held = {
                    name: held for name, held in self._held.items() if name[0] in tier.leads_to and held.each == BYTES
                }
            sources, blocks = self._sources(tier, answered=False), list(self._shards(tier, fetches))
            for unit, some in left:
                start(unit, some, sources, blocks)
        else:
            self._ask(tier, start, left)

    def _compacts(self, tier: Tier) -> bool:
        """Return whether the shards that a tier leads to fit into memory in the form of two or three bytes a position.

        The rest of the memory is for a stretch of the tier: its keys and outcome codes.
        """
        if self.plan.exchange not in ("auto", "compact") or any(
            len(self._palettes[number]) > MOST_CODES for number in tier.leads_to
        ):
            return False
        later = sum(self.tiers[number].count for number in tier.leads_to)
        room = self.plan.memory - _ASKED * min(self.plan.stretch, tier.count)
        return self.plan.exchange == "compact" or (self.plan.whole == NEVER and later * BYTES <= room)

    def _shards(self, tier: Tier, whole: bool) -> Iterator[Any]:
        """Yield references to the solved shards that a tier leads to, tier by tier; None for an empty shard.

        Unless they are held already, they are loaded ``whole``, or else in their compact form.
        """
        for number in tier.leads_to:
            later = self.tiers[number]
            for shard, parts in enumerate(later.shards):
                if not parts:
                    yield None
                    continue
                if (number, shard) not in self._held:
                    filed = self.filed[number][shard]
                    task = ("load", parts, filed) if whole else ("compact", parts, filed, self._palettes[number])
                    (held,) = self.executor.start(*task, returns=1, tier=number)
                    self._held[number, shard] = _Shard(held, _HELD if whole else BYTES)
                yield self._held[number, shard].reference

    def _keep(self, tier: Tier) -> None:
        """Drop the shards that no earlier tier needs, and drop all if they do not fit into memory."""
        wanted = set(chain.from_iterable(other.leads_to for other in self.tiers.values() if other.number < tier.number))
        self._held = {name: held for name, held in self._held.items() if name[0] in wanted}
        size = sum(self.tiers[number].counts[shard] * held.each for (number, shard), held in self._held.items())
        if size > self.plan.objects:
            self._held.clear()

    def _ask(self, tier: Tier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        """Start the task of each unit after its questions have been answered.

        A wave is the units whose questions and answers are in memory at the same time. For each wave there are three
        kinds of tasks: for each unit one that collects its questions, for each shard one that answers them, and the
        units' own tasks. `zermelo.solver.passes.exchange` says how questions and answers come from one to the other.
        """
        sources, start_task = self._sources(tier, answered=True), self.executor.start
        shards = max(sources.spread.values(), default=0)
        for wave in self.plan.waves(left, lambda unit: keys_in(unit[1])):
            width = width_of(shards, sum(keys_in(some) for _, some in wave), len(wave))
            count = len(bundles_of(range(shards), width))
            bundles = [start_task("ask", some, sources, width, returns=count, tier=tier.number) for _, some in wave]
            asked = to_shards(self.executor, bundles, shards, width, tier.number)
            answers = list(self._answers(tier, sources, asked))
            replies = to_stretches(self.executor, bundles, asked, answers, width, tier.number)
            for (unit, some), questions, found in zip(wave, bundles, replies, strict=True):
                start(unit, some, sources, [*questions, *found])
            del bundles, asked, answers, replies, questions, found
            self.executor.wait()

    def _answers(self, tier: Tier, sources: Sources, asked: list[Blocks]) -> Iterator[Blocks]:
        """Start a task for each shard, which answers the questions of each block; yield the blocks of its answers."""
        for shard, blocks in enumerate(asked):
            solved = {
                number: (self.tiers[number].shards[shard], self.filed[number][shard])
                for number, count in sources.spread.items()
                if shard < count
            }
            yield self.executor.start("answer", shard, solved, *blocks, returns=len(blocks), tier=tier.number)

    # Moves that stay within the tier.

    def _solve_web(self, tier: Tier) -> tuple[list[list[Filed]], Counter[int]]:
        """Solve a tier whose positions lead to each other; return what `_solve` returns."""
        unit = f"web-{tier.number:06d}"
        if unit not in self.journal:
            if self._files_edges(tier):
                self._publish()
                self._solve_with_files(tier, unit)
            elif self._gathers(tier):
                self._gather(tier, unit)
                self._publish()
            else:
                self._publish()
                self.executor.wait()
                rounds = Rounds(self.solve, self.publisher, tier)
                found = rounds.solve(unit, lambda start, left: self._exchange(tier, start, left))
                self.journal.note(unit, found)
        self._wait_for([unit])
        self.report(tier.number, tier.count, tier.count)
        self._keep(tier)
        found = self.journal[unit]
        self._require_whole(tier, found)
        return [filed_in(rows) for rows in found["codes"]], Counter(dict(found["census"]))

    def _gathers(self, tier: Tier) -> bool:
        """Return whether one task solves the whole tier; rounds over a single shard would need as much memory."""
        if self.plan.loops != "auto":
            return self.plan.loops == "gather"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        return len(tier.shards) == 1 or (self._fits(tier) and later * _HELD <= self.plan.objects)

    def _fits(self, tier: Tier) -> bool:
        """Return whether a tier fits in the memory of one task, with all edges within it."""
        return tier.count * _GATHERED + tier.children * _EDGE <= self.plan.memory

    def _files_edges(self, tier: Tier) -> bool:
        """Return whether the edges within a tier go into files, which only one machine does."""
        if self.plan.loops != "auto":
            return self.plan.loops == "files"
        return self.plan.whole == NEVER and tier.count <= MOST and not self._fits(tier)

    def _solve_with_files(self, tier: Tier, unit: str) -> None:
        """Solve a whole tier with its edges in files."""
        filing = WithFiles(self.solve, self.publisher, tier)
        steps = Steps(self.report, tier, tier.count - (tier.count - filing.left) // 2)
        found = filing.solve(unit, lambda start, left: self._exchange(tier, start, left), steps.of)
        self.journal.note(unit, found)
        filing.delete()

    def _gather(self, tier: Tier, unit: str) -> None:
        """Start the task that solves a whole tier."""
        steps = Steps(self.report, tier, tier.count)

        def start(unit: str, parts: list[Part], sources: Sources, blocks: list[Any]) -> None:
            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)

            files = [self.publisher.files(tier, shard, f"{unit}-{shard:05d}") for shard in range(len(tier.shards))]
            self.executor.start("solve_web", files, tier.number, tier.shards, sources, *blocks,
                                tier=tier.number, done=done, step=steps.of(tier.count)[0])  # fmt: skip

        self._exchange(tier, start, [(unit, list(chain.from_iterable(tier.shards)))])
