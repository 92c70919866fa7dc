"""Questions about a game, a player or the engine that one experiment answers; each answer has an interval.

sampling          positions to judge a player by: from a table, from random games, from games between players
accuracy          how often a player keeps the value of a position, against a solved table
accuracy_page     the same as an HTML page
ablation          what each switch of the engine is worth, in nodes to a depth
ablation_games    the same in games, at equal time or with equal nodes
ablation_page     the same as a table, a plot and an HTML page
figures           a set of games in figures: lengths, branching, results
ladder            how much strength twice the nodes gain
game_report       what a game is like, for its inventor
game_report_page  the same in words and as an HTML page
"""
