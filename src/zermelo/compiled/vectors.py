"""Vectors of `zermelo.vectors` as LLVM has them.

A vector is a value of a Numba type of its own, which LLVM keeps in vector registers, as many as it takes.
"""

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_model

from zermelo import vectors
from zermelo.compiled.link_late import PART
from zermelo.compiled.llvm_vectors import InRegisters, InRegistersModel, filled, reduced
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

_INT: Final = ir.IntType(16)
_PRODUCT: Final = ir.IntType(32)
_SUM: Final = ir.IntType(64)


class VectorType(InRegisters):
    """The Numba type of a vector of so many ints."""

    item, word = _INT, "Vector"


register_model(VectorType)(InRegistersModel)


@cache
def _load(length: int) -> Callable[..., Any]:
    """Return an intrinsic that reads a row of a table."""

    @intrinsic
    def load(_typing: TypingContext, table: types.Array, _place: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            view = context.make_array(signature.args[0])(context, builder, arguments[0])
            first = builder.gep(view.data, [builder.mul(arguments[1], _SUM(length))])
            found = builder.load(builder.bitcast(first, ir.VectorType(_INT, length).as_pointer()))
            found.align = 2
            return found

        return VectorType(length)(table, types.int64), generate

    return load


@intrinsic
def _clip(_typing: TypingContext, vector: VectorType, _least: types.Type, _most: types.Type) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        found, least, most = arguments
        for sign, bound in ((">", least), ("<", most)):
            limit = filled(builder.trunc(bound, _INT), vector.length, builder)
            found = builder.select(builder.icmp_signed(sign, found, limit), found, limit)
        return found

    return vector(vector, types.int64, types.int64), generate


@intrinsic
def _dot(_typing: TypingContext, vector: VectorType, _other: VectorType) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        wide, sums = ir.VectorType(_PRODUCT, vector.length), ir.VectorType(_SUM, vector.length)
        one, other = (builder.sext(argument, wide) for argument in arguments)
        return reduced("add", builder.sext(builder.mul(one, other), sums), builder)

    return types.int64(vector, vector), generate


def _is_table(kind: types.Type) -> bool:
    """Return whether vectors can be read from an array: of ints of 16 bits, row after row."""
    return isinstance(kind, types.Array) and (kind.dtype, kind.ndim, kind.layout) == (types.int16, 2, "C")


@overload(vectors.vector_at, prefer_literal=True, strict=False, jit_options=PART)
def _vector_at(table: types.Type, _place: types.Type, length: types.Type) -> Body | None:
    if not _is_table(table) or not isinstance(length, types.IntegerLiteral):
        return None
    load = _load(length.literal_value)
    return lambda table, place, length: load(table, place)


def _are_alike(one: types.Type, other: types.Type) -> bool:
    """Return whether both are vectors of as many ints."""
    return isinstance(one, VectorType) and one == other


@overload(vectors.clipped, strict=False, jit_options=PART)
def _clipped(vector: types.Type, _least: types.Type, _most: types.Type) -> Body | None:
    return (lambda vector, least, most: _clip(vector, least, most)) if isinstance(vector, VectorType) else None


@overload(vectors.dot, strict=False, jit_options=PART)
def _dot_product(vector: types.Type, other: types.Type) -> Body | None:
    return (lambda vector, other: _dot(vector, other)) if _are_alike(vector, other) else None


def _overload_operators(
    operators: Sequence[Body], emit: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]
) -> None:
    """Let compiled code run an instruction for operations on two vectors."""
    combine = binary(emit)
    overload_operators(operators, lambda one, other: combine(one, other), _are_alike, strict=False, jit_options=PART)


_overload_operators((operator.add, operator.iadd), lambda builder, one, other: builder.add(one, other))
_overload_operators((operator.sub, operator.isub), lambda builder, one, other: builder.sub(one, other))
_overload_operators((operator.mul, operator.imul), lambda builder, one, other: builder.mul(one, other))
