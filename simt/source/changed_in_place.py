"""Where host code changes what an array holds, without giving its name to another one."""

from __future__ import annotations

import ast
import linecache

from simt.source.shown import Scope, node_of, own_parts
from simt.source.walking import walk

FILLING = ("fill", "sort", "put", "partition", "shuffle", "copyto", "place", "putmask", "fill_diagonal")


def changed_at(scope: Scope, name: str, made: int, used: int) -> int:
    """The line that changes the array `name` between the lines `made` and `used` of a scope, or further down in a loop
    that `made` stands above; 0 where there is none."""
    try:
        tree = ast.parse("".join(linecache.getlines(scope.file)))
    except (SyntaxError, ValueError):
        return 0
    node = node_of(tree, scope.first)
    loops = [one for one in walk(tree) if isinstance(one, ast.For | ast.While) and one.lineno <= used <= _end(one)]
    used = max((_end(one) for one in loops if not one.lineno <= made <= _end(one)), default=used)
    lines = [getattr(one, "lineno", 0) for one in (() if node is None else own_parts(node)) if _changes(one, name)]
    return max((line for line in lines if made < line <= used), default=0)


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _changes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.AugAssign):
        return _root(node.target) == name
    if isinstance(node, ast.Assign):
        return any(isinstance(one, ast.Subscript) and _root(one) == name for one in node.targets)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FILLING:
        return _root(node.func.value) == name or bool(node.args) and _root(node.args[0]) == name
    return isinstance(node, ast.Call) and any(one.arg == "out" and _root(one.value) == name for one in node.keywords)


def _root(target: ast.expr) -> str:
    while isinstance(target, ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""
