"""What people see: the command line, the terminal and the pages. Nothing imports this room.

Each of these imports only what stands above it
    arguments       arguments that several commands take, and exit statuses
    installation    what is installed, and whether it works
    training_limits  limits of learning and tuning
    loading         games as a command line names them
    positions       positions as a command line names them
    contests        options of matches and tournaments
    tables          solved tables as a command line names them
    terminal        what a terminal shows: boards, results, progress, errors, and the game that a person plays
    engine_request  what a command line asks of the engine
    web             the pages, and the interface for programs
    commands        one module a command
    cli             the program that has these commands
"""
