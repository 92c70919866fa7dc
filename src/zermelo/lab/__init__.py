"""The laboratory: what experiments say of the strength of players.

pentanomial  results of games played in pairs: Elo, its interval, and the likelihood of superiority
sprt         when a match may stop: the generalized sequential probability ratio test
played       one game of a tournament, as it was played
ratings      many players rated together, by maximum likelihood
estimates    shares, means and ratios with their intervals
page         reports as one HTML file
"""

from zermelo.lab.pentanomial import elo
from zermelo.lab.ratings import rate
from zermelo.lab.sprt import Sprt, llr

__all__ = ["Sprt", "elo", "llr", "rate"]
