"""Tuples whose items are one formula of other operands, as in ``(row[0] + x * y[0], row[1] + x * y[1], ...)``.

Kernels that keep many sums in registers spend most of their statements on these, and for a few hundred lanes NumPy
takes longer to be called than to add. So the operands of all items are laid side by side, and each operator runs once.
What is not sums of numbers, one type an operand, is left to the items' own closures, as is whatever may raise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling.counting import operation_of, place_of
from simt.numerics.operators import SYMBOLS, binary
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask

OPERATORS = (ast.Add, ast.Sub, ast.Mult)  # which look at nothing but their operands, and never raise for numbers
FEWEST = 3  # items; for fewer, laying them side by side takes as long
MOST_LANES = 2048  # beyond, the arithmetic itself is what takes time

Read = Callable[["Env"], Any]  # what an operand is, or UNDEFINED


@dataclass(frozen=True)
class Operator:
    """An operator of every item, and where its operands stand in `Formula.steps`. places, operation: what is told, if
    anybody counts."""

    symbol: str
    left: int
    right: int
    places: tuple
    operation: str


@dataclass(frozen=True)
class Items:
    """What an operand is in each item: items of one tuple, which is read once."""

    owner: Read
    items: tuple[int, ...]

    def values(self, env: Env) -> Any:
        """One of each item; () where there is no such tuple."""
        found = self.owner(env)
        if type(found) is not tuple or len(found) <= max(self.items):
            return ()
        return found if self.items == tuple(range(len(found))) else [found[item] for item in self.items]


class Formula:
    """The steps of a tuple's items: operands that all share (a `Read`), operands of each (`Items` or a list of `Read`)
    or an `Operator`; the last gives the items."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler
        self.steps: list[Any] = []

    def add(self, nodes: list[ast.expr]) -> int | None:
        """Where in the steps these expressions stand, one of each item; None where they are not alike."""
        first = nodes[0]
        if isinstance(first, ast.BinOp):
            return self._add_operator(nodes)
        reads = [_read(node, self.compiler) for node in nodes]
        if any(read is None for read in reads):
            return None
        shared = all(ast.dump(node) == ast.dump(first) for node in nodes)
        return self._stands(reads[0] if shared else self._of_one_tuple(nodes) or reads)

    def _of_one_tuple(self, nodes: list[Any]) -> Items | None:
        """Items that numbers in the source name, of one tuple; None for anything else."""
        if not all(isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) for node in nodes):
            return None
        items = tuple(node.slice.value for node in nodes)
        same = len({ast.dump(node.value) for node in nodes}) == 1 and min(items) >= 0
        owner = _read(nodes[0].value, self.compiler) if same else None
        return Items(owner, items) if owner is not None else None

    def _add_operator(self, nodes: list[Any]) -> int | None:
        kind = type(nodes[0].op)
        if kind not in OPERATORS or not all(isinstance(node, ast.BinOp) and type(node.op) is kind for node in nodes):
            return None
        left, right = self.add([node.left for node in nodes]), self.add([node.right for node in nodes])
        if left is None or right is None:
            return None
        places = tuple(place_of(self.compiler, node, node.left, node.right) for node in nodes)
        operation = operation_of(self.compiler, nodes[0].op, nodes[0].right)
        return self._stands(Operator(SYMBOLS[kind], left, right, () if None in places else places, operation))

    def _stands(self, step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1


EACH = (Items, list)  # steps of which each item has its own


def compile_alike(compiler: Compiler, nodes: list[ast.expr], apart: Run) -> Run:
    """The closure of a tuple's items. apart: works them out one after the other."""
    if len(nodes) < FEWEST or not all(isinstance(node, ast.BinOp) for node in nodes):
        return apart
    formula = Formula(compiler)
    if formula.add(nodes) is None or not any(isinstance(step, list | Items) for step in formula.steps):
        return apart
    steps, told = formula.steps, [step for step in formula.steps if isinstance(step, Operator) and step.places]

    def run(env: Env, mask: Mask):
        if env.width > MOST_LANES:
            return apart(env, mask)
        results: list[Any] = []
        for step in steps:
            if type(step) is Operator:
                value = binary(step.symbol, results[step.left], results[step.right])
            else:
                value = _beside(env, step) if type(step) in EACH else _shared(step(env))
                if value is None:
                    return apart(env, mask)
            results.append(value)
        if value.shape != (len(nodes), env.width):
            return apart(env, mask)
        if told:
            types = [results[steps.index(step)].dtype for step in told]
            for i in range(len(nodes)):
                for step, dtype in zip(told, types, strict=True):
                    env.batch.emit.arithmetic(step.places[i], step.operation, dtype, mask.count)
        return tuple(value)

    return run


def _read(node: ast.expr, compiler: Compiler) -> Read | None:
    """What reads a variable, or an item of a tuple that a number in the source names, without telling anybody; None
    for any other expression."""
    if isinstance(node, ast.Name) and node.id in compiler.locals:
        name = node.id
        return lambda env: env.get(name)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    item: Any = node.slice.value
    owner = _read(node.value, compiler) if type(item) is int else None
    if owner is None:
        return None

    def read(env: Env):
        value = owner(env)
        return value[item] if type(value) is tuple and 0 <= item < len(value) else UNDEFINED

    return read


def _shared(value):
    """A number of every lane, or one for all; None for anything else."""
    return value if type(value) is np.ndarray or isinstance(value, np.generic) else None


def _beside(env: Env, reads: list[Read] | Items) -> np.ndarray | None:
    """(items, lanes) of what one operand is in each item; None where these are not numbers of one type."""
    values = reads.values(env) if isinstance(reads, Items) else [read(env) for read in reads]
    if not values:
        return None
    first = values[0]
    kind = type(first)
    if {*map(type, values)} != {kind}:
        return None
    if kind is np.ndarray:
        dtype = first.dtype
        if not [value for value in values if value.dtype is not dtype]:
            return np.concatenate(values).reshape(len(values), -1)
    elif isinstance(first, np.generic) and first.dtype.kind in "iuf":
        return np.array(values, first.dtype)[:, None]
    return None
