"""numba's typing rules for scalars, as tables over NumPy dtypes.

They differ from NumPy's: int32 * int32 is int64, float32 + 1 is float64. Checked against numba's own inference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, OperandError
from simt.refusals import numbers, types
from simt.values.bfloat16 import common, is_bfloat16
from simt.values.conversions import to_integer

if TYPE_CHECKING:
    from simt.values import Value

B1, I32, U32, I64, U64 = (np.dtype(char) for char in ("?", "i4", "u4", "i8", "u8"))
F16, F32, F64, C64, C128 = (np.dtype(char) for char in ("f2", "f4", "f8", "c8", "c16"))

SMALL_INTEGERS = {"?", "b", "h", "B"}  # with float32 these stay float32; wider ones (and uint16) give float64
INTEGER_KINDS = "biu"


def arith_dtype(left: np.dtype, right: np.dtype) -> np.dtype:
    """Type in which numba computes ``left + right`` (also -, * and comparisons of mixed kinds)."""
    if "V" in (left.kind, right.kind) and (of_bfloat16 := common(left, right)) is not None:
        return of_bfloat16
    if left.kind in INTEGER_KINDS and right.kind in INTEGER_KINDS:
        return U64 if left.kind == "u" and right.kind == "u" else I64
    if left.kind == "c" or right.kind == "c":
        return _complex_dtype(left, right)
    if left.kind == "f" and right.kind == "f":
        return left if left.itemsize >= right.itemsize else right
    real, integer = (left, right) if left.kind == "f" else (right, left)
    if real.kind != "f" or integer.kind not in INTEGER_KINDS:
        between = " and ".join("a record" if dtype.names else str(dtype) for dtype in (left, right))
        raise KernelTypeError(f"there is no arithmetic between {between}: take a field of the record first")
    if real.itemsize == 8:
        return F64
    if real.itemsize == 4:
        return F32 if integer.char in SMALL_INTEGERS else F64
    if integer.char in "?b":
        return real
    return F32 if integer.char in SMALL_INTEGERS else F64


def is_half(dtype: np.dtype) -> bool:
    """Whether a float has 16 bits, of either kind."""
    return dtype == F16 or is_bfloat16(dtype)


def _complex_dtype(left: np.dtype, right: np.dtype) -> np.dtype:
    other, complex_ = (right, left) if left.kind == "c" else (left, right)
    wide = (
        complex_.itemsize == 16
        or (other.kind == "c" and other.itemsize == 16)
        or other.char == "d"
        or (other.kind in "iu" and other.char not in SMALL_INTEGERS)
    )
    return C128 if wide else C64


def unify_dtype(left: np.dtype, right: np.dtype) -> np.dtype:
    """Type of one variable that is assigned both on different paths; ``s = 0`` then ``s += float32`` gives float64."""
    if left == right:
        return left
    if "V" in (left.kind, right.kind):
        return arith_dtype(left, right)
    if left.kind == "b":
        return right
    if right.kind == "b":
        return left
    same_family = (left.kind in "iu" and right.kind in "iu") or (left.kind == "f" and right.kind == "f")
    if same_family or "c" in (left.kind, right.kind):
        return np.promote_types(left, right)
    return arith_dtype(left, right)


def operand_dtype(operator: str, left: np.dtype, right: np.dtype) -> np.dtype | None:
    """Type both operands are cast to before the operator is applied; None leaves that to NumPy."""
    if left.kind in "mM" or right.kind in "mM":
        return None
    if operator in ("+", "-", "*"):
        return arith_dtype(left, right)
    if operator == "/":
        both = arith_dtype(left, right)
        return F64 if both.kind in "iu" else both
    if operator in ("//", "%"):
        both = arith_dtype(left, right)
        if both.kind == "c":
            raise KernelTypeError(f"`{operator}` is not defined for complex numbers: take .real or .imag first")
        return F32 if is_half(both) else both
    if operator == "**":
        if is_bfloat16(left) and right.kind in INTEGER_KINDS:
            return F32
        if (left.kind == "f" and left.itemsize <= 4 and right.kind in INTEGER_KINDS) or (left == B1 and right == I32):
            return F32
        both = arith_dtype(left, right)
        return F32 if is_half(both) else both
    if operator in ("<<", ">>", "&", "|", "^"):
        return _bitwise_dtype(operator, left, right)
    if "V" in (left.kind, right.kind):
        return arith_dtype(left, right)
    if {left.kind, right.kind} == {"i", "u"} and U64 in (left, right):
        return F64  # numba compares them as floats, which rounds what needs more than 53 bits
    return None


def _bitwise_dtype(operator: str, left: np.dtype, right: np.dtype) -> np.dtype:
    if left.kind not in INTEGER_KINDS or right.kind not in INTEGER_KINDS:
        raise OperandError(types.operator(operator, str(left), str(right)), operator, left, right)
    if operator in ("<<", ">>"):
        return U64 if left.kind == "u" else I64
    return B1 if left.kind == "b" and right.kind == "b" else arith_dtype(left, right)


def minmax_dtype(left: np.dtype, right: np.dtype) -> np.dtype:
    """Type of min and max: NumPy's promotion."""
    if "V" in (left.kind, right.kind):
        return arith_dtype(left, right)
    return np.promote_types(left, right)


