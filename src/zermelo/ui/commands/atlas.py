"""``zermelo atlas``: published results of games, and whether zermelo agrees."""

import json
import sys
from collections.abc import Sequence
from time import monotonic
from typing import Annotated, Any

import typer

from zermelo.atlas.answers import compiles
from zermelo.atlas.facts import Fact, facts
from zermelo.atlas.measuring import Measured, measured, timed
from zermelo.errors import BadParameter
from zermelo.ui.arguments import EXIT_ERROR, JsonOption, complete_game
from zermelo.ui.terminal.columns import columns
from zermelo.ui.terminal.progress import counting


def atlas(
    seconds: Annotated[float, typer.Option(help="Check as many facts as fit into this time.")] = 20.0,
    game: Annotated[
        str, typer.Option(metavar="GAME", help="Only facts about this game.", autocompletion=complete_game)
    ] = "",
    only: Annotated[str, typer.Option(metavar="TEXT", help="Only facts whose name contains this text.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the facts, and check none.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check published results of games: who wins, counts of positions, perft, lengths.

    Quick facts are checked first. A game is compiled when it is first needed, which takes some seconds more.
    Exit status 1 if zermelo disagrees with a fact.
    """
    if not seconds > 0:
        raise BadParameter(f"The time is {seconds} seconds; it must be more than 0.")
    chosen = [fact for fact in facts() if game in ("", fact.game) and only in fact.name]
    if not chosen:
        games = ", ".join(sorted({fact.game for fact in facts()}))
        raise BadParameter(f"No fact fits; there are facts about {games}.")
    answers = {} if listed else _check(chosen, seconds)
    if as_json:
        print(json.dumps([_record(fact, answers.get(fact.name)) for fact in chosen]))
    elif listed:
        print(columns(["fact", "published", "source"], [[one.name, one.answer, one.source] for one in chosen]))
    else:
        _print(chosen, answers)
    if any(answers[fact.name].found != fact.answer for fact in chosen if fact.name in answers):
        sys.exit(EXIT_ERROR)


def _check(chosen: Sequence[Fact], seconds: float) -> dict[str, Measured]:
    """Answer facts, those first that took the least time where they were measured, until the time is up.

    Counts that need machine code come last, since nobody knows whether it must be compiled first.
    """
    known = measured()
    planned = [one for one in chosen if one.name in known]
    planned.sort(key=lambda one: (compiles(one), known[one.name].seconds))
    end, answers = monotonic() + seconds, dict[str, Measured]()
    with counting("facts", len(planned)) as progress:
        for fact in planned:
            left = end - monotonic()
            if left < known[fact.name].seconds:
                break
            found = timed(fact, left)
            if found is not None:
                answers[fact.name] = found
            progress(len(answers))
    return answers


def _record(fact: Fact, found: Measured | None) -> dict[str, Any]:
    """Return a fact and its answer for JSON; ``agrees`` is null if it was not checked."""
    return {
        "fact": fact.name,
        "game": fact.game,
        "question": fact.question,
        "published": fact.answer,
        "source": fact.source,
        "command": fact.command,
        "found": found.found if found else None,
        "agrees": found.found == fact.answer if found else None,
        "seconds": round(found.seconds, 4) if found else None,
    }


def _print(chosen: Sequence[Fact], answers: dict[str, Measured]) -> None:
    """Print the agreement by game, and each fact with which zermelo disagrees."""
    rows = []
    for game in dict.fromkeys(fact.game for fact in chosen):
        own = [fact for fact in chosen if fact.game == game]
        checked = [fact for fact in own if fact.name in answers]
        agreed = sum(answers[fact.name].found == fact.answer for fact in checked)
        taken = sum(answers[fact.name].seconds for fact in checked)
        rows.append([game, str(len(own)), str(len(checked)), str(agreed), f"{taken:.2f} s"])
    print(columns(["game", "facts", "checked", "agree", "time"], rows))
    for fact in chosen:
        found = answers.get(fact.name)
        if found is not None and found.found != fact.answer:
            print(f"{fact.name} is {found.found} here; published is {fact.answer} ({fact.source}). {fact.command}")
    wrong = sum(one.found != fact.answer for fact in chosen if (one := answers.get(fact.name)))
    verb = "disagree" if wrong > 1 else "disagrees"
    print(f"{len(answers)} of {len(chosen)} facts were checked; {wrong or 'none'} {verb}.")
