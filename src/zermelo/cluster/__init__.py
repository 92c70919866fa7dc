"""Games solved, proven and analysed on a Ray cluster. The passes of a solve are those of `zermelo.solver.passes`.

connect    joining a cluster, and what it has
source     a game on its way to other machines
memory     how much memory a worker and the object store take
worker     what Ray calls on a node
rehearse   the task that tells what a node is made of, and tries the rules
executor   Ray as an executor of tasks
greet      every node is asked what it is made of, before a solve begins
solve      a whole game solved on a cluster
estimate   what that will take
prove      a position proven by the workers of a cluster
analyse    many positions analysed, here or on a cluster
"""
