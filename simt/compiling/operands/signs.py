"""`>>` of a product that has overflowed: where no operand can be negative, the GPU shifts zeros in.

numba tells LLVM that signed arithmetic does not overflow. So a sum or a product of numbers that cannot be negative (of
unsigned ones, as `uint32(x) * 0x9E3779B1`, of constants, of `x & 255`, of one number with itself) counts as positive,
and its shift becomes that of an unsigned number. Overflow may have set the sign all the same, and then the two differ.
A variable is what it was set to last, and what a loop adds to one in every iteration keeps it positive. What LLVM
learns from a condition is not known here; nor does it use that of a product.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.source.reaching import GROWS
from simt.source.walking import walk
from simt.values import UNDEFINED
from simt.values.numba_rules import I64, U64

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask

Known = Callable[["Env", "Mask"], bool]
NARROW = ("uint8", "uint16", "uint32", "bool")  # an int64 made of one is not negative
MOST = int(np.iinfo(np.int64).max)


def shifted(compiler: Compiler, node: ast.BinOp | ast.AugAssign, shift: Callable) -> Callable:
    """The closure of `left >> right` for operands that are known. shift: for all other values of the left one."""
    left_side = node.left if isinstance(node, ast.BinOp) else node.target
    at = node if isinstance(node, ast.stmt) else compiler.assignments.statement_of(node)
    positive = _never_negative(compiler, left_side, at) if _may_overflow(compiler, left_side) else None
    if positive is None:
        return lambda env, mask, left, right: shift(left, right)

    def run(env: Env, mask: Mask, left: Any, right: Any) -> Any:
        if getattr(left, "dtype", None) == I64 and np.any(left < 0) and positive(env, mask):
            return shift(left.astype(U64), right).astype(I64)
        return shift(left, right)

    return run


def _may_overflow(compiler: Compiler, node: ast.expr) -> bool:
    """Whether a sum or a product is behind an expression, perhaps by the names of variables."""
    sums = any(isinstance(part, ast.BinOp) and isinstance(part.op, GROWS) for part in walk(node))
    return sums or any(isinstance(part, ast.Name) and part.id in compiler.assignments.grown for part in walk(node))


def _never_negative(compiler: Compiler, node: ast.expr, at: ast.stmt | None) -> Known | None:
    """Whether LLVM sees that an integer is not negative: what says so when the types are there; None for never.

    at: the statement before which variables have the values that the expression is made of.
    """
    constant = _constant(compiler, node)
    if constant is not UNDEFINED:
        whole = isinstance(constant, int | np.integer) and 0 <= constant <= MOST  # beyond, it is a negative int64
        return (lambda env, mask: True) if whole else None
    if isinstance(node, ast.Name):
        return _of_name(compiler, node.id, at)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        array = compiler.expression(node.value)
        return lambda env, mask: _is_narrow(array(env, mask))
    if isinstance(node, ast.Call):
        made = compiler.static(node.func)
        name = getattr(made, "name", "") or getattr(made, "__name__", "")
        return (lambda env, mask: True) if name.rpartition(".")[2] in NARROW else None
    return _of_operands(compiler, node, at) if isinstance(node, ast.BinOp) else None


def _of_name(compiler: Compiler, name: str, at: ast.stmt | None) -> Known:
    """A variable: by its type, or by the value that it was given last, and what a loop has added to that since."""
    read = compiler.expression(ast.Name(name, ast.Load()))
    found = compiler.assignments.before(name, at) if at is not None else None
    if found is None:
        only = None if at is None or name in compiler.parameters else compiler.assignments.only(name)
        behind = None if only is None else _never_negative(compiler, only, None)
    elif found.before is None:
        behind = _never_negative(compiler, found.value, found.statement)
    else:
        assert isinstance(found.value, ast.BinOp)
        start = compiler.assignments.before_turns(name, found.before)
        first = None if start is None else _never_negative(compiler, start.value, start.statement)
        behind = _both(first, _never_negative(compiler, found.value.right, found.statement))
    return lambda env, mask: _is_narrow(read(env, mask)) or behind is not None and behind(env, mask)


def _both(left: Known | None, right: Known | None) -> Known | None:
    if left is None or right is None:
        return None
    return lambda env, mask: left(env, mask) and right(env, mask)


def _of_operands(compiler: Compiler, node: ast.BinOp, at: ast.stmt | None) -> Known | None:
    """`&` needs one side, `>>` the left one, a product of a number with itself none, others both."""
    if isinstance(node.op, ast.Mult) and _constant_factors(compiler, node, at) > 1:
        return None  # which the compiler makes one of, and forgets what it knew of the product
    left, right = (_never_negative(compiler, side, at) for side in (node.left, node.right))
    if isinstance(node.op, ast.Mult) and ast.unparse(node.left) == ast.unparse(node.right):
        return lambda env, mask: True
    if isinstance(node.op, ast.RShift):
        return left
    if isinstance(node.op, ast.BitAnd):
        return _any_of(left, right)
    return _both(left, right) if isinstance(node.op, (*GROWS, ast.BitOr, ast.BitXor)) else None


def _constant(compiler: Compiler, node: ast.expr) -> Any:
    """What an expression is for all threads, worked out in 64 bits; UNDEFINED where it is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, GROWS):
        sides = [_constant(compiler, side) for side in (node.left, node.right)]
        if not all(isinstance(side, int | np.integer) for side in sides):
            return UNDEFINED
        left, right = map(int, sides)
        whole = left * right if isinstance(node.op, ast.Mult) else left + right
        return (whole + MOST + 1) % (2 * (MOST + 1)) - MOST - 1
    return node.value if isinstance(node, ast.Constant) else compiler.static(node)


def _constant_factors(compiler: Compiler, node: ast.expr, at: ast.stmt | None) -> int:
    """How many constants are among the factors of a product, of those behind its names as well."""
    if _constant(compiler, node) is not UNDEFINED:
        return 1
    if isinstance(node, ast.Name) and at is not None:
        found = compiler.assignments.before(node.id, at)
        return 0 if found is None or found.before else _constant_factors(compiler, found.value, found.statement)
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return 0
    return sum(_constant_factors(compiler, side, at) for side in (node.left, node.right))


def _any_of(left: Known | None, right: Known | None) -> Known | None:
    sides = [side for side in (left, right) if side is not None]
    return (lambda env, mask: any(side(env, mask) for side in sides)) if sides else None


def _is_narrow(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    return dtype is not None and (dtype.kind == "b" or dtype.kind == "u" and dtype.itemsize < U64.itemsize)
