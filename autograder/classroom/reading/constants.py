"""Decide, without running anything, whether an expression is a constant, and what it is worth."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.classroom.reading import constant_arrays

LARGEST = 2**64  # no constant of a kernel is larger; keeps 10 ** 10 ** 10 from being computed
OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
ELEMENTWISE = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.UAdd)
FUNCTIONS = {"int": int, "float": float, "bool": bool, "min": min, "max": max, "abs": abs, "round": round, "len": len}
MATHEMATICS = {
    name: getattr(math, name)
    for name in ("ceil", "floor", "sqrt", "log2", "log", "log10", "exp", "inf", "nan", "pi", "e")
}


MAX_TEXT = 1000  # characters of a string
MAX_DIGITS = 100  # that round may be asked for, either side of the point
Known = Callable[[str], Any]  # the value, cast, function or maker behind a dotted name; KeyError where there is none


class NotConstant(Exception):
    """The expression needs code to run; the message says which part."""


def evaluate(node: ast.expr, known: Known) -> Any:
    """The value of a constant expression: literals, arithmetic, tuples, casts, and names in `known`.

    known: what a name stands for, functions to call (casts such as float32) included.
    Returns: int, float, bool, str, NumPy scalar or dtype, a tuple or a list of them, or a small array.
    Raises: NotConstant, with a clause that fits after "because".
    """
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None):
            return _bounded(node.value)
        case ast.Name() | ast.Attribute():
            return _look_up(node, known)
        case ast.Tuple(elts=parts):
            return tuple(evaluate(part, known) for part in parts)
        case ast.List(elts=parts):
            return [evaluate(part, known) for part in parts]
        case ast.UnaryOp(op=op, operand=operand):
            return _apply(op, [evaluate(operand, known)])
        case ast.BinOp(left=left, op=op, right=right):
            return _apply(op, [evaluate(left, known), evaluate(right, known)])
        case ast.Call(func=function, args=arguments, keywords=words) if all(word.arg for word in words):
            options = {word.arg: evaluate(word.value, known) for word in words}
            return _call(function, [evaluate(argument, known) for argument in arguments], options, known)
    raise NotConstant(f"`{quoted(node)}` is not a constant")


def dotted(node: ast.expr) -> str:
    """``np.float32`` as text; "" when the expression is not a chain of plain names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _look_up(node: ast.expr, known: Known) -> Any:
    try:
        return known(dotted(node))
    except KeyError:
        raise NotConstant(f"`{quoted(node)}` is not known without running the cell") from None


def _call(function: ast.expr, arguments: list[Any], options: dict[str, Any], known: Known) -> Any:
    target = _look_up(function, known) if dotted(function) else None
    if callable(target) and target in constant_arrays.MAKERS.values():
        return _guarded(lambda: constant_arrays.make(target, arguments, options))
    is_cast = isinstance(target, type) and issubclass(target, np.generic)
    is_function = callable(target) and (target in FUNCTIONS.values() or target in MATHEMATICS.values())
    if not (is_cast or is_function) or options:
        raise NotConstant(f"`{quoted(function)}(...)` is a call")
    if target is round and len(arguments) == 2 and not (_is_int(arguments[1]) and abs(arguments[1]) <= MAX_DIGITS):
        raise NotConstant("the number would be too large")
    if not all(isinstance(argument, bool | int | float | str | np.generic | tuple | list) for argument in arguments):
        raise NotConstant(f"`{quoted(function)}(...)` is given something other than numbers")
    return _guarded(lambda: target(*arguments))


def quoted(node: ast.AST) -> str:
    """An expression as text for a sentence, shortened; "an expression" where it is too large to be written out."""
    try:
        return ast.unparse(node)[:60]
    except (RecursionError, ValueError, MemoryError):
        return "an expression"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _apply(operation: ast.operator | ast.unaryop, operands: list[Any]) -> Any:
    function = OPERATIONS.get(type(operation))
    scalars = all(isinstance(value, bool | int | float | np.generic) for value in operands)
    tables = all(isinstance(value, bool | int | float | np.generic | np.ndarray) for value in operands)
    if function is None or not (scalars or (tables and isinstance(operation, ELEMENTWISE))):
        raise NotConstant("only numbers can be combined in a constant")
    if not scalars and not constant_arrays.fits(operands):
        raise NotConstant("the table would be too large")
    if isinstance(operation, ast.Pow | ast.LShift) and (abs(operands[1]) > 64 or abs(operands[0]) > LARGEST):
        raise NotConstant("the number would be too large")
    return _guarded(lambda: function(*operands))


def _guarded(compute) -> Any:
    try:
        with np.errstate(all="ignore"):
            return _bounded(compute())
    except (ArithmeticError, ValueError, TypeError, MemoryError, RecursionError) as error:
        raise NotConstant(f"it cannot be computed ({error})") from None


def _bounded(value: Any) -> Any:
    if isinstance(value, int) and abs(value) > LARGEST:
        raise NotConstant("the number would be too large")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise NotConstant("the text would be too long")
    if isinstance(value, np.ndarray) and not constant_arrays.is_table(value):
        raise NotConstant("the table would be too large")
    return value
