"""What a table tells about its game.

only_moves   positions in which exactly one of several moves keeps the result
census       how many positions each player wins, and how long play lasts
puzzles      positions with one saving move, from easy to hard
"""
