"""How zermelo asks a foreign program for moves, one module a protocol.

client   what all protocols have in common
ugi      UGI and UCI
program  a competitor that starts its program, and starts it again after a mistake
"""
