"""Programs in any language: the protocols by which programs that play talk to each other, line by line.

commands     what a line of a controlling program asks for
position     the game that both programs are looking at, and its moves as text without spaces
coordinates  moves as UCI writes them, by their squares
scores       what a search has found, as programs tell each other
competitor   whoever takes part in a match, and what it can do wrong
process      a foreign program in a process of its own
supervisor   the parent of a foreign program, which kills all that the program leaves behind
clients      how a foreign program is asked for moves
thinkers     what chooses the moves of `zermelo engine`: the compiled engine, or any other player
server       `zermelo engine`: a player under UGI or UCI
"""
