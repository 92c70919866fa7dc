"""Whole games solved on a Ray cluster: the same kernels, the same table; positions lie in shards.

stores, shards, source   where shards are kept, which shard a key belongs to, a game on its way
plan        what is settled at the beginning, and the journal of what is done
work, merging            the tasks
crew        the driver's side of Ray
forward, backward, publish, solve   the driver: it holds references and the journal, and no positions
table       tables in shards, probed where they are
"""
