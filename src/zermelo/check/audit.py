"""Running an audit: it finds positions of a game, checks as many of them as time allows, and collects numbers."""

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
"""The name of findings about answers with which a check cannot work."""
_NEAREST: Final = 200
"""How many positions nearest to the start are checked first: they show a mistake after the fewest actions."""
_LEAST: Final = 20
"""The least number of positions that are checked one by one, however little time there is."""
_WHOLE: Final = 20_000
"""The most positions of a game whose value is proven from its start."""
_SHARES: Final = {"breadth": 0.15, "playouts": 0.15, "checks": 0.3, "values": 0.2}
"""Each phase's share of the time; the rest is for the numbers."""


def check_game(game: Game, seconds: float = 10, seed: int = 0, compile: bool = True) -> Report:
    """Audit the rules of a game: play it, look for mistakes that are common in rules, and collect numbers about it.

    Parameters
    ----------
    game
        Any game. If its rules cannot be compiled, the audit calls them interpreted only.
    seconds
        About how long the audit may take, in seconds. On a busy machine it takes up to three times as long. The time of
        a first compilation does not count. With less than 3 seconds the audit does not try the engine.
    seed
        The seed of the random games. The same seed and enough time give the same report.
    compile
        Whether to compile the rules, compare them with the interpreted ones, and try the engine.

    Returns
    -------
    Report
        The findings, the worst first; what was not checked; and numbers about the game.

    Raises
    ------
    BadParameter
        ``seconds`` is not positive, or not finite.

    Notes
    -----
    The audit interrupts and reports a rule that never returns only if it runs in the main thread.

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
    """Return the findings; leave out those about odd answers if there are other errors, which explain them."""
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
        """Return the time of the clock at which a phase with this share of the time ends."""
        return self.inspector.clock.now() + share * self._seconds

    def run(self) -> None:
        """Run every phase.

        Raises
        ------
        Unanswered
            Not even the start can be checked.
        """
        inspector = self.inspector
        rules.check_initial(inspector, Position(inspector.game.initial))
        self._try(rules.check_unchanged, Position(copy.deepcopy(inspector.game.initial)))
        if inspector.has("changed in place"):  # then no other check has a meaning
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
        if inspector.sound:  # statistics of wrong rules mean nothing, and searches by them may never end
            for check in lopsided.CHECKS:
                self._try(check, seen)
            self._try(lopsided.check_last_mover, seen, self.prover.agreement)
            self._try(lambda _: self.numbers.update(balance.shape(inspector, seen)))
            self._try(lambda _: self._count(proven, checked))

    def _try(self, check: Callable[..., object], *arguments: object) -> None:
        """Run a check. If a function of the game fails in it, `Inspector` has reported that already."""
        try:
            check(self.inspector, *arguments)
        except KeyboardInterrupt:
            raise
        except Unanswered:
            pass
        except BaseException as error:  # the check cannot work with what the rules answer
            position = next((one for one in arguments if isinstance(one, Position)), None)
            sentence = f"What the game answers cannot be worked with: {in_a_line(error)}."
            self.inspector.find(_ODD, position, sentence, "Let every function return what zermelo.Game says.")

    def _chosen(self, seen: Exploration) -> list[Position]:
        """Return the positions to check: those nearest to the start, then by turns one of a random game and any one."""
        known = [position for position in seen.positions.values() if position.terminal is not None]
        near = heapq.nsmallest(_NEAREST, known, key=lambda position: position.ply)
        played = [position for playout in seen.playouts for position in playout.positions]
        for some in (known, played):
            random.Random(self._seed).shuffle(some)
        mixed = (position for pair in zip_longest(played, known) for position in pair)
        return list({id(p): p for p in (*near, *mixed) if p is not None and p.terminal is not None}.values())

    def _check_each(self, positions: list[Position]) -> list[Position]:
        """Check positions one by one, in the given order, until the time is up; return those that were checked."""
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
        """Prove values of endings, check the game's functions by them, and return the proven positions."""
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
        """Count nodes. Compare compiled with interpreted rules, and compare textbook and engine with proven values."""
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
