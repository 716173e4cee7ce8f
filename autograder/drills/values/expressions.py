"""Arithmetic in cards: one expression of Python over the values drawn and a few functions, and nothing else."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from autograder.drills.values.functions import FUNCTIONS

ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant,
    ast.Tuple, ast.List, ast.Subscript, ast.Load, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
    ast.GeneratorExp, ast.ListComp, ast.comprehension, ast.Store,
)  # fmt: skip


class ExpressionError(ValueError):
    """An expression that is no arithmetic, or that has no value; the message quotes it."""


@cache
def _compiled(text: str):
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ExpressionError(f"`{text}` is no expression: {error.msg}.") from error
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED):
            raise ExpressionError(f"`{text}` uses {type(node).__name__}; write arithmetic and calls of functions only.")
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            raise ExpressionError(f"`{text}` calls something that is no function of cards: {ast.unparse(node.func)}.")
    return compile(tree, f"<card: {text}>", "eval")


def evaluate(text: str | int | float, names: Mapping[str, Any]) -> Any:
    """The value of an expression; NumPy's numbers become Python's. Raises: ExpressionError, quoting it."""
    if not isinstance(text, str):
        return text
    try:
        value = eval(_compiled(text), {"__builtins__": {}, **FUNCTIONS, **names})
    except ExpressionError:
        raise
    except Exception as error:
        raise ExpressionError(f"`{text}` has no value: {type(error).__name__}: {error}.") from error
    return plain(value)


def plain(value: Any) -> Any:
    """The same value without NumPy; a float that is whole becomes an int."""
    if isinstance(value, tuple | list):
        return tuple(plain(each) for each in value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return int(value)
    return value
