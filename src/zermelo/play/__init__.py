"""People and programs play each other: players, the match, the record of a game."""
