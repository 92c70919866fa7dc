"""The tables and stacks of the searches against twins made of dictionaries and lists."""

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit

from reference import random_states
from zermelo.compiled.game import compiled
from zermelo.compiled.rules import position_key
from zermelo.compiled.states import flatten
from zermelo.compiled.word64 import mix, shift_down
from zermelo.engine import Engine, df_pn, lookups, nodes, ordering, proof_table, search, sharing, table
from zermelo.engine.deepening import NO_GUESS, search_deeper
from zermelo.engine.job import RUNNING, SCALE, STACK, TOO_DEEP, make_job
from zermelo.engine.sharing import MARK_BITS
from zermelo.engine.switches import Switches
from zermelo.engine.table import EXACT, LOWER, UPPER
from zermelo.engine.team import _aligned_words
from zermelo.games import breakthrough, connect

KEYS = np.array([(number * 0x2545F4914F6CDD1D) % (1 << 63) - (number << 40) for number in range(14)], dtype=np.int64)
KEY = 99
SLOTS = 4
BITS = 1
"""The search table has two buckets, the proof table 16 places."""


# Parts of kernels are called by compiled code only.
@njit
def packed(value, depth, bound, proven, age, action):
    data = table.make_data(value, depth, bound, proven, age, action)
    known = (table.value_of(data), table.depth_of(data), table.bound_of(data), table.proven_of(data))
    return data, known, table.age_of(data), table.action_of(data)


@njit
def store_each(job, keys, datas, ages, found):
    for number in range(len(keys)):
        job.age = ages[number]
        table.store(job, keys[number], datas[number])
        for place in range(len(KEYS)):
            found[number, place] = table.probe(job, KEYS[place])


@njit
def store_each_proof(job, keys, values, bounds, found):
    for number in range(len(keys)):
        proof_table.store_proof(job, keys[number], proof_table.make_known(values[number], bounds[number], job))
        for place in range(len(KEYS)):
            known = proof_table.probe_proof(job, KEYS[place])
            low, high = proof_table.narrowed_by_table(KEYS[place], -2, 2, job)
            found[number, place, 0], found[number, place, 1], found[number, place, 2] = known, low, high


@njit
def forget(job):
    proof_table.forget(job)


@njit
def store_each_number(job, keys, proofs, disproofs, found):
    for number in range(len(keys)):
        df_pn.store_numbers(keys[number], proofs[number], disproofs[number], job)
        for place in range(len(KEYS)):
            found[number, place, 0], found[number, place, 1] = df_pn.numbers_of(KEYS[place], job)


@njit
def begin(ranks, base, job):
    for index in range(len(ranks)):
        job.actions[base + index] = 100 + index
        ordering.give_rank(base + index, ranks[index], index, job)


@njit
def take_each(ranks, base, job, indices):
    begin(ranks, base, job)
    for place in range(len(ranks)):
        ordering.take_best(base + place, base + len(ranks), job)
        indices[place] = ordering.index_at(base + place, job)


@njit
def learn_after_a_child(game, state, side, depth, ply, base, job):
    ordering.push_actions(game, state, side, base - 1, ply, base, job)
    ordering.note_followed(ply + 1, job)  # as a child does
    ordering.learn(game, state, side, depth, base, base, ply, job)


@njit
def how_well_it_follows(action, ply, job):
    ordering.note_followed(ply, job)
    return ordering.following(action, ply, job)


@njit
def enter(ply, base, job):
    return nodes.enter(ply, base, job)


@njit
def choose(place, base, end, job):
    sharing.choose(place, base, end, job)


@njit
def unmark(key, job):
    sharing.unmark(key, job)


@njit
def change_mark(state_key, action, begins, job):
    if begins:
        sharing.mark(sharing.action_key(state_key, action), job)
    else:
        sharing.unmark(sharing.action_key(state_key, action), job)


@njit
def leaf(game, state, side, alpha, beta, ply, job):
    return lookups.bounded_leaf(game, state, side, alpha, beta, ply, job)


@njit
def take_unmarked(game, state, state_key, place, put_off, end, job):
    put_off = search.put_off_shared(game, state, state_key, 3, place, put_off, end, job)
    return put_off, ordering.next_action(game, state, 3, place, put_off, job)


@pytest.fixture(scope="module")
def workspace():
    """A job with small tables, and the memory of these."""
    job = make_job(Switches())
    memory = {
        "search": _aligned_words(64 << BITS),
        "proof": _aligned_words(8 << 4),
        "marks": np.zeros(1 << MARK_BITS, int),
    }
    job.search_bits, job.proof_bits, job.value_limit = BITS, 4, 1
    job.search_address, job.proof_address = memory["search"].ctypes.data, memory["proof"].ctypes.data
    job.marks_address = memory["marks"].ctypes.data
    return job, memory


