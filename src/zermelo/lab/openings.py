"""Openings: positions from which a match is played, so that deterministic players do not repeat one game.

An opening is a line of moves from the initial position. Random ones have a given number of plies. No two of them lead
to the same position, symmetric positions counted as one; and none leads to a position whose value can be proven with
little effort. Of those that are left, the half is kept that a shallow search finds the most even.

A file of openings is plain text: a line each, moves separated by spaces, and lines that begin with ``#`` are comments.
It may also hold games in PGN, if its name ends with ``.pgn``.
"""

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zermelo.errors import BadParameter, IllegalAction, NotCompilable
from zermelo.files import write_whole
from zermelo.game import Action, Game, State
from zermelo.play.pgn import SUFFIX, read_pgn
from zermelo.protocol.position import read_move, write_move

if TYPE_CHECKING:
    from zermelo.engine import Engine

Opening = tuple[Action, ...]
PROOF_NODES: Final = 2_000
"""A position whose value is proven with so many nodes counts as decided."""
SEARCH_NODES: Final = 2_000
"""How even a position is, is asked of a search of so many nodes."""
USUAL_PLIES: Final = (8, 6, 4, 2)
"""Plies of a random opening if nothing is said of them: the first number that gives enough."""
_ENOUGH: Final = 10
_BATCH: Final = 20
"""The more even half is taken of so many candidates at a time. So the first openings are the same, however many are
asked for."""
_LINES_IN_VAIN: Final = 1_000
"""After so many random lines without a new position, we say that there are no more."""
_POSITIONS_IN_VAIN: Final = 200
"""After so many decided positions in a row, too."""


def random_openings(
    game: Game,
    count: int,
    plies: int,
    seed: int = 0,
    *,
    balanced: bool = True,
    progress: Callable[[int], None] | None = None,
) -> list[Opening]:
    """Choose openings at random.

    Parameters
    ----------
    game
        The rules.
    count
        How many.
    plies
        The length of each.
    seed
        The same seed gives the same openings; more of them begin with the same ones.
    balanced
        Leave out positions that are decided, and keep the more even half of the others. The rules must compile.
    progress
        Told 1 for each opening that is found.

    Returns
    -------
    list of tuple
        The actions of each; fewer than ``count`` where the game has no more.

    Raises
    ------
    BadParameter
        A number is out of range, or there is no such opening.
    NotCompilable
        ``balanced``, and the rules cannot become machine code.
    """
    if count < 1:
        raise BadParameter(f"The number of openings is {count}; it must be at least 1.")
    if plies < 0:
        raise BadParameter(f"The number of plies is {plies}; it must be at least 0.")
    found = []
    for opening in islice(stream(game, plies, seed, balanced=balanced), count):
        found.append(opening)
        if progress is not None:
            progress(1)
    if not found:
        what = "an undecided position" if balanced else "a position in which the game goes on"
        raise BadParameter(f"No opening of {plies} plies of {game!r} leads to {what}; ask for another number of plies.")
    return found


def usual_openings(game: Game, plies: int | None = None, seed: int = 0) -> Iterator[Opening]:
    """Random openings without an end, or as many as there are, for a contest whose user says little about them.

    They are balanced where the rules compile. In a game so small that every position is decided, they are not.

    Raises
    ------
    BadParameter
        There is no opening of that many plies.
    """
    for length in USUAL_PLIES if plies is None else (plies,):
        try:
            openings = stream(game, length, seed)
            first = list(islice(openings, _ENOUGH))
            if len(first) == _ENOUGH:
                return chain(first, openings)
        except NotCompilable:
            break
    length = USUAL_PLIES[-1] if plies is None else plies
    random_openings(game, 1, length, seed, balanced=False)  # raises the error if there is none
    return stream(game, length, seed, balanced=False)


class Openings:
    """The openings of a contest: found when they are needed, and played again after the last. Threads may share it."""

    def __init__(self, openings: Iterable[Opening]) -> None:
        self._more = iter(openings)
        self._found: list[Opening] = []
        self._lock = threading.Lock()

    def pick(self, number: int) -> tuple[int, Opening]:
        """The opening of a round, and its own number, which is less where openings are played again.

        Raises
        ------
        BadParameter
            There are no openings.
        """
        with self._lock:
            self._found += islice(self._more, max(0, number + 1 - len(self._found)))
            if not self._found:
                raise BadParameter("There are no openings; give at least one, which may be empty.")
            place = number % len(self._found)
            return place, self._found[place]


