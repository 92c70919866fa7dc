"""The games that come with zermelo. A module holds the rules of a game, and nothing else.

breakthrough       men that move forward; the first to reach the far side wins
checkers           English checkers
chess              chess, Chess960, and chess on small boards
clobber            stones that capture their neighbours
connect            Connect Four on a board of any size
domineering        dominoes on a board, one player's upright and the other's flat
dots_and_boxes     lines between dots; whoever closes a box owns it
draughts           international draughts
hex                stones that join two sides of a board of hexagons
kalah              a mancala game with stores
kayles             pins in a row: Kayles and Dawson's game
konane             Hawaiian checkers
minicheckers       checkers on 6x6 with men only
mnk                stones in a row: tic-tac-toe, gomoku
nim                heaps to take from
nine_mens_morris   men that line up in mills
othello            discs that turn over
oware              a mancala game without sowing into stores
pentago            five in a row on a board whose quarters turn

checkers_board     board and notation of `checkers`
chess_board        bits, squares and attacks of `chess`
chess_endings      endings of `chess` for tables
chess_evaluation   EVAL of `chess`
chess_exchange     exchanges, passing and check, for the search of `chess`
chess_fen          positions of `chess` as text
chess_network      the network that corrects EVAL of `chess`
chess_notation     moves of `chess` as text
chess_placements   placements of men for tables of endings
chess_pgn          games of `chess` as text
chess_picture      positions of `chess` as pictures
chess_weights      the numbers of EVAL of `chess`
connect_picture    positions of `connect` as text and as pictures
dark_squares       boards whose pieces stand on dark squares: `checkers` and `draughts`
draughts_board     board and notation of `draughts`
mnk_lines          what lines of `mnk` are worth
mnk_rows           `mnk` on boards of more than 63 bits, such as 15 x 15
nine_mens_placements  placements of `nine_mens_morris` for tables of endings
sowing             rows of pits, which `kalah` and `oware` share
"""

from typing import Final

from zermelo.games.breakthrough import breakthrough
from zermelo.games.checkers import checkers
from zermelo.games.chess import chess
from zermelo.games.clobber import clobber
from zermelo.games.connect import connect
from zermelo.games.domineering import domineering
from zermelo.games.dots_and_boxes import dots_and_boxes
from zermelo.games.draughts import draughts
from zermelo.games.hex import hex
from zermelo.games.kalah import kalah
from zermelo.games.kayles import dawson, kayles
from zermelo.games.konane import konane
from zermelo.games.minicheckers import minicheckers
from zermelo.games.mnk import mnk, tictactoe
from zermelo.games.nim import nim
from zermelo.games.nine_mens_morris import nine_mens_morris
from zermelo.games.othello import othello
from zermelo.games.oware import oware
from zermelo.games.pentago import pentago

__all__ = [
    "breakthrough",
    "checkers",
    "chess",
    "clobber",
    "connect",
    "dawson",
    "domineering",
    "dots_and_boxes",
    "draughts",
    "hex",
    "kalah",
    "kayles",
    "konane",
    "minicheckers",
    "mnk",
    "nim",
    "nine_mens_morris",
    "othello",
    "oware",
    "pentago",
    "tictactoe",
]

USUAL: Final = "connect"
"""The game that programs offer first; students of the handouts write their searches for it."""
HOMEWORK: Final = ("3x3x3", "3x4x3", "4x4x4")
"""Boards of the usual game on which searches of students are run: its parameters, in order."""
SMALL: Final = "tictactoe"
"""A game that is solved in a moment."""
