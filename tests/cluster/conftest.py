"""One cluster for the tests of a file that leave as many nodes as they found."""

from collections.abc import Iterator
from typing import Any

import pytest

from clusters import cluster_of


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Any]:
    """A cluster of two nodes, to which this process is connected."""
    with cluster_of(2) as cluster:
        yield cluster
