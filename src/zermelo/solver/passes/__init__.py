"""The two passes of a solve.

forward    every position that can be reached, tier by tier
backward   their outcomes, from the last tier to the first
"""
