"""Checks before a solve: all machines must have the same versions and rules, and every worker tries the rules."""

from typing import Any, Final

from zermelo.cluster.connect import able
from zermelo.cluster.executor import NodeLost, RayExecutor
from zermelo.cluster.rehearse import versions
from zermelo.cluster.worker import Orders
from zermelo.errors import ClusterError
from zermelo.solver.passes.site import Keys

_MEANINGS: Final = {"rules": "rules of fingerprint", "knowledge": "pack, symmetries, tier or repetition of fingerprint"}


def survey(orders: Orders, keys: Keys) -> int:
    """Require that all machines have the same versions and rules as this machine.

    Ray takes a while to notice that a machine has died. One that leaves the cluster meanwhile is not compared.

    Parameters
    ----------
    orders
        What the workers need to know of the solve.
    keys
        Shape (n,), int64: keys of some positions, on which the workers try the rules.

    Returns
    -------
    int
        The most memory that an idle worker takes, in bytes.

    Raises
    ------
    ClusterError
        A machine has another version of a package, or other rules, or all machines have left the cluster.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    mine = {**versions(), "rules": orders.fingerprints[0], "knowledge": orders.fingerprints[1]}
    executor, most = RayExecutor(orders), 0
    for node in able():
        here = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)

        def compare(found: dict[str, Any], name: str = node["NodeManagerHostname"]) -> None:
            nonlocal most
            most = max(most, found["memory"])
            for what, ours in mine.items():
                theirs = found["made of"][what]
                if theirs != ours:
                    raise ClusterError(
                        f"The node {name} has {_MEANINGS.get(what, what)} {theirs}, and this machine {ours}; "
                        "install the same on all nodes."
                    )

        # Start as many tasks as can run at once, so that all worker processes exist before the first real task.
        for _ in range(int(node["Resources"]["CPU"]) // orders.threads):
            executor.start("greet", keys, tier=0, done=compare, scheduling_strategy=here)
    try:
        while executor.waiting:
            try:
                executor.wait()
            except NodeLost:
                if not executor.waiting and not executor.counts.tasks:
                    raise
    finally:
        executor.drop()
    return most
