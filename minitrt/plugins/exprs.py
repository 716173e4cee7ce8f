"""Sizes of a plugin's outputs as expressions of its inputs' sizes: built once, stored in the plan, evaluated per run.

An expression is plain data: ``["const", 3]``, ``["dim", input, axis]``, ``["element", input, index]`` (of a shape
input), ``["size", output]`` (known when the plugin has run), ``["SUM", a, b]`` and the other names of
DimensionOperation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from minitrt.api.enums import DimensionOperation

OPERATIONS = {
    "SUM": lambda a, b: a + b,
    "PROD": lambda a, b: a * b,
    "MAX": max,
    "MIN": min,
    "SUB": lambda a, b: a - b,
    "EQUAL": lambda a, b: int(a == b),
    "LESS": lambda a, b: int(a < b),
    "FLOOR_DIV": lambda a, b: a // b,
    "CEIL_DIV": lambda a, b: -(-a // b),
}


class IDimensionExpr:
    """One size. Made by IExprBuilder, or found in the DimsExprs of an input."""

    def __init__(self, tree: list[Any]):
        self.tree = tree

    def is_constant(self) -> bool:
        return self.tree[0] == "const"

    def get_constant_value(self) -> int | None:
        return self.tree[1] if self.is_constant() else None

    def is_size_tensor(self) -> bool:
        return self.tree[0] == "size"


class DimsExprs:
    """The sizes of a tensor, one a dimension. ``DimsExprs(4)`` has four ones; integers become constants."""

    def __init__(self, sizes: int | Iterable[IDimensionExpr | int] = ()):
        self._sizes = [as_expr(1)] * sizes if isinstance(sizes, int) else [as_expr(size) for size in sizes]

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[IDimensionExpr]:
        return iter(self._sizes)

    def __getitem__(self, index: int) -> IDimensionExpr:
        return self._sizes[index]

    def __setitem__(self, index: int, size: IDimensionExpr | int) -> None:
        self._sizes[index] = as_expr(size)

    @property
    def trees(self) -> list[list[Any]]:
        return [size.tree for size in self._sizes]


def as_expr(size: IDimensionExpr | int) -> IDimensionExpr:
    return size if isinstance(size, IDimensionExpr) else IDimensionExpr(["const", int(size)])


class IExprBuilder:
    """Builds expressions; what is constant is computed at once."""

    def constant(self, value: int) -> IDimensionExpr:
        return as_expr(value)

    def operation(self, op: DimensionOperation, first: IDimensionExpr, second: IDimensionExpr) -> IDimensionExpr:
        first, second = as_expr(first), as_expr(second)
        if first.is_constant() and second.is_constant():
            return as_expr(OPERATIONS[op.name](first.tree[1], second.tree[1]))
        return IDimensionExpr([op.name, first.tree, second.tree])

    def declare_size_tensor(self, output_index: int, opt: IDimensionExpr, upper: IDimensionExpr) -> IDimensionExpr:
        """A size that the plugin writes to its output `output_index` when it runs; at most `upper`."""
        return IDimensionExpr(["size", int(output_index), as_expr(upper).tree])


def sizes_of(shape: Iterable[int], index: int) -> DimsExprs:
    """The expressions of input `index`: constants where its size is fixed."""
    return DimsExprs(as_expr(n) if n != -1 else IDimensionExpr(["dim", index, axis]) for axis, n in enumerate(shape))


def evaluate(tree: list[Any], inputs: list[Any], upper: bool = False) -> int:
    """The number an expression is for values of concrete shapes; -1 where only a run tells, unless `upper` asks for
    the bound."""
    kind = tree[0]
    if kind == "const":
        return tree[1]
    if kind == "dim":
        return inputs[tree[1]].shape[tree[2]]
    if kind == "element":
        data = inputs[tree[1]].data
        return -1 if data is None else int(data.reshape(-1)[tree[2]])
    if kind == "size":
        return evaluate(tree[2], inputs) if upper else -1
    first, second = (evaluate(part, inputs, upper) for part in tree[1:])
    return -1 if -1 in (first, second) and not upper else OPERATIONS[kind](first, second)


def largest_shape(op: Any, value: Any) -> tuple[int, ...]:
    """The most that an operation's output can be: for a plugin what it declared, else its shape, with any -1."""
    if op.kind != "plugin":
        return tuple(value.shape)
    return tuple(evaluate(tree, op.inputs, upper=True) for tree in op.attrs["shapes"][op.outputs.index(value)])
