"""An audit: positions first, then every check on as many of them as time allows, then the numbers."""

import copy
import heapq
import random
from collections.abc import Callable
from contextlib import suppress
from itertools import zip_longest
from math import inf
from typing import Any, Final

from zermelo.check import balance, endings, knowledge, lopsided, rules, texts, values
from zermelo.check.coverage import ENGINE_SECONDS, Coverage, unchecked
from zermelo.check.explore import Exploration, Explorer
from zermelo.check.inspector import Inspector, Position, Unanswered
from zermelo.check.report import Finding, Report, sort_findings
from zermelo.errors import BadParameter, in_a_line
from zermelo.game import Game

CHECKS: Final = (*rules.CHECKS, *texts.CHECKS, *knowledge.CHECKS)
_ODD: Final = "odd answers"
_NEAREST: Final = 200
"""So many positions nearest to the start are looked at first: what they show is shown shortest."""
_LEAST: Final = 20
"""Positions that are looked at one by one, however little time there is."""
_WHOLE: Final = 20_000
"""A game of no more positions than this is proven from the start."""
_SHARES: Final = {"breadth": 0.15, "playouts": 0.15, "checks": 0.3, "values": 0.2}
"""How much of the time each phase has; what is left is for the numbers."""


def check_game(game: Game, seconds: float = 10, seed: int = 0, compile: bool = True) -> Report:
    """Audit the rules of a game: play it, look for every mistake that people make in rules, and count.

    Parameters
    ----------
    game
        Any game; one whose rules cannot be compiled is audited interpreted.
    seconds
        About how long it may work; on a busy machine it takes up to three times as long. Compiling for the first time
        comes on top; below 3 the engine is left out.
    seed
        Of the random play; the same seed and enough time give the same report.
    compile
        Whether to compile the rules, compare them with the interpreted ones, and ask the engine.

    Returns
    -------
    Report
        What was found, the worst first, what was not looked at, and the numbers.

    Raises
    ------
    BadParameter
        ``seconds`` is not positive.

    Notes
    -----
    A rule that never returns is interrupted, and found, only where the audit runs in the main thread.

    Examples
    --------
    >>> from zermelo.games import tictactoe
    >>> check_game(tictactoe(), seconds=2, compile=False).findings
    ()
    """
    if not 0 < seconds < inf:
        raise BadParameter(f"An audit needs seconds > 0, and finite, not {seconds}.")
    audit = _Audit(game, seconds, seed, compile)
    with audit.inspector.watching(), suppress(Unanswered):
        audit.run()
    findings = sort_findings(_telling(audit.inspector.findings))
    return Report(repr(game), findings, audit.numbers, tuple(unchecked(audit.inspector, audit.done, audit.prover)))


def _telling(findings: list[Finding]) -> list[Finding]:
    """The findings without what only follows from others: answers of a wrong kind upset the audit itself, too."""
    causes = any(finding.severity == "error" and finding.check != _ODD for finding in findings)
    return [finding for finding in findings if finding.check != _ODD or not causes]


