"""A number of blocks that is not rounded up, by the line of the host function that works it out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.outcome import Cause

NEAREST, DOWN, ONE_MORE = "nearest", "down", "one more"
DOES = {
    NEAREST: "rounds to the nearest whole number: less than half a block that is left over has no block.",
    DOWN: "rounds down: what is left over has no block.",
    ONE_MORE: "is one block too many where nothing is left over.",
}


def in_view_of_grids(cause: Cause, exercise: Exercise, program: Program) -> Cause:
    """A wrong output of a host function that counts its blocks, with the line that rounds them; others as they are."""
    tree = program.definition if exercise.kind == "host" else None
    if tree is None or cause.kind != "wrong_output" or cause.lines:
        return cause
    if cause.misconception == "wrong_return":
        floats = [node for node in _counts(tree) if _is_float(node)]
        return replace(cause, lines=(floats[0].lineno,)) if floats else cause
    numbers = not any(argument.shape for argument in exercise.arguments)
    for how, node in _roundings(tree):
        text, up = ast.unparse(node), _rounded_up(node, how)
        if cause.is_slip and numbers and how in (DOWN, ONE_MORE):
            return replace(cause, remedy=f"Write `{up}` in place of `{text}`.", lines=(node.lineno,))
        if how == NEAREST or cause.misconception == "missing_tail" and how == DOWN:
            says = f"`{text}` {DOES[how]}"
            return replace(
                cause, misconception="missing_tail", says=says, remedy=f"Write `{up}`.", lines=(node.lineno,)
            )
    return cause


def _roundings(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """How a quotient that is returned, or that a launch takes for its grid, is rounded; rounding up is left out."""
    for value in _counts(tree):
        if isinstance(value, ast.Call) and _is_call(value, "max"):
            value = value.args[-1]
        inner = value.args[0] if isinstance(value, ast.Call) and value.args else None
        if _is_call(value, "round") and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div):
            yield NEAREST, value
        elif _is_call(value, "int") and isinstance(inner, ast.BinOp):
            half = isinstance(inner.op, ast.Add) and ast.unparse(inner.right) == "0.5"
            if half and isinstance(inner.left, ast.BinOp) and isinstance(inner.left.op, ast.Div):
                yield NEAREST, value
            elif isinstance(inner.op, ast.Div) and _is_plain(inner.left):
                yield DOWN, value
        elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.FloorDiv) and _is_plain(value.left):
            yield DOWN, value
        elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and ast.unparse(value.right) == "1":
            whole = value.left
            if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.FloorDiv) and _is_plain(whole.left):
                yield ONE_MORE, value


def _counts(tree: ast.FunctionDef) -> Iterator[ast.expr]:
    """What the function returns, and the grids of its launches, variables written out."""
    named = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    launches = [function.slice for function in calls if isinstance(function, ast.Subscript)]
    found += [one.elts[0] if isinstance(one, ast.Tuple) and one.elts else one for one in launches]
    for value in found:
        yield named.get(value.id, value) if isinstance(value, ast.Name) else value


def _is_float(node: ast.expr) -> bool:
    """Whether a count is a quotient, or one that NumPy has rounded."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("np.ceil", "np.floor", "numpy.ceil", "numpy.floor")
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == name and bool(node.args)


def _is_plain(node: ast.expr) -> bool:
    """Whether a dividend is the number of elements itself, with nothing added that rounds up."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)


def _rounded_up(node: ast.expr, how: str) -> str:
    """The same quotient, rounded up."""
    quotient = next(
        one for one in ast.walk(node) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Div | ast.FloorDiv)
    )
    n, threads = ast.unparse(quotient.left), ast.unparse(quotient.right)
    return f"({n} + {threads} - 1) // {threads}"
