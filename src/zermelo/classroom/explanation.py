"""A verdict explained, as lines of text and as data: the smallest wrong search, where it differs, and why."""

from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.classroom.grading import Graded, Report
from zermelo.game import ROLES, Action, Game, State
from zermelo.result import plain
from zermelo.textbook.explain import finite
from zermelo.textbook.homework.compare import Comparison, Difference, Stranger, compares_tables
from zermelo.textbook.homework.practice import Entry


def lines_of(one: Graded) -> Iterator[str]:
    """Yield the lines that explain a verdict."""
    if one.failure is not None:
        yield one.failure
        if one.questions:
            yield f"It had answered {len(one.comparisons)} of {one.questions} searches before."
    elif one.verdict == "right":
        yield f"All {one.questions} searches are right."
    if one.wrong:
        yield f"{one.wrong} of {one.questions} searches are wrong."
    if one.smallest is not None:
        yield from _smallest_lines(one, one.smallest)
        yield _cause_line(one)


def _smallest_lines(graded: Graded, one: Comparison) -> Iterator[str]:
    """Yield the smallest wrong search, and where it differs."""
    game, difference = one.game, one.difference
    moves, start = one.asked.question.actions(graded.game), graded.game.initial
    yield "The smallest wrong search that was found begins here:"
    yield from game.draw(game.initial).splitlines()
    played = f"after the moves {', '.join(shown(graded.game, start, moves))}" if moves else "at the start of the game"
    ahead = f", {one.asked.question.limits.depth} plies ahead" if one.assignment.needs_eval else ""
    yield f"{ROLES[game.to_move(game.initial)]} is to move, {played}."
    yield f"The handout's search visits {one.size} nodes{ahead}."
    if difference is None:
        counts = (f"{name} is {theirs}, and {ours} is right" for name, theirs, ours in miscounts(one))
        yield f"Its result is right, but {' and '.join(counts)}."
        return
    yield from _difference_lines(game, difference)
    yield f"handout: {entry_text(one, difference.expected)}"
    yield f"student: {entry_text(one, difference.found)}"


def miscounts(one: Comparison) -> list[tuple[str, Any, int]]:
    """Return each wrong counter: its name, the student's count and the right one."""
    return [(name, one.theirs.counts[name], getattr(one.ours.counts, name)) for name in one.miscounted]


def _difference_lines(game: Game, difference: Difference) -> Iterator[str]:
    """Yield lines that say at which state the search differs, the window, and the values of the children."""
    state, sight = difference.state, difference.sight
    if isinstance(state, Stranger):
        yield "The table has a key that is no state to which RESULT led."
        return
    if state != game.initial:
        yield "The first state of the table that differs is:"
        yield from game.draw(state).splitlines()
    if sight is None:
        yield "The handout's search never comes to this state."
        return
    mover = "The game is over" if game.is_terminal(state) else f"{ROLES[game.to_move(state)]} is to move"
    path = ", ".join(shown(game, game.initial, sight.path))
    window = f"the window is alpha {finite(sight.alpha)}, beta {finite(sight.beta)}."
    yield f"{mover} after {path} from there; {window}" if path else f"{window[0].upper()}{window[1:]}"
    if sight.children:
        told = (f"{move} {'pruned' if value is None else value}" for move, value in children(game, difference))
        yield f"Its moves, as the handout's search values them: {', '.join(told)}."


def _cause_line(one: Graded) -> str:
    names = one.causes.sentences
    if not names:
        return "No mistake of the catalogue, and no two of them, makes the handout's search do the same."
    same = {"everything": "exactly the same", "all but the counts": "the same apart from the counts"}
    does = same.get(one.causes.agreement, "return the same values and moves")
    return f"Likely cause: {'; or '.join(names)}. With this, the handout's search does {does} in all searches."


def children(game: Game, difference: Difference) -> list[tuple[str, float | None]]:
    """Return each move from the state as text, with its value; None if it was pruned."""
    found = [] if difference.sight is None else difference.sight.children
    return [(game.show_action(difference.state, action), value) for action, value in found]


def shown(game: Game, state: State, actions: Iterable[Action]) -> list[str]:
    """Return a line of play from ``state`` as people write it."""
    found = []
    for action in actions:
        found.append(game.show_action(state, action))
        state = game.result(state, action)
    return found


def sides(one: Comparison) -> dict[str, dict[str, Any]]:
    """Return both results by column; None if the student does not return or count something."""
    counters = list(one.theirs.counts)
    if one.assignment.system != "minimax" and not counters:
        counters = ["prunings"]
    handout: dict[str, Any] = {"value": one.ours.found.value}
    student: dict[str, Any] = {
        "value": one.theirs.found.value if isinstance(one.theirs.found, Entry) else one.theirs.found
    }
    if compares_tables(one.assignment, one.theirs):
        handout["states"], student["states"] = len(one.ours.table), len(one.theirs.table)
    for name in counters:
        handout[name], student[name] = getattr(one.ours.counts, name), one.theirs.counts.get(name)
    return {"handout": handout, "student": student}


def report_record(report: Report) -> dict[str, Any]:
    """Return a report for JSON."""
    record: dict[str, Any] = {"submission": report.name, "verdict": report.verdict, "status": report.status}
    if report.failure is not None:
        record["error"] = report.failure
    return record | {"graded": [graded_record(one) for one in report.graded]}


def graded_record(one: Graded) -> dict[str, Any]:
    """Return the verdict on one function in one game for JSON."""
    record: dict[str, Any] = {
        "function": one.assignment.name,
        "game": one.game.name,
        "parameters": dict(one.game.parameters),
        "verdict": one.verdict,
        "searches": one.questions,
        "wrong": one.wrong,
    }
    if one.failure is not None:
        record["error"] = one.failure
    if one.largest is not None:
        record |= sides(one.largest)
    if one.smallest is not None:
        record |= {"smallest": smallest_record(one, one.smallest), "likely_causes": one.causes.sentences}
    return record


def smallest_record(graded: Graded, one: Comparison) -> dict[str, Any]:
    """Return the smallest wrong search for JSON."""
    moves = shown(graded.game, graded.game.initial, one.asked.question.actions(graded.game))
    return {
        "state": one.game.show_state(one.game.initial),
        "moves": moves,
        "player": ROLES[one.game.to_move(one.game.initial)],
        "depth": one.asked.question.limits.depth if one.assignment.needs_eval else None,
        "nodes": one.size,
        "counts": {name: {"handout": ours, "student": theirs} for name, theirs, ours in miscounts(one)},
        "difference": None if one.difference is None else difference_record(one, one.difference),
    }


def difference_record(one: Comparison, difference: Difference) -> dict[str, Any]:
    """Return the first state whose results differ, for JSON."""
    sight, game, state = difference.sight, one.game, difference.state
    stranger = isinstance(state, Stranger)
    return {
        "state": None if stranger else game.show_state(state),
        "path": None if sight is None else shown(game, game.initial, sight.path),
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
