"""What can be learnt from a solved table.

scan      walking through a table and the successors of its positions
census    how many positions are won by whom, and how far the ends are
puzzles   positions with one saving move
"""
