"""What holds for all tests."""

from math import inf

import pytest

from zermelo.check import clock


@pytest.fixture(autouse=True)
def _audits_count_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits count only the seconds in which they work, so they look at as much on a busy machine."""
    monkeypatch.setattr(clock, "PATIENCE", inf)
