"""The games that come with zermelo: rules only, one file a game."""

from zermelo.games.checkers import checkers
from zermelo.games.chess import chess
from zermelo.games.connect import connect
from zermelo.games.kalah import kalah
from zermelo.games.kayles import dawson, kayles
from zermelo.games.minicheckers import minicheckers
from zermelo.games.mnk import mnk, tictactoe
from zermelo.games.nim import nim
from zermelo.games.othello import othello
from zermelo.games.oware import oware

__all__ = [
    "checkers",
    "chess",
    "connect",
    "dawson",
    "kalah",
    "kayles",
    "minicheckers",
    "mnk",
    "nim",
    "othello",
    "oware",
    "tictactoe",
]
