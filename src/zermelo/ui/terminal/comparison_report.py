"""Reports on a student's search beside the handout's: tables, drawn states, and JSON."""

from typing import Any

from rich.console import Console
from rich.table import Table as TextTable

from zermelo.game import ROLES, Action, Game
from zermelo.result import plain
from zermelo.textbook.explain import finite
from zermelo.textbook.homework.assignments import Assignment
from zermelo.textbook.homework.compare import Comparison, Difference, Stranger, compares_tables
from zermelo.textbook.homework.mistakes import Entry
from zermelo.ui.terminal import show


def print_comparison(
    console: Console, assignment: Assignment, game: Game, one: Comparison | None, error: str | None
) -> None:
    """Print the handout's counts above the student's, or why there are none."""
    console.print(f"\n{assignment.name} on {game!r}", highlight=False, markup=False, soft_wrap=True)
    if one is None:
        console.print(f"It could not be run. {error}", style="red", highlight=False, markup=False, soft_wrap=True)
        return
    table = TextTable(box=None, pad_edge=False)
    headings = list(sides(one)["handout"])
    for heading in ("", *headings):
        table.add_column(heading, justify="right" if heading else "left")
    for name, side in sides(one).items():
        table.add_row(name, *(number_text(side[heading]) for heading in headings))
    console.print(table, highlight=False)
    console.print("They agree." if one.agrees else "They differ.", style="green" if one.agrees else "red")


def sides(one: Comparison) -> dict[str, dict[str, Any]]:
    """Return both results by column; None if the student does not return or count something."""
    counters = list(one.theirs.counts)
    if one.assignment.system != "minimax" and not counters:
        counters = ["prunings"]
    handout: dict[str, Any] = {"value": one.ours.found.value}
    student: dict[str, Any] = {"value": value_of(one.theirs.found)}
    if compares_tables(one.assignment, one.theirs):
        handout["states"], student["states"] = len(one.ours.table), len(one.theirs.table)
    for name in counters:
        handout[name], student[name] = getattr(one.ours.counts, name), one.theirs.counts.get(name)
    return {"handout": handout, "student": student}


def print_difference(console: Console, one: Comparison, causes: list[str]) -> None:
    """Print the first state whose results differ, how the handout's search visited it, and likely causes."""

    def say(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    difference = one.difference
    say("")
    if difference is None:
        say(f"{one.assignment.name} on {one.game!r}: only {' and '.join(one.miscounted)} differ.")
    else:
        where = "the result differs, at" if difference.state == one.game.initial else "the first state that differs is"
        if isinstance(difference.state, Stranger):
            where = "the table has a key that is no state to which RESULT led"
        say(f"{one.assignment.name} on {one.game!r}: {where}")
        if not isinstance(difference.state, Stranger):
            console.print(show.board(one.game, difference.state), highlight=False)
            for line in sight_lines(one.game, difference):
                say(line)
        say(f"handout: {entry_text(one, difference.expected)}")
        say(f"student: {entry_text(one, difference.found)}")
    if causes:
        say(f"Likely cause: {', or '.join(causes)}. With this, the handout's search does exactly the same.")
    else:
        say("None of the usual mistakes makes the handout's search do the same.")


def sight_lines(game: Game, difference: Difference) -> list[str]:
    """Return lines that say who is to move, the path, the window, and the values of the children."""
    sight, state = difference.sight, difference.state
    if sight is None:
        return ["The handout's search never comes to this state."]
    path = ", ".join(show.line(game, game.initial, sight.path))
    mover = "The game is over" if game.is_terminal(state) else f"{ROLES[game.to_move(state)]} is to move"
    lines = [
        f"{mover}, after the moves {path}." if path else f"{mover}, at the root.",
        f"The window is alpha {sight.alpha}, beta {sight.beta}.",
    ]
    if sight.children:
        shown = (f"{move} {'pruned' if value is None else value}" for move, value in children(game, difference))
        lines.append(f"Its moves, as the handout's search values them: {', '.join(shown)}.")
    return lines


def children(game: Game, difference: Difference) -> list[tuple[str, float | None]]:
    """Return each move from the state as text, with its value; None if it was pruned."""
    found = [] if difference.sight is None else difference.sight.children
    return [(game.show_action(difference.state, action), value) for action, value in found]


def comparison_record(
    assignment: Assignment, game: Game, one: Comparison | None, error: str | None, causes: list[str]
) -> dict[str, Any]:
    """Return a comparison for JSON."""
    record: dict[str, Any] = {
        "function": assignment.name,
        "game": game.name,
        "parameters": dict(game.parameters),
        "result": "failed" if one is None else "same" if one.agrees else "different",
    }
    if one is None:
        return record | {"error": error}
    record |= sides(one)
    if one.agrees:
        return record
    return record | {"difference": difference_record(one), "likely_causes": causes}


def difference_record(one: Comparison) -> dict[str, Any] | None:
    """Return the first state whose results differ, for JSON; None if only counts differ."""
    difference = one.difference
    if difference is None:
        return None
    sight, game, state = difference.sight, one.game, difference.state
    stranger = isinstance(state, Stranger)
    return {
        "state": None if stranger else game.show_state(state),
        "path": None if sight is None else show.line(game, game.initial, sight.path),
        "player": None if stranger or game.is_terminal(state) else ROLES[game.to_move(state)],
        "alpha": None if sight is None else finite(sight.alpha),
        "beta": None if sight is None else finite(sight.beta),
        "children": [{"move": move, "value": value} for move, value in children(game, difference)],
        "handout": entry_text(one, difference.expected),
        "student": entry_text(one, difference.found),
    }


def entry_text(one: Comparison, entry: Any) -> str:
    """Return an entry in words: its value, and its action or path."""
    if entry is None:
        return "not in the table"
    if not isinstance(entry, Entry):
        return str(entry)
    what = "path" if one.assignment.system == "path" else "action"
    if entry.value is None:
        return f"action {actions_text(entry.action)}"
    if entry.action is ... or one.assignment.bare:
        return f"value {entry.value}"
    return f"value {entry.value}, {what} {actions_text(entry.action)}"


def actions_text(action: Action) -> str:
    """Return an action or a path as the student returns it."""
    written = plain(action)
    return " ".join(map(str, written)) or "()" if isinstance(written, list) else str(written)


def value_of(found: Any) -> Any:
    """Return the value alone of what the student returned."""
    return found.value if isinstance(found, Entry) else found


def number_text(count: Any) -> str:
    """Return a number as people write it."""
    return "-" if count is None else f"{count:,}" if isinstance(count, int) else str(count)
