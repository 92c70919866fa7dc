"""zermelo's own answers to the questions of published facts."""

from collections.abc import Callable
from functools import cache
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, Literal

from zermelo.atlas.facts import Fact
from zermelo.atlas.small import outcomes
from zermelo.errors import ZermeloError
from zermelo.game import Game, State
from zermelo.registry import make_game
from zermelo.textbook.perft import perft as count_interpreted

INTERPRETED: Final = 30_000
"""Up to so many nodes, perft is counted without compiling."""
WORDS: Final = {1: "first", -1: "second", 0: "draw"}


def compiles(fact: Fact) -> bool:
    """Whether a fact's perft is counted with compiled rules, which may take a minute to make."""
    return fact.question.startswith("perft") and int(fact.answer) > INTERPRETED


def answer(fact: Fact, seconds: float) -> str | None:
    """Return zermelo's answer to a fact's question; None if a proof takes more than ``seconds``."""
    kind, _, rest = fact.question.partition(" ")
    if kind in ("elo", "llr"):
        return _statistic(kind, [int(number) for number in rest.split()])
    game = _game(fact.game, fact.parameters)
    state = game.from_text(fact.position) if fact.position and game.from_text is not None else game.initial
    for move in fact.moves.split(",") if fact.moves else []:
        state = game.play(state, move)
    match kind:
        case "perft":
            return str(_perft(game, state, int(rest), int(fact.answer)))
        case "positions":
            return str(_positions(game))
        case "grundy":
            return str(_grundy(game, state, {}))
        case "minimax":
            return str(_textbook(game, "minimax", rest))
        case "alpha-beta":
            return str(_textbook(game, "alpha-beta", rest))
    return _proven(game, state, kind, seconds)


def _statistic(kind: str, numbers: list[int]) -> str:
    """The Elo of pairs of games, or the log-likelihood ratio of two hypotheses about it."""
    from zermelo.lab import elo, llr

    return f"{elo(numbers).elo if kind == 'elo' else llr(numbers[2:], numbers[0], numbers[1]):.4f}"


@cache
def _game(name: str, parameters: tuple[tuple[str, str], ...]) -> Game:
    """One game for all facts about it, so that it is compiled once."""
    return make_game(name, dict(parameters))


def _perft(game: Game, state: State, depth: int, expected: int) -> int:
    """Count with compiled rules where that pays."""
    if expected <= INTERPRETED:
        return count_interpreted(game, state, depth)
    from zermelo.compiled import perft as count_compiled
    from zermelo.compiled.apart import apart

    return apart(lambda: count_compiled(game, state, depth))


def _positions(game: Game) -> int:
    """Solve the game and count its positions."""
    known = outcomes(game, game.initial)
    if known is not None:
        return len(known)
    from zermelo.solver.solve import solve

    with TemporaryDirectory() as folder, solve(game, folder) as table:
        return len(table)


def _textbook(game: Game, algorithm: Literal["minimax", "alpha-beta"], rest: str) -> int:
    """What the handout's own search finds: its value, the states in its table, or its prunings."""
    from zermelo.textbook.systems import Settings, System

    found = System(game, algorithm, Settings(handout=True)).search()
    return int({"states": found.table_states, "prunings": found.prunings, "value": found.value}[rest])


def _grundy(game: Game, state: State, known: dict[State, int]) -> int:
    """The least number that is no Grundy value of a successor; the game must be impartial, and the last move wins."""
    if state not in known:
        actions = [] if game.is_terminal(state) else game.legal_actions(state)
        values = {_grundy(game, game.result(state, action), known) for action in actions}
        known[state] = next(number for number in range(len(values) + 1) if number not in values)
    return known[state]


def _proven(game: Game, state: State, question: str, seconds: float) -> str | None:
    """Who wins, the exact value, or the number of plies to the end."""
    known = outcomes(game, state)
    if known is not None:
        return _worded(question, *known[state])
    from zermelo.engine import Engine

    engine = Engine(game, table_mb=256)
    engine.prove(state, nodes=1)  # compiles, which takes none of the proof's time
    found = engine.prove(state, seconds=seconds, quickest=question == "length")
    if not found.proven or found.bound != "exact":
        return None
    length = found.remoteness
    if question == "length" and length is None:
        length = _length_of_draw(game, state, seconds)
    return _worded(question, found.value, length)


def _worded(question: str, value: int, length: int | None) -> str | None:
    """The answer to a question, in the words of the facts."""
    if question == "winner":
        return WORDS[(value > 0) - (value < 0)]
    wanted = value if question == "value" else length
    return None if wanted is None else str(wanted)


def _length_of_draw(game: Game, state: State, seconds: float) -> int | None:
    """The plies to the end of a drawn position, from a table of all positions after it; None if that takes too long.

    No search finds this length, because both players hurry.
    """
    from zermelo.solver.solve import solve

    try:
        with solve(game, starts=[state], progress=_within(seconds)) as table:
            return table[state].remoteness
    except ZermeloError:
        return None


def _within(seconds: float) -> Callable[[object], None]:
    """Return a receiver of a solve's reports that ends it when the time is up."""
    end = monotonic() + seconds

    def receive(report: object) -> None:
        if monotonic() > end:
            raise ZermeloError("The solve takes too long.")

    return receive