def rounded_dtype(value: np.dtype) -> np.dtype:
    """Type of ``round(value, digits)``: a float even where the value is an integer."""
    return F32 if value.kind == "b" or (value.kind == "f" and value.itemsize <= 4) else F64


def range_dtype(bounds: tuple[np.dtype, ...]) -> np.dtype:
    """Type of the variable of ``for k in range(...)``."""
    if len(bounds) == 1:
        if bounds[0].kind == "u":
            return U64
        if bounds[0].kind == "f" or (bounds[0].kind == "i" and bounds[0].itemsize <= 4):
            return I32
    return I64


def cast(value: Value, dtype: np.dtype):
    """`value` as `dtype`; the same object when it already is."""
    if value.dtype is dtype or value.dtype == dtype:
        return value
    if value.dtype.kind == "V" and is_bfloat16(value.dtype) and dtype.kind in "iub":
        value = value.astype(F16 if dtype.kind == "b" else F32)
    if value.dtype.kind == "f" and dtype.kind in "iub":
        if dtype.kind != "b":
            return to_integer(value, dtype)
        if value.dtype == F16:
            raise KernelTypeError(numbers.half_for_condition())
    if value.dtype.kind == "c" and dtype.kind in "iuf":
        raise KernelTypeError(numbers.complex_for_real(str(dtype)))
    return value.astype(dtype)


def as_float(value: Value):
    """What math.* computes with: integers become float64, floats and complex numbers stay."""
    return value if value.dtype.kind in "fc" or is_bfloat16(value.dtype) else value.astype(F64)


def float_dtype(operands: tuple[np.dtype, ...]) -> np.dtype:
    """Type of math functions of several operands: float32 if all are floats of 32 bits or small integers."""
    small = all(
        dtype.char in SMALL_INTEGERS or is_bfloat16(dtype) or (dtype.kind == "f" and dtype.itemsize <= 4)
        for dtype in operands
    )
    return F32 if small else F64


TESTS_OF_TIMES = (np.isnan, np.isnat)  # of a date or a span of time in its own unit


def ufunc_loop(ufunc: np.ufunc, operands: tuple[np.dtype, ...]) -> tuple[np.dtype, ...]:
    """Types to which numba casts the operands of a NumPy function: those of its first loop that takes them.

    Integers beside floats may lose precision: np.add(int64, float32) is float32.
    """
    if ufunc in TESTS_OF_TIMES and all(dtype.kind in "mM" for dtype in operands):
        return operands
    mixed = any(dtype.kind in "fc" for dtype in operands) and any(dtype.kind in INTEGER_KINDS for dtype in operands)
    for loop in ufunc.types:
        inputs = tuple(np.dtype(char) for char in loop[: ufunc.nin])
        exact = any(dtype.kind in INTEGER_KINDS for dtype in inputs)
        if F16 in inputs or loop[0] in "gGO" or (ufunc is np.true_divide and exact):
            continue
        if all(
            np.can_cast(dtype, target) or (mixed and dtype.kind in INTEGER_KINDS and target.kind in "fc")
            for dtype, target in zip(operands, inputs, strict=True)
        ):
            return inputs
    raise KernelTypeError(f"np.{ufunc.__name__} takes no {' and '.join(map(str, operands))}")
