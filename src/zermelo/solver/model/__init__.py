"""What is to be solved, and how positions and outcomes become numbers.

problem         a game, the states it starts from, and the keys of its positions
states          many states at once, as states, as rows of ints, or packed
expand          from positions to their successors: the only module that calls the rules
outcome_codes   the value and the remoteness of a position in one int
"""
