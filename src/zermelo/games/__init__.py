"""The games that come with zermelo: rules only, one file a game."""

from typing import Final

from zermelo.games.breakthrough import breakthrough
from zermelo.games.checkers import checkers
from zermelo.games.chess import chess
from zermelo.games.clobber import clobber
from zermelo.games.connect import connect
from zermelo.games.domineering import domineering
from zermelo.games.dots_and_boxes import dots_and_boxes
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
