"""For the tests of packages with games: one line audits a game, another one pins how it plays.

In a test file::

    from zermelo.testing import conformance

    def test_my_game():
        conformance(my_game())

A golden playthrough is a random game written down move by move, with pictures of some of its positions. Its file
changes only when rules or pictures change: then read the difference before you commit it. All of them are written
again by ``python -m zermelo.testing FOLDER``.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from zermelo.check import Report, check_game
from zermelo.errors import ZermeloError
from zermelo.game import MAX, Game, State
from zermelo.registry import factories

PICTURES: Final = (0, 1, 2, 5, 10, 20, 40, 80, 160)
"""Plies after which a playthrough shows the position, beside the last."""
LONGEST: Final = 300
"""Plies after which a playthrough stops."""


def conformance(game: Game, seconds: float = 2, seed: int = 0, compile: bool = True) -> Report:
    """Audit a game within a test.

    Parameters
    ----------
    game, seconds, seed, compile
        As `zermelo.check_game` takes them.

    Returns
    -------
    Report
        The report of a game without errors and warnings.

    Raises
    ------
    AssertionError
        There are errors or warnings; the message explains them all.
    """
    report = check_game(game, seconds=seconds, seed=seed, compile=compile)
    wrong = [finding for finding in report.findings if finding.severity != "note"]
    if wrong:
        raise AssertionError("\n\n".join([f"{game!r} breaks the contract of a game.", *map(str, wrong)]))
    return report


def playthrough(game: Game, seed: int = 0) -> str:
    """A random game as text: every action, and what the rules say of some of its positions.

    It stops where a position comes back, and after `LONGEST` plies.
    """
    return "\n".join([f"# {game!r}, seed {seed}", *_lines(game, random.Random(seed))]) + "\n"


def _lines(game: Game, chooser: random.Random) -> Iterator[str]:
    state, met = game.initial, set[State]()
    for ply in range(LONGEST + 1):
        legal = game.legal_actions(state)
        stops = not legal or state in met or ply == LONGEST
        if ply in PICTURES or stops:
            yield from _position(game, state, ply)
        if stops:
            yield "the game is over" if not legal else "the position came back" if state in met else "stopped"
            return
        met.add(state)
        action = chooser.choice(legal)
        yield f"{ply + 1}. {game.show_action(state, action)}  [{action}]"
        state = game.result(state, action)


def _position(game: Game, state: State, ply: int) -> Iterator[str]:
    yield ""
    yield f"after {ply} plies:"
    yield from (f"  {line}".rstrip() for line in game.draw(state).splitlines())
    if game.to_text is not None:
        yield f"text: {game.to_text(state)}"
    if game.is_terminal(state):
        yield f"utility: {game.utility(state)}"
        return
    legal = game.legal_actions(state)
    shown = (f"{game.show_action(state, action)}[{action}]" for action in legal)
    yield f"to move: {'MAX' if game.to_move(state) == MAX else 'MIN'}"
    yield f"{len(legal)} actions: {' '.join(shown)}"
    if game.evaluate is not None:
        yield f"evaluate: {game.evaluate(state)}"
    yield ""


def write_playthroughs(folder: Path) -> None:
    """Write the playthrough of every registered game to ``folder``, and print which changed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, factory in factories().items():
        file = folder / f"{name}.txt"
        try:
            text = playthrough(factory())
        except ZermeloError as error:  # such as a package that the game needs and that is not installed
            print(f"{name}: left alone. {error}")
            continue
        before = file.read_text(encoding="utf-8") if file.exists() else None
        file.write_text(text, encoding="utf-8")
        print(
            f"{name}: {'new' if before is None else 'unchanged' if before == text else 'CHANGED, read the difference'}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=write_playthroughs.__doc__)
    parser.add_argument("folder", type=Path, help="where the files are, one a game")
    write_playthroughs(parser.parse_args().folder)
