"""What Python itself computes when it compiles a function: numba reads the bytecode, and finds the result there.

So `2 ** -1` is 0.5 in a kernel, although int64 to the power of int64 is int64, and "ab" + "c" is text that the source
names, although no kernel can join texts.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

OPERATORS: dict[type[ast.AST], Callable] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.BitAnd: operator.and_,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
MOST_BITS = 128  # as Python's own compiler reckons them; numba refuses what comes of it and has more than 64
MOST_LETTERS = 4096  # as in Python's own compiler
NOTHING = object()


def folded(node: ast.expr) -> ast.expr:
    """The constant that Python makes of an expression of constants; any other expression as it is."""
    if isinstance(node, ast.Constant) or (value := _value(node)) is NOTHING:
        return node
    return ast.copy_location(ast.Constant(value), node)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        operands = [_value(node.left), _value(node.right)]
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        operands = [_value(node.operand)]
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Constant):
        operands = [node.value.value, _value(node.slice)]
    else:
        return NOTHING
    if any(one is NOTHING or one is None or one is Ellipsis for one in operands) or _is_large(node, operands):
        return NOTHING
    apply = operator.getitem if isinstance(node, ast.Subscript) else OPERATORS.get(type(node.op))
    try:
        value = apply(*operands) if apply else NOTHING
    except (ArithmeticError, TypeError, ValueError, LookupError):
        return NOTHING  # which the kernel meets when it runs
    too_large = isinstance(value, tuple | bytes) or isinstance(value, str) and len(value) > MOST_LETTERS
    return NOTHING if too_large else value


def _is_large(node: ast.expr, operands: list) -> bool:
    """Whether the result is not worth trying for: a power, a shift or a repetition of any size can be written."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Pow | ast.LShift | ast.Mult | ast.Mod):
        return False
    left, right = operands
    if isinstance(node.op, ast.Mod):
        return isinstance(left, str | bytes)
    if isinstance(left, str | bytes) or isinstance(right, str | bytes):
        return any(isinstance(one, int) and one > MOST_LETTERS for one in operands)
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    bits = left.bit_length()
    return {ast.Pow: bits * right, ast.LShift: bits + right}.get(type(node.op), bits + right.bit_length()) > MOST_BITS