class _Audit:
    """The phases of one audit."""

    def __init__(self, game: Game, seconds: float, seed: int, compile: bool) -> None:
        self.inspector = Inspector(game)
        self.numbers: dict[str, Any] = {}
        self.done = Coverage(seconds, compile)
        self.prover = values.Prover(self.inspector)
        self._seconds, self._seed = seconds, seed

    def _until(self, share: float) -> float:
        return self.inspector.clock.now() + share * self._seconds

    def run(self) -> None:
        """Every phase; `Unanswered` where not even the start can be looked at."""
        inspector = self.inspector
        rules.check_initial(inspector, Position(inspector.game.initial))
        self._try(rules.check_unchanged, Position(copy.deepcopy(inspector.game.initial)))
        if inspector.has("changed in place"):  # then nothing else that is seen means anything
            return
        explorer = Explorer(inspector, self._seed)
        seen = self.done.seen = explorer.found
        explorer.breadth_first(self._until(_SHARES["breadth"]))
        explorer.play_randomly(self._until(_SHARES["playouts"]))
        checked = self._check_each(self._chosen(seen))
        self._try(endings.check_ends, seen)
        self._try(endings.check_evaluations, checked)
        proven: list[Position] = []
        self._try(lambda _: proven.extend(self._prove(seen)))
        self.done.checked, self.done.proven = len(checked), len(proven)
        if inspector.sound:  # statistics of broken rules mean nothing, and their searches may not end
            for check in lopsided.CHECKS:
                self._try(check, seen)
            self._try(lopsided.check_last_mover, seen, self.prover.agreement)
            self._try(lambda _: self.numbers.update(balance.shape(inspector, seen)))
            self._try(lambda _: self._count(proven, checked))

    def _try(self, check: Callable[..., object], *arguments: object) -> None:
        """Run a check; where the game gave no answer, a finding was made already."""
        try:
            check(self.inspector, *arguments)
        except KeyboardInterrupt:
            raise
        except Unanswered:
            pass
        except BaseException as error:  # answers of the wrong kind, and rules that fail where no check had looked
            position = next((one for one in arguments if isinstance(one, Position)), None)
            sentence = f"What the game answers cannot be worked with: {in_a_line(error)}."
            self.inspector.find(_ODD, position, sentence, "Let every function return what zermelo.Game says.")

    def _chosen(self, seen: Exploration) -> list[Position]:
        """The positions to look at: those nearest to the start, then random games and others in turn."""
        known = [position for position in seen.positions.values() if position.terminal is not None]
        near = heapq.nsmallest(_NEAREST, known, key=lambda position: position.ply)
        played = [position for playout in seen.playouts for position in playout.positions]
        for some in (known, played):
            random.Random(self._seed).shuffle(some)
        mixed = (position for pair in zip_longest(played, known) for position in pair)
        return list({id(p): p for p in (*near, *mixed) if p is not None and p.terminal is not None}.values())

    def _check_each(self, positions: list[Position]) -> list[Position]:
        """Look at positions one by one until the time is up, the nearest first; those that were looked at."""
        keys = dict[int, Position]()
        for check in (rules.check_to_move, texts.check_sides, texts.check_nonsense):
            self._try(check, Position(self.inspector.game.initial))
        until = self._until(_SHARES["checks"])
        for number, position in enumerate(positions):
            if number >= _LEAST and self.inspector.clock.now() > until:
                return positions[:number]
            for check in CHECKS:
                self._try(check, position)
            self._try(knowledge.check_key, position, keys)
        return positions

    def _prove(self, seen: Exploration) -> list[Position]:
        prover, until = self.prover, self._until(_SHARES["values"])
        if seen.complete and len(seen.positions) <= _WHOLE:
            whole = prover.value(seen.positions[self.inspector.game.initial], largest=_WHOLE)
            if whole is not None:
                self.numbers["value of the game"] = whole
        proven = values.prove_endings(prover, seen, (self.inspector.clock.now() + until) / 2)
        values.check_values(prover, proven, until)
        self._try(lambda _: values.check_view(prover, proven))
        return proven

    def _count(self, proven: list[Position], checked: list[Position]) -> None:
        """Perft both ways, both kinds of rules side by side, textbook and engine on what is proven."""
        inspector, numbers, share = self.inspector, self.numbers, self._seconds / 15
        numbers.update(balance.count_perft(inspector))
        random.Random(self._seed).shuffle(proven)
        numbers.update(balance.textbook_agreement(self.prover, proven, self._until(1 / 15)))
        if not self.done.compile:
            return
        from zermelo.check import machine

        self.done.compared = machine.compare(inspector, checked, self._seed, share)
        if not self.done.compared:
            return
        numbers["positions where compiled rules were compared"] = self.done.compared
        if self._seconds >= ENGINE_SECONDS:
            numbers.update(balance.compiled_speed(inspector, share))
            numbers.update(found := balance.engine_agreement(self.prover, proven, share))
            self.done.engine = sum(found.values())
