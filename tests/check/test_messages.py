"""Mistakes of people who write their first game, and the sentence that each is told."""

import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from numba.core import config

from check.broken_games import PLAIN, actions, evaluate, is_terminal, result, to_move, utility
from zermelo import Engine, check_game
from zermelo.compiled import compiled
from zermelo.errors import BadGame, NotCompilable
from zermelo.game import Game

START = PLAIN.initial


@pytest.mark.parametrize(
    ("change", "sentence", "advice"),
    [
        (
            {"result": lambda s, a: None},
            "result gives None for the action 1; a return is probably missing.",
            "Let every way through result end with a return.",
        ),
        (
            {"actions": lambda s: None},
            "actions gives None; a yield or a return is probably missing.",
            "Let actions yield its items one by one, or return a list of them.",
        ),
        (
            {"is_terminal": lambda s: True if is_terminal(s) else None},
            "is_terminal gives None; a return is probably missing.",
            "Let every way through is_terminal end with a return.",
        ),
        ({"is_terminal": lambda s: "no"}, "is_terminal gives 'no'.", "It must return True or False."),
        (
            {"utility": lambda s: np.int64(utility(s))},
            "utility gives np.int64(-10), which is NumPy's and not Python's.",
            "Write int(...) around it",
        ),
        ({"evaluate": lambda s: np.int64(evaluate(s))}, "evaluate gives np.int64(5), which is NumPy's", "int(...)"),
        ({"actions": lambda s: map(np.int64, actions(s))}, "actions gives np.int64(1), which is NumPy's", "int(...)"),
        ({"is_terminal": lambda s: np.bool_(is_terminal(s))}, "is_terminal gives np.False_, which is", "bool(...)"),
        ({"initial": START._replace(left=np.int64(5))}, "initial holds np.int64(5), which is NumPy's", "int(...)"),
        ({"initial": START._replace(left=np.zeros(1))}, "initial holds array([0.]), which", "tuple(map(int, ...))"),
        (
            {"result": lambda s, a: result(s, a)._replace(left=np.int64(1))},
            "result gives np.int64(1) for the action 1, which is NumPy's",
            "int(...)",
        ),
        (
            {"result": lambda s, a: result(s, a)._replace(left=(x for x in (1,)))},
            "result gives a generator for the action 1.",
            "Write tuple(...) around it, or build a tuple in a loop.",
        ),
        ({"to_move": lambda s: 3 * (to_move(s) > 0)}, "to_move gives 3.", "a game here has two players"),
        (
            {"result": lambda s, a: sys.exit(0)},
            "result raises SystemExit for the action 1 (<lambda>, test_messages.py line ",
            "result must know what to do with it",
        ),
    ],
)
def test_the_auditor_says_what_is_probably_meant(change, sentence, advice):
    findings = check_game(replace(PLAIN, **change), seconds=0.3, compile=False).findings
    assert findings[0].sentence.startswith(sentence)
    assert advice in findings[0].advice


def test_a_rule_that_fails_at_the_start_is_counted_once():
    finding = check_game(replace(PLAIN, actions=lambda s: None), seconds=0.3, compile=False).findings[0]
    assert finding.times <= 3  # each phase asks once, and not each of two thousand random games


@pytest.mark.parametrize("bad", [(1, 2), "e4", 1.5])
def test_actions_that_are_no_ints_are_refused_by_name(bad):
    game = replace(PLAIN, actions=lambda s: [bad])
    with pytest.raises(NotCompilable, match=f"of type {type(bad).__name__}, such as {re.escape(repr(bad))}; .*ints"):
        compiled(game)


def test_a_generator_in_brackets_is_told_to_be_a_loop():
    def in_brackets(state):
        return sum(heap for heap in (state.left, state.right))

    findings = check_game(replace(PLAIN, evaluate=in_brackets), seconds=0.5).findings
    note = next(finding for finding in findings if finding.check == "not compilable")
    assert "Instead, write the loop out" in note.sentence


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_a_utility_that_is_no_int_is_refused_by_name():
    game = replace(PLAIN, utility=lambda state: state.player / 2)
    with pytest.raises(
        NotCompilable, match=r"<lambda> .* It returns float64 and must return an int\. Instead, use ints"
    ):
        Engine(game).search(depth=1)


def test_a_subclass_of_game_is_told_how_games_are_made():
    class Mine(Game):
        def to_move(self, state):
            return 1

    with pytest.raises(BadGame, match=r"class Mine has to_move as methods; a game is no subclass .* Game\(name="):
        Mine(name="mine", initial=START, utility_range=(-1, 1))
