"""Names that a piece of Python gives to an index and uses instead of it: `start = cuda.grid(1)`."""

from __future__ import annotations

import ast
from collections import Counter

INDICES = {"grid", "gridsize", "this_grid"}  # calls that give the same value wherever in a kernel they stand
PURE = (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.Load, ast.Call)


def without_temporaries(tree: ast.Module, keep: frozenset[str]) -> ast.Module:
    """The tree with every name that is assigned once, to an index, replaced by what it stands for.

    keep: names that must stay. A name that nobody reads stays, too: it is what was asked for.
    """
    stored = Counter(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assigned = {_named(node): node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    values = {
        name: value
        for name, value in assigned.items()
        if stored[name] == 1 and name in read - keep and _is_index(value, stored)
    }
    return ast.fix_missing_locations(_Inline(values).visit(tree)) if values else tree


def _named(node: ast.AST) -> str:
    """The one name that a statement assigns; "" where it is another statement."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _is_index(value: ast.expr, stored: Counter) -> bool:
    """Arithmetic over what never changes, with a call or an attribute of the grid in it."""
    nodes = list(ast.walk(value))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return (
        all(isinstance(node, PURE) for node in nodes)
        and all(isinstance(call.func, ast.Attribute) and call.func.attr in INDICES for call in calls)
        and any(isinstance(node, ast.Attribute) for node in nodes)
        and not any(isinstance(node, ast.Name) and stored[node.id] for node in nodes)
    )


class _Inline(ast.NodeTransformer):
    """Puts values in the place of names, and takes their assignments away."""

    def __init__(self, values: dict[str, ast.expr]):
        self.values = values

    def visit_Assign(self, node: ast.Assign):
        return None if _named(node) in self.values else self.generic_visit(node)

    def visit_Name(self, node: ast.Name):
        return self.values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node
