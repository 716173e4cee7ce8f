"""A source as a row of words that names, layout, the order of statements and of operands do not change, nor helpers.

Which of two statements comes first is decided by what they look like where neither needs the other, and so are the
operands of a sum; a function that only returns something stands where it is called.
"""

from __future__ import annotations

import ast
import copy
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

EITHER_WAY = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
MOST_NODES = 20_000  # that helpers may add where they are called
MOST_IN_A_ROW = 200  # statements that are put in order at a time

Look = tuple[Any, ...]  # of a node and all below it, by which nodes are ordered


@dataclass(frozen=True)
class Node:
    """What is kept of a node: its kind, with an attribute's name or a constant; a variable's name; its line or 0."""

    kind: str
    name: str
    line: int


def nodes_of(source: str) -> list[Node]:
    """The nodes of a source, parents first. Docstrings and whether a name is read or written are left out.

    Raises: SyntaxError, ValueError, RecursionError and MemoryError for what is no Python.
    """
    tree = _with_helpers_in_place(ast.parse(source))
    looks = _looks(tree)
    found: list[Node] = []
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        found.append(_node(node))
        pending += reversed(_children(node, looks))
    return found


def _children(node: ast.AST, looks: dict[ast.AST, Look]) -> list[ast.AST]:
    """What stands below a node, in an order that is the same for all ways to write it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, EITHER_WAY):
        return [node.op, *sorted((node.left, node.right), key=looks.__getitem__, reverse=True)]
    found: list[ast.AST] = []
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            found += _in_order(value, looks)
        else:
            parts = value if isinstance(value, list) else [value]
            found += [part for part in parts if isinstance(part, ast.AST) and not isinstance(part, ast.expr_context)]
    return found


def _looks(tree: ast.AST) -> dict[ast.AST, Look]:
    """What each node looks like: how much there is of it, its kind, how often its name is used, and what is below."""
    nodes = list(ast.walk(tree))
    uses = Counter(name for name in map(_name, nodes) if name)
    looks: dict[ast.AST, Look] = {}
    for node in reversed(nodes):  # `walk` gives parents first
        below = [looks[child] for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, EITHER_WAY):
            below.sort(reverse=True)
        looks[node] = (1 + sum(one[0] for one in below), _kind(node), uses[_name(node)], _sum(below))
    return looks


def _sum(looks: Sequence[Look]) -> int:
    """A number for them that is the same in every process, as `hash` of text is not."""
    return zlib.crc32(repr(looks).encode())


def _in_order(body: Iterable[ast.stmt], looks: dict[ast.AST, Look]) -> list[ast.stmt]:
    """Statements, those in a row that only give names a value as they look, each after what it needs."""
    found: list[ast.stmt] = []
    row: list[ast.stmt] = []
    for statement in [*body, None]:
        if statement is not None and _only_names(statement) and len(row) < MOST_IN_A_ROW:
            row.append(statement)
            continue
        found += _settled(row, looks)
        row = []
        found += [] if statement is None else [statement]
    return found


def _settled(row: Sequence[ast.stmt], looks: dict[ast.AST, Look]) -> list[ast.stmt]:
    """The statements of a row as they look, each after what it needs."""
    names = [_names(one) for one in row]
    needs = [{before for before in range(n) if _needs(names[n], names[before])} for n in range(len(row))]
    found: list[ast.stmt] = []
    left = set(range(len(row)))
    while left:
        first = max((n for n in sorted(left) if not needs[n] & left), key=lambda n: looks[row[n]])
        left.remove(first)
        found.append(row[first])
    return found


def _only_names(statement: ast.stmt) -> bool:
    """Whether a statement only gives names a value, and keeps nobody waiting."""
    if not isinstance(statement, ast.Assign) or not all(isinstance(target, ast.Name) for target in statement.targets):
        return False
    return not any(isinstance(node, ast.Attribute) and "sync" in node.attr for node in ast.walk(statement))


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """Names that it stores, and names that it loads."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return stored, {node.id for node in names if isinstance(node.ctx, ast.Load)}


def _needs(one: tuple[set[str], set[str]], earlier: tuple[set[str], set[str]]) -> bool:
    """Whether a statement with these names has to stay behind an earlier one."""
    (stored, loaded), (stored_before, loaded_before) = one, earlier
    return bool(stored & (stored_before | loaded_before) or stored_before & loaded)


def _with_helpers_in_place(tree: ast.Module) -> ast.Module:
    """The tree with every call of a function of its own that only returns something replaced by what that returns."""
    helpers = dict(filter(None, map(_helper, tree.body)))
    if not helpers:
        return tree
    placed = _Placed(helpers)
    try:
        changed = placed.visit(copy.deepcopy(tree))
    except _TooMuch:
        return tree
    called = placed.placed
    changed.body = [node for node in changed.body if not (isinstance(node, ast.FunctionDef) and node.name in called)]
    return changed


class _TooMuch(Exception):
    """Helpers in their places would make a source far longer."""


def _helper(node: ast.stmt) -> tuple[str, tuple[Sequence[ast.arg], ast.expr]] | None:
    """The name of a function, its parameters and what it returns, where it does nothing else."""
    if not isinstance(node, ast.FunctionDef) or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        return None
    body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    return node.name, (node.args.args, body[0].value)


class _Placed(ast.NodeTransformer):
    """Puts helpers where they are called. placed: names of those that were. Raises: _TooMuch."""

    def __init__(self, helpers: dict[str, tuple[Sequence[ast.arg], ast.expr]]):
        self.helpers = helpers
        self.placed: set[str] = set()
        self.n_left = MOST_NODES

    def visit_Call(self, node: ast.Call) -> ast.AST:  # the name that ast asks for
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        parameters, value = self.helpers.get(name, ((), None))
        if value is None or node.keywords or len(node.args) != len(parameters):
            return node
        self.placed.add(name)
        uses = sum(isinstance(below, ast.Name) for below in ast.walk(value))
        self.n_left -= _size(value) + uses * max(map(_size, node.args), default=0)
        if self.n_left < 0:
            raise _TooMuch
        given = {parameter.arg: argument for parameter, argument in zip(parameters, node.args, strict=True)}
        return _Given(given).visit(copy.deepcopy(value))


class _Given(ast.NodeTransformer):
    """Puts what a call gives where a helper has its parameters."""

    def __init__(self, given: dict[str, ast.expr]):
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.AST:  # the name that ast asks for
        return copy.deepcopy(self.given[node.id]) if node.id in self.given else node


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _name(node: ast.AST) -> str:
    return getattr(node, "id", None) or getattr(node, "arg", None) or ""


def _kind(node: ast.AST) -> str:
    kind = type(node).__name__
    if isinstance(node, ast.Attribute):
        return f"{kind} {node.attr}"
    return f"{kind} {node.value!r}"[:60] if isinstance(node, ast.Constant) else kind


def _node(node: ast.AST) -> Node:
    return Node(_kind(node), _name(node), getattr(node, "lineno", 0))
