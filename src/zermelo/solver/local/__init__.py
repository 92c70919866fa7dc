"""One machine: threads, a work folder, and sorting more keys than memory holds.

threads         the threads that do the work
workdir         the files of an unfinished solve
external_sort   sorted runs of keys, in memory or in files, merged range by range
memory          how much memory the process takes
"""