def place_of(key, bits):
    return shift_down(mix(int(key)), 64 - bits)


@given(
    st.integers(-(1 << 31) + 1, (1 << 31) - 1),
    st.integers(0, 5000),
    st.sampled_from((LOWER, UPPER, EXACT)),
    st.integers(0, 1),
    st.integers(0, 1000),
    st.integers(-1, 5000),
)
def test_an_entry_holds_what_was_put_into_it(value, depth, bound, proven, age, action):
    _, known, kept_age, kept_action = packed(value, depth, bound, proven, age, action)
    assert known == (value, min(depth, 4095), bound, proven)
    assert kept_age == age % 32 and kept_action == (action if action <= 4094 else -1)


PLACES, BOUNDS = st.integers(0, len(KEYS) - 1), st.sampled_from((LOWER, UPPER, EXACT))
ENTRIES = st.tuples(PLACES, st.integers(0, 6), BOUNDS, st.booleans(), st.integers(0, 3))


@given(entries=st.lists(ENTRIES, min_size=1, max_size=60))
@example(entries=[(0, 1, LOWER, False, 0), (0, 0, LOWER, False, 0), (0, 0, LOWER, True, 0)])
def test_the_search_table_keeps_what_its_twin_keeps(workspace, entries):
    """A state's own slot, else an empty one, else the one worth least.

    Exact proofs yield to proofs alone, and so does what is known of a state to what is seen of it past the horizon.
    """
    job, memory = workspace
    memory["search"][:] = 0
    job.table_states = 0
    age, ages, datas, keys = 40, [], [], []
    for number, (which, depth, bound, proven, older) in enumerate(entries):
        age += older
        ages.append(age)
        keys.append(KEYS[which])
        datas.append(packed(number - 20, depth, bound, int(proven), age, number)[0])
    found = np.zeros((len(entries), len(KEYS)), dtype=np.int64)
    store_each(job, np.array(keys), np.array(datas), np.array(ages), found)

    buckets: list[list[tuple[int, int, tuple]]] = [[] for _ in range(1 << BITS)]
    filled = 0
    for number, (which, depth, bound, proven, _) in enumerate(entries):
        bucket = buckets[place_of(KEYS[which], BITS)]
        own = next((slot for slot, (kept, _, _) in enumerate(bucket) if kept == which), None)
        entry = (which, datas[number], (depth, bound, proven, ages[number]))
        if own is not None:
            _, _, (old_depth, old_bound, old_proven, _) = bucket[own]
            past_horizon = depth == 0 < old_depth
            if proven or not (past_horizon or (old_proven and old_bound == EXACT)):
                bucket[own] = entry
        elif len(bucket) < SLOTS:
            bucket.append(entry)
            filled += 1
        else:
            worths = [kept[0] - 2 * ((ages[number] - kept[3]) % 32) for _, _, kept in bucket]
            bucket[worths.index(min(worths))] = entry
        expected = {kept: data for bucket in buckets for kept, data, _ in bucket}
        assert found[number].tolist() == [expected.get(place, 0) for place in range(len(KEYS))]
    assert job.table_states == filled


PROOFS = st.tuples(PLACES, st.integers(-1, 1), BOUNDS)


@given(st.lists(PROOFS, min_size=1, max_size=40))
def test_the_proof_table_keeps_the_last_of_each_place(workspace, entries):
    job, memory = workspace
    assert not memory["proof"].any()
    job.table_states = 0
    found = np.zeros((len(entries), len(KEYS), 3), dtype=np.int64)
    columns = [np.array(column) for column in zip(*entries, strict=True)]
    store_each_proof(job, KEYS[columns[0]], columns[1], columns[2], found)
    places: dict[int, tuple[int, int, int]] = {}
    for number, (which, value, bound) in enumerate(entries):
        place = place_of(KEYS[which], 4)
        if places.get(place) == (which, value, LOWER + UPPER - bound):  # at least so much, and at most
            bound = LOWER | UPPER
        places[place] = which, value, bound
        kept = {key: (value, bound) for key, value, bound in places.values()}
        for key in range(len(KEYS)):
            value, bound = kept.get(key, (0, 0))
            low = value if bound & LOWER else -2
            high = value if bound & UPPER else 2
            known = bound | (value + 1) << 2 if key in kept else 0
            assert found[number, key].tolist() == [known, low, high]
    assert job.table_states == len(places) == np.count_nonzero(memory["proof"])
    forget(job)
    assert not memory["proof"].any()


