"""The games that come with zermelo: rules only, one file a game."""

from zermelo.games.breakthrough import breakthrough
from zermelo.games.clobber import clobber
from zermelo.games.connect import connect
from zermelo.games.domineering import domineering
from zermelo.games.dots_and_boxes import dots_and_boxes
from zermelo.games.hex import hex
from zermelo.games.konane import konane
from zermelo.games.minicheckers import minicheckers
from zermelo.games.mnk import mnk, tictactoe
from zermelo.games.nine_mens_morris import nine_mens_morris
from zermelo.games.pentago import pentago

__all__ = [
    "breakthrough",
    "clobber",
    "connect",
    "domineering",
    "dots_and_boxes",
    "hex",
    "konane",
    "minicheckers",
    "mnk",
    "nine_mens_morris",
    "pentago",
    "tictactoe",
]
