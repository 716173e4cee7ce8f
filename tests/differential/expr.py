"""What an expression of a generated program is, and the types numba gives to results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simt.values.numba_rules import minmax_dtype, operand_dtype, unify_dtype

SIGNED = ("int64", "int32", "int16", "int8")
UNSIGNED = ("uint32", "uint8", "uint16", "uint64")
FLOATS = ("float64", "float32")
COMPLEX = ("complex128", "complex64")
EXACT_BITS = {"complex128": 52, "complex64": 23}  # how wide whole numbers may get in a part of a complex number


@dataclass(frozen=True)
class Expr:
    """Text of an expression, safe to use as an operand, and the type numba gives it.

    product: a floating-point product or quotient, which a compiler may fuse with an addition, rounding once.
    bits: of an integer, a width its magnitude fits; of a complex number, that of its parts, counted in quarters.
    """

    text: str
    type: str
    product: bool = False
    bits: int = 64

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.type)


@dataclass(frozen=True)
class ArrayName:
    """An array that expressions may read. shape: extents, known when the program is written; bits: a width that the
    magnitude of its integers fits."""

    name: str
    type: str
    shape: tuple[int, ...]
    writable: bool = False
    bits: int = 64

    @property
    def itemsize(self) -> int:
        return np.dtype(self.type).itemsize


@dataclass(frozen=True)
class Function:
    """A device function: the types of its parameters, and of its result."""

    name: str
    parameters: tuple[str, ...]
    result: str


def width_of(type_name: str) -> int:
    """Bits that the magnitude of an integer of this type may need."""
    dtype = np.dtype(type_name)
    return 8 * dtype.itemsize - (dtype.kind == "i")


def kind_of(type_name: str) -> str:
    """ "i", "u", "b", "f" or "c"."""
    return np.dtype(type_name).kind


def is_integer(type_name: str) -> bool:
    return kind_of(type_name) in "iu"


def result_of(operator: str, left: str, right: str) -> str:
    """The type of ``left operator right``."""
    dtype = operand_dtype(operator, np.dtype(left), np.dtype(right))
    assert dtype is not None
    return dtype.name


def unified(left: str, right: str) -> str:
    """The type of ``left if condition else right``."""
    return unify_dtype(np.dtype(left), np.dtype(right)).name


def promoted(left: str, right: str) -> str:
    """The type of ``min(left, right)``."""
    return minmax_dtype(np.dtype(left), np.dtype(right)).name
