"""Prunings that can be wrong, and what the search does with exchanges and threats, against slow twins."""

from dataclasses import replace

import pytest

from reference import bounded_limited, random_states, threatened_limited
from zermelo import MAX, Engine
from zermelo.engine.switches import UNSOUND, Switches
from zermelo.errors import BadGame
from zermelo.games import breakthrough
from zermelo.protocol.scores import moves_to_end

ROWS, COLUMNS = 5, 4
MAX_LAST_STEP, MIN_LAST_STEP = 0b1111 << COLUMNS, 0b1111 << COLUMNS * (ROWS - 2)
"""The cells from which each side reaches the far side with its next move."""
ALL = {"null_move": True, "reductions": True, "futility": 5, "late_pruning": True, "losing_pruning": 3}
SOUND = {"malus": True, "countermoves": True, "follow_ups": True, "losing_last": True, "quiescence_table": True}
SOUND["order_from"] = 10  # captures
"""Switches that go with them: what is tried first, and what is remembered."""


def urgent(state):
    """Whether an enemy man is about to reach the far side, and no man of the player to move is."""
    max_arrives, min_arrives = state.max_men & MAX_LAST_STEP, state.min_men & MIN_LAST_STEP
    return max_arrives == 0 != min_arrives if state.player == MAX else min_arrives == 0 != max_arrives


def gain(state, action):
    """What an exchange wins, at random, since what is proven must not depend on it."""
    return 10 * (action % 3 - 1)


@pytest.fixture(scope="module")
def game():
    """Breakthrough with threats, whose play may leave out lines, and without bounds, which would know too much."""
    plain = breakthrough(COLUMNS, ROWS)
    return replace(plain, urgent=urgent, gain=gain, switches=ALL, bounds=None, sufficient_actions=None)


@pytest.fixture(scope="module")
def states(game):
    return [state for plies in (9, 13, 17) for state in random_states(game, 6, range(plies, plies + 5))]


def test_what_is_proven_is_true_whatever_play_leaves_out(game, states):
    """Each pruning alone, and all together; in one table, so that a wrong entry would show in a later search."""
    truth = Engine(game, table_mb=4)
    known = {state: truth.search(state) for state in states}
    assert all(found.proven and not found.unsound for found in known.values())
    for switches in ({}, SOUND, {"remoteness": False}, *({**dict.fromkeys(ALL, 0), name: ALL[name]} for name in ALL)):
        engine, proven, bounded = Engine(game, table_mb=1, **switches), 0, 0
        for state in states:
            for depth in range(1, 7):
                found = engine.search(state, depth=depth)
                if not found.proven:
                    continue
                assert found.value == known[state].value, (switches, state, depth)
                assert found.remoteness in (None, known[state].remoteness), (switches, state, depth)
                proven, bounded = proven + 1, bounded + (found.ends_within is not None)
                if found.ends_within is not None:
                    assert found.remoteness is None and found.ends_within >= known[state].remoteness
                    assert abs(moves_to_end(game, state, found)) == (found.ends_within + 1) // 2
                    assert truth.prove(game.result(state, found.action), quickest=False).value == found.value
        assert proven > 10 and (bounded > 0 or switches == {"remoteness": False}), switches


def test_proofs_leave_nothing_out(game, states):
    engine = Engine(game, table_mb=1)
    sound = Engine(game, table_mb=1, **dict.fromkeys(ALL, 0))
    for state in states[6:]:
        assert engine.search(state, depth=4).unsound == tuple(name for name in UNSOUND if name in ALL)
        for found in (engine.search(state), engine.prove(state)):
            assert found.proven and found.unsound == () and found.value == sound.prove(state).value


