"""The driver of `zermelo.cluster.rounds`: which shards have something to decide, round after round."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.cluster.crew import Crew
from zermelo.cluster.forward import ClusterTier
from zermelo.cluster.plan import stretches
from zermelo.cluster.solving import Sources
from zermelo.errors import Unsolvable
from zermelo.solver.model.problem import Problem
from zermelo.solver.table.stores import Part

Exchange = Callable[[Callable[[str, list[Part], Sources, list[Any]], None], list[tuple[str, list[Part]]]], None]
Told = dict[int, list[Any]]
"""By shard: blocks with what others tell it."""


class Rounds:
    """A tier whose positions lead to each other, on all nodes.

    Parameters
    ----------
    problem, crew
        What is solved, and by whom.
    stretch
        Keys of one task.
    tier
        The tier.
    """

    def __init__(self, problem: Problem, crew: Crew, stretch: int, tier: ClusterTier) -> None:
        self.stretch = stretch
        self.problem, self.crew, self.tier = problem, crew, tier
        self.shards = shards = len(tier.shards)
        self.graphs: list[Any] = []
        self.standings: list[Any] = []
        self.worths: list[set[int]] = [set() for _ in range(shards)]
        self.rounds = 0

    def solve(self, unit: str, exchange: Exchange) -> dict[str, Any]:
        """All of it: the parts of words by shard, how many positions have each, how many successors are missing."""
        missing, endless = self._join(exchange)
        for sign in (1, -1):
            values = {value for worths in self.worths for value in worths if (value - endless) * sign > 0}
            for value in sorted(values, key=lambda value: -sign * value):
                self._force(sign, value)
        self._count(endless)
        words: list[Any] = [[] for _ in range(self.shards)]
        census: Counter[int] = Counter()

        def take(shard: int, found: Any) -> None:
            words[shard] = found["words"]
            census.update(dict(found["census"]))

        for shard, parts in enumerate(self.tier.shards):
            if parts:
                self._start(shard, "keep", f"{unit}-{shard:05d}", parts, done=partial(take, shard))
        self.crew.wait()
        return {"words": words, "census": sorted(census.items()), "missing": missing, "rounds": self.rounds}

    def _start(self, shard: int, kind: str, *arguments: Any, told: Any = (), returns: int = 0, done: Any) -> list[Any]:
        return self.crew.start(
            kind, *arguments, self.graphs[shard], self.standings[shard], *told,
            returns=returns, tier=self.tier.number, done=done,
        )  # fmt: skip

    def _join(self, exchange: Exchange) -> tuple[int, int]:
        """Have every shard learn who leads to it.

        Returns how many successors are missing, and what endless play is worth.
        """
        missing = 0
        mine: list[list[Any]] = [[] for _ in range(self.shards)]
        leading: list[list[Any]] = [[] for _ in range(self.shards)]
        owners, left = {}, []
        for shard, parts in enumerate(self.tier.shards):
            start = 0
            for some in stretches(parts, self.stretch):
                owners[some[0].name] = shard, start
                left.append((f"edges {some[0].name}", some))
                start += sum(part.size for part in some)

        def count(found: Any) -> None:
            nonlocal missing
            missing += (found or {}).get("missing", 0)

        def expand(unit: str, some: list[Part], sources: Sources, blocks: list[Any]) -> None:
            shard, start = owners[some[0].name]
            here, *there = self.crew.start(
                "edges", start, some, self.tier.number, shard, self.shards, sources, *blocks,
                returns=1 + self.shards, tier=self.tier.number, done=count,
            )  # fmt: skip
            mine[shard].append(here)
            for number, block in enumerate(there):
                leading[number].append(block)

        exchange(expand, left)
        found: dict[int, Any] = {}
        for shard, parts in enumerate(self.tier.shards):
            graph, standing = [None, None] if not parts else self.crew.start(
                "join", parts, self.shards, len(mine[shard]), *mine[shard], *leading[shard],
                returns=2, tier=self.tier.number, done=partial(found.__setitem__, shard),
            )  # fmt: skip
            self.graphs.append(graph)
            self.standings.append(standing)
        mine.clear()
        leading.clear()
        self.crew.wait()
        ranges: list[int] = []
        for shard, answer in found.items():
            self.worths[shard] = set(answer["worths"])
            ranges.extend(answer["endless"] or ())
        return missing, self._endless(ranges)

    def _endless(self, worths: list[int]) -> int:
        game = self.problem.game
        if not callable(game.repetition):
            return game.endless_value + self.problem.zero
        if min(worths) != max(worths):
            raise Unsolvable(
                f"Endless play of {game!r} is worth from {min(worths)} to {max(worths)} in one tier; "
                "name a tier(state) within which the value of repetition is the same for all states."
            )
        return worths[0] + self.problem.zero

    def _round(self, kind: str, arguments: list[Any], told: Told) -> tuple[Told, list[Any]]:
        """A round: a task for each shard that is told something; what is to be told then, and the answers."""
        self.rounds += 1
        answers: dict[int, Any] = {}
        blocks: dict[int, list[Any]] = {}
        for shard, some in told.items():
            self.standings[shard], *blocks[shard] = self._start(
                shard, kind, *arguments, told=some, returns=1 + self.shards,
                done=partial(answers.__setitem__, shard),
            )  # fmt: skip
        self.crew.wait()
        then: dict[int, list[Any]] = {}
        for shard in sorted(answers):
            for number, count in enumerate(answers[shard]["sent"]):
                if count:
                    then.setdefault(number, []).append(blocks[shard][number])
        return then, [answers[shard] for shard in sorted(answers)]

    def _force(self, sign: int, value: int) -> None:
        """Where the player with that sign can force that value."""
        told: dict[int, list[Any]] = {shard: [] for shard, worths in enumerate(self.worths) if value in worths}
        first = True
        while told:
            told, _ = self._round("force_values", [sign, value, first], told)
            first = False

    def _count(self, endless: int) -> None:
        """The remoteness of every position."""
        there = [shard for shard, parts in enumerate(self.tier.shards) if parts]
        told, _ = self._round("tell_values", [endless], {shard: [] for shard in there})
        due: dict[int, int] = {}

        def note(shard: int, plies: int | None) -> None:
            due.pop(shard, None)
            if plies is not None:
                due[shard] = plies

        for shard in there:
            (self.standings[shard],) = self._start(
                shard, "count_equal", told=told.get(shard, []), returns=1,
                done=lambda answer, shard=shard: note(shard, answer["next"]),
            )  # fmt: skip
        self.crew.wait()
        plies, told = -1, {}
        while told or due:
            plies = plies + 1 if told else min(due.values())
            told |= {shard: [] for shard, next_due in due.items() if next_due == plies and shard not in told}
            at_work = sorted(told)
            told, answers = self._round("count_plies", [plies], told)
            for shard, answer in zip(at_work, answers, strict=True):
                note(shard, answer["next"])
