"""Solving on one machine.

executor   runs each task at once, in this process
workdir    a folder whose files become durable together
memory     how much memory the process takes
"""
