"""What a terminal shows.

wording             times, sizes and results in words
show                boards, lines of play and the reports of searches
progress            bars for long tasks
columns             tables as lines of text
contest_progress    how far a match or a tournament is
contest_report      what a match or a tournament came to
usage               what is wrong with a command line
exits               how the program ends, and with which status
solve_report        what a solve came to
grade_report        the verdicts on a student's program
setup               the questions before a game
session             a game that a person plays
"""
