"""The census of a table against one that walks through every position with the rules."""

from collections import Counter

import numpy as np
import pytest

from solved import solved
from zermelo.solver.study.census import census, longest, saving
from zermelo.solver.table.table import Table

SMALL = [
    ("connect", {"rows": 4, "columns": 3, "run": 3}),
    ("tictactoe", {}),
    ("kayles", {"pins": 6}),
    ("kalah", {"pits": 2, "seeds": 2}),
    ("loops", {"seed": 3}),
    ("loops", {"seed": 8}),
]


def reached(table: Table) -> set[object]:
    """Every position that can be reached, by the rules."""
    game = table.game
    known, waiting = {game.initial}, [game.initial]
    while waiting:
        state = waiting.pop()
        for action in game.legal_actions(state):
            child = game.result(state, action)
            if child not in known:
                known.add(child)
                waiting.append(child)
    return known


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_every_number_is_what_the_rules_say(name: str, parameters: dict[str, int]):
    table = solved(name, **parameters)
    game = table.game
    found = census(table, None)
    states = reached(table)
    entries = {state: table[state] for state in states}
    assert found.positions == len(states)
    signs = Counter(int(np.sign(entry.value)) for entry in entries.values())
    assert (found.max_wins, found.draws, found.min_wins) == (signs[1], signs[0], signs[-1])
    plies = Counter((entry.remoteness, int(np.sign(entry.value))) for entry in entries.values())
    for row in found.by_remoteness:
        assert (row.max_wins, row.draws, row.min_wins) == tuple(plies[row.number, sign] for sign in (1, 0, -1))
    assert (
        sum(row.positions for row in found.by_tier) == sum(row.positions for row in found.by_remoteness) == len(states)
    )
    single = 0
    for state in states:
        after = [table[game.result(state, action)].value for action in game.legal_actions(state)]
        value = entries[state].value
        if game.outcomes == "wdl":
            after, value = [int(np.sign(one)) for one in after], int(np.sign(value))
        single += after.count(value) == 1 and len(after) > 1
    assert (found.saving.positions, found.saving.exact, found.saving.error) == (single, True, 0.0)
    furthest = max((entry.remoteness or 0 for entry in entries.values() if entry.value != 0), default=None)
    assert (found.longest.remoteness if found.longest else None) == furthest


def test_the_line_of_the_longest_win_is_as_long_as_said_and_ends_in_the_win():
    table = solved("connect", rows=4, columns=4, run=3)
    found = longest(table)
    assert found is not None
    assert len(found.line) == found.remoteness == table[found.state].remoteness
    end = table.game.replay(found.line, found.state)
    assert table.game.utility(end) == found.value


def test_a_sample_estimates_the_share_of_saving_moves():
    table = solved("connect", rows=4, columns=4, run=4)
    whole = saving(table, None)
    assert whole.exact
    misses = []
    for seed in range(10):
        part = saving(table, 4000, seed)
        assert (part.looked_at, part.exact) == (4000, False)
        misses.append(abs(part.share - whole.share) / part.error)
        assert part.positions == round(part.share * len(table))
    assert max(misses) < 4
    assert sum(misses) / 10 < 1.6
