"""Kernels that host code launches until one launch changes nothing: a search in a graph, a relaxation, labels.

What such a kernel reads of an element that others change meanwhile may be the older value; then a later launch does
what this one missed. That holds where elements move one way, by atomic minima and maxima, or change once and are only
compared, and where nothing else depends on it. Once the last launch changed nothing, such races are notes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from simt.events import Finding
from simt.programs.places import Functions
from simt.source.walking import walk
from simt.values.unasked import is_a, memory_on_device

ONE_WAY = frozenset("min max nanmin nanmax or_ and_".split())
ONCE = frozenset("cas compare_and_swap".split())
MOST_BYTES = 1 << 22  # of an array that is copied before a launch
REPEATED = "the kernel is launched until nothing changes, so an older value costs another launch and no more"


@dataclass
class Series:
    """Launches of one kernel on one array that nobody else changes. ever: which elements have changed."""

    one_way: bool
    after: np.ndarray | None = None
    ever: np.ndarray | None = None
    changing: bool = True  # whether the last launch changed anything
    launches: int = 0
    failed: bool = False  # a series ended before nothing changed, or an element changed twice

    def begin(self, before: np.ndarray) -> None:
        if self.after is None or not _same(self.after, before):  # host code filled the array anew
            self.failed |= self.after is not None and self.changing
            self.ever, self.launches = np.zeros(before.shape, bool), 0

    def end(self, before: np.ndarray, after: np.ndarray) -> None:
        changed = _different(before, after)
        assert self.ever is not None
        self.failed |= not self.one_way and bool((changed & self.ever).any())
        self.ever |= changed
        self.changing, self.after = bool(changed.any()), after
        self.launches += 1

    @property
    def ended(self) -> bool:
        return not self.failed and not self.changing and self.launches > 1


@dataclass
class FixedPoints:
    """Of all kernels of a session."""

    _kernels: dict[Callable, dict[str, bool]] = field(default_factory=dict)
    _series: dict[tuple[Callable, str], Series] = field(default_factory=dict)
    _candidates: dict[tuple, tuple[Callable, str]] = field(default_factory=dict)  # by the keys of reports

    def before(self, function: Callable | None, args: tuple) -> dict[str, np.ndarray]:
        """Copies of the arrays that a search of this kernel moves; {} for other kernels."""
        if function is None:
            return {}
        if function not in self._kernels:
            self._kernels[function] = moved_arrays(Functions.syntax_of(function))
        copies = {name: one.copy() for name, one in self._arrays(function, args)}
        for name, copy in copies.items():
            series = self._series.setdefault((function, name), Series(self._kernels[function][name]))
            series.begin(copy)
        return copies

    def after(
        self, function: Callable, args: tuple, before: dict[str, np.ndarray], found: Iterable[tuple[tuple, Finding]]
    ) -> None:
        """The launch is done. found: what it showed, with the keys of reports."""
        for name, one in self._arrays(function, args):
            self._series[function, name].end(before[name], one.copy())
        tree = Functions.syntax_of(function)
        for key, finding in found:
            if finding.array in before and _may_be_older(finding, tree, self._kernels[function][finding.array]):
                self._candidates[key] = function, finding.array

    def settled(self) -> Iterator[tuple[tuple, bool]]:
        """The keys of races that a later launch may make up for, and whether one did."""
        for key, which in self._candidates.items():
            yield key, self._series[which].ended

    def _arrays(self, function: Callable, args: tuple) -> Iterator[tuple[str, np.ndarray]]:
        moved = self._kernels[function]
        for name, one in zip(function.__code__.co_varnames, args, strict=False) if moved else ():
            memory = memory_on_device(one)
            array = one if memory is None and is_a(one, np.ndarray) else memory
            if name in moved and array is not None and array.nbytes <= MOST_BYTES and not array.dtype.hasobject:
                yield name, array


def moved_arrays(tree: ast.AST) -> dict[str, bool]:
    """The arrays that a kernel moves to a fixed point, if it is launched often enough: whether by atomic minima and
    maxima alone; else its threads store one value. {} for a kernel that stores anything but constants elsewhere."""
    stores, atomics, handed_on = dict[str, list[ast.expr | None]](), dict[str, set[str]](), set[str]()
    for node in walk(tree):
        for name, value in _stored(node):
            stores.setdefault(name, []).append(value)
        if isinstance(node, ast.Call):
            operation, names = _atomic(node), [one.id for one in node.args if isinstance(one, ast.Name)]
            if operation and names and node.args[0] is not node.args[-1]:
                atomics.setdefault(names[0], set()).add(operation)
                stores.setdefault(names[0], []).extend([node.args[-1]] if operation in ONCE else [])
                names = names[1:]
            handed_on.update(names)
    results = {name for name, values in stores.items() if not all(isinstance(one, ast.Constant) for one in values)}
    moved = {*results, *atomics}
    name = moved.pop() if len(moved) == 1 else ""
    operations, values = atomics.get(name, set()), stores.get(name, [])
    one_way = operations <= ONE_WAY and not values
    once = operations <= ONCE and all(one is not None and _is_alike(one, tree) for one in values)
    return {name: one_way} if name and name not in handed_on and (one_way or once) else {}


def _stored(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """(array, value) of the elements that a statement stores; None for the value of an update."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    for target in targets:
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            yield target.value.id, node.value if isinstance(node, ast.Assign) else None


def _is_alike(value: ast.expr, tree: ast.AST) -> bool:
    """Whether an expression is made of constants and parameters, so that it is the same in all threads."""
    nodes = list(walk(value))
    plain = all(isinstance(one, (ast.Constant, ast.BinOp, ast.operator, ast.Name, ast.expr_context)) for one in nodes)
    names = {one.id for one in nodes if isinstance(one, ast.Name)}
    changed = {one.id for one in walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    parameters = {one.arg for one in tree.args.args} if isinstance(tree, ast.FunctionDef) else set[str]()
    return plain and names <= parameters - changed


def _atomic(call: ast.Call) -> str:
    """The name of an atomic, as in "min"; "" for another call."""
    written = call.func
    owner = written.value if isinstance(written, ast.Attribute) else None
    named = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
    return written.attr if isinstance(written, ast.Attribute) and named == "atomic" else ""


def _may_be_older(finding: Finding, tree: ast.AST, one_way: bool) -> bool:
    """Whether a race is between a read and what moves the element, and the read is no more than compared."""
    accesses = finding.detail.get("accesses", ())
    if finding.kind != "race" or finding.note or len({name for name, _ in finding.detail["functions"]}) > 1:
        return False
    if finding.detail.get("lost_update"):  # several may find the element as it was, and store one value
        return not one_way and len(finding.lines) > 1 and _only_compared(tree, finding.array, finding.lines[0])
    if sorted(kind for *_, kind in accesses) not in (["atomic", "load"], ["load", "store"]):
        return False
    line = next(line for line, _, kind in accesses if kind == "load")
    return one_way or _only_compared(tree, finding.array, line)


def _only_compared(tree: ast.AST, array: str, line: int) -> bool:
    """Whether all that is read of an array at a line is compared."""
    nodes = list(walk(tree))
    compared = {id(one) for node in nodes if isinstance(node, ast.Compare) for one in (node.left, *node.comparators)}
    reads = [
        node
        for node in nodes
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and node.lineno == line
        if isinstance(node.value, ast.Name) and node.value.id == array
    ]
    return bool(reads) and all(id(one) in compared for one in reads)


def _different(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Which elements differ; NaN is the same as itself."""
    return (one != other) & ~((one != one) & (other != other))


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and one.dtype == other.dtype and not _different(one, other).any()
