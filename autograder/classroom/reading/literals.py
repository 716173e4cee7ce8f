"""A constant's assignment as text that computes nothing: numbers are written out as what they are worth.

What is left of a student's expression is a call of NumPy or numba by a name that an import bound, such as
``np.array((1, 2), dtype=np.float32)``, with numbers for arguments.
"""

from __future__ import annotations

import ast
import math
from typing import Any

from autograder.classroom.reading.constants import NotConstant, evaluate
from autograder.classroom.reading.scope import Scope

INFINITE = "1e999"  # Python's own spelling of a float that is too large


def as_literals(target: ast.expr, value: ast.expr, scope: Scope) -> str:
    """``PITCH = TILE + 1`` as ``PITCH = 33``. scope: as it is before the assignment. Raises: NotConstant."""
    return ast.unparse(ast.parse(f"{ast.unparse(target)} = {_written(value, scope)}"))


def _written(node: ast.expr, scope: Scope) -> str:
    """An expression's value as text. Raises: NotConstant."""
    try:
        value = evaluate(node, scope.known())
    except NotConstant:
        if isinstance(node, ast.Name | ast.Attribute):  # an import under another name, which has no value of its own
            return ast.unparse(node)
        raise
    match node:
        case ast.Tuple(elts=parts) if parts:
            return f"({', '.join(_written(part, scope) for part in parts)},)"
        case ast.List(elts=parts):
            return f"[{', '.join(_written(part, scope) for part in parts)}]"
    if text := literal(value):
        return text
    match node:
        case ast.Name() | ast.Attribute():
            return ast.unparse(node)
        case ast.Call(func=function, args=arguments, keywords=words):
            inside = [_written(argument, scope) for argument in arguments]
            inside += [f"{word.arg}={_written(word.value, scope)}" for word in words]
            return f"{ast.unparse(function)}({', '.join(inside)})"
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert() | ast.Not(), operand=operand):
            return f"({_sign(node.op)}{_written(operand, scope)})"
        case ast.BinOp(left=left, right=right):
            both = ast.BinOp(ast.Name("x"), node.op, ast.Name("y"))
            sign = ast.unparse(both).removeprefix("x ").removesuffix(" y")
            return f"({_written(left, scope)} {sign} {_written(right, scope)})"
    raise NotConstant("it cannot be written out")


def literal(value: Any) -> str:
    """A plain value as text; "" for NumPy's scalars, types and arrays, which no literal stands for."""
    if value is None or type(value) in (bool, str):
        return repr(value)
    if type(value) is int:
        return f"({value})" if value < 0 else str(value)
    if type(value) is float:
        if math.isnan(value):
            return f"({INFINITE} - {INFINITE})"
        text = repr(value) if math.isfinite(value) else f"{'-' if value < 0 else ''}{INFINITE}"
        return f"({text})" if text.startswith("-") else text
    if type(value) is tuple:
        parts = [literal(part) for part in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})" if all(parts) else ""
    return ""


def _sign(operation: ast.unaryop) -> str:
    return {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not "}[type(operation)]
