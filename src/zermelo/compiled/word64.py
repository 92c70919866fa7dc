"""64-bit arithmetic as machine instructions: the compiled side of `zermelo.bits`, and more that the engine needs.

A word is an int64 that is used for its bits, whatever its sign. Every function here has a Python body that gives the
same result, as a signed int, so that the engine also runs with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic
from numpy.typing import NDArray

from zermelo import bits
from zermelo.compiled.helpers import register
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import (
    BaseContext,
    Body,
    Intrinsic,
    Signature,
    TypingContext,
    binary,
    overload,
    overload_operators,
)
from zermelo.words import Wide

MULTIPLIER = 0x9E3779B97F4A7C15 - (1 << 64)
"""2**64 divided by the golden ratio, as an odd signed int, for Fibonacci hashing (Knuth, TAOCP 3, 6.4)."""


def signed(word: int) -> int:
    """Return the low 64 bits of ``word`` as a signed integer."""
    word = int(word) & bits.ALL
    return word - (1 << 64) if word >> 63 else word


def multiply(first: int, second: int) -> int:
    """Return the low 64 bits of the product, as a signed integer."""
    return signed(int(first) * int(second))


def shift_up(word: int, distance: int) -> int:
    """Return the result of `bits.shift_left` as a signed integer."""
    return signed(int(word) << int(distance))


def shift_down(word: int, distance: int) -> int:
    """Return the result of `bits.shift_right` as a signed integer."""
    return signed((int(word) & bits.ALL) >> int(distance))


def mix(word: int) -> int:
    """Return a hash of ``word``. Each of its bits depends on many bits of ``word``; no two words have the same hash."""
    word = multiply(word ^ shift_down(word, 32), MULTIPLIER)
    return multiply(word ^ shift_down(word, 29), MULTIPLIER)


def prefetch(array: NDArray[Any], index: int) -> None:
    """Fetch ``array[index]`` into the processor's cache before it is read; interpreted, do nothing."""


def item_at(array: NDArray[Any], index: int) -> Any:
    """Return ``array[index]``, where ``index`` is known not to be negative: compiled code does not look.

    The types are Any, since an array may hold ints or floats.
    """
    return array[index]


def words_at(address: int, length: int) -> NDArray[np.int64]:
    """Return the ``length`` words of memory at ``address`` as an array; the caller must keep that memory alive."""
    return np.ctypeslib.as_array((ctypes.c_int64 * int(length)).from_address(int(address)))


def shorts_at(address: int, length: int) -> NDArray[np.int16]:
    """Return ``length`` ints of 16 bits at ``address`` as an array, as `words_at` does."""
    return np.ctypeslib.as_array((ctypes.c_int16 * int(length)).from_address(int(address)))


def _unary(emit: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Callable[[int], int]:
    """Return an intrinsic that takes a word and returns a word; ``emit`` writes its instruction."""

    @intrinsic
    def instruction(_typing: TypingContext, _word: types.Type) -> Intrinsic:
        def generate(
            _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            return emit(builder, arguments[0])

        return types.int64(types.int64), generate

    return instruction


_count_bits = _unary(lambda builder, word: builder.ctpop(word))
_count_trailing_zeros = _unary(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))
_highest = _unary(
    lambda builder, word: builder.lshr(
        ir.Constant(ir.IntType(64), 1 << 63), builder.ctlz(word, ir.Constant(ir.IntType(1), 0))
    )
)
_multiply = binary(lambda builder, first, second: builder.mul(first, second), types.int64)
_shift_left = binary(lambda builder, word, distance: builder.shl(word, distance), types.int64)
_shift_right = binary(lambda builder, word, distance: builder.lshr(word, distance), types.int64)


def _pointer(kind: types.Integer) -> Callable[[int], object]:
    """Return an intrinsic that takes an address and returns a pointer to ints of type ``kind``."""

    @intrinsic
    def pointer(_typing: TypingContext, _address: types.Type) -> Intrinsic:
        def generate(
            _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            return builder.inttoptr(arguments[0], ir.IntType(kind.bitwidth).as_pointer())

        return types.CPointer(kind)(types.int64), generate

    return pointer


_words = _pointer(types.int64)
_shorts = _pointer(types.int16)


@intrinsic
def _prefetch(_typing: TypingContext, array: types.Array, _index: types.Type) -> Intrinsic:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(view.data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        instruction = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(instruction, [place, number(0), number(3), number(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def _item(_typing: TypingContext, array: types.Array, _index: types.Type) -> Intrinsic:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load(builder.gep(view.data, [arguments[1]]))

    return array.dtype(array, types.int64), generate


def _overload(function: Body, body: Body) -> None:
    """Let compiled code that calls ``function`` run ``body``."""
    overload(function, inline="never", strict=False, jit_options=PART)(lambda *_arguments: body)


_overload(bits.popcount, lambda word: _count_bits(word))
_overload(bits.highest, lambda word: _highest(word))
_overload(bits.lowest_index, lambda word: _count_trailing_zeros(word))
_overload(bits.shift_left, lambda word, distance: _shift_left(word, distance))
_overload(bits.shift_right, lambda word, distance: _shift_right(word, distance))
_overload(bits.complement, lambda word: ~word)
_overload(bits.put, lambda items, index, item: tuple_setitem(items, index, item))
_overload(shift_up, lambda word, distance: _shift_left(word, distance))
_overload(shift_down, lambda word, distance: _shift_right(word, distance))
_overload(multiply, lambda first, second: _multiply(first, second))
_overload(prefetch, lambda array, index: _prefetch(array, index))
_overload(item_at, lambda array, index: _item(array, index))
_overload(words_at, lambda address, length: carray(_words(address), (length,)))
_overload(shorts_at, lambda address, length: carray(_shorts(address), (length,)))


@overload(mix, strict=False, jit_options=PART)
def _mix(word: types.Type) -> Body:
    def body(word: int) -> int:
        word = _multiply(word ^ _shift_right(word, 32), MULTIPLIER)
        return _multiply(word ^ _shift_right(word, 29), MULTIPLIER)

    return body


def _is_wide(kind: types.Type) -> bool:
    return getattr(kind, "instance_class", None) is Wide


def _is_int(kind: types.Type) -> bool:
    return isinstance(kind, types.Integer)


def _overload_operators(operators: Sequence[Body], body: Body, takes: Callable[[types.Type], bool] = _is_wide) -> None:
    """Let compiled code run ``body`` for operations on a `Wide` board and, by default, another one."""

    def fits(board: types.Type, other: types.Type) -> bool:
        return _is_wide(board) and takes(other)

    overload_operators(operators, body, fits, strict=False, jit_options=PART)


_overload_operators((operator.and_, operator.iand), Wide.__and__)
_overload_operators((operator.or_, operator.ior), Wide.__or__)
_overload_operators((operator.xor, operator.ixor), Wide.__xor__)
_overload_operators((operator.add, operator.iadd), Wide.__add__)
_overload_operators((operator.sub, operator.isub), Wide.__sub__)
_overload_operators((operator.lshift, operator.ilshift), Wide.__lshift__, _is_int)
_overload_operators((operator.rshift, operator.irshift), Wide.__rshift__, _is_int)
overload(operator.invert, strict=False, jit_options=PART)(lambda board: Wide.__invert__ if _is_wide(board) else None)

for _function in vars(bits).values():  # registers only those without an overload
    register(_function)
