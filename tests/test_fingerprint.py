"""Fingerprints include everything that rules depend on: each edit of a rules file or its helpers changes them."""

import ast
import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.compiled import compiled
from zermelo.errors import Indescribable, RecordError
from zermelo.fingerprint import fingerprint
from zermelo.play.record import Record
from zermelo.registry import make_game
from zermelo.source import _read

RULES = """
from typing import NamedTuple
from zermelo.game import MAX, Game
{preamble}

class State(NamedTuple):
    left: int
    player: int

def take() -> Game:
    def to_move(state):
        return state.player
    def actions(state):
        for action in range(1, {expression} + 1):
            yield action
    def result(state, action):
        return State(max(0, state.left - action), -state.player)
    def is_terminal(state):
        return state.left == 0
    def utility(state):
        return -state.player
    return Game(name="take", initial=State(5, MAX), utility_range=(-1, 1), to_move=to_move, actions=actions,
                result=result, is_terminal=is_terminal, utility=utility)
"""
EDITS = {
    "constant": ("LIMIT = {n}", "LIMIT", ""),
    "constant of a module": ("import aid", "aid.LIMIT", "LIMIT = {n}"),
    "constant of a module of a module": ("import aid", "aid.aid_of_aid.LIMIT", "import aid_of_aid"),
    "constant of a module under another name": ("import aid as other", "other.LIMIT", "LIMIT = {n}"),
    "constant of a module by its name as text": ("import aid", "getattr(aid, 'LIMIT')", "LIMIT = {n}"),
    "constant that a module makes when it is asked": (
        "import aid", "aid.LIMIT", "def __getattr__(name):\n    return {n}"
    ),
    "constant imported in a function": (
        "def most():\n    from aid import LIMIT\n    return LIMIT", "most()", "LIMIT = {n}"
    ),
    "module imported in a function": ("def most():\n    import aid\n    return aid.LIMIT", "most()", "LIMIT = {n}"),
    "module in a list": ("import aid\nMODULES = [aid]", "MODULES[0].LIMIT", "LIMIT = {n}"),
    "module in a cell": (
        "import aid\ndef make(module):\n    return lambda: module.LIMIT\nmost = make(aid)", "most()", "LIMIT = {n}"
    ),
    "scalar of NumPy": ("import numpy\nLIMIT = numpy.int64({n})", "LIMIT", ""),
    "array": ("import numpy\nTABLE = numpy.array([0, {n}])", "TABLE[1]", ""),
    "array of a module": ("import aid", "aid.TABLE[1]", "import numpy\nTABLE = numpy.array([0, {n}])"),
    "array of many words": (
        "import numpy\nTABLE = numpy.zeros(5000, int)\nTABLE[2500] = {n}", "TABLE[2500]", ""
    ),
    "array of objects": ("import numpy\nTABLE = numpy.array([{n}, None])", "TABLE[0]", ""),
    "array of records": ("import numpy\nTABLE = numpy.array([({n},)], [('most', int)])", "TABLE['most'][0]", ""),
    "shape of an array": ("import numpy\nTABLE = numpy.zeros(({n}, 5 - {n}))", "len(TABLE)", ""),
    "enumeration": ("import enum\nclass Limit(enum.IntEnum):\n    MOST = {n}", "Limit.MOST", ""),
    "member of an enumeration": (
        "import enum\nclass Limit(enum.Enum):\n    MOST = {n}\nLIMIT = Limit.MOST", "LIMIT.value", ""
    ),
    "enumeration of a module": (
        "import aid", "aid.Limit.MOST", "import enum\nclass Limit(enum.IntEnum):\n    MOST = {n}"
    ),
    "method of an enumeration": (
        "import enum\nclass Limit(enum.Enum):\n    MOST = 1\n    def number(self):\n        return {n}",
        "Limit.MOST.number()",
        "",
    ),
    "compiled helper": ("from numba import njit\n@njit\ndef most():\n    return {n}", "most()", ""),
    "compiled helper of a module": (
        "import aid", "aid.most()", "from numba import njit\n@njit\ndef most():\n    return {n}"
    ),
    "constant of a compiled helper": (
        "from numba import njit\nLIMIT = {n}\n@njit\ndef most():\n    return LIMIT", "most()", ""
    ),
    "helper of a helper of a module": (
        "import aid", "aid.most()", "def inner():\n    return {n}\ndef most():\n    return inner()"
    ),
    "default": ("def most(limit={n}):\n    return limit", "most()", ""),
    "default of a keyword": ("def most(*, limit={n}):\n    return limit", "most()", ""),
    "partial": ("from functools import partial\nmost = partial(max, 0, {n})", "most()", ""),
    "attribute of a class": ("class Limits:\n    MOST = {n}", "Limits.MOST", ""),
    "attribute of a base class": ("class Base:\n    MOST = {n}\nclass Limits(Base):\n    pass", "Limits.MOST", ""),
    "attribute of a metaclass": (
        "class Meta(type):\n    MOST = {n}\nclass Limits(metaclass=Meta):\n    pass", "Limits.MOST", ""
    ),
    "containers in containers": ("TABLE = {{'a': [0, ({n}, 0)]}}", "TABLE['a'][1][0]", ""),
    "order of a dict": ("TABLE = {{{n}: 0, {m}: 0}}", "next(iter(TABLE))", ""),
    "key of a dict": ("TABLE = {{{n}: 0}}", "max(TABLE)", ""),
    "set": ("TABLE = {{1, {n}}}", "max(TABLE)", ""),
    "set of text": ("TABLE = frozenset({{'a', 'b' * {n}}})", "max(map(len, TABLE))", ""),
    "closure": ("def make(limit):\n    return lambda: limit\nmost = make({n})", "most()", ""),
    "lambda": ("most = lambda: {n}", "most()", ""),
    "static method": ("class Limits:\n    @staticmethod\n    def most():\n        return {n}", "Limits.most()", ""),
    "class method": ("class Limits:\n    @classmethod\n    def most(cls):\n        return {n}", "Limits.most()", ""),
    "property": (
        "class Limits:\n    @property\n    def most(self):\n        return {n}\nLIMITS = Limits()", "LIMITS.most", ""
    ),
    "property, cached": (
        "from functools import cached_property\nclass Limits:\n    @cached_property\n"
        "    def most(self):\n        return {n}\nLIMITS = Limits()",
        "LIMITS.most",
        "",
    ),
    "attribute of an object": (
        "class Limits:\n    def __init__(self, most):\n        self.most = most\nLIMITS = Limits({n})",
        "LIMITS.most",
        "",
    ),
    "slot of an object": (
        "class Limits:\n    __slots__ = ('most',)\nLIMITS = Limits()\nLIMITS.most = {n}", "LIMITS.most", ""
    ),
    "object that is called": (
        "class Limits:\n    def __call__(self):\n        return {n}\nmost = Limits()", "most()", ""
    ),
    "method of an object": (
        "class Limits:\n    def __init__(self, most):\n        self.most = most\n"
        "    def get(self):\n        return self.most\nget = Limits({n}).get",
        "get()",
        "",
    ),
    "method of a dict": ("most = {{0: {n}}}.get", "most(0)", ""),
    "dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass Limits:\n    most: int = {n}\nLIMITS = Limits()",
        "LIMITS.most",
        "",
    ),
    "dataclass made in a rule": (
        "from dataclasses import dataclass\n@dataclass\nclass Limits:\n    most: int = {n}", "Limits().most", ""
    ),
    "named tuple": (
        "class Limits(NamedTuple):\n    most: int\nLIMITS = Limits({n})", "LIMITS.most", ""
    ),
    "named tuple of a type that is open": (
        "from typing import Generic, TypeVar\nKind = TypeVar('Kind')\n"
        "class Limits(NamedTuple, Generic[Kind]):\n    most: Kind\nLIMITS = Limits({n})",
        "LIMITS.most",
        "",
    ),
    "default of a named tuple": ("class Limits(NamedTuple):\n    most: int = {n}", "Limits().most", ""),
    "method of a named tuple": (
        "class Limits(NamedTuple):\n    most: int\n    def get(self):\n        return {n}\nLIMITS = Limits(1)",
        "LIMITS.get()",
        "",
    ),
    "order of the fields of a named tuple": (
        "class Limits(NamedTuple):\n    {first}: int\n    {second}: int\n"
        "LIMITS = Limits(2, 3)",
        "LIMITS.a",
        "",
    ),
    "remembered function": ("from functools import cache\n@cache\ndef most():\n    return {n}", "most()", ""),
    "wrapped function": (
        "from functools import wraps\ndef plus(more):\n    def wrap(function):\n        @wraps(function)\n"
        "        def inner():\n            return function() + more\n        return inner\n    return wrap\n"
        "@plus({n})\ndef most():\n    return 0",
        "most()",
        "",
    ),
    "decorator within a function": (
        "def two(function):\n    return lambda: 2\ndef three(function):\n    return lambda: 3\n"
        "def most():\n    @{name}\n    def inner():\n        return 0\n    return inner()",
        "most()",
        "",
    ),
    "attribute of a function": ("def most():\n    return most.limit\nmost.limit = {n}", "most()", ""),
    "item getter": ("import operator\nmost = operator.itemgetter({n})", "most((0, 1, 2, 3))", ""),
    "function of Python under the same name": (
        "from operator import {function} as combine", "combine(0, 1) + 2 + (combine(0, 1) < 0)", ""
    ),
    "deque": ("from collections import deque\nTABLE = deque([{n}])", "TABLE[0]", ""),
    "deque of one's own": (
        "from collections import deque\nclass Own(deque):\n    pass\nTABLE = Own([{n}])", "TABLE[0]", ""
    ),
    "counter": ("from collections import Counter\nTABLE = Counter('x' * {n})", "TABLE['x']", ""),
    "array of Python": ("import array\nTABLE = array.array('q', [{n}])", "TABLE[0]", ""),
    "bytes": ("TABLE = bytes([{n}])", "TABLE[0]", ""),
    "bytes that can change": ("TABLE = bytearray([{n}])", "TABLE[0]", ""),
    "fraction": ("from fractions import Fraction\nLIMIT = Fraction({n})", "int(LIMIT)", ""),
    "float": ("LIMIT = {n} + 0.5", "int(LIMIT)", ""),
    "int of one's own": ("class Own(int):\n    pass\nLIMIT = Own({n})", "LIMIT", ""),
    "pattern": ("import re\nPATTERN = re.compile('x' * {n})", "PATTERN.match('xxxx').end()", ""),
    "range": ("LIMITS = range({n}, 9)", "LIMITS[0]", ""),
}  # fmt: skip


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Make the game of a case with a number inserted, as a new process would."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(case, number):
        preamble, expression, aid = (_put_in(text, number) for text in case)
        for module in ("aid", "aid_of_aid"):
            sys.modules.pop(module, None)
        (tmp_path / "aid.py").write_text(aid)
        (tmp_path / "aid_of_aid.py").write_text(f"LIMIT = {number}")
        (tmp_path / "take.py").write_text(RULES.format(preamble=preamble, expression=expression))
        importlib.invalidate_caches()
        importlib.import_module("linecache").checkcache()
        return make_game(str(tmp_path / "take.py"))

    yield make
    for module in ("aid", "aid_of_aid"):
        sys.modules.pop(module, None)


