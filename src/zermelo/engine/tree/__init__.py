"""Random games, and Monte Carlo tree search, which learns from them which moves are good.

Modules, each importing only those above it
    chance    pseudorandom numbers
    playout   a game of random moves
    playouts  many such games: how fast they are, how long, and who wins them
"""
