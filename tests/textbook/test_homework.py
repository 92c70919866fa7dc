"""What is compared of a student's search, and how a difference is explained."""

import itertools
import sys
from dataclasses import asdict, replace
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzz
from students import ALPHA_BETA, BARE_TABLE, DECISION, HEAD, MINIMAX, RIGHT
from zermelo.errors import BadGame
from zermelo.games import connect, kalah, minicheckers, tictactoe
from zermelo.result import SearchCounts, plain
from zermelo.textbook.decision import alpha_beta_decision
from zermelo.textbook.homework import student
from zermelo.textbook.homework.assignments import ASSIGNMENTS, COUNTERS, Limits, Question, assigned
from zermelo.textbook.homework.causes import likely_causes
from zermelo.textbook.homework.compare import Asked, Stranger, Theirs, compare, first_difference, read_answer
from zermelo.textbook.homework.exam import ask, set_exam
from zermelo.textbook.homework.habits import MISTAKES, Habits, pairs_of_mistakes, wrong_habits
from zermelo.textbook.homework.practice import Entry, TooLong, practise
from zermelo.textbook.homework.reference import solution

GAME, LIMITS, FIVE = connect(3, 3, 3), Limits(), Limits(5)
ALL = pytest.mark.parametrize("assignment", ASSIGNMENTS.values(), ids=ASSIGNMENTS)


@pytest.fixture
def answered(tmp_path, monkeypatch):
    """The answers of a function in a file of this text, without a process of its own."""
    numbers = itertools.count()

    def run(text, name, asked, game):
        monkeypatch.setattr(sys, "path", list(sys.path))
        file = tmp_path / f"mine{next(numbers)}.py"
        file.write_text(HEAD + text)
        questions = [asdict(one.question) for one in asked]
        task = {"file": str(file), "function": name, "questions": questions}
        _, *answers = student.answers(task, game)
        assert "error" not in answers[-1]
        return [read_answer(one.game, answer) for one, answer in zip(asked, answers, strict=True)]

    return run


@pytest.fixture
def compared(answered):
    """Compare a function in a file of this text with the handout's search from the start."""

    def run(text, name, game=GAME, limits=LIMITS):
        assignment = ASSIGNMENTS[name]
        asked = ask(assignment, game, Question(limits=limits))
        [theirs] = answered(text, name, [asked], game)
        return compare(assignment, asked, theirs)

    return run


@cache
def exam_of(assignment, limits):
    """What is asked of a function on 3x3."""
    return set_exam(assignment, GAME, limits, many=4)


@pytest.fixture
def causes_of(answered):
    """What explains the differences of a function on 3x3, asked again with other windows as `zermelo grade` does."""

    def run(text, name, limits=LIMITS):
        assignment, exam = ASSIGNMENTS[name], exam_of(ASSIGNMENTS[name], limits)
        theirs = answered(text, name, exam, GAME)
        found = [compare(assignment, one, answer) for one, answer in zip(exam, theirs, strict=True)]
        assert not all(one.agrees for one in found)
        return likely_causes(assignment, found, lambda asked: answered(text, name, asked, GAME)).sentences

    return run


@ALL
def test_a_right_search_agrees(assignment, compared):
    one = compared(RIGHT[assignment.name], assignment.name)
    assert (one.difference, one.agrees) == (None, True)
    if assignment.has_table and assignment.name != "minimax":
        assert len(one.theirs.table) == len(one.ours.table) > 30
    small = connect(2, 4, 3)
    assert compared(RIGHT[assignment.name], assignment.name, small, Limits(3, 2, (-5, 5))).agrees


@pytest.mark.parametrize("name", ["alpha_beta_heuristic_search", "minimax_max", "alpha_beta_decision"])
def test_a_right_search_agrees_where_captures_and_an_is_cutoff_are(name, compared):
    assert compared(RIGHT[name], name, minicheckers(quiet=2), Limits(4, 2)).agrees


def test_a_bare_value_with_a_table_is_compared_by_value(compared, causes_of):
    one = compared(BARE_TABLE, "minimax")
    assert one.agrees
    assert len(one.theirs.table) == 694
    text = BARE_TABLE.replace("max(values) if game.to_move(state) == MAX else min", "max")
    assert causes_of(text, "minimax") == ["MIN maximizes like MAX"]


def test_the_fixed_depth_search_may_return_the_action_alone(compared):
    name = "alpha_beta_decision"
    assert compared(DECISION.replace("*game.utility_range, limit)", "*game.utility_range, limit)[1]"), name).agrees
    assert not compared(
        DECISION.replace("*game.utility_range, limit)", "*game.utility_range, limit)[1] + 1"), name
    ).agrees


