"""Whole games solved: the value and remoteness of every position, on disk.

codec       states as single words
outcomes    values and remoteness as single words
expand      the one place that asks the rules
lookup, induction, loops   kernels that know no game
workers, runs, storage     threads, sorting, files of an unfinished solve
problem     what is to be solved
forward, backward, solve   the three steps
files, table               the result
"""
