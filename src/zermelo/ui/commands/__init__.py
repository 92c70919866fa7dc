"""The commands of the program, one module each, named as the command is typed. No command imports another.

ablate    what each switch of the engine is worth
accuracy  how often a player keeps the value of a position
analyse   the engine's value of a position, or of each position in a file
cache     where machine code is kept, and how much; delete it
census    what a solved table holds, in numbers
check     look for mistakes in rules
course    a folder with all that a course on search needs
doctor    whether the installation works
engine    play under the control of another program
explain   the tree of a textbook search
export    a solved table as one Parquet file
games     the list of games and their parameters
atlas     published results of games, and whether zermelo agrees
grade     a student's searches beside the handouts'
learn     an evaluation from the rules alone
levels    ten levels of a game, found by matches
match     which of two players is stronger
mcts      Monte Carlo tree search on a position
new       write a file with a small game to start from
openings  find positions from which a match is played
perft     count the nodes of a game tree
play      play in the terminal
playouts  random games: how fast they are, and who wins them
probe     look a position up in a solved table
puzzles   positions with one saving move
rate      ratings from the files of matches and tournaments
report    what a game is like, for its inventor
search    one of the handouts' systems on a position
serve     the pages in a browser
solve     solve a whole game
tournament  many players, and their ratings
tune      better numbers for an EVAL that somebody wrote
verify    check a solved table
"""