def test_a_whole_table_of_proofs_is_forgotten_when_the_journal_is_full(workspace):
    job, memory = workspace
    memory["proof"][:] = 7
    job.journal_length = len(job.journal) + 1
    forget(job)
    assert not memory["proof"].any() and job.journal_length == 0


@given(st.lists(st.tuples(PLACES, st.integers(0, 1 << 30), st.integers(0, 1 << 30)), min_size=1))
def test_the_table_of_proof_numbers_keeps_the_last_of_each_place(workspace, entries):
    job, memory = workspace
    memory["search"][:] = 0
    job.table_states = 0
    entries = [entry for entry in entries if entry[1] or entry[2]] or [(0, 1, 2)]
    found = np.zeros((len(entries), len(KEYS), 2), dtype=np.int64)
    columns = [np.array(column) for column in zip(*entries, strict=True)]
    store_each_number(job, KEYS[columns[0]], columns[1], columns[2], found)
    places: dict[int, tuple[int, int, int]] = {}
    for number, (which, proof, disproof) in enumerate(entries):
        places[place_of(KEYS[which], BITS + 2)] = which, proof, disproof
        kept = {key: [proof, disproof] for key, proof, disproof in places.values()}
        assert found[number].tolist() == [kept.get(key, [1, 1]) for key in range(len(KEYS))]
    assert job.table_states == len(places)


@given(st.lists(st.integers(-5, 5), max_size=30), st.integers(0, 9))
def test_actions_stand_best_first_and_equals_in_their_order(workspace, ranks, base):
    job, _ = workspace
    indices = np.zeros(len(ranks), dtype=np.int64)
    take_each(np.array(ranks, dtype=np.int64), base, job, indices)
    expected = sorted(range(len(ranks)), key=lambda index: -ranks[index])
    assert indices.tolist() == expected
    assert [action - 100 for action in job.actions[base : base + len(ranks)].tolist()] == expected


@pytest.mark.parametrize("ply", [0, 1, 2, 5])
def test_an_action_that_cut_off_follows_the_two_before_it(ply):
    """Each of the two has a count of its own, whatever was searched below in the meantime."""
    job = make_job(Switches(malus=True, follow_ups=True))
    job.played[:6] = [3, 1, 4, 1, 5, 9]
    game, depth = connect(), 3
    before, each = min(ply, 2), 16 * depth * depth
    learn_after_a_child(compiled(game), game.initial, game.to_move(game.initial), depth, ply, 0, job)
    action = job.actions[0]
    assert how_well_it_follows(action, ply, job) == before * each
    assert np.count_nonzero(job.follow_counts) == before
    for back in range(1, before + 1):
        job.played[ply - back] = 6
        assert how_well_it_follows(action, ply, job) == (before - back) * each


def test_a_search_ends_where_its_workspace_does(workspace):
    job, _ = workspace
    for ply, base, stays in ((999, 0, True), (1000, 0, False), (0, STACK - 4096, True), (0, STACK - 4095, False)):
        job.status, job.nodes, job.node_limit, job.stop = RUNNING, 0, 10, 0
        assert enter(ply, base, job) == stays
        assert job.status == (RUNNING if stays else TOO_DEEP) and job.nodes == 1
    job.status, job.nodes, job.node_limit = RUNNING, 9, 10
    assert enter(0, 0, job) and not enter(0, 0, job)
    take_each(np.zeros(4096, dtype=np.int64), 0, job, np.zeros(4096, dtype=np.int64))
    job.status = RUNNING
    take_each(np.zeros(4097, dtype=np.int64), 0, job, np.zeros(4097, dtype=np.int64))
    assert job.status == TOO_DEEP


def test_threads_take_children_that_no_other_is_at(workspace):
    """The first is searched by all; of the others the next that is not marked, and the order of the rest stays."""
    job, memory = workspace
    chooser = random.Random(0)
    for _ in range(200):
        memory["marks"][:] = 0
        children = chooser.sample(range(1, len(KEYS)), 6)  # an empty mark looks like the key 0: marks are hints
        marked = {child for child in children if chooser.random() < 0.5}
        for child in marked:
            memory["marks"][place_of(KEYS[child], MARK_BITS)] = KEYS[child]
        base, place = 3, 3 + chooser.randrange(6)
        job.keys[base : base + 6], job.actions[base : base + 6] = KEYS[children], children
        choose(place, base, base + 6, job)
        rest = children[place - base :]
        free = next((child for child in rest if child not in marked), rest[0]) if place > base else rest[0]
        expected = [*children[: place - base], free, *(child for child in rest if child != free)]
        assert job.actions[base : base + 6].tolist() == expected
        assert job.keys[base : base + 6].tolist() == KEYS[expected].tolist()
        assert memory["marks"][place_of(KEYS[free], MARK_BITS)] == KEYS[free]
        unmark(KEYS[free], job)
        assert memory["marks"][place_of(KEYS[free], MARK_BITS)] == 0