def _put_in(text, number):
    two = number == 2
    return text.format(
        n=number,
        m=5 - number,
        first="a" if two else "b",
        second="b" if two else "a",
        name="two" if two else "three",
        function="sub" if two else "add",
    )


@pytest.mark.parametrize("case", EDITS.values(), ids=EDITS)
def test_an_edit_changes_both_fingerprints_and_records_know(case, load):
    two = load(case, 2)
    assert list(two.actions(two.initial)) == [1, 2]
    rules, code = two.fingerprint, compiled(two).code
    again = load(case, 2)
    assert again.fingerprint == rules and compiled(again).code == code
    three = load(case, 3)
    assert list(three.actions(three.initial)) == [1, 2, 3]
    assert three.fingerprint != rules and compiled(three).code != code
    with pytest.raises(RecordError, match="other rules of take"):
        Record("take", {}, rules, "human", "human", ["1"]).actions(three)


REFUSED = {
    "generator": ("NUMBERS = iter(x for x in (2, 3))", "next(NUMBERS)", "NUMBERS .* is a generator"),
    "file": ("import sys\nFILE = sys.__stderr__", "FILE.fileno()", "FILE of .* is a TextIOWrapper"),
    "lock": ("import threading\nLOCK = threading.Lock()", "2 + LOCK.locked()", "LOCK of .* is a lock"),
    "evaluation": ("LIMIT = 2", "eval('LIMIT')", r"calls eval\(\)"),
    "globals": ("LIMIT = 2", "globals()['LIMIT']", r"calls globals\(\)"),
    "modules of the process": ("import sys", "len(sys.modules)", "sys.modules"),
    "what is read": (
        "def most():\n    with open(__file__) as file:\n        return len(file.read())",
        "most()",
        r"calls open\(\)",
    ),
}


