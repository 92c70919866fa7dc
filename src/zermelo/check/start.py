"""The quick check with which a command begins. It takes milliseconds, since it checks only the start of the game."""

from contextlib import suppress

from zermelo.check import rules
from zermelo.check.explore import Explorer
from zermelo.check.inspector import Inspector, Unanswered
from zermelo.check.report import Finding
from zermelo.game import Game

CHECKS = (rules.check_to_move, rules.check_actions, rules.check_utility)


def look_at_start(game: Game) -> Finding | None:
    """Return the first error that shows at the start of a game; None if there is none.

    It interrupts and reports a rule that never returns only if it runs in the main thread.
    """
    inspector = Inspector(game)
    with inspector.watching(), suppress(Unanswered):
        explorer = Explorer(inspector, seed=0)
        rules.check_initial(inspector, explorer.root)
        explorer.expand(explorer.root)
        for check in CHECKS:
            check(inspector, explorer.root)
        picture = inspector.ask(explorer.root, "draw", game.initial)
        if not isinstance(picture, str):
            inspector.find("draw", explorer.root, f"draw gives {picture!r}.", "Let draw return a str.")
    return next((finding for finding in inspector.findings if finding.severity == "error"), None)
