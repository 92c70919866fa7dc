"""Evaluations learned from the rules alone, for the engine, and better numbers for those that somebody wrote.

Modules, each importing only those above it
    cells          what a learned evaluation sees of a state
    symmetries     turns and reflections of the board that the rules do not notice
    numbers        numbers that are packed into the ints of a state, found by the pictures of the board
    finding        the cells of a game, found by looking at its positions
    planning       which tuples of cells a network looks at, and its plan
    deciding       the few cells that decide a game, where there are any, such as four in a row
    self_play      temporal differences in games against itself, compiled
    opponents      games against a fixed opponent, compiled
    examples       games that one process plays and another one learns from, compiled
    prospects      what random games tell: what a win is worth, and the network and the course that suit the game
    tensors        files of arrays with a description
    evaluation     `Evaluation`: what was learned, as a file and as an engine takes it
    asking         asking an evaluation about many states
    threads        work in several threads at once, which Ctrl-C ends
    players        who plays the games of a training: threads, also against an opponent, or whoever keeps their protocol
    training       `Training`: steps, progress, going on later
    weighing       asking EVAL about many states with any weights
    regression     the numbers of EVAL that tell best what became of positions
    tuning_games   games of the engine to tune an EVAL with
    tuning         `Tuning`: rounds of games and regression, progress, going on later
"""

from zermelo.learn.asking import ask
from zermelo.learn.evaluation import Evaluation, read_evaluation
from zermelo.learn.players import ThreadsAgainst
from zermelo.learn.training import Step, Training
from zermelo.learn.tuning import Round, Tuning

__all__ = ["Evaluation", "Round", "Step", "ThreadsAgainst", "Training", "Tuning", "ask", "read_evaluation"]
