"""What the names of a function hold, as far as its text tells: fractions or whole numbers, and from which line on."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

FRACTIONS = ("float16", "float32", "float64")
WHOLE = ("math.floor", "math.ceil", "len", "int", "int32", "int64", "uint32", "uint64")


class Names:
    """fractions: names that are set to a float somewhere. first: the line that sets each first, 0 for a parameter."""

    def __init__(self, function: ast.FunctionDef) -> None:
        assigned = list(_assigned(function))
        self.fractions: set[str] = set()
        while new := {name for name, value in assigned if _is_fraction(value, self.fractions)} - self.fractions:
            self.fractions |= new
        self.first = {argument.arg: 0 for argument in function.args.args}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.first[node.id] = min(self.first.get(node.id, node.lineno), node.lineno)

    def set_before(self, names: Iterable[str], line: int) -> list[str]:
        """Those that have a value once a line begins."""
        return sorted(name for name in names if self.first.get(name, 0) < line)

    def alike(self, name: str, names: Iterable[str]) -> list[str]:
        """Those that may stand for a name: fractions for a fraction, and whole numbers for any other."""
        return [one for one in names if (one in self.fractions) == (name in self.fractions)]


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from _paired(target, node.value)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _paired(one, other)


def _is_fraction(value: ast.expr, known: set[str]) -> bool:
    """Whether a value is a float, if names that are known to be one are."""
    if isinstance(value, ast.Name):
        return value.id in known
    if isinstance(value, ast.Constant):
        return isinstance(value.value, float)
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Div) or any(_is_fraction(one, known) for one in (value.left, value.right))
    if isinstance(value, ast.Attribute):
        return ast.unparse(value).startswith("math.")
    if isinstance(value, ast.UnaryOp):
        return _is_fraction(value.operand, known)
    if isinstance(value, ast.IfExp):
        return any(_is_fraction(one, known) for one in (value.body, value.orelse))
    if isinstance(value, ast.Call):
        called = ast.unparse(value.func)
        if called in WHOLE:
            return False
        named = called in FRACTIONS or called.startswith("math.")
        return named or any(_is_fraction(one, known) for one in value.args)
    return False
