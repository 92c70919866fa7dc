"""What holds for all tests."""

from math import inf

import pytest

from zermelo.check import clock


@pytest.fixture(autouse=True)
def _audits_count_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit looks at as much on a busy machine as on an idle one; for a person it would end after a while."""
    monkeypatch.setattr(clock, "PATIENCE", inf)
