"""What is to be solved, and how positions and outcomes are numbers.

problem         a game, the states it starts from, and the keys of its positions
expand          from positions to their successors: the one place where the solver asks the rules
outcome_codes   value and remoteness of a position in one integer
estimate        how many positions a game has, and what solving it will take
"""
