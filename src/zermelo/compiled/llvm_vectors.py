"""Vectors of LLVM's, which lie in the vector registers of the processor: what `vectors` and `lanes` share."""

from typing import ClassVar, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import DataModelManager
from numba.extending import models

_INDEX: Final = ir.IntType(32)


class InRegisters(types.Type):
    """The Numba type of so many ints side by side; a subclass says how wide they are, and what they are called."""

    item: ClassVar[ir.IntType]
    word: ClassVar[str]

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(name=f"{self.word}({length})")


class InRegistersModel(models.PrimitiveModel):
    """Such a value is one vector everywhere: in memory, in registers and between functions."""

    def __init__(self, manager: DataModelManager, kind: InRegisters) -> None:
        super().__init__(manager, kind, ir.VectorType(kind.item, kind.length))


def filled(item: ir.Value, length: int, builder: ir.IRBuilder) -> ir.Value:
    """Return a vector of so many ints, all of which are ``item``."""
    unknown = ir.Constant(ir.VectorType(item.type, length), ir.Undefined)
    first = builder.insert_element(unknown, item, _INDEX(0))
    return builder.shuffle_vector(first, unknown, ir.Constant(ir.VectorType(_INDEX, length), [0] * length))


def reduced(operation: str, vector: ir.Value, builder: ir.IRBuilder) -> ir.Value:
    """Return all ints of a vector combined into one, by LLVM's ``add`` or ``or``."""
    name = f"llvm.vector.reduce.{operation}.v{vector.type.count}i{vector.type.element.width}"
    known = builder.module.globals.get(name)
    kind = ir.FunctionType(vector.type.element, [vector.type])
    return builder.call(known or ir.Function(builder.module, kind, name), [vector])
