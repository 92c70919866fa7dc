"""Rows of `zermelo.lanes` as vectors of the processor.

A row is a value of a Numba type of its own, which LLVM keeps in vector registers, as many as it takes.
"""

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import DataModelManager
from numba.extending import intrinsic, models, register_model

from zermelo import lanes
from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import BaseContext, Body, Intrinsic, Signature, TypingContext, overload

_LANE: Final = ir.IntType(16)
_PRODUCT: Final = ir.IntType(32)
_SUM: Final = ir.IntType(64)


class RowType(types.Type):
    """The Numba type of a row of so many lanes."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Row({count})")


@register_model(RowType)
class RowModel(models.PrimitiveModel):
    """A row is a vector everywhere: in memory, in registers and between functions."""

    def __init__(self, manager: DataModelManager, kind: RowType) -> None:
        super().__init__(manager, kind, ir.VectorType(_LANE, kind.count))


def _filled(kind: ir.Type, count: int, item: ir.Value, builder: ir.IRBuilder) -> ir.Value:
    """Return a vector with the same item in each lane."""
    first = builder.insert_element(
        ir.Constant(ir.VectorType(kind, count), ir.Undefined), builder.trunc(item, kind), ir.IntType(32)(0)
    )
    mask = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(first, ir.Constant(first.type, ir.Undefined), mask)


@cache
def _load(count: int) -> Callable[..., Any]:
    """Return an intrinsic that reads a row of a table."""

    @intrinsic
    def load(_typing: TypingContext, table: types.Array, _place: types.Type) -> Intrinsic:
        def generate(
            context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            view = context.make_array(signature.args[0])(context, builder, arguments[0])
            first = builder.gep(view.data, [builder.mul(arguments[1], _SUM(count))])
            row = builder.load(builder.bitcast(first, ir.VectorType(_LANE, count).as_pointer()))
            row.align = 2
            return row

        return RowType(count)(table, types.int64), generate

    return load


@intrinsic
def _clip(_typing: TypingContext, row: RowType, _least: types.Type, _most: types.Type) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        found, least, most = arguments
        for sign, bound in ((">", least), ("<", most)):
            limit = _filled(_LANE, row.count, bound, builder)
            found = builder.select(builder.icmp_signed(sign, found, limit), found, limit)
        return found

    return row(row, types.int64, types.int64), generate


@intrinsic
def _dot(_typing: TypingContext, row: RowType, _other: RowType) -> Intrinsic:
    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        wide, sums = ir.VectorType(_PRODUCT, row.count), ir.VectorType(_SUM, row.count)
        one, other = (builder.sext(argument, wide) for argument in arguments)
        products = builder.sext(builder.mul(one, other), sums)
        name = f"llvm.vector.reduce.add.v{row.count}i64"
        known = builder.module.globals.get(name)
        return builder.call(known or ir.Function(builder.module, ir.FunctionType(_SUM, [sums]), name), [products])

    return types.int64(row, row), generate


def _lane_by_lane(emit: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]) -> Callable[..., Any]:
    """Return an intrinsic that combines two rows; ``emit`` writes its instruction."""

    @intrinsic
    def combine(_typing: TypingContext, row: RowType, _other: RowType) -> Intrinsic:
        def generate(
            _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            return emit(builder, *arguments)

        return row(row, row), generate

    return combine


_add = _lane_by_lane(lambda builder, one, other: builder.add(one, other))
_subtract = _lane_by_lane(lambda builder, one, other: builder.sub(one, other))
_multiply = _lane_by_lane(lambda builder, one, other: builder.mul(one, other))


@overload(lanes.row_at, prefer_literal=True, strict=False, jit_options=PART)
def _row_at(_table: types.Type, _place: types.Type, lanes: types.Type) -> Body | None:
    if not isinstance(lanes, types.IntegerLiteral):
        return None
    load = _load(lanes.literal_value)
    return lambda table, place, lanes: load(table, place)


def _is_row(kind: types.Type) -> bool:
    return isinstance(kind, RowType)


@overload(lanes.clipped, strict=False, jit_options=PART)
def _clipped(row: types.Type, _least: types.Type, _most: types.Type) -> Body | None:
    return (lambda row, least, most: _clip(row, least, most)) if _is_row(row) else None


@overload(lanes.dot, strict=False, jit_options=PART)
def _dot_product(row: types.Type, _other: types.Type) -> Body | None:
    return (lambda row, other: _dot(row, other)) if _is_row(row) else None


def _overload_operator(operations: Sequence[Body], body: Body) -> None:
    """Let compiled code run ``body`` for operations on two rows of as many lanes."""

    def choose(row: types.Type, other: types.Type) -> Body | None:
        return body if _is_row(row) and row == other else None

    for operation in operations:
        overload(operation, strict=False, jit_options=PART)(choose)


_overload_operator((operator.add, operator.iadd), lambda row, other: _add(row, other))
_overload_operator((operator.sub, operator.isub), lambda row, other: _subtract(row, other))
_overload_operator((operator.mul, operator.imul), lambda row, other: _multiply(row, other))