def test_every_pruning_acts(game):
    nodes, switches = {}, ALL | SOUND
    # Follow-ups tell more than history only where failures count; the table only keeps leaves where a pruning is on.
    needs = {"follow_ups": "malus", "quiescence_table": "reductions"}
    for name in ("", *switches):
        on = dict.fromkeys(switches, 0) | ({name: switches[name]} if name else {})
        if name in needs:
            on[needs[name]] = 1
        engine = Engine(game, table_mb=1, **on)
        nodes[name] = sum(engine.search(state, depth=6).nodes for state in random_states(game, 6, range(2, 5)))
    assert len(set(nodes.values())) == len(nodes), nodes


def test_an_order_may_count_from_a_number_on(game, states):
    """The search is then that of a game whose order gives 0 to all other actions, negative numbers among them."""

    def order(state, action):
        return (action * 7) % 12 - 4

    def counted(state, action):
        return order(state, action) if order(state, action) >= 3 else 0

    given, wanted = (replace(game, order=one, symmetries=None) for one in (order, counted))
    nodes = []
    for rules, switches in ((given, {"order_from": 3}), (wanted, {}), (given, {})):
        engine = Engine(rules, table_mb=1, **switches)
        nodes.append([engine.search(state, depth=5).nodes for state in states[:6]])
    assert nodes[0] == nodes[1] != nodes[2]


def test_threats_and_exchanges_are_played_out(game, states):
    """With every pruning off, the search is minimax that looks further under threats and skips losing exchanges."""
    rules = replace(game, symmetries=None)  # `gain` has none
    engine = Engine(rules, table_mb=1, same_depth=True, transposition_cutoffs=False, **dict.fromkeys(ALL, 0))
    for state in states[9:]:
        for depth in (1, 2):
            found = engine.search(state, depth=depth)
            assert found.value == threatened_limited(rules, state, depth), (state, depth)


def won_or_lost():
    """Breakthrough with utilities of 1 and no evaluation, so that bounds are as close together as they can be."""
    game = breakthrough(COLUMNS, ROWS)
    utility, known = game.utility, game.bounds

    def bounds(state):
        low, high = known(state)
        return low // 1000, high // 1000

    return replace(
        game,
        utility_range=(-1, 1),
        utility=lambda state: utility(state) // 1000,
        bounds=bounds,
        evaluate=lambda state: 0,
        weights=None,
    )


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("remoteness", [False, True])
@pytest.mark.parametrize("make", [lambda: breakthrough(COLUMNS, ROWS), won_or_lost])
def test_bounds_count_at_the_horizon_if_they_are_asked_there(make, remoteness, windows):
    """Leaves then have the values that their bounds prove, and values that follow from these alone are proven."""
    game = replace(make(), sufficient_actions=None, noisy_actions=None)
    exact = {"remoteness": remoteness, "same_depth": True, "transposition_cutoffs": False}
    exact |= {"aspiration": windows, "null_windows": windows}
    knowing, ignorant = (Engine(game, table_mb=1, leaf_bounds=asked, **exact) for asked in (True, False))
    values, proven = set(), 0
    for state in random_states(game, 30, range(4, 14)):
        truth = knowing.prove(state)
        for depth in (1, 2, 3):
            found, other = knowing.search(state, depth=depth), ignorant.search(state, depth=depth)
            assert found.value == bounded_limited(game, state, depth), (state, depth)
            if found.proven:
                assert found.value == truth.value
                assert found.remoteness in (None, truth.remoteness)
            values.add(found.value != other.value)
            proven += found.proven > other.proven
    assert values == {True, False}
    assert proven > 5 or remoteness


def test_a_switch_may_be_the_games_own(game):
    assert Engine(game).switches == Switches(**ALL)
    assert Engine(game, reductions=False, malus=True).switches == Switches(
        **{**ALL, "reductions": False, "malus": True}
    )
    with pytest.raises(BadGame, match="no search switch 'null_moves'"):
        Engine(replace(game, switches={"null_moves": True}))
    with pytest.raises(BadGame, match="switches"):
        replace(game, switches=("null_move",))
