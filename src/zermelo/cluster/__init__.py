"""Solving, proving, analysing and learning games on a Ray cluster.

The passes of a solve are those of `zermelo.solver.passes`, the loop of learning is that of `zermelo.learn.training`.

The *driver* is the process that calls this package. *Workers* are the processes that Ray starts on the machines of the
cluster; they run tasks. A task returns arrays as *blocks*, which lie in Ray's *object store*, a part of each machine's
memory that all its workers share.

connect    joining a cluster, and finding out what resources it has
source     sending a game to other machines
memory     how much memory a worker and the object store take
worker     the function that Ray calls on a machine
rehearse   the task that reports a machine's versions and tries the rules
executor   Ray as an executor of tasks
greet      checks before a solve that all machines have the same versions and rules
solve      solving a whole game on a cluster
estimate   predicting what a solve will take
prove      proving the value of a position with the workers of a cluster
learn      workers that play the games from which a training of `zermelo.learn` learns
analyse    analysing many positions, in this process or on a cluster
"""
