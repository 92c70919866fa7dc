"""How tests are shared out among processes."""

from typing import Final

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

CLUSTERS: Final = "clusters"


class OneCluster(LoadScopeScheduling):
    """Gives each process whole files, and all files that start clusters to one process.

    A cluster has more processes than this machine has processors, so two clusters at once mostly wait for each other.
    These files take longer than all others of a process, so they come first.
    """

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of what is run in one process: a file, or all tests of clusters."""
        file, _, _ = nodeid.partition("::")
        return CLUSTERS if "cluster" in file else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give a process what it runs next."""
        if CLUSTERS in self.workqueue:
            self.workqueue.move_to_end(CLUSTERS, last=False)
        super()._assign_work_unit(node)
