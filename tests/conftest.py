"""What holds for all tests."""

import gc
from math import inf

import pytest

from zermelo.check import clock


def pytest_collection_finish() -> None:
    """Leave what was imported out of later garbage collections, which compiling starts often."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _audits_count_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits count only the seconds in which they work, so they look at as much on a busy machine."""
    monkeypatch.setattr(clock, "PATIENCE", inf)