def test_actions_that_other_threads_search_are_put_off(workspace):
    """The best of those that no other thread searches comes next; after all of them, those that were put off."""
    job, memory = workspace
    game, state, chooser, base, end = compiled(connect()), connect().initial, random.Random(1), 3, 9
    for _ in range(200):
        memory["marks"][:] = 0
        worths = np.array([chooser.randrange(4) for _ in range(base, end)])
        begin(worths, base, job)
        free, late, marked, put_off = sorted(range(6), key=lambda index: -worths[index]), [], set(), end
        were_late = 0
        for place in range(base, end):
            changed = chooser.randrange(6)  # another thread begins or ends its search of an action
            change_mark(KEY, 100 + changed, changed not in marked, job)
            marked ^= {changed}
            while free and free[0] in marked:
                late.append(free.pop(0))
                were_late += 1
            expected = free.pop(0) if free else late.pop(0)
            put_off, action = take_unmarked(game, state, KEY, place, put_off, end, job)
            assert (action, put_off) == (100 + expected, end - were_late), (worths, place)


@pytest.mark.parametrize("marked", [(), (3,), (0, 2, 6), (1, 3, 5)])
def test_a_search_leaves_marked_actions_for_later_and_no_mark_behind(marked):
    """One of two threads searches alone; the other seems to be searching some actions of the root."""
    found = []
    for threads, others in ((1, ()), (2, marked)):
        team = Engine(connect(), threads=threads, table_mb=1)._team
        team.start("search", None)
        job, root = team.first, connect().initial
        for action in others:
            change_mark(position_key(team.game, root), action, True, job)
        words, line = flatten(root), np.zeros(9, dtype=np.int64)
        _, value, _, _ = search_deeper(team.game, words, words[np.newaxis][:0], 4, 4, NO_GUESS, 1, line, job)
        found.append((value, [nodes.INDEX - int(rank) % (nodes.INDEX + 1) for rank in job.ranks[:7]]))
    (value, (first, *rest)), (same, order) = found
    assert first == 3 and same == value
    assert order == [first, *(one for one in rest if one not in marked), *(one for one in rest if one in marked)]
    assert team.marks.nonzero()[0].size == (first in marked)  # it is not put off, and keeps the other thread's mark


def test_actions_that_are_being_searched_are_marked():
    """Those on the path, where a search ended, are; the next search begins without marks."""
    team, root, left = Engine(connect(), threads=2, table_mb=1)._team, connect().initial, []
    for nodes_each in range(100, 1000, 100):
        team.clear()
        team.start("search", 2 * nodes_each)
        assert not team.marks.any()
        words, line = flatten(root), np.zeros(9, dtype=np.int64)
        search_deeper(team.game, words, words[np.newaxis][:0], 8, 8, NO_GUESS, 1, line, team.first)
        left.append(np.count_nonzero(team.marks))
    assert 0 < max(left) <= 6, left  # plies with at least three to go


@pytest.mark.parametrize("remoteness", [False, True])
def test_what_bounds_tell_of_a_leaf(remoteness):
    """Of a win or loss of which only the length is open, the latest is told, and not as proven."""
    game, job = breakthrough(4, 5), make_job(Switches(leaf_bounds=True, remoteness=remoteness))
    rules, scale = compiled(game), SCALE if remoteness else 1
    slack, wide = scale // 2 - 1 if remoteness else 0, 2_000 * scale
    met = set()
    for state in random_states(game, 40, range(4, 16)):
        side, (low, high) = game.to_move(state), game.bounds(state)
        assert leaf(rules, state, side, -wide, wide, 0, job)[0] is False, "the root is searched"
        found, value, proven = leaf(rules, state, side, -wide, wide, 1, job)
        assert found == (low == high)
        met.add(side * low if found else None)
        if found:
            worth = side * low * scale
            assert value == (worth - slack if worth > 0 else worth + slack)
            assert proven == (0 if remoteness else lookups.PROVEN)
            # A window that the value decides: a win is at least that, a loss at most.
            window = (value - 1, value) if worth > 0 else (value, value + 1)
            assert leaf(rules, state, side, *window, 1, job) == (True, value, lookups.PROVEN)
    assert met == {1_000, -1_000, None}
