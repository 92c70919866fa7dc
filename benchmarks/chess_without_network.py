"""Chess with an EVAL that the network does not correct, as an opponent of the shipped one.

Both play as programs, so that the protocol takes the same time from each. In the folder of this file:

zermelo match chess "program:zermelo engine chess" "program:zermelo engine chess_without_network.py" --clock 2+0.02
"""

from dataclasses import replace

from zermelo import Game
from zermelo.games import chess
from zermelo.games.chess_evaluation import sum_of_terms
from zermelo.games.chess_weights import WEIGHTS


def chess_without_network() -> Game:
    """Chess; EVAL is the sum of its terms."""
    return replace(chess(), evaluate=sum_of_terms(WEIGHTS, 8))
