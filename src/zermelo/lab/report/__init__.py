"""The report of a tournament: one HTML file that needs no network.

wording     numbers as the report writes them
conditions  under which conditions the games were played, in words
positions   the positions of recorded games, and what each move changes on the board
figures     what the games come to: counts by player, by two players, by opening and by ending
strength    who is stronger, by how much, and how sure that is
course      how the games went: lengths, openings, endings, faults, times
replay      the games, to be replayed on the board
tournament  the whole page
"""

from zermelo.lab.report.conditions import conditions_in, conditions_of
from zermelo.lab.report.tournament import tournament_page

__all__ = ["conditions_in", "conditions_of", "tournament_page"]
