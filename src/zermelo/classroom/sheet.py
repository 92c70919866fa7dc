"""The assignment sheet, and the page that tells a teacher what is in the folder."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zermelo.classroom.submission import Place
from zermelo.game import ROLES, Game
from zermelo.registry import find_factory
from zermelo.textbook.homework.assignments import ASSIGNMENTS, Assignment, Limits
from zermelo.textbook.homework.compare import Asked

TASKS: Final = {
    "A": (
        "minimax_search",
        "Minimax with a table",
        "Write `minimax_search(game, state, table)`. It returns `MinimaxInfo(value, action)` and puts every state that "
        "it reaches into the table, a dict. A state that is in the table already is not searched again.",
    ),
    "B": (
        "alpha_beta_search",
        "Alpha-beta with a table",
        "Write `alpha_beta_search(game, state, alpha, beta, table)`: minimax with a table that stops searching a state "
        "as soon as alpha is at least beta. Such a state is pruned, and is not stored. Count each pruning in the "
        "global `prunings`.",
    ),
    "C": (
        "alpha_beta_heuristic_search",
        "Alpha-beta with an evaluation",
        "Write `alpha_beta_heuristic_search(game, state, alpha, beta, depth, table)`: alpha-beta with a table. Where "
        "`game.is_cutoff(state, depth)` is true, the search stops, and the value is `game.evaluate(state)`. The root "
        "has depth 0. Pruned states are not stored. Count each pruning in the global `prunings`.",
    ),
    "D": (
        "minimax_max",
        "The best path",
        "Write `minimax_max(game, state, depth_so_far, alpha, beta, max_depth, max_width)`. It returns the value and "
        "the best line, a tuple of actions, both as the player to move at the root sees them. It looks at the first "
        "`max_width` actions of each state; the actions come sorted, the best first.",
    ),
    "E": (
        "alpha_beta_decision",
        "MAX-VALUE and MIN-VALUE",
        "Write `alpha_beta_decision(game, state, limit)`. It looks `limit` plies ahead, without a table, and returns "
        "`MinimaxInfo(value, action)`. The first window is `game.utility_range`.",
    ),
}
"""For each part its function, its heading and its text."""


def command_options(place: Place) -> str:
    """The game and its parameters as a command line has them."""
    return " ".join([place.game, *(f"-p {name}={value}" for name, value in place.parameters.items())])


def about(place: Place) -> str:
    """What the factory of a game says of it, in its first paragraph."""
    return " ".join((find_factory(place.game).__doc__ or "").strip().partition("\n\n")[0].split())


def assignment_sheet(place: Place, game: Game, about: str, exams: Mapping[str, Sequence[Asked]], limits: Limits) -> str:
    """The sheet for students, in Markdown; ``about`` is what to say of the game."""
    return "\n\n".join([*_game_section(place, game, about), *_parts(game, exams, limits), *_rules(place)]) + "\n"


def _game_section(place: Place, game: Game, about: str) -> Iterator[str]:
    yield f"# Assignment: search in {game.name}"
    yield f"The game is `{game!r}`. {about}"
    yield f"```\n{game.draw(game.initial)}\n```"
    yield f"{ROLES[game.to_move(game.initial)]} begins. Play it: `zermelo play {command_options(place)}`."
    yield (
        "Your functions get the rules as `game`: `game.initial`, `game.to_move(state)` (`MAX`, which is 1, or `MIN`, "
        "which is -1), `game.actions(state)`, `game.result(state, action)`, `game.is_terminal(state)`, "
        "`game.utility(state)` and `game.evaluate(state)`. **Every value is MAX's**, whoever is to move. Try the "
        "actions in the order in which `game.actions` yields them; of several best actions, return the first."
    )


def _parts(game: Game, exams: Mapping[str, Sequence[Asked]], limits: Limits) -> Iterator[str]:
    for part, asked in exams.items():
        name, title, text = TASKS[part]
        yield f"## Part {part}: {title}"
        yield text
        yield _check(game, ASSIGNMENTS[name], asked[-1], limits)


def _check(game: Game, assignment: Assignment, asked: Asked, limits: Limits) -> str:
    """What a right search comes to from the start of the game."""
    value, action = asked.ours.found
    shown = game.show_action(game.initial, action[0] if assignment.system == "path" else action)
    reach = f", {limits.depth} plies ahead" if assignment.needs_eval else ""
    reach += f" and {limits.width} moves wide" if assignment.system == "path" else ""
    told = [f"value {value:,}", f"{'first ' if assignment.system == 'path' else ''}action {shown}"]
    if assignment.has_table:
        told.append(f"{len(asked.ours.table):,} states in the table")
    if assignment.system in ("alpha-beta", "heuristic"):
        told.append(f"{asked.ours.counts.prunings:,} prunings")
    return f"To check yourself, from the start of the game{reach}: {', '.join(told)}."


def _rules(place: Place) -> Iterator[str]:
    yield "## For the tournament"
    yield (
        "`choose(game, state, seconds)` returns a legal action within so many seconds. It may use your searches. All "
        "players of the class will meet."
    )
    yield "## How you hand it in, and how it is graded"
    name, _, rest = command_options(place).partition(" ")
    options = f"--game {name}" + (f" {rest}" if rest else "")
    yield (
        "Start from `starter.py`, and hand in your file, with the files that it imports. It may import the standard "
        "library and what `starter.py` imports, and no search of zermelo's. Grade it yourself:"
    )
    yield f"```\nzermelo grade starter.py {options}\n```"
    yield (
        "The command shows the smallest position in which your search goes wrong, and the likely mistake. Your teacher "
        "runs the same command on other positions. Every part counts the same, and is right or wrong as a whole."
    )


def readme(place: Place, seed: int) -> str:
    """The page for the teacher, in Markdown."""
    return f"""# A course on {place.game}

`zermelo course new` wrote this folder, with the seed {seed}. Give students everything but `teacher/` and `course.json`,
which has the seed of the hidden tests.

| file | what it is |
|---|---|
| `assignment.md` | the sheet, with figures by which students can check themselves |
| `starter.py` | what students start from |
| `exercises.md`, `trees/` | search trees to be filled in by hand |
| `teacher/slides.md`, `teacher/slides/` | slides with other trees; Marp, reveal-md and Pandoc show them |
| `teacher/solution.py` | a solution, which does not use zermelo's own searches |
| `teacher/solutions.md`, `teacher/trees/` | the exercises, filled in |
| `teacher/hidden_tests.json` | the searches that are graded, with the right answers |
| `teacher/grade.py` | `python teacher/grade.py submissions/*.py` writes a report for each student, and `grades.csv` |
| `teacher/tournament.py` | `python teacher/tournament.py submissions/*.py` writes `class.html` with all games |
| `course.json` | game, parameters, seed and parts: the scripts read it |

On Gradescope, put this folder and `pip install zermelo` into `setup.sh`. The line of `run_autograder` is

```
python teacher/grade.py submission/starter.py --gradescope results/results.json
```

Next year, `zermelo course new` with another seed writes other hidden tests and other exercises.
"""
