"""The syntax of a source, read once however many ask for it: a verdict looks at one text from many sides."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache


@lru_cache(maxsize=16)
def tree_of(source: str) -> ast.Module | None:
    """The tree of a source, which all share and nobody changes; None for what is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=16)
def functions_of(source: str) -> tuple[ast.FunctionDef, ...]:
    """All functions of a source, outer ones before those inside them."""
    tree = tree_of(source)
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)) if tree is not None else ()


@lru_cache(maxsize=16)
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree that nobody changes, as `ast.walk` gives them."""
    return tuple(ast.walk(tree))


@lru_cache(maxsize=16)
def functions_of_cell(source: str, first_line: int) -> tuple[ast.FunctionDef, ...]:
    """All functions of a source whose first line has that number in its cell or file, with such line numbers."""
    try:
        tree = ast.increment_lineno(ast.parse(source), first_line - 1)
    except SyntaxError:
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def around(statement: ast.AST, tree: ast.AST, kinds: type | tuple[type, ...]) -> list:
    """The nodes of these kinds that hold a statement of a tree, the innermost last."""
    return [node for node in ast.walk(tree) if isinstance(node, kinds) and statement in ast.walk(node)]
