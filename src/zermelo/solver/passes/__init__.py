"""The passes of a solve, written once: where their tasks run is said by an executor.

plan               how a problem is cut into tasks; settled when a solve begins
journal            which units of work are done, and what came of each
executor           what the passes ask of an executor, and what they share
run                a whole solve, or the rest of one
forward            every position that can be reached, tier by tier
backward           their outcomes, from the last tier to the first
retrograde         a tier whose positions lead to each other, in rounds over its shards
publish            from solved shards to the files of a table
progress           reports of how far a solve is
tasks              every task by its name; they are in the modules below
forward_tasks      from parts of keys to the parts that they lead to
backward_tasks     from parts of keys to the outcomes of their positions
retrograde_tasks   the outcomes of positions that lead to each other
publish_tasks      files of the table from solved shards
site               what tasks work with: threads, parts, blocks
outcomes           outcomes that are counted, checked and written
merging            sorted runs of keys merged by several threads
threads            the threads that do the work
"""
