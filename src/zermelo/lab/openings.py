"""Openings: positions from which a match is played, so that deterministic players do not repeat one game.

An opening is a line of moves from the initial position. Random ones have a given number of plies. No two of them lead
to the same position, symmetric positions counted as one; and none leads to a position whose value can be proven with
little effort. Of those that are left, the half is kept that a shallow search finds the most even.

A file of openings is plain text: a line each, moves separated by spaces, and lines that begin with ``#`` are comments.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zermelo.errors import BadParameter, IllegalAction
from zermelo.files import write_whole
from zermelo.game import Action, Game, State

if TYPE_CHECKING:
    from zermelo.engine import Engine

Opening = tuple[Action, ...]
PROOF_NODES: Final = 2_000
"""A position whose value is proven with so many nodes counts as decided."""
SEARCH_NODES: Final = 2_000
"""How evenly matched the players are is asked of a search of so many nodes."""
_TRIES: Final = 30
"""Random lines for each opening that is wanted, before we say that there are no more."""
_HEADER: Final = "# openings of "


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
        The same seed gives the same openings.
    balanced
        Leave out positions that are decided, and keep of the others the most even half. The rules must compile.
    progress
        Told how many candidates were found.

    Returns
    -------
    list of tuple
        The actions of each, in the order in which they were found; fewer than ``count`` where the game has no more.

    Raises
    ------
    BadParameter
        A number is out of range, or there is no such opening.
    NotCompilable
        ``balanced``, and the rules cannot become machine code.
    """
    if count < 1 or plies < 0:
        raise BadParameter(
            f"{count} openings of {plies} plies cannot be; ask for at least 1 opening of at least 0 plies."
        )
    wanted = 2 * count if balanced and plies else count
    engine = _engine_for(game) if balanced else None
    found: list[tuple[Opening, int]] = []
    for opening, state in _distinct_lines(game, plies, seed, wanted * _TRIES):
        score = 0 if engine is None else _unevenness(engine, state)
        if score is None:
            continue
        found.append((opening, score))
        if progress is not None:
            progress(len(found))
        if len(found) == wanted:
            break
    if not found:
        raise BadParameter(
            f"No opening of {plies} plies of {game!r} leads to an undecided position; ask for another number of plies."
        )
    chosen = sorted(range(len(found)), key=lambda place: abs(found[place][1]))[:count]
    return [found[place][0] for place in sorted(chosen)]


def _distinct_lines(game: Game, plies: int, seed: int, tries: int) -> Iterator[tuple[Opening, State]]:
    """Random lines to positions that are not terminal, each position once."""
    chooser = random.Random(seed)
    met: set[object] = set()
    for _ in range(tries):
        state, actions = game.initial, []
        for _ in range(plies):
            legal = game.legal_actions(state)
            if not legal:
                break
            actions.append(chooser.choice(legal))
            state = game.result(state, actions[-1])
        if game.is_terminal(state):
            continue
        name = _representative(game, state)
        if name not in met:
            met.add(name)
            yield tuple(actions), state


def _representative(game: Game, state: State) -> object:
    """The same for all positions that are symmetric to each other."""
    images = [state, *(game.symmetries(state) if game.symmetries is not None else ())]
    return min(images)


def _engine_for(game: Game) -> "Engine":
    from zermelo.engine import Engine

    return Engine(game, table_mb=8)


def _unevenness(engine: "Engine", state: State) -> int | None:
    """The score that a shallow search gives a position, for MAX; None where its value is proven."""
    engine.clear()  # so that an opening does not depend on those before it
    result = engine.search(state, nodes=SEARCH_NODES)
    if result.proven or engine.prove(state, nodes=PROOF_NODES, quickest=False).proven:
        return None
    return result.value


def write_openings(path: Path, game: Game, openings: Sequence[Opening], comment: str = "") -> None:
    """Write openings to a file, which `read_openings` reads.

    Raises
    ------
    BadParameter
        A move is written with spaces, so that the file could not be read back.
    """
    lines = [f"{_HEADER}{game!r}; rules {game.fingerprint}{comment and f'; {comment}'}"]
    for opening in openings:
        state, moves = game.initial, []
        for action in opening:
            moves.append(game.show_action(state, action))
            state = game.result(state, action)
        lines.append(" ".join(moves))
    write_whole(path, "\n".join(lines).encode() + b"\n")


def read_openings(path: Path, game: Game) -> list[Opening]:
    """The openings of a file.

    Raises
    ------
    BadParameter
        The file cannot be read, has no openings, or one of them is not legal.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadParameter(f"{path} cannot be read as a file of openings: {error}.") from None
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        state, actions = game.initial, []
        for move in line.split():
            try:
                actions.append(game.read_action(state, move))
            except IllegalAction as error:
                raise BadParameter(f"{path}, line {number}: {error}") from None
            state = game.result(state, actions[-1])
        if game.is_terminal(state):
            raise BadParameter(f"{path}, line {number}: the game is over after these moves.")
        openings.append(tuple(actions))
    if not openings:
        raise BadParameter(f"{path} has no openings; write a line of moves for each, separated by spaces.")
    return openings
