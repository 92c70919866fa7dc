"""Whole games solved on a Ray cluster: the same kernels, the same table; positions lie in shards.

source      a game on its way
plan        what is settled at the beginning, and the journal of what is done
work        what tasks share; finding, solving, rounds, writing: the tasks; tasks: where a worker is called
merging     sorted parts as one stream
memory      how much a worker takes
crew        the driver's side of Ray
forward, backward, publish, solve   the driver: it holds references and the journal, and no positions
"""
