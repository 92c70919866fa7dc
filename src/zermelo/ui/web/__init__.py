"""The browser: pages to play, to analyse and to look inside a search, and an interface for programs.

Each module imports only modules above it; those up to `fragments` need no web packages
    moving         what clicks mean as actions; what a move changed on the board
    gallery        the games for people: names, rules, pictures
    shelf          the games that are offered
    game_clock     the clocks of a game
    links          a position as a link
    watch          how a textbook search is ended from outside
    analysis       what an engine, a textbook search or a solved table says, in one shape
    judging        how good a move was; values as words, colours and heights
    opponents      which players a page offers, and which one plays if nobody is named
    variations     every line that was played, as a tree
    tree_text      such a tree as the text of a link, and out of a PGN
    sitting        one visitor's game
    history        the value along a game, and its scale
    lanes          places for work, and which client gets the next one
    compiling      how far the compiler is with a game
    engines        rules that are compiled in turn, and the engines that are kept
    stopping       how work in threads is stopped, and what it tells meanwhile
    workshop       the threads that search, and who may search now
    background     what a page does by itself until its visitor leaves
    analyst        who looks at the positions of a visitor's game
    program_turn   a program's search and its move
    live_game      a sitting with the programs' moves and the analyses around it
    hosts          by which names the server may be called
    qr             an address as a QR code
    sharing        one game on several screens
    new_game_form  the form of a new game, filled in
    pasting        what a visitor pastes, as a game
    editing/       setting a position up by placing men
    controls       players, buttons and the state of the game, as HTML
    fragments      parts of the play page, as HTML
    page           what all pages share
    queries        what a request says
    missing_page   the pages at wrong addresses
    games_page     the chooser of games, and their rules
    play_view      the elements of the play page
    play_page      the page to play
    table_page     the census of a solved table, and puzzles
    api_page       the page that describes the interface for programs
    small_games    the value of every position of a small game
    schemas        the JSON that the interface for programs answers with
    desk           analyses for one request
    gamescrafters  solved positions in the shape of another project's interface
    streams        analyses as server-sent events
    searches       searches that a page shows step by step
    plain          pages without a session
    explain_page   the page that steps through a search
    exercise_page  the page of exercises
    origins        which pages of other servers may use the interface
    limits         hosts, origins, methods and sizes of requests
    api            the interface for programs
    sockets        messages that no page sends
    slow           connections that ask for nothing
    heap           objects that the garbage collector need not look at
    serve          the server
"""
