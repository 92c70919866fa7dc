"""A student's own searches: run in a process of their own, compared with the handouts' state by state, and explained.

Modules
    assignments  what a student may write, and how it is called
    runner       starts the process of a student's file, with a limit of time
    student      what runs in that process
    reference    the right solution of each assignment
    compare      a student's search beside the right one
    mistakes     the mistakes that people make, to explain a difference
"""
