"""Compiled search: a game's rules inside one machine-code search.

Modules, each importing only those above it
    switches       what a search may use, set at run time
    job            the workspace of one thread
    earlier        states on the board before the root
    network        learned evaluations, as searches ask them
    nodes          what the searches share at a node
    ordering       which actions to try first, and what cutoffs teach about it
    scores         value and distance to the end in one int
    table          transposition table of the depth-limited search
    lookups        what is known of a state without a search
    pruning        which states play does not search deep
    previews       how a proof orders the actions of its largest nodes
    selection      which actions play leaves out, or searches less deep
    search         fail-soft principal variation search
    line           the principal variation, read from the table
    proof_table    one-word table of the proof search
    sharing        how threads share a search
    windows        which null window to search next
    proof_search   exact values by null windows
    df_pn          whether MAX gets at least so much: df-pn
    runner         threads, clock, Ctrl-C
    team           the threads of an engine and their memory
    deepening      iterative deepening, aspiration windows
    patience       when a search under a clock has thought long enough
    results        from scores to a `SearchResult`
    search_driver  searches with a team
    proof_driver   proofs with a team
    requests       what a caller asks for, checked
    fork_lock      a lock that is free in the child of a fork
    tree/          random games and Monte Carlo tree search
    warm_up        machine code made ready before the clock starts
    engine         `Engine`
"""

from zermelo.engine.engine import Engine

__all__ = ["Engine"]
