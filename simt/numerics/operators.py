"""Operators with numba's types. A plan per pair of operand types is cached, so the usual call compares no dtypes."""

from __future__ import annotations

import ast
import enum
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError, UnsupportedError
from simt.numerics.division import float_quotient, float_remainder, integer_quotient
from simt.numerics.powers import float_power, integer_power
from simt.refusals import language, numbers
from simt.values import member_as_number, number
from simt.values.numba_rules import B1, I64, INTEGER_KINDS, U64, cast, operand_dtype
from simt.values.vectors import Vector

if TYPE_CHECKING:
    from simt.values import Value

SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip

UFUNCS = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide, "//": np.floor_divide, "%": np.remainder,
    "**": np.power, "<<": np.left_shift, ">>": np.right_shift, "&": np.bitwise_and, "|": np.bitwise_or,
    "^": np.bitwise_xor, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "==": np.equal, "!=": np.not_equal,
}  # fmt: skip

# Python's own operators are faster than ufuncs on two NumPy scalars.
SCALAR_OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip

ORDERINGS: dict[str, Callable] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NUMBERS = (np.ndarray, np.generic)
_plans: dict[tuple, tuple] = {}  # (symbol, type of left, type of right) -> (cast left to, cast right to, function)


def binary(symbol: str, left, right):
    """``left symbol right``, for scalars, lane arrays, tuples and enum members."""
    type_left, type_right = type(left), type(right)
    try:
        key = (
            symbol,
            left.dtype.char if type_left is np.ndarray else type_left,
            right.dtype.char if type_right is np.ndarray else type_right,
        )
        plan = _plans.get(key)
        if plan is None:
            plan = _plans[key] = _plan(symbol, left, right)
    except AttributeError:
        return _binary_on_objects(symbol, left, right)
    cast_left, cast_right, function = plan
    if cast_left is not None:
        left = left.astype(cast_left)
    if cast_right is not None:
        right = right.astype(cast_right)
    return function(left, right)


def _plan(symbol: str, left, right) -> tuple:
    """Raises: TypeError for a whole array, for which the statement that has it finds words."""
    types = left.dtype, right.dtype  # tuples and the like have none
    if not (isinstance(left, NUMBERS) and isinstance(right, NUMBERS)) and symbol in ("==", "!="):
        raise TypeError(symbol)
    common = operand_dtype(symbol, *types)
    function: Callable = UFUNCS[symbol]
    if symbol in ORDERINGS and "c" in (left.dtype.kind, right.dtype.kind):
        raise KernelTypeError(numbers.no_order(symbol, str(left.dtype), str(right.dtype)))
    if symbol == "**" and common is not None and right.dtype.kind in INTEGER_KINDS and common.kind in "iuf":
        whole = U64 if right.dtype.kind == "u" else I64  # the exponent keeps its sign
        function = float_power if common.kind == "f" else integer_power
        return _cast_to(left, common), _cast_to(right, whole), function
    if symbol in ("<<", ">>") and common is not None:
        return _cast_to(left, common), _cast_to(right, common), _shift(UFUNCS[symbol])
    if symbol == "//" and common is not None:
        function = float_quotient if common.kind == "f" else integer_quotient
    elif symbol == "%" and common is not None and common.kind == "f":
        function = float_remainder
    elif type(left) is not np.ndarray and type(right) is not np.ndarray:
        function = SCALAR_OPERATORS.get(symbol, function)
    return _cast_to(left, common), _cast_to(right, common), function


def _cast_to(value, dtype: np.dtype | None) -> np.dtype | None:
    """The type to cast to; None where that changes nothing."""
    return dtype if dtype is not None and value.dtype != dtype else None


def _shift(ufunc: np.ufunc) -> Callable:
    """The GPU reads the low 32 bits of how far to shift, and from 64 on nothing is left but the sign."""
    return lambda value, amount: ufunc(value, amount & amount.dtype.type(0xFFFFFFFF))


def _binary_on_objects(symbol: str, left, right):
    if isinstance(left, Vector) or isinstance(right, Vector):
        raise UnsupportedError(f"vectors have no `{symbol}`: work on their parts, .x and so on")
    if isinstance(left, tuple) and isinstance(right, tuple):
        if symbol == "+":
            return tuple(left) + tuple(right)
        if symbol in ("==", "!="):
            equal = np.bool_(len(left) == len(right))
            for a, b in zip(left, right, strict=False):
                equal = equal & binary("==", a, b)
            return equal if symbol == "==" else ~equal
        if symbol in ORDERINGS:
            return _in_order(symbol, left, right)
    if symbol == "*" and isinstance(left, tuple) and isinstance(right, np.integer):
        return tuple(left) * int(right)
    if symbol in ("==", "!=") and (left is None or right is None):
        return np.bool_((left is right) == (symbol == "=="))
    if symbol in ("==", "!=") and not hasattr(left, "dtype") and not hasattr(right, "dtype"):
        return np.bool_((left == right) == (symbol == "=="))
    if symbol in ORDERINGS and type(left) is type(right) and isinstance(left, str):
        return np.bool_(ORDERINGS[symbol](left, right))
    if number(left) is not left or number(right) is not right:
        for member, other in ((left, right), (right, left)):
            if isinstance(member, enum.IntEnum) and getattr(other, "dtype", B1).kind in "fc":
                raise UnsupportedError(numbers.member_as_float(member, str(other.dtype)))
        return binary(symbol, number(left), number(right))
    if isinstance(left, str) or isinstance(right, str):
        raise UnsupportedError(language.text(printed=False))
    raise UnsupportedError(numbers.no_operator(symbol, _kind(left), _kind(right)))


def _in_order(symbol: str, left: tuple, right: tuple):
    """Tuples compare by the first items that differ, or by their lengths where none does."""
    if not left or not right:
        return np.bool_(ORDERINGS[symbol](len(left), len(right)))
    later = _in_order(symbol, left[1:], right[1:])
    return (binary("==", left[0], right[0]) & later) | binary(symbol[0], left[0], right[0])


def _kind(value: Value) -> str:
    return str(value.dtype) if isinstance(value, (np.generic, np.ndarray)) else type(value).__name__


def negate(value: Value):
    """-value, in the type of value; then integers become int64 (uint64 when unsigned), so -uint8(1) is 255."""
    return _widened(-_number(member_as_number(value)))


def positive(value: Value):
    """+value, widened like -value. Raises: TypeError for a whole array."""
    value = member_as_number(value)
    if not isinstance(value, NUMBERS):
        raise TypeError("+")
    return _widened(value)


def invert(value: Value):
    """~value, in the type of value; then integers widen. bool stays bool."""
    value = member_as_number(value)
    if value.dtype.kind not in "biu":
        raise KernelTypeError(f"`~` needs an integer, and this is a {value.dtype}")
    return ~value if value.dtype == B1 else _widened(~value)


def _number(value: Value):
    """The value; a bool as int64."""
    return cast(value, I64) if value.dtype == B1 else value


def _widened(value: Value):
    if value.dtype.kind in "biu":
        return cast(value, U64 if value.dtype.kind == "u" else I64)
    return value
