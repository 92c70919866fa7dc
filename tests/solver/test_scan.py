"""Walking through tables: samples, successors, positions with a single saving move."""

import numpy as np
import pytest

from solved import solved
from zermelo.game import MAX, MIN
from zermelo.solver.model.outcome_codes import UNKNOWN, values_of
from zermelo.solver.study.only_moves import only_moves
from zermelo.solver.table.scan import sample, with_neighbours

SMALL = [
    ("connect", {"rows": 4, "columns": 4, "run": 3}),
    ("breakthrough", {"width": 3, "height": 4}),
    ("tictactoe", {}),
    ("loops", {"seed": 3}),
    ("kalah", {"pits": 2, "seeds": 2}),
]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_successors_and_only_moves_agree_with_the_rules(name: str, parameters: dict[str, int]):
    table = solved(name, **parameters)
    game = table.game
    some = list(sample(table, 300, seed=4))
    keys = np.concatenate([keys for _, keys, _ in some])
    codes = np.concatenate([codes for _, _, codes in some])
    assert len(keys) == min(300, int(table.manifest["stored"]))
    values = values_of(codes, game.utility_range)
    only = np.concatenate([only_moves(found, codes, game) for found in with_neighbours(table, keys)])
    owns = np.concatenate([found.own for found in with_neighbours(table, keys)])
    for key, value, single, own in zip(keys, values, only, owns, strict=True):
        state = table.state(int(key))
        assert table[state].value == value
        assert game.is_terminal(state) if own >= 0 else game.to_move(state) == (MAX if own == UNKNOWN else MIN)
        after = [table[game.result(state, action)].value for action in game.legal_actions(state)]
        if game.outcomes == "wdl":
            after, value = [int(np.sign(one)) for one in after], int(np.sign(value))
        assert single == (after.count(value) == 1 and len(after) > 1)


def test_a_sample_is_drawn_without_repeats_and_the_same_again_from_the_same_seed():
    table = solved("connect", rows=4, columns=4, run=4)
    stored = int(table.manifest["stored"])
    everything = [(tier, int(key)) for tier, keys, _ in sample(table, None) for key in keys]
    assert len(set(everything)) == len(everything) == stored
    for count in (1, 1000, stored // 2, stored - 1):
        drawn = [(tier, int(key)) for tier, keys, _ in sample(table, count, seed=1) for key in keys]
        assert len(set(drawn)) == len(drawn) == count
        assert set(drawn) <= set(everything)
        assert drawn == [(tier, int(key)) for tier, keys, _ in sample(table, count, seed=1) for key in keys]
    assert drawn != [(tier, int(key)) for tier, keys, _ in sample(table, stored - 1, seed=2) for key in keys]


def test_a_sample_has_each_tier_in_its_share():
    table = solved("connect", rows=4, columns=4, run=4)
    stored = {tier["tier"]: tier["stored"] for tier in table.manifest["tiers"]}
    drawn = dict.fromkeys(stored, 0)
    for tier, keys, _ in sample(table, 8000, seed=3):
        drawn[tier] += len(keys)
    for tier, count in stored.items():
        assert abs(drawn[tier] - 8000 * count / sum(stored.values())) < 4 * (8000 * count / 80541) ** 0.5 + 1
