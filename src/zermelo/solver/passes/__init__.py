"""The passes of a solve. They are written once; an executor decides where their tasks run.

plan               how a problem is cut into tasks; fixed when a solve begins
journal            which units of work are done, and the result of each
executor           what the passes ask of an executor, and what they share
run                a whole solve, or the rest of one
forward            finds every position that can be reached, tier by tier
backward           finds their outcomes, from the last tier to the first
retrograde         solves a tier whose positions lead to each other, in rounds over its shards
filed              solves such a tier on one machine, with its edges in files
publish            turns solved shards into the files of a table
exchange           how blocks come from stretches to shards, and answers back
progress           reports how far a solve is
tasks              every task by its name; the tasks are in the modules below
forward_tasks      from parts of keys to the parts that they lead to
backward_tasks     from parts of keys to the outcomes of their positions
exchange_tasks     hand blocks on where there are many shards
retrograde_tasks   the outcomes of positions that lead to each other
filed_tasks        the same, with edges in files
edge_files         the reversed edges of a tier in files
publish_tasks      files of the table from solved shards
site               what tasks work with: threads, parts, blocks
outcomes           counts, checks and writes outcomes
merging            merges sorted runs of keys with several threads
threads            the threads that do the work
"""
