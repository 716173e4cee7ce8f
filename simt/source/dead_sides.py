"""Sides of branches that numba never types: those that a constant of the program rules out.

A factory writes ``if use_scale: scale(x, i)`` around ``scale = None``. Numba finds the constant, drops the side, and
compiles the kernel; so what stands there may be of no type at all, or name nothing.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from simt.source.folding import OPERATORS
from simt.source.walking import walk

UNKNOWN = object()  # what no constant decides
PLAIN = (bool, int, float, complex, str, bytes, type(None))
COMPARED: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.In: lambda one, all: one in all,
}  # fmt: skip
Function = ast.FunctionDef | ast.Lambda
KEPT_BY_NODES = ("_names_Store", "_names_Load")  # by trees.py, of a tree with all its sides


def without_dead_sides(function: Function, constant: Callable[[ast.expr], Any]) -> Function:
    """A function's syntax without the sides that no thread can take; the same object where there are none.

    constant: the host object that an expression names, or `UNKNOWN`. A ruled out ``if`` keeps its condition. Functions
    defined inside are left to those who compile them.
    """
    if not any(_side_of(node, constant) for node in walk(function)):
        return function
    own = copy.deepcopy(function)
    for node in walk(own):
        for kept in KEPT_BY_NODES:
            vars(node).pop(kept, None)
    _WithoutDeadSides(constant).generic_visit(own)
    return own


def _side_of(node: ast.AST, constant: Callable) -> str:
    """ "body" or "orelse" of a branch, whichever no thread takes; "" for none; "values" of operands after the last."""
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        decided = _truth(node.test, constant)
        endless = bool(decided) and isinstance(node, ast.While)
        return "" if decided is None or endless else "orelse" if decided else "body"
    return "values" if isinstance(node, ast.BoolOp) and len(_needed(node, constant)) < len(node.values) else ""


def _needed(node: ast.BoolOp, constant: Callable) -> list[ast.expr]:
    """The operands of ``and`` and ``or`` up to the one that always decides."""
    decides = isinstance(node.op, ast.Or)
    for count, operand in enumerate(node.values, 1):
        if _truth(operand, constant) is decides:
            return node.values[:count]
    return node.values


def _truth(test: ast.expr, constant: Callable) -> bool | None:
    """What a condition is for every thread; None where numba does not know when it compiles."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        operand = _truth(test.operand, constant)
        return None if operand is None else not operand
    if isinstance(test, ast.BoolOp):
        truths, decides = [_truth(one, constant) for one in test.values], isinstance(test.op, ast.Or)
        return decides if decides in truths else None if None in truths else not decides
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _applied(test.ops[0], test.left, test.comparators[0], constant)
    if isinstance(test, ast.BinOp):
        return _applied(test.op, test.left, test.right, constant)
    value = _named(test, constant)
    return bool(value) if _is_plain(value) else None


def _applied(operation: ast.cmpop | ast.operator, left: ast.expr, right: ast.expr, constant: Callable) -> bool | None:
    """Numba looks no further than at two names or literals."""
    values = [_named(one, constant) for one in (left, right)]
    if isinstance(operation, ast.Is | ast.IsNot):
        known = all(one is not UNKNOWN for one in values) and any(one is None or type(one) is bool for one in values)
        return (values[0] is values[1]) == isinstance(operation, ast.Is) if known else None
    apply = COMPARED.get(type(operation)) or OPERATORS.get(type(operation))
    if apply is None or not all(map(_is_plain, values)) or isinstance(operation, ast.Pow | ast.LShift):
        return None
    try:
        return bool(apply(*values))
    except (ArithmeticError, TypeError, ValueError):  # which the kernel meets
        return None


def _named(node: ast.expr, constant: Callable) -> Any:
    return constant(node) if isinstance(node, ast.Name | ast.Constant) else UNKNOWN


def _is_plain(value: Any) -> bool:
    """Whether Python's own code says what a value is: none of the program's is run to find out."""
    return type(value) in PLAIN or isinstance(value, np.generic) and type(value).__module__ == "numpy"


class _WithoutDeadSides(ast.NodeTransformer):
    """Drops them, innermost last."""

    def __init__(self, constant: Callable):
        self._constant = constant

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_If(self, node: ast.If | ast.While) -> ast.AST:
        dead = _side_of(node, self._constant)
        if dead:
            setattr(node, dead, [] if dead == "orelse" else [ast.copy_location(ast.Pass(), node.test)])
        return self.generic_visit(node)

    visit_While = visit_If

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        dead = _side_of(node, self._constant)
        return self.visit(getattr(node, "orelse" if dead == "body" else "body")) if dead else self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = _needed(node, self._constant)
        return self.generic_visit(node)
