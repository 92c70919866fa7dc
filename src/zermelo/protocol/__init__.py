"""Programs in any language: the protocols by which programs that play talk to each other, line by line.

commands    what a line of a controlling program asks for
position    the game that both programs are looking at, and its moves as text without spaces
competitor  whoever takes part in a match, and what it can do wrong
server      `zermelo engine`: the compiled engine under UGI or UCI
"""
