"""The browser: pages to play, to analyse and to look inside a search, and an interface for programs.

Modules, each leaning only on those above it; those up to `fragments` need no web packages
    moving         from clicks to actions; what a move changed
    shelf          the games that are offered
    links          a position as a link
    analysis       what an engine, a textbook search or a solved table says, in one shape
    judging        how good a move was; values as words, colours and heights
    opponents      which players a page offers, and who plays where nobody is named
    sitting        one visitor's game
    lanes          places for work, and who gets the next one
    engines        rules compiled in turn, and engines that are kept
    jobs           work in threads, and how it is stopped
    thinking       who may search now, and with what
    background     what a page does by itself, until its visitor leaves
    live_game      a sitting with what goes on around it: programs' moves, analyses
    setup          the form of a new game, filled in
    fragments      parts of the play page, as HTML
    page           what all pages share
    play_view      what is seen of the page to play
    play_page, explain_page, api_page
    whole          small games, every position of them
    shapes, desk, solved, queries, api    the interface for programs
    hosts          by which names the server may be called
    limits         hosts, origins and sizes
    sockets        messages that no page sends
    slow           connections that ask for nothing
    serve          the server
"""
