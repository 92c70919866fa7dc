"""Backward on a cluster: from the last tier to the first, the outcomes of every shard from those of later ones.

As `zermelo.solver.passes.backward`, whose kernels do the work. A part learns of its successors in one of two ways:

*fetch*
    Whole shards of the later tiers come to the nodes, once each, and are looked up where they are needed.
*ask*
    A part's successors are sent to their shards, each once, and the answers come back.

To fetch is cheaper while a tier fits into every node's memory and there are fewer nodes than successors of a position;
to ask costs the same however many nodes there are. Both come to the same words.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final, Literal

from zermelo.cluster.crew import Crew, grouped
from zermelo.cluster.forward import ClusterTier
from zermelo.cluster.plan import Journal, Plan, parts_of, stretches
from zermelo.cluster.publish import Publisher
from zermelo.cluster.solving import Sources
from zermelo.cluster.webs import Rounds
from zermelo.errors import TableError
from zermelo.solver.model.problem import Problem
from zermelo.solver.passes.backward import outcome_rows
from zermelo.solver.passes.forward import Report
from zermelo.solver.table.stores import Part

Exchange = Literal["auto", "fetch", "ask"]
Loops = Literal["auto", "gather", "rounds"]
Start = Callable[[str, list[Part], Sources, list[Any]], None]
"""Starts a task that is named, for a stretch of parts, with the blocks that its sources are made of."""
_HELD: Final = 16
"""Bytes of a position that is fetched: key, outcome, and the way in."""
_ASKED: Final = 12
"""Bytes of a successor that is asked for."""
_GATHERED: Final = 100
"""Bytes of a position of a tier that is solved by one task, and of an edge."""
_EDGE: Final = 16


class ClusterBackward:
    """The induction over a problem's tiers on a cluster.

    Parameters
    ----------
    problem, plan, journal, crew, report
        As `zermelo.cluster.forward.ClusterForward`.
    publisher
        Told of solved tiers.
    tiers
        All of them, first to last.
    nodes
        How many there are.
    objects
        Bytes that shards on every node may take.
    exchange
        How parts learn of their successors; ``auto`` takes what is cheaper.
    loops
        How tiers are solved whose positions lead to each other: by one task, in rounds over the shards, or by one task
        where it has room for them.
    """

    def __init__(
        self,
        problem: Problem,
        plan: Plan,
        journal: Journal,
        crew: Crew,
        report: Report,
        publisher: Publisher,
        tiers: list[ClusterTier],
        nodes: int,
        objects: int,
        exchange: Exchange,
        loops: Loops,
    ) -> None:
        self.problem, self.plan, self.journal, self.crew, self.report = problem, plan, journal, crew, report
        self.publisher = publisher
        self.tiers = {tier.number: tier for tier in tiers}
        self.words: dict[int, list[list[Part]]] = {}
        self.nodes, self.objects, self.exchange, self.loops = nodes, objects, exchange, loops
        self.plies = problem.game.tier is None and not any(tier.loops for tier in tiers)
        self._held: dict[tuple[int, int], Any] = {}
        self._unpublished: list[tuple[ClusterTier, list[Any]]] = []

    def run(self) -> None:
        """Solve and publish every tier."""
        for number in sorted(self.tiers, reverse=True):
            tier = self.tiers[number]
            self.words[number], census = self._solve_web(tier) if tier.loops else self._solve(tier)
            self._unpublished.append((tier, outcome_rows(census, self.problem)))
        self._publish()
        self._held.clear()
        self.crew.wait()
        self.journal.flush()

    def _solve(self, tier: ClusterTier) -> tuple[list[list[Part]], Counter[int]]:
        """The parts of a tier's outcomes by shard, and how many positions have each."""
        units: dict[str, tuple[int, list[Part]]] = {
            f"solve-{tier.number:06d}-{shard:05d}-{place:05d}": (shard, some)
            for shard, parts in enumerate(tier.shards)
            for place, some in enumerate(stretches(parts, self.plan.stretch))
        }
        left = [(unit, some) for unit, (_, some) in units.items() if unit not in self.journal]
        done = tier.count - sum(part.size for _, some in left for part in some)

        def note(unit: str, some: list[Part], answer: Any) -> None:
            nonlocal done
            self.journal.note(unit, answer)
            done += sum(part.size for part in some)
            self.report(tier.number, done, tier.count)

        holds = self.exchange != "ask" and tier.count * _HELD <= self.objects

        def solve(unit: str, some: list[Part], sources: Sources, blocks: list[Any]) -> None:
            def done(answer: Any) -> None:
                if answer is not None:
                    note(unit, some, answer)

            shard = units[unit][0]
            hold = holds and some == tier.shards[shard]
            arguments = unit, some, hold, sources, *blocks
            held = self.crew.start("solve_parts", *arguments, returns=int(hold), tier=tier.number, done=done)
            if hold:
                (self._held[tier.number, shard],) = held

        if left:
            self._exchange(tier, solve, left)
        self._publish()
        # Whatever publishes the tiers before may still be under way.
        while any(unit not in self.journal for unit, _ in left):
            self.crew.wait(max(0, self.crew.waiting - 1))
        self._keep(tier)
        words: list[list[Part]] = [[] for _ in tier.shards]
        census: Counter[int] = Counter()
        for unit, (shard, _) in units.items():
            found = self.journal[unit]
            self._complete(tier, found)
            words[shard].extend(parts_of(found["words"]))
            census.update(dict(found["census"]))
        return words, census

    def _publish(self) -> None:
        """Have what is solved published: after the tasks of the next tier have been handed out, which go first."""
        for tier, outcomes in self._unpublished:
            self.publisher.publish(tier, self.words[tier.number], outcomes)
        self._unpublished.clear()

    def _complete(self, tier: ClusterTier, found: dict[str, Any]) -> None:
        if found["missing"]:
            raise TableError(f"Successors of tier {tier.number} are missing; delete {self.plan.place} and begin again.")

    # Two ways.

    def _sources(self, tier: ClusterTier, answered: bool) -> Sources:
        return Sources({number: len(self.tiers[number].shards) for number in tier.leads_to}, self.plies, answered)

    def _fetches(self, tier: ClusterTier) -> bool:
        """Whether whole shards come to the nodes, and not answers."""
        if self.exchange != "auto":
            return self.exchange == "fetch"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        return later * _HELD <= self.objects and (self.nodes - 1) * later * _HELD <= tier.children * _ASKED

    def _exchange(self, tier: ClusterTier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        """Start a task for each stretch of parts, with what it needs to look its successors up."""
        if self._fetches(tier):
            sources, blocks = self._sources(tier, answered=False), list(self._shards(tier))
            for unit, some in left:
                start(unit, some, sources, blocks)
        else:
            self._ask(tier, start, left)

    def _shards(self, tier: ClusterTier) -> Iterator[Any]:
        """References to the solved shards that a tier leads to, tier by tier; None for one without positions."""
        for number in tier.leads_to:
            later = self.tiers[number]
            for shard, parts in enumerate(later.shards):
                if not parts:
                    yield None
                    continue
                if (number, shard) not in self._held:
                    words = self.words[number][shard]
                    (self._held[number, shard],) = self.crew.start("load", parts, words, returns=1, tier=number)
                yield self._held[number, shard]

    def _keep(self, tier: ClusterTier) -> None:
        """Let go of shards that no tier before needs."""
        wanted = set(chain.from_iterable(other.leads_to for other in self.tiers.values() if other.number < tier.number))
        self._held = {name: held for name, held in self._held.items() if name[0] in wanted}
        size = sum(self.tiers[number].counts[shard] for number, shard in self._held) * _HELD
        if size > self.objects:
            self._held.clear()

    def _ask(self, tier: ClusterTier, start: Start, left: list[tuple[str, list[Part]]]) -> None:
        sources = self._sources(tier, answered=True)
        shards = max(sources.spread.values(), default=0)
        for wave in grouped(left, self.plan.wave):
            asked = [self.crew.start("ask", some, sources, returns=shards, tier=tier.number) for _, some in wave]
            answers = []
            for shard in range(shards):
                solved = {
                    number: (self.tiers[number].shards[shard], self.words[number][shard])
                    for number, count in sources.spread.items()
                    if shard < count
                }
                blocks = (questions[shard] for questions in asked)
                answers.append(self.crew.start("answer", solved, *blocks, returns=len(wave), tier=tier.number))
            for place, (unit, some) in enumerate(wave):
                start(unit, some, sources, [*asked[place], *(replies[place] for replies in answers)])
            del asked, answers
            self.crew.wait()

    # Moves that stay within the tier.

    def _solve_web(self, tier: ClusterTier) -> tuple[list[list[Part]], Counter[int]]:
        """As `_solve` for positions that lead to each other."""
        unit = f"web-{tier.number:06d}"
        if unit not in self.journal:
            if self._gathers(tier):
                self._gather(tier, unit)
                self._publish()
            else:
                self._publish()
                self.crew.wait()
                rounds = Rounds(self.problem, self.crew, self.plan.stretch, tier)
                found = rounds.solve(unit, lambda start, left: self._exchange(tier, start, left))
                self.journal.note(unit, found)
        while unit not in self.journal:
            self.crew.wait(max(0, self.crew.waiting - 1))
        self.report(tier.number, tier.count, tier.count)
        self._keep(tier)
        found = self.journal[unit]
        self._complete(tier, found)
        return [parts_of(rows) for rows in found["words"]], Counter(dict(found["census"]))

    def _gathers(self, tier: ClusterTier) -> bool:
        """Whether all of the tier is solved by one task, and not in rounds."""
        if self.loops != "auto":
            return self.loops == "gather"
        later = sum(self.tiers[number].count for number in tier.leads_to)
        fits = tier.count * _GATHERED + tier.children * _EDGE <= self.plan.memory
        return fits and later * _HELD <= self.objects

    def _gather(self, tier: ClusterTier, unit: str) -> None:
        sources, blocks = self._sources(tier, answered=False), list(self._shards(tier))

        def done(answer: Any) -> None:
            if answer is not None:
                self.journal.note(unit, answer)

        self.crew.start("solve_web", unit, tier.number, tier.shards, sources, *blocks, tier=tier.number, done=done)