def test_counts_of_the_fixed_depth_search_are_compared(compared):
    one = compared(DECISION, "alpha_beta_decision", minicheckers(), Limits(5))
    counts = SearchCounts()
    alpha_beta_decision(minicheckers(), minicheckers().initial, 5, counts)
    assert one.theirs.counts == {name: getattr(counts, name) for name in ("nodes", "prunings_max", "prunings_min")}
    assert one.agrees
    wrong = compared(DECISION.replace("v >= beta", "v > beta"), "alpha_beta_decision", minicheckers(), Limits(5))
    assert wrong.difference is None
    assert wrong.miscounted == ["nodes", "prunings_max", "prunings_min"]


# --- differences


def test_mistakes_that_look_alike_are_told_apart_by_other_windows(compared, causes_of):
    one = compared(ALPHA_BETA.replace("alpha = max(alpha, value)", "pass"), "alpha_beta_search")
    alike = {cause for cause in MISTAKES if "never updated" in cause or "ever pruned" in cause}
    assert len(alike) == 3
    assert alike <= set(likely_causes(one.assignment, [one]).names)
    for name, line in (("alpha", "alpha = max(alpha, value)"), ("beta", "beta = min(beta, value)")):
        assert causes_of(ALPHA_BETA.replace(line, "pass"), "alpha_beta_search") == [f"{name} is never updated"]


def test_two_mistakes_at_once_are_named_both(causes_of):
    text = ALPHA_BETA.replace("alpha >= beta", "alpha > beta").replace("sign * child > sign", "sign * child >= sign")
    assert causes_of(text, "alpha_beta_search") == [
        "a later move of the same value replaces the first: >= or <= where > or < is right; "
        "and the prune test is alpha > beta; alpha >= beta is right"
    ]


def test_a_mistake_that_nobody_knows_is_not_named(causes_of):
    assert causes_of(ALPHA_BETA.replace("game.utility(state)", "game.utility(state) // 7"), "alpha_beta_search") == []


def test_a_mistake_is_named_although_the_counts_are_wrong(causes_of):
    text = ALPHA_BETA.replace("alpha >= beta", "alpha > beta").replace("prunings += 1", "prunings += 2")
    assert causes_of(text, "alpha_beta_search") == [
        "the prune test is alpha > beta; alpha >= beta is right; besides, the counts are wrong"
    ]


def test_a_wrong_count_alone_is_told(compared):
    one = compared(ALPHA_BETA.replace("prunings += 1", "prunings += 2"), "alpha_beta_search")
    assert (one.difference, one.miscounted, one.theirs.counts) == (None, ["prunings"], {"prunings": 298})


def test_entries_that_are_none_and_keys_that_are_no_states(compared):
    stored = "table[state] = MinimaxInfo(value, best)\n    return table[state]"
    text = MINIMAX.replace(stored, "table[state] = 'x'\n    return MinimaxInfo(value, best)")
    one = compared(text.replace("if state in table", "if False"), "minimax_search")
    assert one.difference.found == "'x'"
    text = MINIMAX.replace("    if state in", "    table[7] = MinimaxInfo(0, 0)\n    if state in")
    one = compared(text, "minimax_search")
    assert isinstance(one.difference.state, Stranger)
    assert len(one.theirs.table) == 695


def test_the_first_difference_is_seen_as_the_handouts_search_saw_it(compared):
    one = compared(ALPHA_BETA.replace("sign * child > sign", "sign * child >= sign"), "alpha_beta_search")
    difference, sight = one.difference, one.difference.sight
    assert GAME.replay(sight.path) == difference.state
    assert [action for action, _ in sight.children] == GAME.legal_actions(difference.state)
    assert sight.alpha < sight.beta
    assert dict(sight.children)[difference.expected.action] == difference.expected.value
    values = [value for _, value in sight.children if value is not None]
    assert values.count(difference.expected.value) > 1  # equals, of which the student took a later one
    assert difference.found.action != difference.expected.action


def test_a_state_that_the_handouts_search_never_comes_to():
    assignment = ASSIGNMENTS["alpha_beta_search"]
    ours, everything = solution(assignment, GAME, LIMITS), solution(ASSIGNMENTS["minimax_search"], GAME, LIMITS).table
    stranger = next(state for state in everything if not practise(assignment, GAME, LIMITS, spot=state).sights)
    theirs = Theirs(ours.found, {**ours.table, stranger: Entry(0, 0)}, {})
    difference = first_difference(assignment, Asked(Question(), GAME, ours), theirs)
    assert (difference.state, difference.expected, difference.sight) == (stranger, None, None)


