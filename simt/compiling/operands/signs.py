"""`>>` of a product that has overflowed: where no operand can be negative, the GPU shifts zeros in.

numba tells LLVM that signed arithmetic does not overflow. So a sum or a product of numbers that cannot be negative (of
unsigned ones, as `uint32(x) * 0x9E3779B1`, of constants, of `x & 255`, of one number with itself) counts as positive,
and its shift becomes that of an unsigned number. Overflow may have set the sign all the same, and then the two differ.
What LLVM learns from a condition is not known here; nor does it use that of a product.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.values import UNDEFINED
from simt.values.numba_rules import I64, U64

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask

Known = Callable[["Env", "Mask"], bool]
NARROW = ("uint8", "uint16", "uint32", "bool")  # an int64 made of one is not negative
GROWS = (ast.Mult, ast.Add)
MOST = int(np.iinfo(np.int64).max)


def shifted(compiler: Compiler, node: ast.BinOp, shift: Callable) -> Callable:
    """The closure of `left >> right` for operands that are known. shift: for all other values of the left one."""
    positive = _never_negative(compiler, node.left, frozenset()) if _may_overflow(compiler, node.left) else None
    if positive is None:
        return lambda env, mask, left, right: shift(left, right)

    def run(env: Env, mask: Mask, left: Any, right: Any) -> Any:
        if getattr(left, "dtype", None) == I64 and np.any(left < 0) and positive(env, mask):
            return shift(left.astype(U64), right).astype(I64)
        return shift(left, right)

    return run


def _may_overflow(compiler: Compiler, node: ast.expr) -> bool:
    """Whether a sum or a product is behind an expression, perhaps by the name of a variable."""
    value = _only_value(compiler, node.id) if isinstance(node, ast.Name) else node
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, GROWS) for part in ast.walk(value or node))


def _never_negative(compiler: Compiler, node: ast.expr, seen: frozenset[str]) -> Known | None:
    """Whether LLVM sees that an integer is not negative: what says so when the types are there; None for never."""
    constant = _constant(compiler, node)
    if constant is not UNDEFINED:
        whole = isinstance(constant, int | np.integer) and 0 <= constant <= MOST  # beyond, it is a negative int64
        return (lambda env, mask: True) if whole else None
    if isinstance(node, ast.Name):
        return _of_name(compiler, node, seen)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        array = compiler.expression(node.value)
        return lambda env, mask: _is_narrow(array(env, mask))
    if isinstance(node, ast.Call):
        made = compiler.static(node.func)
        name = getattr(made, "name", "") or getattr(made, "__name__", "")
        return (lambda env, mask: True) if name.rpartition(".")[2] in NARROW else None
    return _of_operands(compiler, node, seen) if isinstance(node, ast.BinOp) else None


def _of_name(compiler: Compiler, node: ast.Name, seen: frozenset[str]) -> Known | None:
    """A variable: by its type, or by the one value that it is ever given."""
    read, value = compiler.expression(node), None if node.id in seen else _only_value(compiler, node.id)
    behind = None if value is None else _never_negative(compiler, value, seen | {node.id})
    return lambda env, mask: _is_narrow(read(env, mask)) or behind is not None and behind(env, mask)


def _of_operands(compiler: Compiler, node: ast.BinOp, seen: frozenset[str]) -> Known | None:
    """`&` needs one side, `>>` the left one, a product of a number with itself none, others both."""
    if isinstance(node.op, ast.Mult) and _constant_factors(compiler, node) > 1:
        return None  # which the compiler makes one of, and forgets what it knew of the product
    left, right = (_never_negative(compiler, side, seen) for side in (node.left, node.right))
    if isinstance(node.op, ast.Mult) and ast.unparse(node.left) == ast.unparse(node.right):
        return lambda env, mask: True
    if isinstance(node.op, ast.RShift):
        return left
    if isinstance(node.op, ast.BitAnd):
        return _any_of(left, right)
    if isinstance(node.op, (*GROWS, ast.BitOr, ast.BitXor)) and left is not None and right is not None:
        return lambda env, mask: left(env, mask) and right(env, mask)
    return None


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


def _constant_factors(compiler: Compiler, node: ast.expr) -> int:
    """How many constants are among the factors of a product."""
    if _constant(compiler, node) is not UNDEFINED:
        return 1
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return 0
    return sum(_constant_factors(compiler, side) for side in (node.left, node.right))


def _any_of(left: Known | None, right: Known | None) -> Known | None:
    sides = [side for side in (left, right) if side is not None]
    return (lambda env, mask: any(side(env, mask) for side in sides)) if sides else None


def _only_value(compiler: Compiler, name: str) -> ast.expr | None:
    """What a variable is assigned, where that happens in one place of the function and nowhere else."""
    if name in compiler.parameters:
        return None
    stores = [
        part
        for node in compiler.own_nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part.id == name
    ]
    values = [
        node.value
        for node in compiler.own_nodes
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and ast.unparse(node.targets[0]) == name
    ]
    return values[0] if len(values) == 1 and len({id(one) for one in stores}) == 1 else None


def _is_narrow(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    return dtype is not None and (dtype.kind == "b" or dtype.kind == "u" and dtype.itemsize < U64.itemsize)
