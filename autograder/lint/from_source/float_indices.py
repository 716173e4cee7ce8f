"""Places that go through float32 on their way: right for every array that a test has, and wrong for long ones.

A float32 holds all whole numbers up to 2^24 and every other one after that. Read from the source: an expression is
*placed* if it is made of a thread's place in the grid or of the size of an array, and of nothing that was loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.lint.report import WARNING, LintFinding
from autograder.lint.source import dotted_name

KIND = "float_index"
_NARROW = ("float32", "float16", "f4")
_WHOLE = ("int", "int32", "int64", "uint32", "uint64", "intp", "floor", "rint")
_UNBOUNDED = ("grid", "gridsize", "blockIdx", "gridDim", "size", "shape")  # what grows with the array
_PLACES = (*_UNBOUNDED, "threadIdx", "blockDim", "laneid")
_KEEP_WHOLE = (ast.Add, ast.Sub, ast.Mult)


def float_indices(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`int(float32(cuda.grid(1)))`, over any number of lines: whole numbers of the grid's size kept in a float32."""
    names = _Names(tree)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    back = [call for call in calls if _called(call) in _WHOLE and call.args and names.is_floated(call.args[0])]
    if back:
        lines = tuple(sorted({call.lineno for call in back}))
        yield LintFinding(
            kind=KIND,
            misconception="float_index",
            says=f"`{ast.unparse(back[0])}` takes a place out of a float32, which holds every whole number only up to "
            "16,777,216: in a longer array, two neighbours become one.",
            remedy="Keep places in integers from start to end.",
            lines=lines,
            severity=WARNING,
        )


class _Names:
    """Which variables of a function hold places, and which hold places as float32."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self.placed: set[str] = set()
        self.floated: set[str] = set()
        pairs = list(_assignments(tree))
        before = None
        while before != (len(self.placed), len(self.floated)):
            before = len(self.placed), len(self.floated)
            for name, value in pairs:
                if self.is_floated(value):
                    self.floated.add(name)
                elif self.is_placed(value):
                    self.placed.add(name)

    def is_placed(self, value: ast.expr) -> bool:
        """Whether an expression is a whole number that grows with the grid or with an array."""
        nodes = list(ast.walk(value))
        if any(isinstance(node, ast.Subscript) and not _is_shape(node) for node in nodes):
            return False  # what was loaded is data, and no place
        return any(_names(node) & {*_UNBOUNDED} or _name(node) in self.placed for node in nodes)

    def is_floated(self, value: ast.expr) -> bool:
        """Whether an expression is such a number as a float32, and still a whole one."""
        if isinstance(value, ast.Name):
            return value.id in self.floated
        if isinstance(value, ast.BinOp) and isinstance(value.op, _KEEP_WHOLE):
            sides = value.left, value.right
            return any(map(self.is_floated, sides)) and all(self.is_floated(side) or _is_whole(side) for side in sides)
        if isinstance(value, ast.IfExp):
            return self.is_floated(value.body) or self.is_floated(value.orelse)
        if not isinstance(value, ast.Call):
            return False
        if "shfl" in _called(value):
            return any(map(self.is_floated, value.args))
        return _called(value) in _NARROW and len(value.args) == 1 and self.is_placed(value.args[0])


def _assignments(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """(variable, what is assigned to it); a loop's variable has what its range is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            yield node.target.id, node.iter
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _paired(target, node.value)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        parts = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        for at, one in enumerate(target.elts):
            yield from _paired(one, parts[at] if parts else value)


def _is_whole(value: ast.expr) -> bool:
    """Whether an operand leaves a whole number whole: a constant, or a float32 made of one or of a place."""
    if isinstance(value, ast.Call) and _called(value) in _NARROW and len(value.args) == 1:
        value = value.args[0]
        return _is_whole(value) or any(_names(node) & {*_PLACES} for node in ast.walk(value))
    return isinstance(value, ast.Constant) and isinstance(value.value, int | float) and float(value.value).is_integer()


def _called(call: ast.Call) -> str:
    return dotted_name(call.func).rpartition(".")[2]


def _is_shape(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _names(node: ast.AST) -> set[str]:
    """An attribute's own name, as in {"blockIdx"} for `cuda.blockIdx`."""
    return {node.attr} if isinstance(node, ast.Attribute) else set()


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""
