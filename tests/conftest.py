"""What holds for all tests."""

import gc
import os
from math import inf
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from zermelo.check import clock

os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  Ray spells it so
"""Ray's workers are as important as the other tests. By default they give way to these, and hardly run beside them."""

# On a busy machine any example may take long.
settings.register_profile("busy", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share tests out as `OneCluster` does, where there are several processes."""
    from one_cluster import OneCluster

    return OneCluster(config, log)


def pytest_collection_finish() -> None:
    """Leave what was imported out of later garbage collections, which compiling starts often."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _audits_count_work_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits count only the seconds in which they work, so they look at as much on a busy machine."""
    monkeypatch.setattr(clock, "PATIENCE", inf)
