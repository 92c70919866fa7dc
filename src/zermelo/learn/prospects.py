"""What random games tell before learning begins: what a win is worth, and how many games can be learned from."""

import random
from typing import Final, NamedTuple

from zermelo.game import Game
from zermelo.learn.cells import Cells
from zermelo.learn.planning import Shape
from zermelo.learn.self_play import Course

RANDOM_GAMES: Final = 50
DECISIVE: Final = 4
"""In games of margins, the greatest margin over this counts in learning as much as the greatest."""
PLIES: Final = 400
"""After so many plies, a random game is broken off."""
QUICK: Final = 1600.0
QUICK_OF_MARGINS: Final = 400.0
"""In a quick game, a learner looks at no more positions than this, and no position comes back: such games last longer
once both players play well. Ten minutes then hold a hundred thousand games or more. Margins take longer to learn than
who wins, so the second limit is that of games of margins."""


class Prospects(NamedTuple):
    """What is known of a game before it is learned."""

    win: float
    """The utility that counts as a whole win."""
    reach: int
    """The greatest evaluation."""
    looked_at: float
    """At how many positions a learner looks in a random game, on average."""
    quick: bool
    """Whether the game is quick."""


def find_prospects(game: Game, seed: int) -> Prospects:
    """Play random games.

    In games of margins the utility that counts as a whole win is the greatest one. In others every win counts as much,
    and evaluations stay below the least win that random games show.
    """
    most = max(-game.utility_range[0], game.utility_range[1], 1)
    chooser, least, looked_at = random.Random(seed), most, 0
    for _ in range(RANDOM_GAMES):
        state = game.initial
        for _ in range(PLIES):
            if game.is_terminal(state):
                least = min(least, abs(game.utility(state)) or least)
                break
            legal = list(game.actions(state))
            looked_at += len(legal)
            state = game.result(state, chooser.choice(legal))
    looks = looked_at / RANDOM_GAMES
    margins = game.outcomes == "margin"
    quick = looks <= (QUICK_OF_MARGINS if margins else QUICK) and game.repetition is None
    if margins:
        return Prospects(float(most), max(1, most - 1), looks, quick)
    return Prospects(1.0, max(1, least // 2), looks, quick)


def usual_shape(prospects: Prospects, cells: Cells) -> Shape:
    """Return how large a network to learn, of a game with such cells.

    In a quick game, long tuples have time to fill. None looks at more than two thirds of the cells: a tuple that sees
    them all learns each position apart. Where symbols tell open squares, a tuple has more weights.
    """
    if not prospects.quick:
        return Shape(entries=1 << 12 if cells.open_words else 1 << 10)
    return Shape(length=max(1, min(9, 2 * len(cells.symbols) // 3)), entries=1 << 16 if cells.open_words else 20_000)


def usual_course(prospects: Prospects) -> Course:
    """Return how to learn. In a quick game, no weight comes to rest.

    A sure win by a small margin is worth more in a match than a large margin that is not sure. So margins beyond a part
    of the greatest one count alike.
    """
    least = 0.1 if prospects.quick else 0.0
    return Course(rate=1.0, least=least, decay=0.9, explore=0.15, win=max(1.0, prospects.win // DECISIVE))


def usual_reach(prospects: Prospects, course: Course) -> int:
    """Return what an evaluation tends to if a win is sure.

    Where margins count, it is the margin that counts as much as the greatest.
    """
    return prospects.reach if course.win == 1 else min(prospects.reach, int(course.win))
