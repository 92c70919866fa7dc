"""The laboratory: what experiments say of the strength of players.

pentanomial   results of games played in pairs: Elo, its interval, and the likelihood of superiority
sprt          when a match may stop: the generalized sequential probability ratio test
clocks        time controls, and the clocks of a game
openings      the positions from which a match is played
schedule      who plays whom, from which opening
adjudication  when the referee ends a game early
competitors   who can take part: players in this process, and programs in processes of their own
arena         the referee of one game
played        one game of a tournament, as it was played
hall          games of a schedule played side by side in threads
cluster_hall  the same on a Ray cluster
pgn           games in Portable Game Notation
ledger        the file of a contest: a header, and a line for each game
contest       what a match and a tournament have in common
holding       a contest is held: its games are played and kept
match         two players, and what the result says of them
tournament    many players
ratings       many players rated together, by maximum likelihood
levels        ten levels of a game, found by matches
estimates     shares, means and ratios with their intervals
study/        questions about a game, a player or the engine that one experiment answers
page          reports as one HTML file
report/       the report of a tournament, with games to replay
"""

from typing import TYPE_CHECKING

from zermelo.lab.adjudication import Adjudication
from zermelo.lab.clocks import TimeControl
from zermelo.lab.match import MatchResult, play_match
from zermelo.lab.openings import random_openings, read_openings, write_openings
from zermelo.lab.pentanomial import elo
from zermelo.lab.ratings import rate
from zermelo.lab.sprt import Sprt, llr
from zermelo.lab.tournament import TournamentResult, play_tournament
from zermelo.lazy import lazily

if TYPE_CHECKING:
    from zermelo.lab.study.ablation import ablate_nodes
    from zermelo.lab.study.ablation_games import ablate_elo
    from zermelo.lab.study.accuracy import accuracy
    from zermelo.lab.study.game_report import report_on

__all__ = [
    "Adjudication",
    "MatchResult",
    "Sprt",
    "TimeControl",
    "TournamentResult",
    "ablate_elo",
    "ablate_nodes",
    "accuracy",
    "elo",
    "llr",
    "play_match",
    "play_tournament",
    "random_openings",
    "rate",
    "read_openings",
    "report_on",
    "write_openings",
]

_STUDIES = {
    "ablate_elo": "zermelo.lab.study.ablation_games",
    "ablate_nodes": "zermelo.lab.study.ablation",
    "accuracy": "zermelo.lab.study.accuracy",
    "report_on": "zermelo.lab.study.game_report",
}
"""The modules of names that need Numba; they are imported when a name is first used."""
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazily(__name__, _STUDIES)
