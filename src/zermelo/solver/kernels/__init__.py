"""Compiled loops over arrays of keys and outcome codes. None of them knows a game.

lookup       sorting keys, and finding them
compact      sorted keys with their outcome codes in two or three bytes each
shards       which shard a key belongs to
induction    the outcome of a position from those of its successors
retrograde   the outcomes of positions that lead to each other
edges        the predecessors of positions, from edges in any order
differences  keys as bytes and back
interleave   two sorted arrays of keys as one, with their outcome codes
tally        how often each outcome code occurs
"""
