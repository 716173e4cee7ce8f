"""Sizes that an answer names itself: what treats one of them in a way of its own shows there, and hardly anywhere else.

`if n == 4096` asks for a case of 4,096 elements; `if i > 300_000` for one of some more than that, where no case is as
long; `np.int16(i)` for one with more places than the type has. Tried where an answer is right otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from autograder.contract import Case, Exercise, Values
from autograder.running.buffers import make_values

SMALLEST = 65  # smaller ones are widths of blocks and tiles, which the contract's cases surround
MOST_ELEMENTS = 1 << 19  # of one array of such a case
PAST = 3  # so that a place in the array lies beyond the number, too
MOST_FLOPS = 1 << 26  # of such a case: more than any of a contract's, and a second or two of the interpreter
MOST_CASES = 4
MOST_ON_HOST = 256  # of a function of the host alone, where its domain ends before: no cost says what more would take
NARROW = {"int8": 1 << 7, "uint8": 1 << 8, "int16": 1 << 15, "uint16": 1 << 16}  # and how many places each can name
EXACT_BELOW = 1 << 24  # what a float32 holds without rounding
OPERATORS = {
    ast.Add: int.__add__,
    ast.Sub: int.__sub__,
    ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__,
    ast.LShift: int.__lshift__,
}


def named_sizes(exercise: Exercise, source: str) -> tuple[Case, ...]:
    """A case for each of the numbers that the source compares with, and for those beyond all cases. source: Python."""
    exact = [case for case in exercise.cases if case.values == "exact" and all(case.sizes.values())]
    if not exact:
        return ()
    known = {size for case in exercise.cases for size in case.sizes.values()}
    base = min(exact, key=lambda case: np.prod([*case.sizes.values()]))
    names = [name for name in base.sizes if name in exercise.free_sizes]
    lone = len(names) == 1  # among several, a large number is a distance between rows as soon as a size
    asked = [(base, size) for size in sorted({*_asked(source, max(known) if lone else MOST_ELEMENTS)} - known)]
    several = [case for case in exact if min(case.sizes.values()) > 1] or [base]  # rows, of which not all are alike
    small = min(several, key=lambda case: np.prod([*case.sizes.values()]))
    asked += [(small, size) for size in sorted({*_past_narrow_types(exercise, source)} - known)]
    cases = [
        replace(one, sizes={**one.sizes, name: size}, trace=False, last=True)
        for one, size in asked
        for name in names
        if size <= _most_of(exercise, name)
    ]
    return tuple(case for case in cases[:MOST_CASES] if _can_be_exact(exercise, case))


def _most_of(exercise: Exercise, name: str) -> int:
    """How large a size may be: a function of the host may compare each element with each, and so may its oracle."""
    span = exercise.domain.sizes.get(name) if exercise.on_host else None
    return MOST_ELEMENTS if span is None else max(span.high, MOST_ON_HOST)


def _asked(source: str, longest: int) -> Iterator[int]:
    """The sizes at which numbers of the source show: each that is compared, and those longer than any case."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for number in map(_number, (node.left, *node.comparators)):
                if number is not None and SMALLEST <= number:
                    yield from (number, number + PAST)
        elif isinstance(node, ast.expr) and (number := _number(node)) is not None and longest < number:
            yield number + PAST


def _past_narrow_types(exercise: Exercise, source: str) -> Iterator[int]:
    """Sizes past what the narrow whole numbers hold that the source names, and the exercise has no array of."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    named = {node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "") for node in ast.walk(tree)}
    own = {argument.dtype for argument in exercise.arguments}
    yield from (most + PAST for name, most in NARROW.items() if name in named - own)


def _number(node: ast.expr) -> int | None:
    """The whole number that an expression of literals is, if it is one and no array of ours is too short for it."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) <= MOST_ELEMENTS else None
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _number(node.left), _number(node.right)
        if left is None or right is None or (isinstance(node.op, ast.FloorDiv) and right == 0):
            return None
        if isinstance(node.op, ast.LShift) and not 0 <= right < MOST_ELEMENTS.bit_length():
            return None
        value = OPERATORS[type(node.op)](left, right)
        return value if abs(value) <= MOST_ELEMENTS else None
    return None


def _can_be_exact(exercise: Exercise, case: Case) -> bool:
    """Whether the values of this size can be had, and sums of them are as exact as those of the longest case."""
    try:
        values = make_values(exercise, case)
    except (ValueError, IndexError, MemoryError):  # a size that the contract's values cannot have
        return False
    if any(np.size(value) > MOST_ELEMENTS for value in values.values()) or _is_too_much(exercise, values):
        return False
    longest = max((one for one in exercise.cases if one.values == "exact"), key=lambda one: max(one.sizes.values()))
    if _largest_sum(exercise, values) < EXACT_BELOW:
        return True
    return _largest_sum(exercise, make_values(exercise, longest)) >= EXACT_BELOW  # no answer adds these up


def _is_too_much(exercise: Exercise, values: Values) -> bool:
    """Whether such sizes ask for far more arithmetic than elements, as all pairs of many bodies do."""
    return exercise.cost is not None and exercise.cost(values).flops > MOST_FLOPS


def _largest_sum(exercise: Exercise, values: Values) -> float:
    """The largest number that adding up the floats of an argument, or a result, can come to."""
    arrays = [np.asarray(value) for value in values.values()]
    results = [np.asarray(value) for value in exercise.expected_of(values).values()]
    sums = [np.abs(array, dtype=np.float64).sum() for array in arrays if array.dtype.kind == "f"]
    return max([0.0, *sums, *(np.abs(array, dtype=np.float64).max(initial=0) for array in results)])
