"""The report that an audit returns: findings, each with a position that shows it, and numbers about the game."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Severity = Literal["error", "warning", "note"]
_RANK: Final = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Finding:
    """One mistake, shown at the position that is reached by the fewest actions."""

    check: str
    """The name of the check that found it, such as ``"utility_range"``; it is the same in every version."""
    severity: Severity
    """``error``: the contract is broken; ``warning``: very likely a mistake; ``note``: worth knowing."""
    sentence: str
    """What is wrong."""
    advice: str
    """What to change."""
    state: str = ""
    """The position: its picture, or its repr if the game cannot draw it."""
    actions: tuple[str, ...] = ()
    """The actions that lead from the start to the position, as people write them."""
    times: int = 1
    """The number of positions at which the mistake was found."""

    def __str__(self) -> str:
        parts = [f"{self.severity}: {self.sentence}"]
        if self.state:
            parts += [self._where(), textwrap.indent(self.state, "    ")]
        return "\n".join([*parts, f"  {self.advice}"])

    def _where(self) -> str:
        """Return a line with the actions that lead to the position."""
        often = f" (and in {self.times - 1:,} more positions)" if self.times > 1 else ""
        return f"  after {' '.join(self.actions)}{often}:" if self.actions else f"  at the start{often}:"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding in types that JSON has."""
        return {**vars(self), "actions": list(self.actions)}


@dataclass(frozen=True)
class Report:
    """The result of an audit."""

    game: str
    """The game, written as the call that makes it."""
    findings: tuple[Finding, ...]
    """Errors first, then warnings, then notes; among these, findings after fewer actions first."""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """Numbers about the game by name: sizes, lengths, balance and speed. Shares are between 0 and 1."""
    unchecked: tuple[str, ...] = ()
    """Sentences about what was not checked, and why; there may be mistakes in it."""

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(finding.severity == "error" for finding in self.findings)

    def __str__(self) -> str:
        count = {severity: sum(f.severity == severity for f in self.findings) for severity in _RANK}
        said = ", ".join(f"{n} {severity}{'s' * (n != 1)}" for severity, n in count.items() if n)
        lines = [f"{self.game}: {said or self.nothing}", *map(str, self.findings)]
        if self.unchecked:
            lines.append("\n".join(self.unchecked_lines()))
        return "\n\n".join([*lines, "\n".join(number_lines(self.numbers))]).rstrip()

    @property
    def nothing(self) -> str:
        """The words to print if there is no finding."""
        return "nothing found in what was looked at" if self.unchecked else "nothing found"

    def unchecked_lines(self) -> list[str]:
        """Return what was not checked, as lines to print."""
        return ["Not looked at:", *(f"  {reason}" for reason in self.unchecked)] if self.unchecked else []

    def to_dict(self) -> dict[str, Any]:
        """Return the report in types that JSON has."""
        return {
            "game": self.game,
            "ok": self.ok,
            "findings": [finding.to_dict() for finding in self.findings],
            "unchecked": list(self.unchecked),
            "numbers": dict(self.numbers),
        }


def sort_findings(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return findings in order: the worst first, and of equally bad ones those after fewer actions first."""
    return tuple(sorted(findings, key=lambda finding: (_RANK[finding.severity], len(finding.actions), finding.check)))


def number_lines(numbers: Mapping[str, Any]) -> list[str]:
    """Return the numbers as lines to print."""
    width = max(map(len, numbers), default=0)
    return [f"{name:<{width}}  {show_number(value)}" for name, value in numbers.items()]


def show_number(value: object) -> str:
    """Return a number as text: ints with commas, shares and means with two decimals, lists item by item."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(show_number, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
