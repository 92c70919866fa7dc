"""How tests are shared out among processes."""

from xdist.scheduler import LoadScopeScheduling


class OneCluster(LoadScopeScheduling):
    """Gives each process whole files, and all files that start clusters to one process.

    A cluster has more processes than this machine has processors, so two clusters at once mostly wait for each other.
    """

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of what is run in one process: a file, or all tests of clusters."""
        file, _, _ = nodeid.partition("::")
        return "clusters" if "cluster" in file else file
