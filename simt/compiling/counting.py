"""Tells listeners which arithmetic the source asks for. Where no listener asks, a launch compiles to none of this."""

from __future__ import annotations

import ast
import cmath
import math
import operator
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from simt.memory.arrays import Array
from simt.numerics import bits, float16, libdevice
from simt.numerics.operators import SYMBOLS
from simt.source.recognise import CudaName
from simt.values import UNDEFINED, is_lane

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place
    from simt.values import Value

CUDA_FUNCTIONS = frozenset((*float16.INTRINSICS, *libdevice.INTRINSICS, *bits.INTRINSICS)) - {"selp", "nanosleep"}
HOST_FUNCTIONS = frozenset(
    function for module in (math, cmath, operator) for function in vars(module).values() if callable(function)
) | {pow, divmod}


class Told(IntEnum):
    """How much a launch tells: nothing, every event but arithmetic, or every event."""

    NOTHING = 0
    EVENTS = 1
    ARITHMETIC = 2


def place_of(compiler: Compiler, node: ast.expr | ast.stmt, *operands: ast.AST):
    """The place of an operation that somebody counts, or None. What is constant, the compiler works out beforehand."""
    if compiler.traced < Told.ARITHMETIC or all(_constant(compiler, operand) is not None for operand in operands):
        return None
    return compiler.place(node)


def counted_operator(compiler: Compiler, node: ast.BinOp, run):
    """The closure of an operator, which tells if somebody counts."""
    place = place_of(compiler, node, node.left, node.right)
    return run if place is None else _telling(run, place, operation_of(compiler, node.op, node.right))


def counted_call(compiler: Compiler, node: ast.Call, function, run):
    """The closure of a call, which tells if it is of a function of numbers and somebody counts."""
    name = _function_name(function)
    place = place_of(compiler, node, *node.args) if name else None
    return run if place is None else _telling(run, place, name)


def operation_of(compiler: Compiler, symbol: ast.operator, right: ast.AST) -> str:
    """What an operator is called in events: "+" and so on, and "**3" for a power known at compile time."""
    text = SYMBOLS[type(symbol)]
    exponent = _constant(compiler, right) if text == "**" else None
    return f"**{exponent}" if isinstance(exponent, int) and not isinstance(exponent, bool) else text


def _telling(run, place: Place, operation: str) -> Run:
    joins = operation in ("+", "*")  # what Python does with tuples, too

    def tell(env: Env, mask: Mask):
        value = run(env, mask)
        if joins and isinstance(value, tuple):
            return value  # two tuples put together
        if type(value) is np.ndarray:
            env.batch.emit.arithmetic(place, operation, value.dtype, mask.count)
        else:
            tell_of(env, mask, place, operation, value)
        return value

    return tell


def tell_of(env: Env, mask: Mask, place: Place, operation: str, value: Value) -> None:
    """Tell of an operation whose result was just computed: a number, several of them, or an array of results."""
    times = 1
    if isinstance(value, Array):
        times = 0 if any(is_lane(extent) for extent in value.shape) else math.prod(map(int, value.shape))
    elif isinstance(value, tuple):
        value = value[0] if value else None
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        env.batch.emit.arithmetic(place, operation, dtype, times * mask.count)


def _function_name(function) -> str:
    """The name of a function of numbers, as in "sqrt"; "" for any other."""
    if isinstance(function, CudaName):
        return function.path.rsplit(".", 1)[-1] if function.path in CUDA_FUNCTIONS else ""
    try:
        known = isinstance(function, np.ufunc) or function in HOST_FUNCTIONS
    except TypeError:
        known = False
    return function.__name__ if known else ""


def _constant(compiler: Compiler, node: ast.AST):
    """What an expression is when the kernel is compiled; None when that is not known then."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.Name, ast.Attribute)):
        value = compiler.static(node)
        return value if isinstance(value, (int, float, complex, np.generic)) and value is not UNDEFINED else None
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        parts = [_constant(compiler, part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return None if None in parts else math.nan
    return None
