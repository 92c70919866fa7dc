"""The backward pass: from the last tier to the first, the outcome of every position from those of its successors.

A task learns the outcomes of successors in one of two ways:

*fetch*
    Whole shards of the later tiers come to the nodes, once each, and are looked up where they are needed.
*ask*
    A task's successors are sent to their shards, each once, and the answers come back.

To fetch is cheaper while a tier fits into every node's memory and there are fewer nodes than successors of a position;
to ask costs the same however many nodes there are, and needs no room for whole tiers. The outcomes are the same.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final

from zermelo.errors import TableError
from zermelo.solver.passes.backward_tasks import Sources
from zermelo.solver.passes.executor import Report, Solve, grouped
from zermelo.solver.passes.forward import Tier
from zermelo.solver.passes.outcomes import outcome_rows
from zermelo.solver.passes.plan import WORK, keys_in, stretches
from zermelo.solver.passes.publish import Publisher
from zermelo.solver.passes.retrograde import Rounds
from zermelo.solver.passes.site import Filed, filed_in
from zermelo.solver.table.stores import Part

Start = Callable[[str, list[Part], Sources, list[Any]], None]
"""Starts the task of a unit, for some parts, with the blocks that its sources are made of."""
_HELD: Final = 16
"""Bytes of a position that is looked up: key, outcome, and the way in."""
_ASKED: Final = 12
"""Bytes of a successor that is asked for."""
_GATHERED: Final = 100
"""Bytes of a position of a tier that is solved by one task, and of an edge."""
_EDGE: Final = 16


class Backward:
    """The induction over a problem's tiers.

    Parameters
    ----------
    solve
        The solve under way.
    publisher
        Told of solved tiers.
    report
        Told how far it is.
    tiers
        All of them, first to last.
    """

    def __init__(self, solve: Solve, publisher: Publisher, report: Report, tiers: list[Tier]) -> None:
        self.solve, self.publisher, self.report = solve, publisher, report
        self.plan, self.journal, self.executor = solve.plan, solve.journal, solve.executor
        self.tiers = {tier.number: tier for tier in tiers}
        self.filed: dict[int, list[list[Filed]]] = {}
        """By tier and shard, where the outcome codes of each part are."""
        self.plies = solve.problem.game.tier is None and not any(tier.loops for tier in tiers)
        self._held: dict[tuple[int, int], Any] = {}
        """References to solved shards, by tier and shard."""
        self._unpublished: list[tuple[Tier, list[Any]]] = []

    def run(self) -> None:
        """Solve and publish every tier."""
        for number in sorted(self.tiers, reverse=True):
            tier = self.tiers[number]
            self.filed[number], census = self._solve_web(tier) if tier.loops else self._solve(tier)
            self._unpublished.append((tier, outcome_rows(census, self.solve.problem)))
        self._publish()
        self._held.clear()
        self.executor.wait()
        self.journal.flush()

    def _solve(self, tier: Tier) -> tuple[list[list[Filed]], Counter[int]]:
        """Where a tier's outcome codes are, by shard, and how many positions have each."""
        units: dict[str, tuple[int, int, list[Part]]] = {}
        """Of each unit: the shard, the number of the first part, the parts."""
        for shard, parts in enumerate(tier.shards):
            first = 0
            for place, some in enumerate(stretches(parts, self.plan.stretch)):
                units[f"solve-{tier.number:06d}-{shard:05d}-{place:05d}"] = shard, first, some
                first += len(some)
        left = [(unit, some) for unit, (_, _, some) in units.items() if unit not in self.journal]
        steps = Steps(self.report, tier, sum(keys_in(some) for _, some in left))
        holds = self.plan.exchange != "ask" and tier.count * _HELD <= self.plan.objects

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
                (self._held[tier.number, shard],) = held

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

    def _wait_for(self, units: list[str]) -> None:
        """Wait for some units; tasks that publish earlier tiers may go on."""
        while any(unit not in self.journal for unit in units):
            self.executor.wait(max(0, self.executor.waiting - 1))

    def _publish(self) -> None:
        """Have solved tiers published: after the tasks of the next tier have been started, which go first."""
        for tier, outcomes in self._unpublished:
            self.publisher.publish(tier, self.filed[tier.number], outcomes)
        self._unpublished.clear()

    def _require_whole(self, tier: Tier, found: dict[str, Any]) -> None:
        if found["missing"]:
            raise TableError(
                f"Successors of tier {tier.number} are missing; delete the folder {self.solve.store.place}/{WORK} "
                "to solve from the beginning."
            )

    # How tasks learn the outcomes of successors.

    def _sources(self, tier: Tier, answered: bool) -> Sources:
        return Sources({number: len(self.tiers[number].shards) for number in tier.leads_to}, self.plies, answered)

    def _fetches(self, tier: Tier) -> bool:
        """Whether whole shards come to the nodes, and not answers."""
        if self.plan.exchange != "auto":
            return self.plan.exchange == "fetch"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        others = self.plan.nodes - 1
        return later * _HELD <= self.plan.objects and others * later * _HELD <= tier.children * _ASKED

    def _exchange(self, tier: Tier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        """Start a task for each unit, with what it needs to look its successors up."""
        if self._fetches(tier):
            sources, blocks = self._sources(tier, answered=False), list(self._shards(tier))
            for unit, some in left:
                start(unit, some, sources, blocks)
        else:
            self._ask(tier, start, left)

    def _shards(self, tier: Tier) -> Iterator[Any]:
        """References to the solved shards that a tier leads to, tier by tier; None for a shard without positions."""
        for number in tier.leads_to:
            later = self.tiers[number]
            for shard, parts in enumerate(later.shards):
                if not parts:
                    yield None
                    continue
                if (number, shard) not in self._held:
                    filed = self.filed[number][shard]
                    (self._held[number, shard],) = self.executor.start("load", parts, filed, returns=1, tier=number)
                yield self._held[number, shard]

    def _keep(self, tier: Tier) -> None:
        """Let go of shards that no tier before needs."""
        wanted = set(chain.from_iterable(other.leads_to for other in self.tiers.values() if other.number < tier.number))
        self._held = {name: held for name, held in self._held.items() if name[0] in wanted}
        size = sum(self.tiers[number].counts[shard] for number, shard in self._held) * _HELD
        if size > self.plan.objects:
            self._held.clear()

    def _ask(self, tier: Tier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        sources = self._sources(tier, answered=True)
        shards = max(sources.spread.values(), default=0)
        for wave in grouped(left, self.plan.wave):
            asked = [self.executor.start("ask", some, sources, returns=shards, tier=tier.number) for _, some in wave]
            answers = []
            for shard in range(shards):
                solved = {
                    number: (self.tiers[number].shards[shard], self.filed[number][shard])
                    for number, count in sources.spread.items()
                    if shard < count
                }
                blocks = (questions[shard] for questions in asked)
                answers.append(self.executor.start("answer", solved, *blocks, returns=len(wave), tier=tier.number))
            for place, (unit, some) in enumerate(wave):
                start(unit, some, sources, [*asked[place], *(replies[place] for replies in answers)])
            del asked, answers
            self.executor.wait()

    # Moves that stay within the tier.

    def _solve_web(self, tier: Tier) -> tuple[list[list[Filed]], Counter[int]]:
        """As `_solve`, for positions that lead to each other."""
        unit = f"web-{tier.number:06d}"
        if unit not in self.journal:
            if self._gathers(tier):
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
        """Whether one task solves all of the tier; rounds over a single shard would take as much memory."""
        if self.plan.loops != "auto":
            return self.plan.loops == "gather"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        fits = tier.count * _GATHERED + tier.children * _EDGE <= self.plan.memory
        return len(tier.shards) == 1 or (fits and later * _HELD <= self.plan.objects)

    def _gather(self, tier: Tier, unit: str) -> None:
        steps = Steps(self.report, tier, tier.count)

        def start(unit: str, parts: list[Part], sources: Sources, blocks: list[Any]) -> None:
            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)

            files = [self.publisher.files(tier, shard, f"{unit}-{shard:05d}") for shard in range(len(tier.shards))]
            self.executor.start("solve_web", files, tier.number, tier.shards, sources, *blocks,
                                tier=tier.number, done=done, step=steps.of(tier.count)[0])  # fmt: skip

        self._exchange(tier, start, [(unit, list(chain.from_iterable(tier.shards)))])


class Steps:
    """How far a tier is, added up over its tasks.

    Parameters
    ----------
    report
        Told how far it is.
    tier
        The tier.
    left
        How many of its positions have not been solved by an earlier run.
    """

    def __init__(self, report: Report, tier: Tier, left: int) -> None:
        self._report, self._tier, self._done = report, tier, tier.count - left
        if self._done:
            self._add(0)

    def _add(self, count: int) -> None:
        self._done += count
        self._report(self._tier.number, self._done, self._tier.count)

    def of(self, size: int) -> tuple[Callable[[int], None], Callable[[], None]]:
        """For a task of ``size`` positions: what is told of positions on the way, and what is told of its end."""
        told = 0

        def step(count: int) -> None:
            nonlocal told
            told += count
            self._add(count)

        def finish() -> None:
            if told < size:
                step(size - told)

        return step, finish
