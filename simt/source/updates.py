"""What the source does to an element that it changes, as the atomic that would do the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from simt.source.walking import walk

UPDATES = {ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"}
EXTREMES = {"max": "max", "fmax": "max", "min": "min", "fmin": "min"}
OTHER, CLAIM, STORED_BACK, ASKED = "compare_and_swap", "cas", "stored_back", "asked"


def updates_of(nodes: Iterable[ast.AST]) -> dict[tuple[int, int], str]:
    """The atomic that does what the source does to an element, by (line, column) of where it reads or names it.

    `m[b] -= v`: "sub"; `if v > m[b]: m[b] = v` and `m[b] = max(m[b], v)`: "max"; `m[b] *= v`, which none does:
    "compare_and_swap"; `if m[b] == 0: m[b] = v`, or a loop that looks for such a place: "cas". Besides:
    `m[b] = cuda.atomic.add(m, b, v)`: "stored_back"; `if m[a] > v: cuda.atomic.min(m, b, v)`: "asked".
    """
    found: dict[tuple[int, int], str] = {}
    nodes = list(nodes)
    _of_claims(found, nodes)
    for node in nodes:
        if isinstance(node, ast.AugAssign):
            _note(found, node.target, node.target, UPDATES.get(type(node.op), OTHER))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target, value = node.targets[0], node.value
            if isinstance(value, ast.BinOp):
                _note(found, value, target, UPDATES.get(type(value.op), OTHER))
            elif isinstance(value, ast.Call) and _is_atomic_on(value, target.value):
                found[target.lineno, target.col_offset] = STORED_BACK
            elif isinstance(value, ast.Call):
                named = getattr(value.func, "attr", getattr(value.func, "id", ""))
                _note(found, value, target, EXTREMES.get(named, OTHER))
        if isinstance(node, ast.If):
            _of_atomics(found, node)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and len(node.test.ops) == 1:
            rises = isinstance(node.test.ops[0], ast.Gt | ast.GtE)
            if rises or isinstance(node.test.ops[0], ast.Lt | ast.LtE):
                _of_test(found, node.body, node.test, rises)
    return found


def _of_test(found: dict[tuple[int, int], str], body: list[ast.stmt], test: ast.Compare, rises: bool) -> None:
    """`if v > m[b]:`, below which `m[b]` is stored. rises: the left side is the larger one."""
    stored = [one.targets[0] for one in body if isinstance(one, ast.Assign)]
    for side, is_max in ((test.left, not rises), (test.comparators[0], rises)):
        if target := next((one for one in stored if _same(one, side)), None):
            _note(found, side, target, "max" if is_max else "min")


def _is_atomic_on(call: ast.Call, array: ast.expr) -> bool:
    """Whether a call is an atomic, as cuda.atomic.add, of this array."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    named = getattr(owner, "attr", getattr(owner, "id", ""))
    return named == "atomic" and bool(call.args) and ast.dump(call.args[0]) == ast.dump(array)


def _of_atomics(found: dict[tuple[int, int], str], node: ast.If) -> None:
    """Elements that a condition compares, below which an atomic updates the same array."""
    calls = [one for part in node.body for one in walk(part) if isinstance(one, ast.Call)]
    for side in (one for one in walk(node.test) if isinstance(one, ast.Subscript)):
        if any(_is_atomic_on(call, side.value) for call in calls):
            found.setdefault((side.lineno, side.col_offset), ASKED)


def _of_claims(found: dict[tuple[int, int], str], nodes: list[ast.AST]) -> None:
    """Elements that are compared with one value and then stored, below the test or behind it."""
    stores = [one for one in nodes if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript)]
    for node in nodes:
        if not isinstance(node, ast.If | ast.While):
            continue
        tests = [one for one in walk(node.test) if isinstance(one, ast.Compare)]
        sides = [
            side for one in tests if isinstance(one.ops[0], ast.Eq | ast.NotEq) for side in (one.left, *one.comparators)
        ]
        for side in sides:
            for store in stores:
                if store.lineno >= node.lineno and _same(store.targets[0], side):
                    for one in (side, store.targets[0]):
                        found[one.lineno, one.col_offset] = CLAIM


def _same(one: ast.AST, other: ast.AST) -> bool:
    """Whether both are one element of one array, as they are written."""
    if not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return False
    return ast.dump(one.value) == ast.dump(other.value) and ast.dump(one.slice) == ast.dump(other.slice)


def _note(found: dict[tuple[int, int], str], value: ast.AST, target: ast.expr, atomic: str) -> None:
    """Of the element `target`, where it stands in `value`."""
    read = [one for one in walk(value) if isinstance(one, ast.expr) and _same(one, target)]
    for one in [*read, target] if read else []:
        found[one.lineno, one.col_offset] = atomic
