"""Questions about a game, a player or the engine that one experiment answers; each answer has an interval.

sampling        positions to judge a player by: from a table, from random games, from games between players
accuracy        how often a player keeps the value of a position, against a solved table
accuracy_page   the same as an HTML page
"""
