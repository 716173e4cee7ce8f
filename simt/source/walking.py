"""Every node of a syntax tree, as `ast.walk` gives them, in a seventh of its time: compiling asks for little else."""

from __future__ import annotations

import ast
from functools import lru_cache


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all below it, those of a level before those of the next. The tree may be changed meanwhile: what
    comes is what was there."""
    found = [node]
    for one in found:
        for name in one._fields:
            value = getattr(one, name, None)
            if value.__class__ is list:
                found.extend([part for part in value if isinstance(part, ast.AST)])
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def of_one_function(function: ast.FunctionDef | ast.Lambda) -> list[ast.AST]:
    """The syntax of a function's body, without that of functions defined inside it, whose own nodes are there."""
    pending: list[ast.AST] = [*function.body] if isinstance(function.body, list) else [function.body]
    found = []
    while pending:
        node = pending.pop()
        found.append(node)
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            continue
        for name in node._fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                pending.extend([part for part in value if isinstance(part, ast.AST)])
            elif isinstance(value, ast.AST):
                pending.append(value)
    return found


@lru_cache(maxsize=8)
def tree_of(text: str) -> ast.Module:
    """The syntax of a file; of one that cannot be read, nothing."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])
