"""The games that come with zermelo: rules only, one file a game."""

from zermelo.games.checkers import checkers
from zermelo.games.connect import connect
from zermelo.games.kalah import kalah
from zermelo.games.minicheckers import minicheckers
from zermelo.games.mnk import mnk, tictactoe
from zermelo.games.othello import othello

__all__ = ["checkers", "connect", "kalah", "minicheckers", "mnk", "othello", "tictactoe"]
