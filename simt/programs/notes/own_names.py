"""What is given to a parameter's name and never read: whoever called the function sees nothing of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from simt.events import Finding
from simt.source.walking import walk

LOOPS = (ast.For, ast.While)
INNER = (ast.FunctionDef, ast.Lambda)
STATEMENTS = (ast.Raise, ast.Assert, ast.Delete, ast.With, ast.Try, ast.Global, ast.Nonlocal)


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


HARMLESS = frozenset(
    "grid gridsize len range min max abs int float bool round syncthreads syncwarp threadfence".split()
)


def stores_nothing(functions: Iterable[ast.AST]) -> Iterator[Finding]:
    """A note on a kernel that reads elements of arrays and keeps nothing of them. functions: the kernel first."""
    kernel, *others = functions
    if not isinstance(kernel, ast.FunctionDef) or others:
        return
    nodes = list(walk(kernel))
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    if any(isinstance(node, STATEMENTS) for node in nodes) or not all(map(_is_harmless, calls)):
        return
    elements = [node for node in nodes if isinstance(node, ast.Subscript | ast.Attribute)]
    values = [node for node in nodes if isinstance(node, ast.Assign | ast.AugAssign)]
    reads = [node for node in elements if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)]
    if not reads or not values or any(not isinstance(node.ctx, ast.Load) for node in elements):
        return
    says = f"`{kernel.name}` stores nothing: what its threads work out ends with them, and the launch changes no array."
    remedy = "Store it in an element, as in out[i] = value: a name that is given a value is a variable of one thread."
    detail = {"function": kernel.name, "unsure": "so the source says"}
    last = max(values, key=lambda node: node.lineno)
    yield Finding("no_effect", says, (last.lineno,), remedy=remedy, detail=detail, note=True)


def _is_harmless(function: ast.expr) -> bool:
    """Whether a call changes nothing that others see."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.value.id in ("math", "np") or function.attr in HARMLESS
    return isinstance(function, ast.Name) and function.id in HARMLESS


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
