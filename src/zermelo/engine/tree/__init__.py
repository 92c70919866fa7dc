"""Random games, and Monte Carlo tree search, which learns from them which moves are good.

Modules, each importing only those above it
    chance       pseudorandom numbers
    playout      a game of random moves
    playouts     many such games: how fast they are, how long, and who wins them
    pool         the nodes of a tree, and the workspace of a thread
    rewards      what the end of a game is worth to a tree
    amaf         rewards of actions that were played later: RAVE
    selection    which child a simulation visits
    growth       how a leaf gets children, and what a node learns from them
    simulation   the kernel: simulations until a limit
    reuse        keeping the part of a tree below a position
    evaluations  how large static evaluations are
    options      what a search may use
    results      `TreeResult`
    tree_search  `TreeSearch`: threads, limits and memory
"""
