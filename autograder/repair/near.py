"""Which lines an index comes from: those that assign what a line reads, and what these read in turn."""

from __future__ import annotations

import ast
from functools import lru_cache

from autograder.answer.syntax import functions_of


@lru_cache(maxsize=16)
def lines_behind(source: str, line: int) -> frozenset[int]:
    """The lines, counted from 1, that make the names read on a line and by its conditions; that line, these, exits."""
    around = [node for node in functions_of(source) if node.lineno <= line <= (node.end_lineno or 0)]
    if not around:
        return frozenset((line,))
    nodes = list(ast.walk(max(around, key=lambda node: node.lineno)))
    asked = [one for one in nodes if isinstance(one, ast.If | ast.While) and one.lineno <= line]
    around_it = [one for one in asked if line <= (one.end_lineno or 0)]
    names, found = _names_at(nodes, line).union(*(_names(one.test) for one in around_it)), {line}
    makers = [
        (one.lineno, *_made_and_read(one)) for one in nodes if isinstance(one, ast.Assign | ast.AugAssign | ast.For)
    ]
    while new := [one for one in makers if one[0] not in found and one[1] & names]:
        found |= {one[0] for one in new}
        names = names.union(*(one[2] for one in new))
    return frozenset(found | {one.lineno for one in asked if one in around_it or _leaves(one)})


def _leaves(node: ast.If | ast.While) -> bool:
    return isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Continue | ast.Break)


def _made_and_read(node: ast.Assign | ast.AugAssign | ast.For) -> tuple[set[str], set[str]]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    value = node.iter if isinstance(node, ast.For) else node.value
    return set().union(*map(_names, targets)), _names(value)


def _names_at(nodes: list[ast.AST], line: int) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and node.lineno == line}


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
