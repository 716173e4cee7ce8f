"""Single edits of how odd numbers are treated: infinities, NaN, zeros with a sign, and what lies beyond a limit."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.repair.edits import Edit, Text, in_brackets
from autograder.repair.single.expressions import OPPOSITE, changed

TYPES = ("int", "float", "int32", "uint32", "int64", "float32", "float64")
ENDS = ("min", "max")


def odd_number_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of a function that treats odd numbers otherwise."""
    conditions = _conditions_of(function)
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            yield from _masked(text, node, conditions)
        if isinstance(node, ast.BinOp):
            yield from _cut_early(text, node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from _negated(text, node)
        elif isinstance(node, ast.Call) and (kept := _within_limits(node)) is not None:
            yield text.replaced(node, in_brackets(kept), "clamped")


def _conditions_of(function: ast.FunctionDef) -> set[str]:
    """The names that hold whether something is true."""
    made = [one for one in ast.walk(function) if isinstance(one, ast.Assign)]
    return {ast.unparse(one.targets[0]) for one in made if isinstance(one.value, ast.Compare | ast.BoolOp)}


def _masked(text: Text, node: ast.BinOp, conditions: set[str]) -> Iterator[Edit]:
    """`x if condition else float32(0)` for `x * float32(condition)`."""
    for value, factor in ((node.left, node.right), (node.right, node.left)):
        kind = _type_of(factor)
        condition = factor.args[0] if isinstance(factor, ast.Call) and kind else factor
        if isinstance(condition, ast.Compare | ast.BoolOp) or ast.unparse(condition) in conditions:
            nothing = f"{kind}(0)" if kind else "0"
            chosen = f"({in_brackets(value)} if {ast.unparse(condition)} else {nothing})"
            yield text.replaced(node, chosen, "masked")


def _cut_early(text: Text, node: ast.BinOp) -> Iterator[Edit]:
    """`max(x * factor, 0)` for `max(x, 0) * factor`, and the same of sums and of what stands to the left."""
    for side, name in ((node.left, "left"), (node.right, "right")):
        if isinstance(side, ast.Call) and _limit_of(side) is not None:
            whole = ast.unparse(changed(node, **{name: side.args[0]}))
            yield text.replaced(node, f"{ast.unparse(side.func)}({whole}, {ast.unparse(side.args[1])})", "cut_early")


def _negated(text: Text, node: ast.UnaryOp) -> Iterator[Edit]:
    """`a > b` for `not a <= b`."""
    test = node.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITE:
        turned = changed(test, ops=[OPPOSITE[type(test.ops[0])]()])
        yield text.replaced(node, f"({ast.unparse(turned)})", "negated")


def _within_limits(node: ast.Call) -> ast.expr | None:
    """What `min(max(x, low), high)` keeps between two numbers; None for any other call."""
    inner = _limit_of(node)
    return inner if inner is None else _limit_of(inner)


def _limit_of(node: ast.expr) -> ast.expr | None:
    """What a call of min or max compares with a number, its first argument; None for any other expression."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ENDS or len(node.args) != 2:
        return None
    return node.args[0] if _is_number(node.args[1]) else None


def _is_number(node: ast.expr) -> bool:
    """Whether an expression is a number as it stands, or one that is converted."""
    if isinstance(node, ast.Call):
        return bool(_type_of(node)) and _is_number(node.args[0])
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _type_of(node: ast.expr) -> str:
    """The type that a call converts one number to, as it is written; "" for any other expression."""
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return ""
    name = ast.unparse(node.func)
    return name if name.split(".")[-1] in TYPES else ""