def test_a_bare_value_beside_its_search_is_a_helper_of_it():
    assert assigned(["minimax", "minimax_search", "alpha_beta_heuristic"]) == ["minimax_search", "alpha_beta_heuristic"]
    assert assigned(["minimax"]) == ["minimax"]


# --- the search that makes mistakes


def check_right(assignment, game, limits):
    ours, practice = solution(assignment, game, limits), practise(assignment, game, limits)
    assert practice.found == ours.found
    assert list(practice.table.items()) == list(ours.table.items())
    for name in ("nodes", "prunings_max", "prunings_min"):
        assert getattr(practice.counts, name) == getattr(ours.counts, name)


@ALL
def test_with_right_habits_it_is_the_handouts_search(assignment):
    for game in (GAME, connect(3, 4, 3), connect(3, 3, 2)):
        for limits in (Limits(), Limits(1, 1), Limits(7, 9)):
            check_right(assignment, game, limits)
    if assignment.needs_eval:
        check_right(assignment, minicheckers(), Limits(5, 2))
        check_right(assignment, minicheckers(quiet=2), Limits(5, 2))
    else:
        check_right(assignment, tictactoe(), Limits())


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_with_right_habits_on_random_graphs(seed):
    for assignment in ASSIGNMENTS.values():
        check_right(assignment, fuzz.fuzz_game(seed), Limits(4, 2))


def mistaken(assignment, habits, game=GAME, limits=LIMITS):
    """The result of the search with these mistakes, and its table in order; None if it takes too long."""
    try:
        practice = practise(assignment, game, limits, habits, 10_000)
    except TooLong:
        return None
    return practice.found, list(practice.table.items()), practice.counts


def test_each_mistake_changes_one_habit_and_shows_somewhere():
    """Each makes a difference to some search of 3x3 that MAX or MIN begins, so that none is listed in vain."""
    for cause, habits in MISTAKES.items():
        assert len(wrong_habits(habits)) == 1
        assert any(
            mistaken(one, habits, game, LIMITS) != mistaken(one, Habits(), game, LIMITS)
            for one in ASSIGNMENTS.values()
            for game in (connect(2, 3, 2), GAME, Question((1,)).begun(GAME), connect(2, 4, 3), kalah(pits=2, seeds=1))
        ), cause


@pytest.mark.parametrize("assignment", [one for one in ASSIGNMENTS.values() if not one.bare], ids=lambda one: one.name)
def test_a_search_with_a_mistake_is_recognised(assignment):
    asked = ask(assignment, connect(2, 3, 2), Question(limits=LIMITS))
    for cause, habits in MISTAKES.items():
        made = mistaken(assignment, habits, asked.game, LIMITS)
        if made is not None:
            found, table, counts = made
            counted = {name: getattr(counts, name) for name in COUNTERS}
            one = compare(assignment, asked, Theirs(Entry(found.value, plain(found.action)), dict(table), counted))
            assert one.agrees or cause in likely_causes(assignment, [one]).names


def test_pairs_are_of_mistakes_that_do_not_meet():
    found = dict(pairs_of_mistakes())
    assert "alpha is never updated; and beta is never updated" in found
    assert not any("the table is never read; and the table is never read" in name for name in found)
    assert all(name.count("; and ") == 1 for name in found)
    assert "MIN maximizes like MAX; and MAX and MIN are exchanged" not in found


def test_a_search_that_would_take_too_long_is_given_up():
    with pytest.raises(TooLong, match="more than 100 nodes"):
        practise(ASSIGNMENTS["minimax_search"], GAME, LIMITS, most=100)


def test_a_game_that_never_ends_is_refused_and_does_not_end_the_program():
    endless = replace(GAME, result=lambda state, action: state)
    with pytest.raises(BadGame, match="went on for about"):
        practise(ASSIGNMENTS["minimax_search"], endless, LIMITS)


def test_the_windows_are_the_handouts():
    for name, window in (("alpha_beta_search", (-inf, inf)), ("alpha_beta_decision", GAME.utility_range)):
        sight = practise(ASSIGNMENTS[name], GAME, LIMITS, spot=GAME.initial).sights[0]
        assert (sight.alpha, sight.beta, sight.path) == (*window, ())
