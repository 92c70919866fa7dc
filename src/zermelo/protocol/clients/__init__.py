"""How zermelo asks a foreign program for moves, one module a protocol.

client   what all protocols have in common
ugi      UGI and UCI
xboard   the Chess Engine Communication Protocol
gtp      the Go Text Protocol
nboard   the NBoard protocol of programs for Othello
program  a competitor that starts its program, and starts it again after a mistake
"""
