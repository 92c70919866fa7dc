"""Turning states into flat arrays of ints and back.

A kernel takes a state as an array, so that signatures on disk do not name a class of a user's file::

    State(mover=3, pits=(4, 4, 0), player=-1)   <->   [3, 4, 4, 0, -1]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

from zermelo.compiled.link_late import PART
from zermelo.compiled.overloads import BaseContext, Intrinsic, Signature, TypingContext, overload
from zermelo.compiled.word64 import signed
from zermelo.errors import NotCompilable
from zermelo.game import State

if TYPE_CHECKING:
    from zermelo.compiled.game import CompiledGame, GameType


def flatten(state: State) -> NDArray[np.int64]:
    """Return the ints of ``state``, from left to right, as an array of shape (ints of a state,).

    The array has dtype int64; an unsigned int of 64 bits keeps its bits. Without a compiler the array holds Python
    ints, so that interpreted rules do not read the 64th bit as a sign.

    Raises
    ------
    NotCompilable
        A leaf of the state is not an int, or does not fit into 64 bits.
    """
    if config.DISABLE_JIT:
        return np.array(list(leaves(state)), dtype=object)
    return np.array([word_of(leaf) for leaf in leaves(state)], dtype=np.int64)


def word_of(leaf: object) -> int:
    """Return an int of a state as a signed integer of 64 bits.

    Raises
    ------
    NotCompilable
        The leaf is not an int, or does not fit into 64 bits.
    """
    if not isinstance(leaf, int | np.integer | np.bool_):
        raise NotCompilable(f"A state holds {leaf!r} where a compiled game has an int.")
    if not -(1 << 63) <= leaf < 1 << 64:
        raise NotCompilable(
            f"A state holds an int of {int(leaf).bit_length()} bits, and compiled ints have 64; "
            "spread what it says over two fields of the state. The game still plays with zermelo.textbook."
        )
    return signed(int(leaf))


def leaves(state: State) -> Iterator[int]:
    """Yield the ints of ``state``, from left to right."""
    if isinstance(state, tuple):
        for field in state:
            yield from leaves(field)
    else:
        yield state


def state_type(state: State, place: str = "the state") -> types.Type:
    """Return the Numba type of a state: nested tuples whose leaves are all int64.

    Raises
    ------
    NotCompilable
        Something in the state is neither an int nor a tuple; the message names it.
    """
    if isinstance(state, int):
        return types.int64
    if not isinstance(state, tuple):
        raise NotCompilable(
            f"{place} is of type {type(state).__name__}, which cannot be compiled; a compiled game's state "
            "is a NamedTuple of ints, or of short tuples of ints."
        )
    names = getattr(state, "_fields", range(len(state)))
    fields = [state_type(field, f"{place}'s field {name}") for name, field in zip(names, state, strict=True)]
    return types.BaseTuple.from_types(fields, type(state) if hasattr(state, "_fields") else None)


def leaf_count(kind: types.Type) -> int:
    """Return how many ints a state of this type holds."""
    return sum(map(leaf_count, kind)) if isinstance(kind, types.BaseTuple) else 1


def load_state(game: CompiledGame, words: Iterable[int]) -> State:
    """Return the state of ``game`` whose flat form is the array ``words``."""
    return _rebuild(game.initial, (int(word) for word in words))


def words_of(game: CompiledGame, state: State) -> tuple[int, ...]:
    """Return the flat form of ``state`` as a tuple."""
    return tuple(word_of(leaf) for leaf in leaves(state))


def conform(game: CompiledGame, state: State) -> State:
    """Return ``state`` with every int as int64, so that all states of ``game`` have the same type."""
    return state


def _rebuild(template: State, remaining: Iterator[int]) -> State:
    """Return a state of the same form as ``template``, made of the next ints."""
    if not isinstance(template, tuple):
        return next(remaining)
    fields = [_rebuild(field, remaining) for field in template]
    return type(template)(*fields) if hasattr(template, "_fields") else tuple(fields)


def _same_shape(first: types.Type, second: types.Type) -> bool:
    """Return whether two types nest their tuples in the same way, and all leaves of the second are ints or bools."""
    if isinstance(first, types.BaseTuple) and isinstance(second, types.BaseTuple):
        return len(first) == len(second) and all(map(_same_shape, first, second))
    return not isinstance(first, types.BaseTuple) and isinstance(second, types.Integer | types.Boolean)


def _values(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> Iterator[ir.Value]:
    """Yield the leaves of a compiled state, each cast to int64."""
    if not isinstance(kind, types.BaseTuple):
        yield context.cast(builder, value, kind, types.int64)
        return
    for number, field in enumerate(kind):
        yield from _values(context, builder, field, builder.extract_value(value, number))


def _build(context: BaseContext, builder: ir.IRBuilder, kind: types.Type, remaining: Iterator[ir.Value]) -> ir.Value:
    """Return a compiled state of type ``kind``, made of the next leaves."""
    if not isinstance(kind, types.BaseTuple):
        return next(remaining)
    return context.make_tuple(builder, kind, [_build(context, builder, field, remaining) for field in kind])


@intrinsic
def _load(_typing: TypingContext, game: GameType, words: types.Array) -> Intrinsic:
    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        view = context.make_array(signature.args[1])(context, builder, arguments[1])
        index = ir.IntType(64)
        count = leaf_count(game.rules.state_type)
        items = (builder.load(builder.gep(view.data, [index(number)])) for number in range(count))
        return _build(context, builder, game.rules.state_type, items)

    return game.rules.state_type(game, words), generate


@intrinsic
def _conform(_typing: TypingContext, game: GameType, state: types.Type) -> Intrinsic:
    if not _same_shape(game.rules.state_type, state):
        raise TypingError(f"a state of this game is {game.rules.state_type}; this one is {state}")

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return _build(context, builder, game.rules.state_type, _values(context, builder, state, arguments[1]))

    return game.rules.state_type(game, state), generate


@intrinsic
def _flatten(_typing: TypingContext, game: GameType, state: types.Type) -> Intrinsic:
    kind = types.UniTuple(types.int64, leaf_count(game.rules.state_type))

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return context.make_tuple(builder, kind, list(_values(context, builder, state, arguments[1])))

    return kind(game, state), generate


@intrinsic
def flattened_features(_typing: TypingContext, features: types.Type) -> Intrinsic:
    """Return features as a tuple of int64; only compiled code calls it."""
    if not _same_shape(types.UniTuple(types.int64, leaf_count(features)), features):
        raise TypingError(f"features gives {features}; it must give a tuple of ints")
    kind = types.UniTuple(types.int64, leaf_count(features))

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return context.make_tuple(builder, kind, list(_values(context, builder, features, arguments[0])))

    return kind(features), generate


overload(load_state, jit_options=PART)(lambda game, words: lambda game, words: _load(game, words))
overload(conform, jit_options=PART)(lambda game, state: lambda game, state: _conform(game, state))
overload(words_of, jit_options=PART)(lambda game, state: lambda game, state: _flatten(game, state))
