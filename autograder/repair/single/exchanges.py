"""Single edits that exchange what stands on a line: two names, the parts of a tuple, the indices of every element."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from autograder.repair.edits import Edit, Text
from autograder.repair.single.expressions import Substitutes

MOST_NAMES = 7  # of a statement, whose pairs are tried


def exchange_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of a function that exchanges two things."""
    pool = Substitutes(function)
    yield from _indices_of_all(text, function)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return) and node.lineno == node.end_lineno:
            for whole in (node, getattr(node, "value", None) or node, *_elements(node)):
                yield from _names(text, whole, pool)
            yield from _quotient_and_rest(text, node)
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _parts(text, node.value)
        if isinstance(node, ast.Assign):
            yield from (edit for part in (node.targets[0], node.value) for edit in _parts(text, part))


def _elements(statement: ast.stmt) -> list[ast.AST]:
    return [node for node in ast.walk(statement) if isinstance(node, ast.Subscript)]


def _quotient_and_rest(text: Text, statement: ast.stmt) -> Iterator[Edit]:
    """`t // n` and `t % n` in one another's places."""
    parts = [node for node in ast.walk(statement) if isinstance(node, ast.BinOp)]
    pairs = [(one, other) for one, other in combinations(parts, 2) if _are_both(one, other) or _are_both(other, one)]
    for one, other in pairs[:MOST_NAMES]:
        first, second = ast.unparse(one), ast.unparse(other)
        yield text.replaced_each([(one, f"({second})"), (other, f"({first})")], "names", f"{first}` and `{second}")


def _are_both(one: ast.BinOp, other: ast.BinOp) -> bool:
    alike = ast.unparse(one.left) == ast.unparse(other.left) and ast.unparse(one.right) == ast.unparse(other.right)
    return alike and isinstance(one.op, ast.FloorDiv) and isinstance(other.op, ast.Mod)


def _names(text: Text, whole: ast.AST, pool: Substitutes) -> Iterator[Edit]:
    """Two arrays or two numbers that a statement, or a part of one, reads in one another's places."""
    read = [node for node in ast.walk(whole) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    for alike in (pool.scalars, pool.arrays):
        names = list(dict.fromkeys(node.id for node in read if node.id in alike))[:MOST_NAMES]
        for one, other in combinations(names, 2):
            turned = {one: other, other: one}
            pairs = [(node, turned[node.id]) for node in read if node.id in turned]
            yield text.replaced_each(pairs, "names", f"{one}` and `{other}")


def _parts(text: Text, value: ast.expr) -> Iterator[Edit]:
    """Two neighbours of a tuple in one another's places."""
    parts = value.elts if isinstance(value, ast.Tuple) and value.lineno == value.end_lineno else []
    for one, other in zip(parts, parts[1:], strict=False):
        first, second = ast.unparse(one), ast.unparse(other)
        if first != second:
            yield text.replaced_each([(one, second), (other, first)], "names", f"{first}` and `{second}")


def _indices_of_all(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """The two indices of every element of an array, the other way round wherever the function has one."""
    elements: dict[str, list[ast.Tuple]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
            elements.setdefault(node.value.id, []).append(node.slice)
    for array, places in elements.items():
        whole = all(len(one.elts) == 2 and one.lineno == one.end_lineno for one in places)
        if len(places) > 1 and whole:
            pairs = [(one, ", ".join(map(ast.unparse, reversed(one.elts)))) for one in places]
            yield text.replaced_each(pairs, "indices_everywhere", array)
