"""Our list of passes replaces parts of Numba while it compiles. Code and types are the same, and it puts them back."""

import operator
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config, types
from numba.core import event, postproc
from numba.core.errors import NumbaError, TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.extending import models, overload, register_model, typeof_impl
from numpy.typing import NDArray

from zermelo.compiled.cache import shared_kernel, subkernel
from zermelo.compiled.link_late import KernelCompiler
from zermelo.compiled.operations import _find_once, call_type
from zermelo.compiled.reach import digest

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")

OF_ONE = [operator.neg, operator.invert, operator.not_, bool, int, abs, len]
OF_TWO = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow, operator.lshift]
OF_TWO += [operator.and_, operator.or_, operator.xor, operator.eq, operator.lt, operator.ge, operator.iadd, min, max]
KINDS = [types.int64, types.int8, types.uint64, types.boolean, types.literal(0), types.literal(70), types.literal(True)]
CALLS = [(one, args) for one in OF_ONE for args in product(KINDS)]
CALLS += [(one, args) for one in OF_TWO for args in product(KINDS, KINDS)]

CallType = Callable[[BaseFunction, Any, tuple[types.Type, ...], dict[str, types.Type]], Any]


def signature(find: CallType, operation: Callable[..., Any], args: tuple[types.Type, ...]) -> object:
    """All that is known of a call; None if there is no such call."""
    context = cpu_target.typing_context
    context.refresh()
    try:
        found = find(context.resolve_value_type(operation), context, args, {})
    except NumbaError:
        return None
    return found and (repr(found), found.return_type, found.args, found.recvr, found.pysig)


@given(st.lists(st.sampled_from(CALLS), min_size=1, max_size=8))
def test_operations_have_the_types_that_numba_finds(calls: list[tuple[Callable[..., Any], tuple[types.Type]]]) -> None:
    """In any order, and when they are asked for again; literals and other ints are kept apart."""
    for operation, args in calls + calls:
        usual = signature(BaseFunction.get_call_type, operation, args)
        assert signature(call_type, operation, args) == usual, (operation, args)


@subkernel
def mixed(numbers: NDArray[np.int64], place: int) -> int:
    return (numbers[place] << 3) % 5 + (int(place > 1) | numbers[0])


@shared_kernel
def mixed_before(numbers: NDArray[np.int64], place: int) -> int:
    return mixed(numbers, place) - (numbers[place] << place)


@shared_kernel
def mixed_after(numbers: NDArray[np.int64], place: int) -> int:
    return (numbers[place] << place) - (numbers[place] << 3) % 5


class Other:
    """A thing that somebody else teaches Numba to shift."""


class OtherType(types.Type):
    """Its type."""

    def __init__(self) -> None:
        super().__init__("Other")


def test_a_rule_that_is_added_to_an_operation_changes_nothing_for_ints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba then has a new function type for it, with which code must be made."""
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))  # nothing comes from the cache
    numbers = np.array([7, 9, 12])
    expected = (9 << 3) % 5 + (0 | 7) - (9 << 1)
    assert mixed_before(numbers, 1) == expected
    typeof_impl.register(Other)(lambda value, context: OtherType())
    register_model(OtherType)(models.OpaqueModel)

    def shifted(thing, by):  # type: ignore[no-untyped-def] # Numba compares it with what it returns
        return (lambda thing, by: 11) if isinstance(thing, OtherType) else None

    overload(operator.lshift)(shifted)
    assert mixed_after(numbers, 2) == (12 << 2) - (12 << 3) % 5
    args = OtherType(), types.int64
    found = signature(call_type, operator.lshift, args)
    assert found is not None and found == signature(BaseFunction.get_call_type, operator.lshift, args)


@shared_kernel
def impossible(numbers: NDArray[np.int64]) -> int:
    return numbers + "text"  # type: ignore[operator] # there is no such sum


def test_numba_is_as_it_was_after_a_compilation_also_one_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        with pytest.raises(TypingError):
            impossible(np.array([1]))
        assert mixed_before(np.array([7, 9, 12]), 0) == (7 << 3) % 5 + (0 | 7) - 7
        usual = postproc.PostProcessor, event.broadcast, BaseFunction.get_call_type
        assert [one.__module__ for one in usual] == ["numba.core.postproc", "numba.core.event", BaseFunction.__module__]


def test_what_is_remembered_changes_no_names() -> None:
    """A process finds machine code in the cache whatever it has compiled before."""
    name = digest(mixed_before, KernelCompiler)
    assert signature(call_type, operator.sub, (types.int16, types.uint16)) is not None  # no other code asks for this
    assert digest(mixed_before, KernelCompiler) == name


def test_helpers_of_a_game_are_not_remembered() -> None:
    """They would be kept for good."""

    def doubled(number: int) -> int:
        return 2 * number

    overload(doubled)(lambda number: lambda number: 2 * number)
    kept = _find_once.cache_info().currsize
    assert signature(call_type, doubled, (types.int32,)) is not None
    assert _find_once.cache_info().currsize == kept
