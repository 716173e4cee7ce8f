"""Types, constants and inline PTX by the names that llvmlite has for them, for numba-cuda-mlir.

A type is data, compared by what it says; `builder.Builder` makes MLIR's of it when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class Kind:
    """What all types have."""

    def as_pointer(self, addrspace: int = 0) -> PointerType:
        return PointerType(self, addrspace)


@dataclass(frozen=True)
class IntType(Kind):
    """A whole number of so many bits, without a sign of its own."""

    width: int


@dataclass(frozen=True)
class HalfType(Kind):
    """float16."""


@dataclass(frozen=True)
class FloatType(Kind):
    """float32."""


@dataclass(frozen=True)
class DoubleType(Kind):
    """float64."""


@dataclass(frozen=True)
class VoidType(Kind):
    """What returns nothing."""


@dataclass(frozen=True)
class PointerType(Kind):
    """An address. addrspace: 0 generic, 1 global, 3 shared."""

    pointee: Any
    addrspace: int = 0


@dataclass(frozen=True)
class VectorType(Kind):
    """`count` numbers that one instruction moves."""

    element: Any
    count: int


@dataclass(frozen=True, init=False)
class LiteralStructType(Kind):
    """What inline PTX with several results returns."""

    elements: tuple[Any, ...]

    def __init__(self, elements: Sequence[Any]) -> None:
        object.__setattr__(self, "elements", tuple(elements))


@dataclass(frozen=True, init=False)
class FunctionType(Kind):
    """What a call takes and returns."""

    return_type: Any
    args: tuple[Any, ...]

    def __init__(self, return_type: Any, args: Sequence[Any]) -> None:
        object.__setattr__(self, "return_type", return_type)
        object.__setattr__(self, "args", tuple(args))


Type = Kind
Undefined = object()  # the value of a constant whose parts are set later


@dataclass(frozen=True)
class Constant:
    """A number that is known now."""

    type: Any
    constant: Any


@dataclass(frozen=True)
class InlineAsm:
    """Instructions of PTX. constraint: LLVM's, results first; side_effect: it is neither dropped nor merged."""

    ftype: FunctionType
    asm: str
    constraint: str
    side_effect: bool = False
