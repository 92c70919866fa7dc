"""What an audit returns: findings, each with a position that shows it, and numbers."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Severity = Literal["error", "warning", "note"]
_RANK: Final = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Finding:
    """One mistake, shown at the position that the fewest actions lead to."""

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
    """The actions that lead there from the start."""
    times: int = 1
    """At how many positions it was found."""

    def __str__(self) -> str:
        parts = [f"{self.severity}: {self.sentence}"]
        if self.state:
            parts += [self._where(), textwrap.indent(self.state, "    ")]
        return "\n".join([*parts, f"  {self.advice}"])

    def _where(self) -> str:
        often = f" (and in {self.times - 1:,} more positions)" if self.times > 1 else ""
        return f"  after {' '.join(self.actions)}{often}:" if self.actions else f"  at the start{often}:"

    def to_dict(self) -> dict[str, Any]:
        """The finding in types that JSON has."""
        return {**vars(self), "actions": list(self.actions)}


@dataclass(frozen=True)
class Report:
    """What an audit found."""

    game: str
    """The game as the call that makes it."""
    findings: tuple[Finding, ...]
    """Errors first, then warnings, then notes; the shortest position first."""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """Sizes, lengths, balance and speed; shares are between 0 and 1."""
    unchecked: tuple[str, ...] = ()
    """What was not checked, and why; there may be mistakes."""

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
        """What to print if there is no finding."""
        return "nothing found in what was looked at" if self.unchecked else "nothing found"

    def unchecked_lines(self) -> list[str]:
        """What was not checked, as lines to print."""
        return ["Not looked at:", *(f"  {reason}" for reason in self.unchecked)] if self.unchecked else []

    def to_dict(self) -> dict[str, Any]:
        """The report in types that JSON has."""
        return {
            "game": self.game,
            "ok": self.ok,
            "findings": [finding.to_dict() for finding in self.findings],
            "unchecked": list(self.unchecked),
            "numbers": dict(self.numbers),
        }


def sort_findings(findings: list[Finding]) -> tuple[Finding, ...]:
    """Sort findings: the worst first, then those after the fewest actions."""
    return tuple(sorted(findings, key=lambda finding: (_RANK[finding.severity], len(finding.actions), finding.check)))


def number_lines(numbers: Mapping[str, Any]) -> list[str]:
    """The numbers as lines to print."""
    width = max(map(len, numbers), default=0)
    return [f"{name:<{width}}  {show_number(value)}" for name, value in numbers.items()]


def show_number(value: object) -> str:
    """A number to print: ints with commas, shares and means with two digits, lists item by item."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(show_number, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
