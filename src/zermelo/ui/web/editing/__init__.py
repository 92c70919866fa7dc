"""Setting a position up by placing men, for every game with a text whose symbols stand for the cells of its board.

Modules, each importing only those above it
    forms     the texts of positions as symbols, one for each place, and words
    layout    which cell of the board each symbol stands for, learned from positions of the game
    editor    a position on its way, legal or not
    commands  what the page's script reports, as changes of it
    panel     the editor as HTML
"""
