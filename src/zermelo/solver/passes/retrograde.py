"""A tier whose positions lead to each other, solved in rounds over its shards.

In a *round*, a task runs for each shard that has messages or something to decide. The task decides what it can, and
returns messages for the shards of the predecessors. This module says which shards take part in a round; the tasks are
in `zermelo.solver.passes.retrograde_tasks`.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.solver.passes.backward_tasks import Sources
from zermelo.solver.passes.executor import Solve
from zermelo.solver.passes.forward import Tier
from zermelo.solver.passes.outcomes import worth_of_endless
from zermelo.solver.passes.plan import keys_in, stretches
from zermelo.solver.passes.publish import Publisher
from zermelo.solver.table.stores import Part

StartAll = Callable[[Callable[[str, list[Part], Sources, list[Any]], None], list[tuple[str, list[Part]]]], None]
"""A function that starts a task for each unit of work that it is given, with the blocks in which the task looks up
successors."""
Told = dict[int, list[Any]]
"""By shard: blocks with the messages of other shards."""


class Rounds:
    """The rounds of one tier.

    Parameters
    ----------
    solve
        The solve under way.
    publisher
        Says where outcomes are written.
    tier
        The tier.
    """

    def __init__(self, solve: Solve, publisher: Publisher, tier: Tier) -> None:
        self.under_way, self.publisher, self.tier = solve, publisher, tier
        self.executor = solve.executor
        self.shards = shards = len(tier.shards)
        self.graphs: list[Any] = []
        """By shard: a reference to its `Graph`; None for a shard without positions."""
        self.standings: list[Any] = []
        """By shard: a reference to its `Standing`; None for a shard without positions."""
        self.worths: list[set[int]] = [set() for _ in range(shards)]
        """By shard: the values with which its positions end the game or leave the tier, less the least utility."""
        self.rounds = 0
        """The number of rounds so far."""

    def solve(self, unit: str, exchange: StartAll) -> dict[str, Any]:
        """Solve the tier, and return an answer as `zermelo.solver.passes.retrograde_tasks.solve_web` does.

        The answer also has the number of ``rounds``.

        Parameters
        ----------
        unit
            The name of the unit of work.
        exchange
            Starts the tasks that look up successors in later tiers.

        Raises
        ------
        Unsolvable
            The value of endless play is not the same in the whole tier. Executors report other errors in their `wait`.
        """
        missing, endless = self._join(exchange)
        for sign in (1, -1):
            values = {value for worths in self.worths for value in worths if (value - endless) * sign > 0}
            for value in sorted(values, key=lambda value: -sign * value):
                self._force(sign, value)
        self._count(endless)
        codes: list[Any] = [[] for _ in range(self.shards)]
        census: Counter[int] = Counter()

        def take(shard: int, found: Any) -> None:
            codes[shard] = found["codes"]
            census.update(dict(found["census"]))

        for shard, parts in enumerate(self.tier.shards):
            if parts:
                files = self.publisher.files(self.tier, shard, f"{unit}-{shard:05d}")
                self._start(shard, "keep", files, parts, done=partial(take, shard))
        self.executor.wait()
        return {"codes": codes, "census": sorted(census.items()), "missing": missing, "rounds": self.rounds}

    def _start(self, shard: int, kind: str, *arguments: Any, told: Any = (), returns: int = 0, done: Any) -> list[Any]:
        """Start a task for a shard, which receives the shard's graph and standing after the other arguments."""
        return self.executor.start(
            kind, *arguments, self.graphs[shard], self.standings[shard], *told,
            returns=returns, tier=self.tier.number, done=done,
        )  # fmt: skip

    def _join(self, exchange: StartAll) -> tuple[int, int]:
        """Give every shard its graph and its standing.

        Returns
        -------
        int, int
            How many successors are missing, and what endless play is worth, less the least utility.
        """
        missing = 0
        mine: list[list[Any]] = [[] for _ in range(self.shards)]
        leading: list[list[Any]] = [[] for _ in range(self.shards)]
        owners, left = {}, []
        for shard, parts in enumerate(self.tier.shards):
            start = 0
            for some in stretches(parts, self.under_way.plan.stretch):
                owners[some[0].name] = shard, start
                left.append((f"edges {some[0].name}", some))
                start += keys_in(some)

        def count(found: Any) -> None:
            nonlocal missing
            missing += (found or {}).get("missing", 0)

        def expand(unit: str, some: list[Part], sources: Sources, blocks: list[Any]) -> None:
            shard, start = owners[some[0].name]
            here, *there = self.executor.start(
                "edges", start, some, self.tier.number, shard, self.shards, sources, *blocks,
                returns=1 + self.shards, tier=self.tier.number, done=count,
            )  # fmt: skip
            mine[shard].append(here)
            for number, block in enumerate(there):
                leading[number].append(block)

        exchange(expand, left)
        found: dict[int, Any] = {}
        for shard, parts in enumerate(self.tier.shards):
            graph, standing = [None, None] if not parts else self.executor.start(
                "join", parts, self.shards, len(mine[shard]), *mine[shard], *leading[shard],
                returns=2, tier=self.tier.number, done=partial(found.__setitem__, shard),
            )  # fmt: skip
            self.graphs.append(graph)
            self.standings.append(standing)
        mine.clear()
        leading.clear()
        self.executor.wait()
        ranges: list[tuple[int, int]] = []
        for shard, answer in found.items():
            self.worths[shard] = set(answer["worths"])
            ranges.extend(answer["endless"])
        return missing, worth_of_endless(self.under_way.problem, ranges)

    def _round(self, kind: str, arguments: list[Any], told: Told) -> tuple[Told, list[Any]]:
        """Run a round: a task for each shard in ``told``.

        Returns
        -------
        dict, list
            The messages for the next round, and the answers in the order of the shards.
        """
        self.rounds += 1
        answers: dict[int, Any] = {}
        blocks: dict[int, list[Any]] = {}
        for shard, some in told.items():
            self.standings[shard], *blocks[shard] = self._start(
                shard, kind, *arguments, told=some, returns=1 + self.shards,
                done=partial(answers.__setitem__, shard),
            )  # fmt: skip
        self.executor.wait()
        then: dict[int, list[Any]] = {}
        for shard in sorted(answers):
            for number, count in enumerate(answers[shard]["sent"]):
                if count:
                    then.setdefault(number, []).append(blocks[shard][number])
        return then, [answers[shard] for shard in sorted(answers)]

    def _force(self, sign: int, value: int) -> None:
        """Find where the player with this sign can force this value."""
        told: dict[int, list[Any]] = {shard: [] for shard, worths in enumerate(self.worths) if value in worths}
        first = True
        while told:
            told, _ = self._round("force_values", [sign, value, first], told)
            first = False

    def _count(self, endless: int) -> None:
        """Find the remoteness of every position."""
        there = [shard for shard, parts in enumerate(self.tier.shards) if parts]
        told, _ = self._round("tell_values", [endless], {shard: [] for shard in there})
        due: dict[int, int] = {}

        def note(shard: int, ply: int | None) -> None:
            due.pop(shard, None)
            if ply is not None:
                due[shard] = ply

        for shard in there:
            (self.standings[shard],) = self._start(
                shard, "count_equal", told=told.get(shard, []), returns=1,
                done=lambda answer, shard=shard: note(shard, answer["next"]),
            )  # fmt: skip
        self.executor.wait()
        ply, told = -1, {}
        while told or due:
            ply = ply + 1 if told else min(due.values())
            told |= {shard: [] for shard, next_due in due.items() if next_due == ply and shard not in told}
            at_work = sorted(told)
            told, answers = self._round("count_plies", [ply], told)
            for shard, answer in zip(at_work, answers, strict=True):
                note(shard, answer["next"])
