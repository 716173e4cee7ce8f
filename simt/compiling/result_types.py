"""The type that an expression would have, without evaluating it: of the side of ``a if c else b`` that no lane takes.

numba knows both types when it compiles, and unifies them; a value here has a type once it is computed. Known are names,
literals, elements of arrays, operators, conversions and the usual functions; for anything else the answer is None.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.memory.arrays import Array
from simt.numerics.operators import SYMBOLS
from simt.source.folding import folded
from simt.source.recognise import CudaName, dtype_of, is_numba_type
from simt.threads.positions import REGISTERS
from simt.values import UNDEFINED, wrap
from simt.values.numba_rules import (
    B1,
    F64,
    I32,
    I64,
    U64,
    as_float,
    float_dtype,
    minmax_dtype,
    operand_dtype,
    rounded_dtype,
    unify_dtype,
)

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env
    from simt.values import Value

TypeOf = Callable[["Env"], np.dtype | None]
ONE_FLOAT = ("sqrt", "floor", "ceil", "trunc", "fabs", "exp", "log", "sin", "cos", "tan", "log2", "log10", "tanh")
FLOATS = ("fmod", "copysign", "hypot", "atan2")


def nothing(env: Env) -> np.dtype | None:
    """The type of what is not known."""
    return None


def type_of(compiler: Compiler, node: ast.expr) -> TypeOf:
    """f(env) -> the dtype the expression would have there, or None."""
    node = folded(node)
    find = FINDERS.get(type(node))
    found = find(compiler, node) if find is not None else None
    return found or nothing


def _constant(compiler: Compiler, node: ast.Constant):
    return _of_value(wrap(node.value))


def _of_value(value: Value):
    dtype = value.dtype if isinstance(value, np.generic) else None
    return lambda env: dtype


def _name(compiler: Compiler, node: ast.Name):
    if node.id not in compiler.locals:
        return _of_value(wrap(compiler.static(node)))

    def find(env: Env):
        value = env.get(node.id)
        return value.dtype if isinstance(value, (np.ndarray, np.generic)) else None

    return find


def _attribute(compiler: Compiler, node: ast.Attribute):
    value = compiler.static(node)
    if isinstance(value, CudaName):
        is_register = value.path.split(".")[0] in (*REGISTERS, "laneid", "warpsize")
        return lambda env: I32 if is_register else None
    if value is not UNDEFINED:
        return _of_value(wrap(value))
    return (lambda env: I64) if node.attr in ("size", "ndim") else None


def _subscript(compiler: Compiler, node: ast.Subscript):
    if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        return lambda env: I64
    if not isinstance(node.value, ast.Name):
        return None
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(index, ast.Slice) for index in indices):
        return None
    name, is_local = node.value.id, node.value.id in compiler.locals
    table = None if is_local else compiler.static(node.value)

    def find(env: Env):
        array = env.get(name) if is_local else table
        is_array = isinstance(array, (Array, np.ndarray))
        return array.dtype if is_array and array.ndim == len(indices) else None

    return find


def joined(types: list[TypeOf], combine) -> TypeOf:
    """combine(*dtypes) where all of them are known and may be combined."""

    def find(env: Env):
        dtypes = [one(env) for one in types]
        if any(dtype is None for dtype in dtypes):
            return None
        try:
            return combine(*dtypes)
        except (KernelTypeError, TypeError):
            return None

    return find


def _binary(compiler: Compiler, node: ast.BinOp):
    symbol = SYMBOLS.get(type(node.op))
    types = [type_of(compiler, node.left), type_of(compiler, node.right)]
    return joined(types, lambda left, right: operand_dtype(symbol, left, right)) if symbol else None


def _unary(compiler: Compiler, node: ast.UnaryOp):
    if isinstance(node.op, ast.Not):
        return lambda env: B1
    keeps_bool = isinstance(node.op, ast.Invert)
    return joined(
        [type_of(compiler, node.operand)], lambda dtype: dtype if keeps_bool and dtype == B1 else _widened(dtype)
    )


def _widened(dtype: np.dtype) -> np.dtype:
    return (U64 if dtype.kind == "u" else I64) if dtype.kind in "biu" else dtype


def _comparison(compiler: Compiler, node: ast.Compare):
    return lambda env: B1


def _conditional(compiler: Compiler, node: ast.IfExp):
    return joined([type_of(compiler, node.body), type_of(compiler, node.orelse)], unify_dtype)


def _call(compiler: Compiler, node: ast.Call):
    function = compiler.static(node.func)
    if function is UNDEFINED or node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    types = [type_of(compiler, argument) for argument in node.args]
    combine = _converted(function) or _computed(function)
    return joined(types, combine) if combine and types else None


def _converted(function):
    """A type called as a function."""
    if (isinstance(function, type) and issubclass(function, np.generic)) or is_numba_type(function):
        dtype = dtype_of(function)
        return lambda *operands: dtype
    return {
        builtins.bool: lambda value: B1,
        builtins.round: lambda value, *digits: rounded_dtype(value) if digits else I64,
        builtins.int: lambda value: value if value.kind in "iu" else I64,
        builtins.float: lambda value: value if value.kind == "f" else F64,
    }.get(function if isinstance(function, type) or callable(function) else None)


def _computed(function):
    """A function of numbers."""
    if function in (builtins.min, builtins.max):
        return lambda *operands: _fold(minmax_dtype, operands)
    if function is builtins.abs:
        return lambda value: value if value.kind in "iuf" else None
    if function in tuple(getattr(math, name) for name in ONE_FLOAT):
        return lambda value: as_float(np.zeros((), value)).dtype
    if function in tuple(getattr(math, name) for name in FLOATS):
        return lambda *operands: float_dtype(operands)
    return None


def _fold(combine, operands):
    result, *others = operands
    for operand in others:
        result = combine(result, operand)
    return result


FINDERS: dict[type, Callable] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.Call: _call,
}
