"""Boards, search trees and counts as pictures. Nothing here knows the pages or the terminal.

palette       the colours of the sides
board_svg     a board as SVG
board_style   the style of boards, for light and for dark
pieces        pieces as SVG and in words
laid          whose pieces are, where only the moves before say it
figures       the pieces of chess as outlines
difference    what a move put, changed and captured on a board
tree_text     a search tree in words
tree_svg      a search tree as SVG
plots         lines over a game or over depth, as SVG
charts        estimates with their intervals, as SVG
census_bars   the census of a solved table, as SVG
census_plot   the census of a solved table, with matplotlib
notebook      `zermelo.show` and `zermelo.explain`: pictures that a notebook shows by itself
"""
