"""All directions at once: the compiled side of `zermelo.bits.along`.

*Lanes* are boards in a vector of LLVM's, one for each direction. Where rules call ``along`` on boards of one word,
compiled code calls their function once, with lanes in place of ints, and not once for each direction. So one
instruction of the processor serves several directions. Lanes know the operators ``&``, ``|``, ``^``, ``~``, ``+``,
``-``, ``*``, ``<<`` and ``>>``, with other lanes or with an int, and the functions of `zermelo.bits` that move or turn
over bits.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_model

from zermelo import bits
from zermelo.compiled.link_late import PART
from zermelo.compiled.llvm_vectors import InRegisters, InRegistersModel, filled, reduced
from zermelo.compiled.overloads import BaseContext, Body, Intrinsic, Signature, TypingContext, overload

_WORD: Final = ir.IntType(64)
_INDEX: Final = ir.IntType(32)
Emit = Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]
"""What writes the instruction of an operation on two vectors."""


class LanesType(InRegisters):
    """The Numba type of so many lanes."""

    item, word = _WORD, "Lanes"


register_model(LanesType)(InRegistersModel)


def _in_lanes(value: ir.Value, kind: types.Type, count: int, builder: ir.IRBuilder) -> ir.Value:
    """Return lanes as they are, and an int in each of so many lanes."""
    return value if isinstance(kind, LanesType) else filled(builder.sext(value, _WORD), count, builder)


def _column(directions: ir.Value, place: int, count: int, builder: ir.IRBuilder) -> ir.Value:
    """Return lanes of the ints that stand at this place of the directions."""
    found = ir.Constant(ir.VectorType(_WORD, count), ir.Undefined)
    for lane in range(count):
        found = builder.insert_element(found, builder.extract_value(directions, [lane, place]), _INDEX(lane))
    return found


@intrinsic
def _arguments(_typing: TypingContext, boards: types.BaseTuple, directions: types.UniTuple) -> Intrinsic:
    """Return lanes with which a function looks in all directions: of each board, then of each place of a direction."""
    count, places = directions.count, range(directions.dtype.count)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        words = [builder.extract_value(arguments[0], number) for number in range(len(boards))]
        same = [_in_lanes(word, kind, count, builder) for word, kind in zip(words, boards, strict=True)]
        own = [_column(arguments[1], place, count, builder) for place in places]
        return context.make_tuple(builder, signature.return_type, same + own)

    return types.UniTuple(LanesType(count), len(boards) + len(places))(boards, directions), generate


@intrinsic
def _union(_typing: TypingContext, lanes: LanesType) -> Intrinsic:
    """Return the union of all lanes."""

    def generate(
        _context: BaseContext, builder: ir.IRBuilder, _signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return reduced("or", arguments[0], builder)

    return types.int64(lanes), generate


def _is_tuple_of(kind: types.Type, item: Callable[[types.Type], bool]) -> bool:
    return isinstance(kind, types.UniTuple) and item(kind.dtype)


def _is_int(kind: types.Type) -> bool:
    return isinstance(kind, types.Integer)


@overload(bits.along, strict=False, jit_options=PART)
def _along(_function: types.Type, directions: types.Type, *boards: types.Type) -> Body:
    if all(map(_is_int, boards)) and _is_tuple_of(directions, lambda direction: _is_tuple_of(direction, _is_int)):
        return lambda function, directions, *boards: _union(function(*_arguments(boards, directions)))
    return bits.along


def _instruction(emit: Emit) -> Callable[..., Any]:
    """Return an intrinsic of two values, of which one is lanes, and the other lanes or an int."""

    @intrinsic
    def instruction(_typing: TypingContext, one: types.Type, other: types.Type) -> Intrinsic:
        lanes = one if isinstance(one, LanesType) else other

        def generate(
            _context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            both = zip(arguments, signature.args, strict=True)
            return emit(builder, *(_in_lanes(value, kind, lanes.length, builder) for value, kind in both))

        return lanes(one, other), generate

    return instruction


def _are_lanes(one: types.Type, other: types.Type) -> bool:
    """Return whether one value is lanes, and the other one as many lanes or an int."""
    if isinstance(one, LanesType):
        return one == other or _is_int(other)
    return isinstance(other, LanesType) and _is_int(one)


def _overload(functions: Sequence[Body], emit: Emit) -> None:
    """Let compiled code run an instruction for functions of two values, where these are lanes."""
    combine = _instruction(emit)

    def choose(_one: types.Type, _other: types.Type) -> Body | None:
        return (lambda _one, _other: combine(_one, _other)) if _are_lanes(_one, _other) else None

    for function in functions:
        overload(function, strict=False, jit_options=PART)(choose)


def _kept(builder: ir.IRBuilder, test: ir.Value, board: ir.Value) -> ir.Value:
    """Write the instructions of `bits.where`."""
    nothing = ir.Constant(test.type, None)
    return builder.select(builder.icmp_unsigned("!=", test, nothing), board, nothing)


_overload((operator.and_, operator.iand), lambda builder, one, other: builder.and_(one, other))
_overload((operator.or_, operator.ior), lambda builder, one, other: builder.or_(one, other))
_overload((operator.xor, operator.ixor), lambda builder, one, other: builder.xor(one, other))
_overload((operator.add, operator.iadd), lambda builder, one, other: builder.add(one, other))
_overload((operator.sub, operator.isub), lambda builder, one, other: builder.sub(one, other))
_overload((operator.mul, operator.imul), lambda builder, one, other: builder.mul(one, other))
_overload((operator.lshift, operator.ilshift), lambda builder, one, other: builder.shl(one, other))
_overload((operator.rshift, operator.irshift), lambda builder, one, other: builder.ashr(one, other))
_overload((bits.shift_left,), lambda builder, one, other: builder.shl(one, other))
_overload((bits.shift_right,), lambda builder, one, other: builder.lshr(one, other))
_overload((bits.where,), _kept)


@overload(bits.where, strict=False, jit_options=PART)
def _where(test: types.Type, board: types.Type) -> Body | None:
    return None if _are_lanes(test, board) else bits.where


def _complement(_board: types.Type) -> Body | None:
    return (lambda _board: _board ^ -1) if isinstance(_board, LanesType) else None


for _function in (operator.invert, bits.complement):
    overload(_function, strict=False, jit_options=PART)(_complement)
