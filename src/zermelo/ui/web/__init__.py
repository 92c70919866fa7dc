"""The browser: pages to play, to analyse and to look inside a search, and an interface for programs.

Modules, each leaning only on those above it; those up to `plots` need no web packages
    palette      colours of pieces, as CSS variables
    drawing      a board as SVG
    moving       from clicks to actions; what a move changed
    plots        lines over a game or over depth, as SVG
"""
