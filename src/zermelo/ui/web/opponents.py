"""The players that a page offers for a game, and the one that plays if nobody is named."""

from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from zermelo.errors import NotCompilable
from zermelo.game import Game, State
from zermelo.play.levels import meanings
from zermelo.play.settings import LEVELS

MOST_MOVES: Final = 100_000
"""Moves that all positions of a game may have together, where minimax and alpha-beta are offered: minimax visits a node
for each, and a server grants it `zermelo.ui.web.workshop.PLAYER_NODES`."""
UNCOMPILABLE: Final = "the rules cannot be compiled"
_small: "WeakKeyDictionary[Game, bool]" = WeakKeyDictionary()


class Offer(NamedTuple):
    """A player, the reason why it cannot be chosen, empty if it can, and how it plays, if there is more to say."""

    player: str
    reason: str = ""
    words: str = ""


def player_title(player: str) -> str:
    """Return what people call a player: ``Engine, level 3``, ``Perfect play``."""
    name, _, level = player.partition(":")
    level = f"level {level}" if level.isdecimal() else level
    usual = name.replace("-", " ").capitalize()
    titles = {"human": "Person", "mcts": "Monte Carlo tree search", "table": "Perfect play", "alpha-beta": "Alpha-beta"}
    return f"{titles.get(name, usual)}{', ' + level if level else ''}"


def _meaning(player: str) -> str:
    """Return how a player with a level of `LEVELS` plays."""
    name, _, level = player.partition(":")
    settings = LEVELS[name][level]
    sees = f"looks {settings.depth} plies ahead" if settings.depth else "looks as far ahead as its time allows"
    return f"{sees}, at {settings.width} moves each" if name == "path" and settings.width else sees


def offers(game: Game, solved: bool, refusal: str = "") -> list[Offer]:
    """Return every player that a page shows for a game; ``solved`` says whether there is a table of it.

    ``refusal`` says why there is no engine for it, where that is known already. The first call for a game may count
    up to `MOST_MOVES` moves.
    """
    found = [Offer("human")] + [Offer("table", words="from the solved table")] * solved
    lacking = refusal or ("" if compiles(game) else UNCOMPILABLE)
    found += [Offer(f"engine:{level}", lacking, _meaning(f"engine:{level}")) for level in LEVELS["engine"]]
    found += [Offer(f"engine:{number}", lacking, words) for number, words in enumerate(meanings(game), start=1)]
    found.append(Offer("mcts", lacking, "plays thousands of games to their end"))
    found.append(Offer("random", words="any legal move"))
    endless = "moves may go on for ever" if game.repetition is not None else ""
    unfinished = endless or ("" if is_small(game) else "the game is too large to search to its end")
    found += [Offer(name, unfinished, "the textbook's search to the end") for name in ("minimax", "alpha-beta")]
    if game.evaluate is not None:
        levels = [f"{name}:{level}" for name in ("heuristic", "path", "timed") for level in LEVELS[name]]
        found += [Offer(player, words=_meaning(player)) for player in levels]
    return found


def usual_opponent(game: Game, refusal: str = "") -> str:
    """Return who plays MIN if nobody is named: a player that can play this game."""
    if not refusal and compiles(game):
        return "engine:easy"
    return "random" if game.evaluate is None else "timed:easy"


def compiles(game: Game) -> bool:
    """Whether the states of a game are of a kind that can be compiled; its rules may still turn out not to be."""
    from zermelo.compiled.states import state_type  # Numba takes half a second to import

    try:
        state_type(game.initial)
    except NotCompilable:
        return False
    return True


def is_small(game: Game) -> bool:
    """Whether a search to the end of every line ends soon."""
    if game not in _small:
        _small[game] = is_small_from(game, game.initial)
    return _small[game]


def is_small_from(game: Game, state: State, most: int = MOST_MOVES) -> bool:
    """Whether all positions after ``state`` have at most ``most`` moves together."""
    seen, waiting, count = {state}, [state], 0
    while waiting:
        state = waiting.pop()
        legal = game.legal_actions(state)
        count += len(legal)
        if count > most:
            return False
        children = {game.result(state, action) for action in legal} - seen
        seen |= children
        waiting += children
    return True
