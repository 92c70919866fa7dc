"""What can be learnt of a game before it is solved, and from its table afterwards.

estimate     how many positions a game has, and what it will take to solve it
tiers        the sizes of a game's tiers, counted or estimated
interval     how far the estimated sizes of tiers may be from the true ones
meetings     how many positions some moves lead to, told by how often two of them meet
only_moves   positions in which exactly one of several moves keeps the result
census       how many positions each player wins, and how long play lasts
puzzles      positions with one saving move, from easy to hard
"""
