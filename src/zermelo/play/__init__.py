"""People and programs play each other.

settings     what is said of a player: levels and settings, as text and as numbers
levels       the measured levels of a game
erring       how an engine of less than full strength errs
players      who can sit at the board
file_player  a player in a Python file
limits       what a player may use for one move
ending       how a game ends: by its rules, or because a position comes back
match        a game in progress
record       a game on disk
pgn          games in Portable Game Notation
moves        moves as text
"""

from zermelo.play.match import Match, play_out
from zermelo.play.moves import read_moves, write_moves
from zermelo.play.players import Human, Player, Random, Thought, make_player
from zermelo.play.record import Record
from zermelo.play.settings import LEVELS, PLAYERS, PlayerOptions

__all__ = [
    "LEVELS",
    "PLAYERS",
    "Human",
    "Match",
    "Player",
    "PlayerOptions",
    "Random",
    "Record",
    "Thought",
    "make_player",
    "play_out",
    "read_moves",
    "write_moves",
]