def stream(game: Game, plies: int, seed: int, *, balanced: bool = True) -> Iterator[Opening]:
    """Random openings, one after the other, as long as there are any; errors as `random_openings`."""
    lines = _distinct_lines(game, plies, random.Random(seed))
    if not balanced:
        yield from (opening for opening, _ in lines)
        return
    candidates = _undecided(_engine_for(game), lines)
    while batch := list(islice(candidates, _BATCH)):
        by_score = sorted(range(len(batch)), key=lambda place: abs(batch[place][1]))
        yield from (batch[place][0] for place in sorted(by_score[: (len(batch) + 1) // 2]))


def _distinct_lines(game: Game, plies: int, chooser: random.Random) -> Iterator[tuple[Opening, State]]:
    """Random lines to positions in which the game goes on, each position once."""
    met: set[object] = set()
    in_vain = 0
    while in_vain < _LINES_IN_VAIN:
        in_vain += 1
        opening, state = _line(game, plies, chooser)
        if len(opening) < plies or game.is_terminal(state):
            continue
        name = _representative(game, state)
        if name not in met:
            met.add(name)
            in_vain = 0
            yield opening, state


def _line(game: Game, plies: int, chooser: random.Random) -> tuple[Opening, State]:
    """Up to so many random moves, and where they lead."""
    state, actions = game.initial, []
    for _ in range(plies):
        legal = game.legal_actions(state)
        if not legal:
            break
        actions.append(chooser.choice(legal))
        state = game.result(state, actions[-1])
    return tuple(actions), state


def _representative(game: Game, state: State) -> object:
    """The same for all positions that are symmetric to each other."""
    if game.symmetries is None:
        return state
    return min([state, *game.symmetries(state)])


def _engine_for(game: Game) -> "Engine":
    from zermelo.engine import Engine  # the import takes half a second

    return Engine(game, table_mb=1)


def _undecided(engine: "Engine", lines: Iterable[tuple[Opening, State]]) -> Iterator[tuple[Opening, int]]:
    """Those lines that lead to positions which a small search cannot decide, with the scores of these positions."""
    in_vain = 0
    for opening, state in lines:
        score = _score(engine, state)
        in_vain += 1
        if score is not None:
            in_vain = 0
            yield opening, score
        if in_vain == _POSITIONS_IN_VAIN:
            return


def _score(engine: "Engine", state: State) -> int | None:
    """The score that a shallow search gives a position, for MAX; None where its value is proven."""
    engine.clear()  # so that an opening does not depend on those before it
    result = engine.search(state, nodes=SEARCH_NODES)
    if result.proven or engine.prove(state, nodes=PROOF_NODES, quickest=False).proven:
        return None
    return result.value


def write_openings(path: Path | str, game: Game, openings: Sequence[Opening], comment: str = "") -> None:
    """Write openings to a file, which `read_openings` reads."""
    lines = [f"# openings of {game!r}; rules {game.fingerprint}{comment and f'; {comment}'}"]
    lines += [" ".join(written(game, opening)) for opening in openings]
    write_whole(Path(path), "\n".join(lines).encode() + b"\n")


def written(game: Game, opening: Opening) -> list[str]:
    """The moves of an opening as text."""
    moves, state = [], game.initial
    for action in opening:
        moves.append(write_move(game, state, action))
        state = game.result(state, action)
    return moves


def read_openings(path: Path | str, game: Game, plies: int | None = None) -> list[Opening]:
    """The openings of a file.

    Parameters
    ----------
    path
        The file.
    game
        The rules.
    plies
        Of a file in PGN: how many plies of each game to take, each opening once; whole games if None.

    Raises
    ------
    BadParameter
        The file cannot be read, has no openings, or one of them is not legal.
    """
    if Path(path).suffix == SUFFIX:
        return _read_pgn(path, game, plies)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise BadParameter(f"The openings in {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadParameter(f"{path} is no file of openings: it is not text.") from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    openings = [_read_line(game, line, f"{path}, line {number}") for number, line in lines if line[0] != "#"]
    if not openings:
        raise BadParameter(f"{path} has no openings; write a line of moves for each, separated by spaces.")
    return openings


def _read_pgn(path: Path | str, game: Game, plies: int | None) -> list[Opening]:
    if plies is not None and plies < 0:
        raise BadParameter(f"The number of plies is {plies}; it must be at least 0.")
    found: dict[Opening, None] = {}
    for number, (start, actions) in enumerate(read_pgn(game, path), start=1):
        if start != game.initial:
            raise BadParameter(f"{path}, game {number}: it begins in another position than {game!r} does.")
        opening = tuple(actions[:plies])
        if game.is_terminal(game.replay(opening)):
            raise BadParameter(f"{path}, game {number}: the game is over after these moves; give --plies.")
        found[opening] = None
    return list(found)


def _read_line(game: Game, line: str, place: str) -> Opening:
    state, actions = game.initial, []
    for move in line.split():
        try:
            actions.append(read_move(game, state, move))
        except IllegalAction as error:
            raise BadParameter(f"{place}: {error}") from None
        state = game.result(state, actions[-1])
    if game.is_terminal(state):
        raise BadParameter(f"{place}: the game is over after these moves.")
    return tuple(actions)
