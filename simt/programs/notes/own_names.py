"""What is given to a parameter's name and never read: whoever called the function sees nothing of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from simt.events import Finding
from simt.source.walking import walk

LOOPS = (ast.For, ast.While)
INNER = (ast.FunctionDef, ast.Lambda)


def lost_values(function: ast.AST, is_kernel: bool, arrays: set[str]) -> Iterator[Finding]:
    """A note for each parameter whose last assignment nobody reads. arrays: parameters that hold an array, as far as
    it is known; of a kernel only these are told, as its other parameters are nobody's but its own."""
    if not isinstance(function, ast.FunctionDef):
        return
    reads = _reads(function)
    inside = {
        name for node in walk(function) if isinstance(node, INNER) and node is not function for name in _reads(node)
    }
    for name in (one.arg for one in function.args.args):
        if is_kernel and name not in arrays or name in inside:
            continue
        unread = [
            node for node, around in _assignments(function, name) if not _is_read(reads.get(name, ()), node, around)
        ]
        if unread:
            yield _note(function.name, name, unread[0])


def _note(function: str, name: str, node: ast.Assign | ast.AugAssign) -> Finding:
    says = (
        f"`{ast.unparse(node)}` at line {node.lineno} gives the name `{name}` another value inside `{function}`, and "
        "nothing reads it: what was handed over stays as it is."
    )
    remedy = (
        f"To change an array, store in its elements, as in {name}[0] = ...; a number that changes is returned to "
        "whoever called the function, or kept in an array."
    )
    detail = {"function": function, "unsure": "so the source says"}
    return Finding("no_effect", says, (node.lineno,), remedy=remedy, detail=detail, note=True)


def _reads(function: ast.AST) -> dict[str, list[ast.Name]]:
    """Where each name is read; `x += 1` alone does not count."""
    found: dict[str, list[ast.Name]] = {}
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(node)
    return found


def _assignments(node: ast.AST, name: str, around: tuple = ()) -> Iterator[tuple[ast.Assign | ast.AugAssign, tuple]]:
    """Statements that give a name a value and nothing else, each with the loops around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assign | ast.AugAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            if [name] == [one.id if isinstance(one, ast.Name) else "" for one in targets]:
                yield child, around
        if not isinstance(child, INNER):
            yield from _assignments(child, name, (*around, child) if isinstance(child, LOOPS) else around)


def _is_read(reads: Iterable[ast.Name], node: ast.stmt, around: tuple) -> bool:
    """Whether a value may be read: below, or anywhere in the outermost loop around it, but for the statement itself."""
    own = {id(one) for one in walk(node)}
    looped = {id(one) for one in walk(around[0])} if around else set()
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return any(id(one) not in own and ((one.lineno, one.col_offset) >= end or id(one) in looped) for one in reads)
