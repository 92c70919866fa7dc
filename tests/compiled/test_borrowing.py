"""Kernels do not count references to the arrays that they are given; they count where they make or return arrays."""

import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numba import config
from numpy.typing import NDArray

from zermelo.compiled.cache import inlined, shared_kernel, subkernel

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
Array = NDArray[np.int64]


@pytest.fixture(autouse=True, scope="module")
def compiled_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Code from a cache cannot be read as text."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@subkernel
def total(array: Array, most: int) -> int:
    """A part, called twice below, and so not inlined."""
    found = 0
    for number in range(min(len(array), most)):
        if array[number] < 0:
            raise ValueError("negative")
        found += array[number]
    return found


@subkernel
def doubled(array: Array) -> Array:
    """A part that makes an array."""
    return 2 * array


@inlined
def tail(array: Array) -> Array:
    """A part that returns a piece of what it is given."""
    return array[1:]


@shared_kernel
def sums(one: Array, both: tuple[Array, Array]) -> int:
    """It makes no array."""
    return total(one, 5) + total(tail(both[0]), 9) + total(both[1], len(one))


@shared_kernel
def sum_of_doubled(array: Array) -> int:
    """One of its parts makes an array."""
    return total(doubled(array), len(array))


@shared_kernel
def tail_of(array: Array) -> Array:
    """It makes no array, but returns a piece of its argument."""
    return tail(array)


@shared_kernel
def several(array: Array) -> tuple[int, Array, Array]:
    """It returns an argument and a new array, in a tuple."""
    return total(array, 3), array, doubled(array)


def counted(kernel: Any) -> bool:
    """Whether the machine code of a kernel adds references; that of its wrapper does not."""
    return "NRT_incref" in kernel.inspect_asm(kernel.signatures[0])


def array_of(numbers: int) -> Array:
    return np.arange(numbers, dtype=np.int64)


CALLS: list[tuple[Any, Callable[[Array], Any], bool]] = [
    (sums, lambda array: sums(array, (array, array)), False),
    (sum_of_doubled, sum_of_doubled, True),
    (tail_of, tail_of, True),
    (several, several, True),
]


@pytest.mark.parametrize(("kernel", "call", "counts"), CALLS, ids=lambda one: getattr(one, "__name__", None))
def test_arrays_are_neither_lost_nor_kept(kernel: Any, call: Callable[[Array], Any], counts: bool) -> None:
    """Python counts as many references to an argument as before, and frees it when nobody needs it."""
    array = array_of(1000)
    before = sys.getrefcount(array)
    for _ in range(100):
        call(array)
    assert sys.getrefcount(array) == before
    held = weakref.ref(array)
    result = call(array)
    del array
    if kernel is sums:
        assert held() is None and result == 10 + sum(range(10)) + sum(range(1000))
    del result
    assert held() is None
    assert counted(kernel) is counts


def test_results_outlive_the_arguments() -> None:
    array = array_of(1000)
    piece, (first, same, twice) = tail_of(array), several(array)
    del array
    noise = [np.full(1000, -7) for _ in range(50)]
    assert piece.tolist() == list(range(1, 1000)) and same.tolist() == [0, *piece]
    assert first == 3 and (twice == 2 * same).all()
    del noise


def test_an_error_keeps_no_argument() -> None:
    array = -array_of(10) - 1
    before = sys.getrefcount(array)
    for _ in range(10):
        with pytest.raises(ValueError, match="negative"):
            sums(array, (array, array))
    assert sys.getrefcount(array) == before


def test_arrays_made_in_a_kernel_are_freed() -> None:
    resource = pytest.importorskip("resource")
    array = np.ones(1 << 17, dtype=np.int64)
    assert sum_of_doubled(array) == 1 << 18
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        sum_of_doubled(array)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10, "less than a fifth of what was made"


def test_kernels_of_the_package_count_nothing() -> None:
    """Those that take most of the time, compiled by themselves."""
    script = """
from zermelo import Engine, make_game
from zermelo.engine.deepening import search_deeper
from zermelo.learn import Training
from zermelo.learn.self_play import learn_games
from zermelo.solver.model.expand import expand
from zermelo.solver.model.problem import Problem
game = make_game("tictactoe")
Engine(game).search(depth=1)
problem = Problem(game)
for keys in problem.start_keys().values():
    list(problem.expand(keys))
Training(game, threads=1).run(games=10)
for kernel in (search_deeper, expand, learn_games):
    print(kernel.__name__, "NRT_incref" in kernel.inspect_asm(kernel.signatures[0]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["search_deeper", "False", "expand", "False", "learn_games", "False"]