@pytest.mark.parametrize(("preamble", "expression", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_described_is_refused_and_kept_out_of_the_cache(preamble, expression, words, load):
    game = load((preamble, expression, ""), 2)
    with pytest.raises(
        Indescribable, match=rf"The rules of take\(\) have no fingerprint: .*{words}.* Let rules depend"
    ):
        assert game.fingerprint
    assert compiled(game).code.startswith("unnamed-")
    other = load((preamble, expression, ""), 2)
    assert compiled(other).code != compiled(game).code


def test_a_file_that_was_edited_after_it_was_imported_has_a_fingerprint_of_its_own(load, tmp_path):
    two = load(("LIMIT = 7", "2", ""), 2)
    file = tmp_path / "take.py"
    file.write_text(file.read_text().replace("range(1, 2 + 1)", "range(1, 3 + 1)"))
    importlib.import_module("linecache").checkcache()
    edited = two.fingerprint
    assert edited not in (load(("LIMIT = 7", "2", ""), 2).fingerprint, load(("LIMIT = 7", "3", ""), 3).fingerprint)


@pytest.mark.parametrize(
    "case",
    [
        EDITS[name]
        for name in ("set of text", "named tuple of a type that is open", "enumeration", "dataclass", "pattern")
    ],
)
def test_fingerprints_do_not_lean_on_the_process(case, load, tmp_path):
    load(case, 2)
    code = "from zermelo.registry import make_game; print(make_game('take.py').fingerprint)"
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"}
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert outputs == {load(case, 2).fingerprint + "\n"}


def test_a_set_of_functions_that_name_the_set_is_refused():
    def first():
        return functions

    functions = {first}
    with pytest.raises(Indescribable, match="nested too deeply"):
        fingerprint(first)


def test_shelf_fingerprints_stay():
    """Fingerprints name the tables on users' disks, so they must not change."""
    published = dict(
        line.split() for line in (Path(__file__).parent / "data" / "fingerprints.txt").read_text().splitlines()
    )
    assert {name: make_game(name).fingerprint for name in published} == published


def test_rules_that_have_run_often_keep_their_fingerprint():
    """Python rewrites the code of functions that run often, and notes things in classes whose objects it copies."""
    warm, fresh = make_game("nim"), make_game("nim")
    before = fresh.fingerprint
    for _ in range(200):
        state = warm.initial
        while not warm.is_terminal(state):
            state = warm.result(state, next(iter(warm.actions(state))))
        assert warm.utility(state) and warm.to_move(state)
        assert pickle.loads(pickle.dumps(state)) == state
    assert warm.fingerprint == before == make_game("nim").fingerprint


def test_a_file_is_parsed_again_if_another_thread_parsed_meanwhile(monkeypatch):
    """Python 3.11 counts the depth of syntax trees for all threads together; other libraries parse as well."""
    source, parse, failures = "def once(): return 1\n", ast.parse, [SystemError("recursion depth mismatch")] * 3

    def mismatched(text):
        if failures:
            raise failures.pop()
        return parse(text)

    monkeypatch.setattr(ast, "parse", mismatched)
    (found,), codes = _read(source)
    assert (found.name, len(codes), failures) == ("once", 1, [])
    failures += [SystemError("recursion depth mismatch")] * 100
    with pytest.raises(SystemError, match="mismatch"):
        _read(source + "# another\n")
