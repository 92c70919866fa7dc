"""A tier whose positions lead to each other, solved on one machine with its edges in files.

The work has three phases. First, tasks expand the tier, stretch by stretch, and write the edges to files, each with the
edges to one bucket. Second, a task for each bucket turns its edges round, so that they are sorted by their targets.
Third, one task decides the outcomes; it reads the edges as it needs them. The journal has the units of the first two
phases, so that a solve that was stopped goes on with the files that are there.

The tasks are in `zermelo.solver.passes.filed_tasks`.
"""

from collections.abc import Callable
from typing import Any, Final

from zermelo.solver.passes.backward_tasks import Sources
from zermelo.solver.passes.executor import Solve, Step
from zermelo.solver.passes.filed_tasks import PAIR
from zermelo.solver.passes.forward import Tier
from zermelo.solver.passes.outcomes import worth_of_endless
from zermelo.solver.passes.plan import keys_in, parts_of, stretches
from zermelo.solver.passes.publish import Publisher
from zermelo.solver.passes.retrograde import StartAll
from zermelo.solver.table.stores import Part

MOST: Final = (1 << 31) - 1
"""The most positions of such a tier: the files hold their numbers in four bytes."""


class WithFiles:
    """The solving of one tier with its edges in files.

    Parameters
    ----------
    solve
        The solve under way.
    publisher
        Says where outcomes are written.
    tier
        The tier, in one shard.
    """

    def __init__(self, solve: Solve, publisher: Publisher, tier: Tier) -> None:
        self.under_way, self.publisher, self.tier = solve, publisher, tier
        self.journal, self.executor, self.plan = solve.journal, solve.executor, solve.plan
        (self.parts,) = tier.shards
        self.units: dict[str, tuple[int, list[Part]]] = {}
        """By the name of the unit: the number of its first position, and its parts of keys."""
        start = 0
        for place, some in enumerate(stretches(self.parts, self.plan.stretch)):
            self.units[f"edges-{tier.number:06d}-{place:05d}"] = start, some
            start += keys_in(some)

    @property
    def left(self) -> int:
        """How many positions no earlier run has expanded."""
        return sum(keys_in(some) for unit, (_, some) in self.units.items() if unit not in self.journal)

    def solve(self, unit: str, exchange: StartAll, steps: Callable[[int], tuple[Step, Any]]) -> dict[str, Any]:
        """Solve the tier, and return an answer as `zermelo.solver.passes.retrograde_tasks.solve_web` does.

        Parameters
        ----------
        unit
            The name of the unit of work.
        exchange
            Starts the tasks that look up successors in later tiers.
        steps
            Returns the functions that count the progress of a task, given its number of positions.

        Raises
        ------
        Unsolvable
            The value of endless play is not the same in the whole tier. Executors report other errors in their `wait`.
        """
        width = self._width()
        self._expand(width, exchange, steps)
        self.executor.forget()
        buckets = self._turn(width, steps)
        found = [self.journal[name] for name in self.units]
        endless = worth_of_endless(
            self.under_way.problem, [(low, high) for answer in found for low, high in answer["endless"]]
        )
        answers: list[Any] = []
        rows = [self.journal[name] for name in buckets]
        self.executor.start(
            "solve_filed", self.publisher.files(self.tier, 0, f"{unit}-00000"), self.parts,
            [parts_of(answer["positions"]) for answer in found],
            parts_of(row["edges"] for row in rows), parts_of(row["counts"] for row in rows), width, endless,
            tier=self.tier.number, done=answers.append, step=steps(self.tier.count)[0],
        )  # fmt: skip
        self.executor.wait()
        return {**answers[0], "missing": sum(answer["missing"] for answer in found)}

    def delete(self) -> None:
        """Delete the files of the edges: the journal has the tier's outcomes."""
        for name, found in self.journal.done.items():
            if name in self.units:
                self.journal.delete(parts_of(found["positions"]))
            elif name.startswith(self._turned("")):
                self.journal.delete(parts_of([found["edges"], found["counts"]]))

    def _turned(self, bucket: str) -> str:
        """Return the name of the unit that turns the edges of a bucket round."""
        return f"turned-{self.tier.number:06d}-{bucket}"

    def _width(self) -> int:
        """Return the number of positions in a bucket, which an earlier run may have chosen.

        If files of an earlier run are missing, all its units of this tier are forgotten.
        """
        name = f"edges-{self.tier.number:06d}"
        if name in self.journal and not self._has_files():
            for unit in [unit for unit in self.journal.done if unit in self.units or unit.startswith(self._turned(""))]:
                self.journal.forget(unit)
            self.journal.forget(name)
        if name not in self.journal:
            buckets = -(-self.tier.children * PAIR // self.plan.memory)
            self.journal.note(name, {"width": max(1, -(-self.tier.count // max(1, buckets)))})
        return int(self.journal[name]["width"])

    def _has_files(self) -> bool:
        """Return whether all files are there that units of an earlier run have written and later ones read."""
        names = set(self.under_way.store.names("work"))
        needed: list[Part] = []
        for unit, found in self.journal.done.items():
            if unit in self.units:
                needed += parts_of(found["positions"])
                for bucket, rows in enumerate(found["edges"]):
                    if self._turned(f"{bucket:05d}") not in self.journal:
                        needed += parts_of(rows)
            elif unit.startswith(self._turned("")):
                needed += parts_of([found["edges"], found["counts"]])
        return all(part.name in names for part in needed)

    def _expand(self, width: int, exchange: StartAll, steps: Callable[[int], tuple[Step, Any]]) -> None:
        """Write the edges of all stretches that no earlier run has expanded."""
        left = [(unit, some) for unit, (_, some) in self.units.items() if unit not in self.journal]
        if not left:
            return
        (known,) = self.executor.start("load_keys", self.parts, returns=1, tier=self.tier.number)

        def expand(unit: str, some: list[Part], sources: Sources, blocks: list[Any]) -> None:
            def done(answer: Any) -> None:
                if answer is not None:
                    self.journal.note(unit, answer)

            self.executor.start(
                "file_edges", unit, self.units[unit][0], some, self.tier.number, width, known, sources, *blocks,
                tier=self.tier.number, done=done, step=steps(keys_in(some))[0],
            )  # fmt: skip

        exchange(expand, left)
        self.executor.wait()

    def _turn(self, width: int, steps: Callable[[int], tuple[Step, Any]]) -> list[str]:
        """Turn the edges to each bucket round, and return the names of the units."""
        count = self.tier.count
        names = []
        for bucket, first in enumerate(range(0, count, width)):
            names.append(name := self._turned(f"{bucket:05d}"))
            if name in self.journal:
                continue
            parts = [part for unit in self.units for part in parts_of(self.journal[unit]["edges"][bucket])]
            size = min(width, count - first)
            self.under_way.unit(
                name, self.tier.number, "turn_edges", parts, first, size, step=steps(size)[0]
            )  # fmt: skip
            self.executor.wait()
            self.journal.delete(parts)
        return names
